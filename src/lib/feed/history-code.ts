import { z } from "zod";
import { type CodeChange, type DefectChange, type Landing, originOf, type RunChange } from "./history.ts";

/**
 * What commits brought to the facts of the code benchmark. Facts are only ever added to, so what a commit brought is
 * what there is more of. Older forms of the files are read as far as these schemas go.
 */

const list = z.array(z.unknown()).default([]);
const runPart = z.object({
  task: z.string(),
  entries: z.array(z.object({ dnf: z.unknown().optional() })),
  council: z
    .object({
      sessions: z.array(
        z.object({
          id: z.string(),
          judge: z.string(),
          reviews: z.array(z.object({ findings: list })).default([]),
        }),
      ),
    })
    .default({ sessions: [] }),
  revisions: list,
});
const defectsPart = z.object({ task: z.string(), defects: list, revisions: list });
const judgesPart = z.object({ judges: z.array(z.object({ id: z.string() })) });

/** A file of facts before and after a commit, parsed as JSON; null when it was not there. */
export interface FactsChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const RUN = /^data\/runs\/([a-z0-9][a-z0-9._-]*)\.json$/;
const DEFECTS = /^data\/defects\/[a-z0-9][a-z0-9._-]*\.json$/;
const JUDGES = "data/judges.json";

const OTHERS = /^data\/(?:models|pricing|anchors\/[a-z0-9][a-z0-9._-]*)\.json$/;

/** True of the files whose changes this history tells. */
export const isToldPath = (path: string): boolean =>
  RUN.test(path) || DEFECTS.test(path) || OTHERS.test(path) || path === JUDGES;

/** What a commit brought; null when it is nothing that this history tells. */
export function deriveCodeChange(landing: Landing, changes: readonly FactsChange[]): CodeChange | null {
  const runs = changes.flatMap(runChange);
  const defects = changes.flatMap(defectChange);
  const judges = changes.flatMap(({ path, before, after }) => {
    if (path !== JUDGES) return [];
    const known = new Set(judgesPart.safeParse(before).data?.judges.map(({ id }) => id));
    return (judgesPart.safeParse(after).data?.judges ?? []).flatMap(({ id }) => (known.has(id) ? [] : [id]));
  });
  const others = changes.flatMap(({ path }) => (OTHERS.test(path) ? [path] : []));
  if (runs.length + defects.length + judges.length + others.length === 0) return null;
  return { ...originOf(landing), runs, defects, judges, others };
}

function runChange({ path, before, after }: FactsChange): RunChange[] {
  const run = RUN.exec(path)?.[1];
  const now = runPart.safeParse(after).data;
  if (run === undefined || now === undefined) return [];
  const was = runPart.safeParse(before).data;
  const known = new Set(was?.council.sessions.map(({ id }) => id));
  const more = (count: (part: z.output<typeof runPart>) => number): number =>
    Math.max(0, count(now) - (was === undefined ? 0 : count(was)));
  const change: RunChange = {
    run,
    task: now.task,
    arrived: was === undefined,
    entries: more(({ entries }) => entries.length),
    unfinished: more(({ entries }) => entries.filter(({ dnf }) => dnf !== undefined).length),
    reviews: more(({ council }) => sum(council.sessions, ({ reviews }) => reviews.length)),
    findings: more(({ council }) =>
      sum(council.sessions, ({ reviews }) => sum(reviews, ({ findings }) => findings.length)),
    ),
    judges: [
      ...new Set(now.council.sessions.filter(({ id }) => !known.has(id)).map(({ judge }) => judge)),
    ].sort(),
    revisions: more(({ revisions }) => revisions.length),
  };
  const brought = change.entries + change.reviews + change.findings + change.judges.length + change.revisions;
  return change.arrived || brought > 0 ? [change] : [];
}

function defectChange({ path, before, after }: FactsChange): DefectChange[] {
  const now = DEFECTS.test(path) ? defectsPart.safeParse(after).data : undefined;
  if (now === undefined) return [];
  const was = defectsPart.safeParse(before).data;
  const added = Math.max(0, now.defects.length - (was?.defects.length ?? 0));
  const revised = Math.max(0, now.revisions.length - (was?.revisions.length ?? 0));
  return added + revised > 0 ? [{ task: now.task, added, revised }] : [];
}

const sum = <T>(items: readonly T[], count: (item: T) => number): number =>
  items.reduce((total, item) => total + count(item), 0);

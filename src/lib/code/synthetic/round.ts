import { instantMs, instantText } from "../../benchmarks/instant.ts";
import { digestOf } from "../../digest.ts";
import { type Random, randomFrom } from "../../stats/random.ts";
import type { Anchors } from "../schema/anchors-schema.ts";
import type { CouncilRevision, Session } from "../schema/council-schema.ts";
import type { Defect, Defects } from "../schema/defects-schema.ts";
import type { CodeRun } from "../schema/run-schema.ts";
import { syntheticUsage } from "./agent.ts";
import { defectKind, type MadeAnchor, type Report, syntheticSession } from "./council.ts";
import { DEFECTS, FAILING_DEFECTS, type MadeEntry, syntheticEntry } from "./entry.ts";
import {
  CONTESTANTS,
  type Contestant,
  categoriesOf,
  hosts,
  JUDGES,
  judges,
  LEADS,
  models,
  pricing,
  type SyntheticTask,
  TASKS,
  taskDocument,
} from "./roster.ts";

export interface SyntheticPlan {
  readonly seed: number;
  /** When the first run began (ISO 8601 UTC with milliseconds). */
  readonly start: string;
  /** Rounds, each with tasks of its own; 1 is a full-size round. */
  readonly rounds: number;
  /** Whether the files of deliverables are made too. */
  readonly deliverables: boolean;
}

export interface SyntheticFile {
  readonly path: string;
  readonly text: string;
}

/** What this generator calls itself in the runs that it makes; a change of what it draws is another name. */
export const GENERATOR = "synthetic-round-1";
const DAY = 86_400_000;
const REPEATED = "range-coder";
const REPLICATES = 3;

const json = (path: string, value: unknown): SyntheticFile => ({ path, text: `${JSON.stringify(value)}\n` });

/**
 * A whole data folder of invented results, file by file: 23 configurations, five leads and five tasks a round, four judges,
 * three replicates of one task, and every oddity that the format knows (unfinished entries, fast mode on both tiers, proxies,
 * wrong output, no price, false positives, revisions, missing seats, a batch, an excluded pilot). Every run is marked
 * `synthetic`. The same plan gives the same bytes.
 */
export function* syntheticFiles(plan: SyntheticPlan): Generator<SyntheticFile> {
  yield json("data/models.json", models());
  yield json("data/judges.json", judges());
  yield json("data/hosts.json", hosts());
  yield json("data/pricing.json", pricing());
  for (let round = 1; round <= plan.rounds; round += 1)
    for (const [position, task] of TASKS.entries()) {
      const id = round === 1 ? `synthetic-${task.slug}` : `synthetic-${task.slug}-${round}`;
      yield json(`tasks/${id}/task.json`, taskDocument(task, id, (round - 1) * TASKS.length + position));
      yield { path: `tasks/${id}/SPEC.md`, text: contractOf(task) };
      yield* taskFiles({ plan, task, id, round });
    }
}

/** The contract of a task: as much of one as packs for judges need. */
const contractOf = ({ title }: SyntheticTask): string =>
  `# ${title}\n\nA synthetic task: there is nothing to build. Its deliverables are invented, and so are their results.\n`;

interface TaskPlan {
  readonly plan: SyntheticPlan;
  readonly task: SyntheticTask;
  readonly id: string;
  readonly round: number;
}

/** What one task's runs leave for its anchors and defects. */
interface Kept {
  anchors: MadeAnchor[];
  anchorRun: string;
  readonly had: { readonly run: string; readonly made: MadeEntry }[];
  readonly reports: (Report & { readonly run: string })[];
}

function* taskFiles(given: TaskPlan): Generator<SyntheticFile> {
  const { plan, task, id, round } = given;
  const kept: Kept = { anchors: [], anchorRun: "", had: [], reports: [] };
  const replicates = task.slug === REPEATED ? REPLICATES : 1;
  const first = (instantMs(plan.start) ?? 0) + (round - 1) * 60 * DAY;
  let day = TASKS.indexOf(task);
  for (let replicate = 1; replicate <= replicates; replicate += 1)
    for (const [number, lead] of LEADS.entries()) {
      const start = instantText(first + day * DAY);
      day += TASKS.length;
      const name = `${id}-l${number + 1}-r${replicate}`;
      const isPilot = task.slug === REPEATED && replicate === 1 && number === 0 && round === 1;
      if (isPilot)
        yield* runFiles(given, kept, {
          name: `${id}-pilot`,
          lead,
          replicate,
          start: instantText(first - 5 * DAY),
          who: CONTESTANTS.slice(0, 8),
          pilot: true,
          batch: false,
        });
      // The last run of each task came in two batches.
      const split =
        number === LEADS.length - 1 && replicate === 1 ? CONTESTANTS.length - 3 : CONTESTANTS.length;
      const shared = { lead, replicate, start, pilot: false };
      yield* runFiles(given, kept, { ...shared, name, who: CONTESTANTS.slice(0, split), batch: false });
      if (split < CONTESTANTS.length)
        yield* runFiles(given, kept, {
          ...shared,
          name: `${name}-b2`,
          who: CONTESTANTS.slice(split),
          batch: true,
        });
    }
  yield json(`data/anchors/${id}.json`, anchorsDocument(id, kept, plan.start));
  yield json(`data/defects/${id}.json`, defectsDocument(id, task, kept, plan.start));
}

interface RunPlan {
  readonly name: string;
  readonly lead: (typeof LEADS)[number];
  readonly replicate: number;
  readonly start: string;
  readonly who: readonly Contestant[];
  readonly pilot: boolean;
  readonly batch: boolean;
}

function* runFiles({ plan, task, id }: TaskPlan, kept: Kept, run: RunPlan): Generator<SyntheticFile> {
  const random = randomFrom(`${plan.seed} ${run.name}`);
  const startMs = instantMs(run.start) ?? 0;
  const made = run.who.map((contestant, index) =>
    syntheticEntry(
      {
        id: `e${String(index + 1).padStart(2, "0")}`,
        contestant,
        task,
        lift: run.lead.lift,
        start: instantText(startMs + index * 60_000),
        // One model runs fast, and once more at the standard tier.
        fast: contestant.model === "basalt-sol-6" && run.replicate !== 2,
        proxy: task.host === "synthetic-arm64" && run.lead === LEADS[3],
      },
      random,
    ),
  );
  const { sessions, reports } = sessionsOf(task, kept, run, made, random);
  const document: CodeRun = {
    schema_version: 1,
    id: run.name,
    task: id,
    spec: { sha256: digestOf(contractOf(task)) },
    lead: run.lead.configuration,
    basis: run.pilot ? "brief" : "spec",
    brief: {
      sha256: digestOf(`brief ${id} ${run.lead.configuration}${run.pilot ? " pilot" : ""}`),
      usage: syntheticUsage(agentOf(run.lead.configuration, run.start, 8), random),
    },
    kit: {
      builder: LEADS[0]?.configuration ?? run.lead.configuration,
      usage: syntheticUsage(agentOf(LEADS[0]?.configuration ?? "", run.start, 20), random),
    },
    replicate: run.replicate,
    started_at: run.start,
    ...(run.pilot
      ? { excluded: { reason: "The brief was written by who knew the hidden categories." } }
      : {}),
    synthetic: { seed: plan.seed, generator: GENERATOR },
    entries: made.map(({ entry }) => (run.batch ? { ...entry, batch: 2 } : entry)),
    council: { sessions, revisions: revisionsOf(sessions, instantText(startMs + 4 * DAY), random) },
    revisions: [],
  };
  yield json(`data/runs/${run.name}.json`, document);
  if (plan.deliverables)
    for (const { entry, text } of made)
      yield { path: `data/entries/${run.name}/${entry.id}/${task.file}`, text };
  if (run.pilot) return;
  if (kept.anchors.length === 0) keepAnchors(kept, run.name, made);
  for (const each of made) if (each.defects.length > 0) kept.had.push({ run: run.name, made: each });
  for (const report of reports) kept.reports.push({ ...report, run: run.name });
}

function agentOf(configuration: string, start: string, requests: number) {
  const contestant = CONTESTANTS.find((each) => each.configuration === configuration) ?? CONTESTANTS[0];
  if (contestant === undefined) throw new RangeError("the roster is empty");
  return { contestant, start, fast: false, requests };
}

/** Low, middle and high of the first run's finished entries. */
function keepAnchors(kept: Kept, run: string, made: readonly MadeEntry[]): void {
  const live = made.filter(({ entry }) => entry.dnf === undefined).toSorted((a, b) => a.truth - b.truth);
  const at = [1, Math.floor(live.length / 2), live.length - 2];
  kept.anchors = at.flatMap((index, number) => {
    const chosen = live[index];
    return chosen === undefined ? [] : [{ id: `anchor-${number + 1}`, made: chosen }];
  });
  kept.anchorRun = run;
}

/** Three packs a judge, each dealt anew, with the same anchors in all of them. */
function sessionsOf(
  task: SyntheticTask,
  kept: Kept,
  run: RunPlan,
  made: readonly MadeEntry[],
  random: Random,
): { sessions: Session[]; reports: Report[] } {
  const live = made.filter(({ entry }) => entry.dnf === undefined);
  const sessions: Session[] = [];
  const reports: Report[] = [];
  const broken = random.float() < 0.08 ? random.below(JUDGES.length) : -1;
  for (const [number, judge] of JUDGES.entries()) {
    const packs = Math.ceil(live.length / 10);
    const dealt = random.shuffled(live);
    for (let pack = 0; pack < packs; pack += 1) {
      const made = syntheticSession(
        {
          id: `${judge.id}-p${pack + 1}`,
          judge,
          task,
          pack: dealt.filter((_, index) => index % packs === pack),
          anchors: run.pilot ? [] : kept.anchors,
          start: instantText((instantMs(run.start) ?? 0) + 2 * DAY + (number * 4 + pack) * 1_800_000),
          broken: number === broken && pack === packs - 1,
          legacy: run.pilot,
        },
        random,
      );
      sessions.push(made.session);
      reports.push(...made.reports);
    }
  }
  return { sessions, reports };
}

/** Now and then the orchestrator looks again: a score, or a finding that turns out to be wrong. */
function revisionsOf(sessions: readonly Session[], at: string, random: Random): CouncilRevision[] {
  const [first] = sessions;
  const review = first?.reviews[0];
  if (first === undefined || review === undefined || random.float() < 0.5) return [];
  const shared = { at, by: "synthetic", session: first.id };
  const revisions: CouncilRevision[] = [];
  const to = Math.round(Math.min(10, review.score + 0.5) * 10) / 10;
  if (to !== review.score)
    revisions.push({
      kind: "score",
      id: "rev-1",
      ...shared,
      reason: "The judge had read another file.",
      letter: review.letter,
      from: review.score,
      to,
    });
  const finding = first.reviews.flatMap(({ findings }) => findings).find(({ status }) => status === "valid");
  if (finding !== undefined && !finding.text.includes("defect"))
    revisions.push({
      kind: "status",
      id: "rev-2",
      ...shared,
      reason: "Built and run: it does not happen.",
      finding: finding.id,
      from: "valid",
      to: "false_positive",
    });
  return revisions;
}

const anchorsDocument = (task: string, kept: Kept, added_at: string): Anchors => ({
  schema_version: 1,
  task,
  anchors: kept.anchors.map(({ id, made }, index) => ({
    id,
    run: kept.anchorRun,
    entry: made.entry.id,
    level: (["low", "middle", "high"] as const)[index] ?? "middle",
    added_at,
  })),
});

/** The true defects that some entry has, by the three methods. */
function defectsDocument(id: string, task: SyntheticTask, kept: Kept, added_at: string): Defects {
  const defects = Array.from({ length: DEFECTS }, (_, index): Defect | null => {
    const entries = kept.had
      .filter(({ made }) => made.defects.includes(index))
      .map(({ run, made }) => ({ run, entry: made.entry.id }));
    if (entries.length === 0) return null;
    const has = new Set(entries.map(({ run, entry }) => `${run} ${entry}`));
    const { category, severity } = defectKind(index);
    return {
      id: `D-${index + 1}`,
      title: `Synthetic defect ${index + 1}`,
      category,
      severity,
      ...proofOf(index, task),
      added_at,
      entries,
      findings: kept.reports
        .filter(({ defect, run, entry }) => defect === index && has.has(`${run} ${entry}`))
        .map(({ run, session, finding }) => ({ run, session, finding })),
    };
  });
  return { schema_version: 1, task: id, defects: defects.filter((defect) => defect !== null), revisions: [] };
}

function proofOf(index: number, task: SyntheticTask): Pick<Defect, "method" | "probe" | "hidden_category"> {
  if (index < FAILING_DEFECTS)
    return { method: "hidden-suite", hidden_category: categoriesOf(task)[index] ?? "h01" };
  if (index >= DEFECTS - 2) return { method: "inspection" };
  return { method: "probe", probe: `defect-${index + 1}.txt` };
}

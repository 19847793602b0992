import type { Defect } from "../code/schema/defects-schema.ts";
import type { CodeRun } from "../code/schema/run-schema.ts";
import { dataFileOf } from "../result-pr/code-paths.ts";

/** What a command about a job can mean: told by what the pull request holds. Pure. */

/** Ids of the runs that a pull request brings or changes, or brings deliverables for, from the paths that it changes. */
export const runsIn = (paths: readonly string[]): string[] =>
  distinct(paths.flatMap((path) => runOf(path) ?? []));

function runOf(path: string): string | null {
  const file = dataFileOf(path);
  if (file?.kind === "deliverable") return file.run;
  return /^data\/runs\/([^/]+)\.json$/.exec(path)?.[1] ?? null;
}

/** Tasks whose defects a pull request changes. */
export const defectTasksIn = (paths: readonly string[]): string[] =>
  distinct(paths.flatMap((path) => /^data\/defects\/([a-z0-9][a-z0-9._-]*)\.json$/.exec(path)?.[1] ?? []));

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** What is meant; or everything that could be. */
export type Choice =
  | { readonly ok: true; readonly target: string; readonly task: string }
  | { readonly ok: false; readonly could: readonly string[] };

interface Candidate {
  readonly target: string;
  readonly task: string;
  /** It has what the job would measure already. */
  readonly has: boolean;
}

/** The only one; else the only one that has not been measured. */
function choose(candidates: readonly Candidate[]): Choice {
  const open = candidates.filter(({ has }) => !has);
  const [only] = candidates.length === 1 ? candidates : open.length === 1 ? open : [];
  return only === undefined
    ? { ok: false, could: candidates.map(({ target }) => target) }
    : { ok: true, target: only.target, task: only.task };
}

/**
 * The entry that a job about the runs of a pull request means. `runs`: as they stand on its head. `kind`: `perf` needs a deliverable, of
 * which the timings may be there already; `run` makes one.
 */
export function chooseEntry(runs: readonly CodeRun[], kind: "perf" | "run"): Choice {
  return choose(
    runs.flatMap((run) =>
      run.entries
        .filter(({ deliverable, dnf }) => kind === "run" || (dnf === undefined && deliverable.length > 0))
        .map((entry) => ({
          target: `${run.id}/${entry.id}`,
          task: run.task,
          has: kind === "perf" ? entry.perf !== undefined : entry.deliverable.length > 0,
        })),
    ),
  );
}

/** The defect that is meant, among those of these documents; by its id where one is named. */
export function chooseDefect(
  documents: readonly { readonly task: string; readonly defects: readonly Pick<Defect, "id" | "method">[] }[],
  id: string | null,
): Choice {
  return choose(
    documents.flatMap(({ task, defects }) =>
      defects
        .filter((defect) => (id === null || defect.id === id) && defect.method !== "inspection")
        .map((defect) => ({ target: `${task}/${defect.id}`, task, has: false })),
    ),
  );
}

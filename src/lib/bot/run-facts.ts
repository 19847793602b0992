import { CODE_LIMITS } from "../result-pr/code-facts.ts";
import { dataFileOf } from "../result-pr/code-paths.ts";

/** What a `run` job brought, as a pull request is made of it. Pure. */

/** Where a report's raw facts lie in its artifact: below it by their paths in the repository. */
const FOLDER = "facts/";

export interface FactsFile {
  /** In the repository. */
  readonly path: string;
  readonly data: Uint8Array;
}

/** The branch of the pull request for one order. */
export const factsBranch = (nonce: number): string => `assay/run-${nonce}`;

/**
 * The files that a pull request of the App may add: facts of exactly one run, and deliverables of its entries. What they say is judged like
 * every other pull request's. `files`: those of the artifact.
 */
export function chooseFacts(
  files: ReadonlyMap<string, Uint8Array>,
):
  | { readonly ok: true; readonly run: string; readonly files: readonly FactsFile[] }
  | { readonly ok: false; readonly why: string } {
  const chosen: FactsFile[] = [];
  const runs = new Set<string>();
  let documents = 0;
  let total = 0;
  for (const [name, data] of files) {
    if (!name.startsWith(FOLDER)) continue;
    const path = name.slice(FOLDER.length);
    const run = runOf(path);
    if (run === null) return no("it brought a file that is neither a run nor a deliverable");
    const isDocument = path.startsWith("data/runs/");
    if (data.length > (isDocument ? CODE_LIMITS.documentBytes : CODE_LIMITS.fileBytes))
      return no("one of its files is too large");
    if (isDocument) documents += 1;
    runs.add(run);
    total += data.length;
    chosen.push({ path, data });
  }
  const [run] = runs;
  if (run === undefined || documents === 0) return no("it brought no run");
  if (runs.size > 1) return no("it brought more than one run");
  if (total > CODE_LIMITS.totalBytes || chosen.length > CODE_LIMITS.files) return no("it brought too much");
  return { ok: true, run, files: chosen.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

const no = (why: string): { readonly ok: false; readonly why: string } => ({ ok: false, why });

function runOf(path: string): string | null {
  const file = dataFileOf(path);
  if (file?.kind === "deliverable") return file.run;
  return /^data\/runs\/([^/]+)\.json$/.exec(path)?.[1] ?? null;
}

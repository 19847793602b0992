import { modelFolder } from "../benchmarks/result-path.ts";
import { MAX_SAME_EVIDENCE } from "../feed/index-build.ts";
import { type Datable, latestResults, supersededDigests } from "../feed/rank.ts";
import { type Withdrawal, withdrawnDigests } from "../feed/withdrawal.ts";
import type { CommittedResult } from "./facts.ts";

/** Results of the same evidence that are named. */
export const MAX_DUPLICATES = MAX_SAME_EVIDENCE;

/** What one submission has to be compared with. */
export interface Wanted {
  /** Names of the folders that it lies in. */
  readonly suite: string;
  readonly folder: string;
  /** Digest of the result that it replaces or withdraws. */
  readonly names: string | null;
  readonly evidence: string | null;
}

/** As much of a committed result as decides whether it matters. */
export type Candidate = Datable & { readonly evidence: string | null };

/** Committed results that matter to some submissions, and which of them can be on the board. */
export interface Relevant<Entry extends Candidate = CommittedResult> {
  /** By path. */
  readonly committed: readonly Entry[];
  /** Of `committed`, what a rank is computed from: neither replaced nor withdrawn. */
  readonly board: readonly Entry[];
  /** By path. */
  readonly withdrawals: readonly Withdrawal[];
}

const partOf = (path: string, index: number): string => path.split("/")[index] ?? "";
/** `benchmarks/results/<suite>/<folder>/…` */
const suiteOf = ({ path }: { readonly path: string }): string => partOf(path, 2);
const folderOf = ({ path }: { readonly path: string }): string => partOf(path, 3);
const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

/** Folders whose every result has to be known: those of the curated models and of the submitted one. */
export const foldersOf = ({ folder }: Wanted, curated: readonly string[]): ReadonlySet<string> =>
  new Set([folder, ...curated.map(modelFolder)]);

/**
 * Of everything committed, what submissions have to be compared with: the newest standing result of each curated
 * model; of the submitted model also the one that would be the newest without the result that is named, that result,
 * whatever replaced it before, and any one of the same folder; results of the same evidence. Of other folders than
 * `foldersOf` only results of the same evidence, or of the named digest, need to be among `all`. `mergeOrder`: see `byAge`.
 */
export function relevantResults<Entry extends Candidate>(
  all: readonly Entry[],
  withdrawals: readonly Withdrawal[],
  wanted: readonly Wanted[],
  curated: readonly string[],
  mergeOrder: readonly string[] = [],
): Relevant<Entry> {
  const sorted = [...all].sort(byPath);
  const chosen = new Set<Entry>();
  const board = new Set<Entry>();
  for (const want of wanted) {
    const { suite, folder, names, evidence } = want;
    const here = sorted.filter((entry) => suiteOf(entry) === suite);
    const folders = foldersOf(want, curated);
    const considered = here.filter((entry) => folders.has(folderOf(entry)));
    const gone = new Set([...supersededDigests(considered), ...withdrawnDigests(here, withdrawals)]);
    for (const entry of newest(considered, gone, mergeOrder)) board.add(entry);
    if (names !== null) {
      for (const entry of newest(considered, new Set([...gone, names]), mergeOrder)) board.add(entry);
      for (const entry of here) if (entry.digest === names || entry.supersedes === names) chosen.add(entry);
    }
    const mine = considered.find((entry) => folderOf(entry) === folder);
    if (mine !== undefined) chosen.add(mine);
    if (evidence !== null)
      for (const entry of here.filter((entry) => entry.evidence === evidence).slice(0, MAX_DUPLICATES))
        chosen.add(entry);
  }
  for (const entry of board) chosen.add(entry);
  const digests = new Set([...chosen].map(({ digest }) => digest));
  return {
    committed: sorted.filter((entry) => chosen.has(entry)),
    board: sorted.filter((entry) => board.has(entry)),
    withdrawals: withdrawals.filter(({ withdraws }) => digests.has(withdraws)).sort(byPath),
  };
}

/** The newest result of each model and version of the suite, of those that are not gone. */
function newest<Entry extends Candidate>(
  entries: readonly Entry[],
  gone: ReadonlySet<string>,
  mergeOrder: readonly string[],
): Entry[] {
  const suites = new Map(entries.map(({ suite }) => [suite.digest, suite]));
  const standing = entries.filter(({ digest }) => !gone.has(digest));
  return [...suites.values()].flatMap((suite) => latestResults(standing, suite, mergeOrder));
}

/**
 * Results whose age only merge order tells: others of the same model and version of the suite finished in the same
 * millisecond. Few, or none.
 */
export function tiedPaths(all: readonly Candidate[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { path, model, suite, finished_at } of all) {
    const key = [suite.id, suite.digest, model, finished_at].join("\0");
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .flat()
    .sort();
}

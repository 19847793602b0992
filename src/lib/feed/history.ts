/** What changed on the boards, as main's first-parent history and the committed documents tell it. */

/** A commit of main's first-parent history, and the files that it brought or changed. */
export interface Landing {
  readonly sha: string;
  /** When it was committed: ISO, UTC. */
  readonly at: string;
  readonly message: string;
  /** Repository paths, sorted. */
  readonly files: readonly string[];
}

/** The commit that brought a change. */
export interface Origin {
  readonly commit: string;
  /** ISO, UTC. */
  readonly at: string;
  /** Null when the commit's message names no pull request. */
  readonly pull: number | null;
}

/** Where a model stands in a suite. */
export interface Place {
  /** Among the curated models of today; null for a model that is none of them. */
  readonly rank: number | null;
  readonly composite: number;
}

/**
 * - `new-model`: the first result of a model that had none standing
 * - `overtakes`: a result with which a model passes others
 * - `new-result`: any other result
 * - `not-counted`: a result that changes nothing, a newer one of its model stands
 * - `correction`: a result that replaces an earlier one of its model
 * - `withdrawn`: a result was taken back, and another one of the model stands, or it did not count anyway
 * - `leaves`: a result was taken back, and the model has none that stands
 */
export type SheetChangeKind =
  | "new-model"
  | "overtakes"
  | "new-result"
  | "not-counted"
  | "correction"
  | "withdrawn"
  | "leaves";

/** One committed document of the sheet benchmark, and what it moved. */
export interface SheetChange extends Origin {
  readonly suite: string;
  readonly kind: SheetChangeKind;
  readonly model: string;
  /** In the list of curated models; null for a model that is none of them. */
  readonly name: string | null;
  /** Of the document that the commit brought: a result or a withdrawal. */
  readonly path: string;
  readonly digest: string;
  /** Where the model stood before and after the commit; null when no result of it stood. */
  readonly before: Place | null;
  readonly after: Place | null;
  /** Names of the models that it passed, the best first: only the first few. */
  readonly passed: readonly string[];
  /** How many it passed. */
  readonly passedCount: number;
  /** Why a result was taken back; null for a result. */
  readonly reason: string | null;
}

/** What a commit brought to the facts of one run of the code benchmark. */
export interface RunChange {
  readonly run: string;
  readonly task: string;
  /** Whether the run came with it. */
  readonly arrived: boolean;
  /** New entries, and how many of them did not finish. */
  readonly entries: number;
  readonly unfinished: number;
  /** New reviews: one judge's score of one entry. */
  readonly reviews: number;
  readonly findings: number;
  /** Judges of the new sessions, each once. */
  readonly judges: readonly string[];
  readonly revisions: number;
}

export interface DefectChange {
  readonly task: string;
  readonly added: number;
  /** Corrections of what was verified before. */
  readonly revised: number;
}

/** A commit that brought facts of the code benchmark. */
export interface CodeChange extends Origin {
  readonly runs: readonly RunChange[];
  readonly defects: readonly DefectChange[];
  /** Ids of judges that joined. */
  readonly judges: readonly string[];
  /** Other files of facts that came or changed. */
  readonly others: readonly string[];
}

export type Change = SheetChange | CodeChange;

export interface History {
  /** When the commit that everything was made from was committed: ISO, UTC. */
  readonly at: string;
  /** Newest first. */
  readonly sheet: readonly SheetChange[];
  readonly code: readonly CodeChange[];
  /** Whether all changes are here, or only the newest. */
  readonly complete: boolean;
}

/** Changes of both benchmarks, newest first. Those of one commit stay in their order. */
export const changesOf = (history: History | null): Change[] =>
  history === null
    ? []
    : [...history.sheet, ...history.code].sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));

/**
 * The pull request that a commit of main merged, by its title: ours, or as GitHub's merge and squash buttons write it.
 * What stands below the title may be the submitter's own words. Null when the title names none. It decides nothing.
 */
export function pullOf(message: string): number | null {
  const title = message.split("\n", 1)[0] ?? "";
  for (const form of MERGE_TITLES) {
    const number = form.exec(title)?.[1];
    if (number !== undefined) return Number(number);
  }
  return null;
}

const MERGE_TITLES = [
  / \(#(\d{1,9})\)$/,
  /^Merge pull request #(\d{1,9}) from \S/,
  /^Merge pull request (\d{1,9}) at [0-9a-f]{12}$/,
];

export const originOf = ({ sha, at, message }: Landing): Origin => ({
  commit: sha,
  at,
  pull: pullOf(message),
});

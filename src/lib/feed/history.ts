import { latestResults, type SuiteRef } from "./rank.ts";

/** A commit of main's first-parent history that touched results or facts. */
export interface HistoryCommit {
  readonly sha: string;
  /** When it came to main, UTC. */
  readonly at: string;
  /** The pull request that it merged; null when its message names none. */
  readonly pull: number | null;
  readonly files: readonly { readonly status: "added" | "changed"; readonly path: string }[];
}

/** A committed result document, as the history needs it. */
export interface HistoryResult {
  readonly kind: "result";
  readonly path: string;
  readonly digest: string;
  readonly suite: SuiteRef;
  readonly model: string;
  readonly composite: number;
  readonly finished_at: string;
  readonly supersedes: string | null;
}

export interface HistoryWithdrawal {
  readonly kind: "withdrawal";
  readonly path: string;
  readonly suite: SuiteRef;
  readonly model: string;
  /** Digest of the result that it takes back. */
  readonly withdraws: string;
  readonly reason: string;
}

export type HistoryDocument = HistoryResult | HistoryWithdrawal;

/** A place on a board before and after; null where there was none. */
export interface Moved {
  readonly before: number | null;
  readonly after: number | null;
}

/** One thing that changed, and what brought it. */
export interface Change {
  readonly at: string;
  readonly commit: string;
  readonly pull: number | null;
  readonly what: SheetChange | CodeChange;
}

export interface SheetChange {
  readonly board: "sheet";
  /** `first` of the model, `newer` than the one that counted, `older` (it changes nothing), or `withdrawn`. */
  readonly kind: "first" | "newer" | "older" | "withdrawn";
  readonly suite: string;
  readonly model: string;
  /** Name in the registry of now; null for a model that it does not list. */
  readonly name: string | null;
  readonly path: string;
  /** Of the result that came or went. */
  readonly digest: string;
  readonly reason: string | null;
  readonly composite: Moved;
  /** Among the curated models of now; null where ranks were not followed. */
  readonly rank: Moved | null;
}

export interface CodeChange {
  readonly board: "code";
  /** In words, file by file: `run x came`, `verified defects of y changed`. */
  readonly brings: readonly string[];
}

interface Registered {
  readonly id: string;
  readonly name: string;
}

/** What a model has in a suite so far. */
interface Standing {
  /** As they came. */
  readonly results: HistoryResult[];
  readonly withdrawn: Set<string>;
  /** The one that counts; null when none stands. */
  counting: HistoryResult | null;
}

/** At most so many changes are told, the newest. */
const MOST_CHANGES = 500;

/**
 * What changed on the boards, commit by commit, the newest first.
 * @param commits first-parent history, oldest first; all of it when ranks are followed
 * @param documents of the added files, by path; a file that is none changes nothing
 * @param models the curated ones: only they have ranks
 * @param followRanks false for boards too large to be replayed: then only what came is told
 */
export function boardHistory(
  commits: readonly HistoryCommit[],
  documents: ReadonlyMap<string, HistoryDocument>,
  models: readonly Registered[],
  followRanks: boolean,
): Change[] {
  const names = new Map(models.map(({ id, name }) => [id, name]));
  const boards = new Map<string, Map<string, Standing>>();
  const changes: Change[] = [];
  for (const { sha, at, pull, files } of commits) {
    for (const { status, path } of files) {
      const document = status === "added" ? documents.get(path) : undefined;
      if (document === undefined) continue;
      // Results of another digest are results of another suite.
      const key = `${document.suite.id} ${document.suite.digest}`;
      const board = boards.get(key) ?? new Map<string, Standing>();
      boards.set(key, board);
      const what = sheetChange(board, document, names, followRanks);
      changes.push({ at, commit: sha, pull, what });
    }
    const brings = files.flatMap(({ status, path }) => codeWords(status, path));
    if (brings.length > 0) changes.push({ at, commit: sha, pull, what: { board: "code", brings } });
  }
  return changes.reverse().slice(0, MOST_CHANGES);
}

function sheetChange(
  board: Map<string, Standing>,
  document: HistoryDocument,
  names: ReadonlyMap<string, string>,
  followRanks: boolean,
): SheetChange {
  const { model, suite, path } = document;
  const standing = board.get(model) ?? { results: [], withdrawn: new Set(), counting: null };
  board.set(model, standing);
  const before = standing.counting;
  const rankBefore = followRanks ? rankOf(board, model, names) : null;
  if (document.kind === "result") standing.results.push(document);
  else standing.withdrawn.add(document.withdraws);
  const { results, withdrawn } = standing;
  const came = results.map((result) => result.path);
  standing.counting = latestResults(results, suite, came, withdrawn)[0] ?? null;
  const after = standing.counting;
  const kind =
    document.kind === "withdrawal"
      ? "withdrawn"
      : before === null
        ? "first"
        : after?.digest === document.digest
          ? "newer"
          : "older";
  return {
    board: "sheet",
    kind,
    suite: suite.id,
    model,
    name: names.get(model) ?? null,
    path,
    digest: document.kind === "result" ? document.digest : document.withdraws,
    reason: document.kind === "withdrawal" ? document.reason : null,
    composite: { before: before?.composite ?? null, after: after?.composite ?? null },
    rank: followRanks ? { before: rankBefore, after: rankOf(board, model, names) } : null,
  };
}

/** Position among the curated models, best composite first, ties by id; null without a result or outside them. */
function rankOf(
  board: ReadonlyMap<string, Standing>,
  model: string,
  names: ReadonlyMap<string, string>,
): number | null {
  const own = names.has(model) ? (board.get(model)?.counting ?? null) : null;
  if (own === null) return null;
  let rank = 1;
  for (const [other, { counting }] of board) {
    if (other === model || counting === null || !names.has(other)) continue;
    if (counting.composite > own.composite || (counting.composite === own.composite && other < model))
      rank += 1;
  }
  return rank;
}

const WORDS: readonly (readonly [file: RegExp, added: string, changed: string])[] = [
  [/^data\/runs\/([^/]+)\.json$/, "run $1 came", "run $1 grew"],
  [/^data\/defects\/([^/]+)\.json$/, "verified defects of $1 came", "verified defects of $1 changed"],
  [/^data\/anchors\/([^/]+)\.json$/, "anchors of $1 came", "anchors of $1 changed"],
  [/^data\/judges\.json$/, "judges came", "judges changed"],
  [/^data\/models\.json$/, "models came", "models changed"],
  [/^data\/pricing\.json$/, "price cards came", "price cards changed"],
];

function codeWords(status: "added" | "changed", path: string): string[] {
  for (const [file, added, changed] of WORDS) {
    const found = file.exec(path);
    if (found !== null) return [(status === "added" ? added : changed).replace("$1", found[1] ?? "")];
  }
  return [];
}

import type { ResultDocument, Status } from "../benchmarks/result-schema.ts";
import type { ResultEntry } from "../feed/schema.ts";
import type { Withdrawal } from "../feed/withdrawal.ts";
import type { Finding } from "../findings.ts";
import type { Change } from "./change-set.ts";

/** Everything the rules may look at: plain data, gathered beforehand. */
export interface ResultPrFacts {
  readonly changes: readonly Change[];
  /** The trees differ in more files than anybody reads; `changes` then holds only the first of them. */
  readonly truncated: boolean;
  /** Whatever changes in the folder of results is among `changes`, however much else there is. */
  readonly resultsSeen: boolean;
  /** Paths under `benchmarks/results/` on the base that lie beside an added file or one of its folders. */
  readonly basePaths: readonly string[];
  /** Added files that could be result documents, parsed; in the order of `changes`. */
  readonly submissions: readonly Submission[];
  /** Committed results that the submissions have to be compared with (`relevantResults`). */
  readonly committed: readonly CommittedResult[];
  /** Committed withdrawals of those results. */
  readonly withdrawals?: readonly Withdrawal[];
  /** When the pull request arrived (ISO 8601 UTC), or null where nobody can say. */
  readonly arrivedAt: string | null;
}

/** One added file under `benchmarks/results/` that was small and plain enough to be read. */
export interface Submission {
  readonly path: string;
  readonly oid: string;
  readonly bytes: number;
  /** Its text, for rules that look at bytes rather than meaning; null when it was too large to be read. */
  readonly text: string | null;
  /** Null when `findings` say why it is none, or when it is a withdrawal. */
  readonly document: ResultDocument | null;
  /** What it withdraws, when it is no result but a withdrawal. */
  readonly withdrawal?: Withdrawal | null;
  readonly findings: readonly Finding[];
  /** SHA-256 of the bytes; null when they were not read. */
  readonly digest: string | null;
  /** Digest of the normalised evidence (`evidenceDigest`); null without a document or without any recipe. */
  readonly evidence: string | null;
}

/** What a report needs to know of a result that is already committed. */
export interface BoardResult extends ResultEntry {
  readonly statuses: Readonly<Record<string, Status>>;
  readonly evidence: string | null;
}

/** What the rules need to know of it besides. */
export interface CommittedResult extends BoardResult {
  /** Digest of each final recipe, by member (`recipeDigests`). */
  readonly recipes: Readonly<Record<string, string>>;
  /** What tells its calls apart (`callsOf`). */
  readonly calls: readonly string[];
}

/** Limits of one pull request with results. */
export const LIMITS = {
  /** Bytes of one result document. Thirty members with recipes need a few hundred kilobytes. */
  documentBytes: 4 * 1024 * 1024,
  /** Added files that are read at all; a pull request carries one submission. */
  documents: 8,
  /** Characters of one name. */
  segment: 100,
  /** Characters of a whole path: what every file system of the project's hosts can hold. */
  path: 400,
} as const;

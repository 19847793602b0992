import { RESULTS_FOLDER } from "../benchmarks/result-path.ts";
import { METRIC_IDS } from "../benchmarks/result-schema.ts";
import type { Finding } from "../findings.ts";
import { evidenceDigest } from "../result-pr/evidence.ts";
import type { EvidenceEntry, IndexEntry, IndexWithdrawal, ModelIndex, ResultState } from "./index-schema.ts";
import type { ProjectedResult } from "./project.ts";
import { byAge, supersedesFindings } from "./rank.ts";
import { type WithdrawalDocument, withdrawalFindings } from "./withdrawal.ts";

/** A committed file: its name in its model's folder, git's id of its bytes, and their SHA-256. */
export interface IndexedFile {
  readonly file: string;
  readonly blob: string;
  readonly digest: string;
}

/** What the index says of a result document. */
export const indexEntryOf = ({ file, blob, digest }: IndexedFile, document: ProjectedResult): IndexEntry => ({
  file,
  blob,
  digest,
  suite_digest: document.suite.digest,
  finished_at: document.finished_at,
  components: document.components,
  composite: document.composite,
  composite_version: document.composite_version,
  solved: document.members.filter(({ status }) => status === "passed").length,
  members: document.members.length,
  cost: document.cost,
  supersedes: document.supersedes?.digest ?? null,
  evidence: evidenceDigest(document),
});

/**
 * True when the index says of a document what the document says. Its evidence is left out, which is costly to compute
 * and shown nowhere.
 */
export const agrees = (entry: IndexEntry, digest: string, document: ProjectedResult): boolean =>
  entry.digest === digest &&
  entry.suite_digest === document.suite.digest &&
  entry.finished_at === document.finished_at &&
  METRIC_IDS.every((id) => entry.components[id] === document.components[id]) &&
  entry.composite === document.composite &&
  entry.composite_version === document.composite_version &&
  entry.solved === document.members.filter(({ status }) => status === "passed").length &&
  entry.members === document.members.length &&
  entry.cost.total_usd === document.cost.total_usd &&
  entry.cost.complete === document.cost.complete &&
  entry.supersedes === (document.supersedes?.digest ?? null);

/** What the index says of a withdrawal. */
export const indexWithdrawalOf = (
  { file, blob, digest }: IndexedFile,
  document: WithdrawalDocument,
): IndexWithdrawal => ({
  file,
  blob,
  digest,
  suite_digest: document.suite.digest,
  withdraws: document.withdraws.digest,
  reason: document.withdraws.reason,
  withdrawn_at: document.withdrawn_at,
});

/** Everything committed for one model in one suite. */
export interface ModelResults {
  readonly results: readonly IndexEntry[];
  readonly withdrawals: readonly IndexWithdrawal[];
}

/**
 * Results that are neither superseded nor withdrawn, newest first. All are of one model and suite, so that each may
 * replace each. `order`: file names in first-parent merge order, oldest first, for equal finish times.
 */
export function standingResults(
  { results, withdrawals }: ModelResults,
  order: readonly string[] = [],
): IndexEntry[] {
  const gone = goneDigests({ results, withdrawals });
  const compare = byAge(order);
  const dated = (entry: IndexEntry) => ({ ...entry, path: entry.file });
  return results.filter(({ digest }) => !gone.has(digest)).sort((a, b) => compare(dated(b), dated(a)));
}

function goneDigests({ results, withdrawals }: ModelResults): Map<string, ResultState> {
  const gone = new Map<string, ResultState>();
  for (const { supersedes } of results) if (supersedes !== null) gone.set(supersedes, "superseded");
  for (const { withdraws } of withdrawals) gone.set(withdraws, "withdrawn");
  return gone;
}

/** What results of a model replace or take back lies among them, or it is a finding. */
export function correctionFindings(
  { suite, folder, model }: Pick<ModelIndex, "suite" | "folder" | "model">,
  { results, withdrawals }: ModelResults,
): Finding[] {
  const placed = <T extends { readonly file: string; readonly suite_digest: string }>(item: T) => ({
    ...item,
    path: `${RESULTS_FOLDER}/${suite}/${folder}/${item.file}`,
    model,
    suite: { id: suite, digest: item.suite_digest },
  });
  const entries = results.map(placed);
  return [...supersedesFindings(entries), ...withdrawalFindings(entries, withdrawals.map(placed))];
}

/** Files whose age is decided by merge order alone: standing results that finished in the same millisecond. */
export function tiedFiles(model: ModelResults): string[] {
  const standing = standingResults(model);
  return standing
    .filter(
      ({ finished_at }, index) =>
        finished_at === standing[index - 1]?.finished_at || finished_at === standing[index + 1]?.finished_at,
    )
    .map(({ file }) => file);
}

/** One model's file of the index. The same content always gives the same object, whatever the order it came in. */
export function buildModelIndex(
  place: Pick<ModelIndex, "suite" | "folder" | "tree" | "model">,
  model: ModelResults,
  order: readonly string[] = [],
): ModelIndex {
  const gone = goneDigests(model);
  const [latest] = standingResults(model, order);
  const stateOf = ({ digest }: IndexEntry): ResultState =>
    gone.get(digest) ?? (digest === latest?.digest ? "latest" : "older");
  return {
    schema_version: 1,
    ...place,
    results: byFile(model.results).map((entry) => ({ ...entry, state: stateOf(entry) })),
    withdrawals: byFile(model.withdrawals),
  };
}

const byFile = <T extends { readonly file: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));

/** Hex digits that choose the evidence file of a suite with so many results: about a thousand results a file. */
export const evidenceDigits = (results: number): 0 | 1 | 2 =>
  results <= 1000 ? 0 : results <= 16_000 ? 1 : 2;

/** Which file of a suite's evidence a digest is looked up in. */
export const evidencePrefix = (evidence: string, digits: number): string =>
  evidence.slice("sha256:".length, "sha256:".length + digits);

/** Results of one evidence that the index names: the first by path. With more, nobody learns more. */
export const MAX_SAME_EVIDENCE = 20;

/** Evidence in the order of its files: by digest, then path; of each digest no more than are named. */
export function sortEvidence(entries: readonly EvidenceEntry[]): EvidenceEntry[] {
  const sorted = [...entries].sort((a, b) =>
    a.evidence !== b.evidence ? (a.evidence < b.evidence ? -1 : 1) : a.path < b.path ? -1 : 1,
  );
  return sorted.filter(({ evidence }, index) => sorted[index - MAX_SAME_EVIDENCE]?.evidence !== evidence);
}

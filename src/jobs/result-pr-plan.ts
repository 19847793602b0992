import { placeFindings } from "../lib/benchmarks/place-findings.ts";
import { readResult } from "../lib/benchmarks/result.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { digestOf, sha256Hex } from "../lib/digest.ts";
import { latestResults } from "../lib/feed/rank.ts";
import { REGISTRY_PATH } from "../lib/feed/schema.ts";
import type { Finding } from "../lib/findings.ts";
import { type Change, isResultPath, RESULTS_FOLDER } from "../lib/result-pr/change-set.ts";
import { committedResult, evidenceDigest } from "../lib/result-pr/evidence.ts";
import { type CommittedResult, LIMITS, type Submission } from "../lib/result-pr/facts.ts";
import { MAX_PLAN_FINDINGS, MAX_SHARDS, type Plan } from "../lib/result-pr/plan-schema.ts";
import { duplicatesOf } from "../lib/result-pr/rules/duplicate-evidence.ts";
import { checkPullRequest } from "../lib/result-pr/rules/index.ts";
import { holdsSecret } from "../lib/result-pr/rules/secrets.ts";
import { sortFindings } from "../lib/result-pr/verdict.ts";
import type { ChangeSource } from "./result-pr-source.ts";

/** A plan and the files that go with it. */
export interface PlannedEvidence {
  readonly plan: Plan;
  /** Result documents by the name of their evidence file. */
  readonly documents: ReadonlyMap<string, ResultDocument>;
  /** The base's registry as committed; null when it has none. */
  readonly registry: Uint8Array | null;
}

/** Members that one shard executes before a second one pays for its start. */
const MEMBERS_PER_SHARD = 12;
/** Committed documents read at a time. */
const BATCH = 200;

/**
 * Everything that can be said about a pull request without executing anything: the change set, the rules, the
 * documents, and what they are compared with on the base.
 */
export async function planPullRequest(
  source: ChangeSource,
  arrivedAt: string | null,
): Promise<PlannedEvidence> {
  const submissions = await readSubmissions(source);
  const suites = new Set(
    submissions.flatMap(({ document, path }) => [document?.suite.id, path.split("/")[2]]),
  );
  const committed = await readCommitted(
    source,
    [...suites].filter((id) => id !== undefined),
  );
  const { changes, truncated, basePaths } = source;
  const facts = { changes, truncated, basePaths, submissions, committed, arrivedAt };
  const texts = new Map(submissions.map(({ path, text }) => [path, text]));
  const placed = checkPullRequest(facts).flatMap((finding) => {
    const text = finding.path === undefined ? null : texts.get(finding.path);
    if (text === null || text === undefined || finding.pointer === undefined || finding.line !== undefined)
      return [finding];
    return placeFindings([finding], text, finding.path ?? "");
  });
  const secret = new Set(submissions.filter(holdsSecret).map(({ path }) => path));
  const findings = sortFindings([...source.findings, ...placed].map((finding) => withhold(finding, secret)));
  const documents = new Map<string, ResultDocument>();
  const planned: Plan["submissions"] = [];
  for (const submission of submissions) {
    const { document, digest, path } = submission;
    if (document === null || digest === null || secret.has(path)) continue;
    const file = `${sha256Hex(canonicalDocument(document))}.json`;
    documents.set(file, document);
    const duplicates = duplicatesOf(submission, committed);
    planned.push({
      path,
      digest,
      file,
      duplicates: duplicates
        .slice(0, 20)
        .map((original) => ({ path: original.path, document: original.digest })),
    });
  }
  const [registry = null] = planned.length === 0 ? [] : await source.readBase([REGISTRY_PATH]);
  return {
    plan: {
      schema_version: 1,
      identity: source.identity,
      changed_files: changes.length,
      findings: findings.slice(0, MAX_PLAN_FINDINGS),
      findings_total: findings.length,
      submissions: planned,
      committed: relevant(committed, [...documents.values()]),
      registry: registry === null ? null : `${sha256Hex(registry)}.json`,
      shards: shardsFor([...documents.values()]),
    },
    documents,
    registry,
  };
}

/** What a rank needs: every model's latest result of a suite, and whatever a submission may replace. */
function relevant(
  committed: readonly CommittedResult[],
  documents: readonly ResultDocument[],
): CommittedResult[] {
  const latest = new Set(
    documents.flatMap(({ suite }) => latestResults(committed, suite)).map(({ path }) => path),
  );
  return committed.filter(
    ({ path, model, suite }) =>
      latest.has(path) || documents.some((own) => own.model.id === model && own.suite.id === suite.id),
  );
}

/** How many machines share the work: none when there is nothing to execute. */
function shardsFor(documents: readonly ResultDocument[]): number {
  const recipes = documents.reduce(
    (sum, { members }) => sum + members.filter(({ recipe }) => recipe !== null).length,
    0,
  );
  return documents.length === 0
    ? 0
    : Math.min(MAX_SHARDS, Math.max(1, Math.ceil(recipes / MEMBERS_PER_SHARD)));
}

/** A document that holds a credential is not quoted: places stay, contents go. */
function withhold(finding: Finding, secret: ReadonlySet<string>): Finding {
  if (finding.path === undefined || !secret.has(finding.path) || finding.code.startsWith("pr-"))
    return finding;
  const { expected: _expected, actual: _actual, ...rest } = finding;
  return { ...rest, message: "A rule about documents is broken here; its words are withheld." };
}

const couldBeDocument = ({ path, status, after }: Change): boolean =>
  status === "added" && isResultPath(path) && path.endsWith(".json") && after?.mode === "100644";

async function readSubmissions(source: ChangeSource): Promise<Submission[]> {
  const candidates = source.changes.filter(couldBeDocument).slice(0, LIMITS.documents);
  const contents = await source.readAdded(candidates, LIMITS.documentBytes);
  return candidates.map(({ path, after }, index): Submission => {
    const { size, bytes } = contents[index] ?? { size: 0, bytes: null };
    const common = { path, oid: after?.oid ?? "", bytes: size };
    if (bytes === null)
      return { ...common, text: null, document: null, findings: [], digest: null, evidence: null };
    const read = readResult(bytes, path);
    const document = read.ok ? read.value.document : null;
    return {
      ...common,
      text: new TextDecoder("utf-8").decode(bytes),
      document,
      findings: read.findings,
      digest: digestOf(bytes),
      evidence: document === null ? null : evidenceDigest(document),
    };
  });
}

/** Committed results of some suites. A committed file that is no result is not on the board and is left out. */
async function readCommitted(source: ChangeSource, suites: readonly string[]): Promise<CommittedResult[]> {
  const paths = source.basePaths.filter(
    (path) => suites.some((id) => path.startsWith(`${RESULTS_FOLDER}${id}/`)) && path.endsWith(".json"),
  );
  const committed: CommittedResult[] = [];
  for (let start = 0; start < paths.length; start += BATCH) {
    const batch = paths.slice(start, start + BATCH);
    const contents = await source.readBase(batch);
    for (const [index, path] of batch.entries()) {
      const bytes = contents[index] ?? null;
      const read = bytes === null ? null : readResult(bytes, path);
      if (bytes !== null && read?.ok === true)
        committed.push(committedResult(path, digestOf(bytes), read.value.document));
    }
  }
  return committed;
}

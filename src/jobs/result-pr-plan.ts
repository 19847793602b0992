import { placeFindings } from "../lib/benchmarks/place-findings.ts";
import { readResult } from "../lib/benchmarks/result.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { parseSuite, suitePath } from "../lib/benchmarks/suite.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import { digestOf, sha256Hex } from "../lib/digest.ts";
import { parseRegistry, REGISTRY_PATH } from "../lib/feed/schema.ts";
import { isWithdrawalPath, parseWithdrawal, withdrawalOf } from "../lib/feed/withdrawal.ts";
import type { Finding } from "../lib/findings.ts";
import { type Change, isResultPath, RESULTS_FOLDER } from "../lib/result-pr/change-set.ts";
import { touchesData } from "../lib/result-pr/code-paths.ts";
import type { CodePart } from "../lib/result-pr/code-report-schema.ts";
import type { Parts } from "../lib/result-pr/deal.ts";
import { evidenceDigest } from "../lib/result-pr/evidence.ts";
import { type BoardResult, type CommittedResult, LIMITS, type Submission } from "../lib/result-pr/facts.ts";
import { MAX_PLAN_FINDINGS, MAX_SHARDS, type Plan } from "../lib/result-pr/plan-schema.ts";
import type { Wanted } from "../lib/result-pr/relevant.ts";
import { duplicatesOf } from "../lib/result-pr/rules/duplicate-evidence.ts";
import { checkPullRequest } from "../lib/result-pr/rules/index.ts";
import { holdsSecret } from "../lib/result-pr/rules/secrets.ts";
import { sortFindings } from "../lib/result-pr/verdict.ts";
import { type Compared, readCommitted } from "./committed-results.ts";
import type { ChangeSource } from "./result-pr-source.ts";

/** A plan and the files that go with it. */
export interface PlannedEvidence {
  readonly plan: Plan;
  /** Result documents by the name of their evidence file. */
  readonly documents: ReadonlyMap<string, ResultDocument>;
  /** The base's registry as committed; null when it has none. */
  readonly registry: Uint8Array | null;
  /** What the pull request changes of the code benchmark's facts; null when it changes none. */
  readonly code: CodePart | null;
  /** Data of the code benchmark as they would be merged; null or absent when nothing of them changes or they do not hold. */
  readonly codeData?: Data | null;
  /** Why the published index of results was not used; null or absent when it was, or was not needed. */
  readonly note?: string | null;
}

export interface PlanOptions {
  /** Committed results of a suite up to which all are read, without the published index. */
  readonly direct?: number;
  /** Why nothing may be recomputed now, whatever the pull request holds; null or absent when it may. */
  readonly refused?: Finding | null;
  /** There is a machine beside the vault, which alone executes the bank's members. */
  readonly vaultRunner?: boolean;
  /** Runs of the code benchmark that a generator made are accepted: only where a round is tried out. */
  readonly synthetic?: boolean;
}

/** Members that one shard executes before a second one pays for its start. */
const MEMBERS_PER_SHARD = 12;

/**
 * Everything that can be said about a pull request without executing anything: the change set, the rules, the
 * documents, and what they are compared with on the base.
 */
export async function planPullRequest(
  source: ChangeSource,
  arrivedAt: string | null,
  options: PlanOptions = {},
): Promise<PlannedEvidence> {
  const submissions = await readSubmissions(source);
  const facing = touchesData(source.changes);
  // A pull request without results asks for nothing that could be refused.
  const refused = submissions.length === 0 && !facing ? null : (options.refused ?? null);
  const code =
    facing && refused === null ? await judgeCode(source, arrivedAt, options.synthetic === true) : NO_CODE;
  const [registry = null] = submissions.length === 0 ? [] : await source.readBase([REGISTRY_PATH]);
  const parsed = registry === null ? null : parseRegistry(registry);
  const curated = parsed?.ok === true ? parsed.value.models.map(({ id }) => id) : [];
  const compared = await readCommitted(source, submissions.flatMap(wantedOf), curated, options.direct);
  const { committed, withdrawals } = compared;
  const { changes, truncated, resultsSeen } = source;
  const basePaths = await neighbours(source);
  const facts = {
    changes,
    truncated,
    resultsSeen,
    basePaths,
    submissions,
    committed,
    withdrawals,
    arrivedAt,
  };
  const texts = new Map(submissions.map(({ path, text }) => [path, text]));
  const placed = checkPullRequest(facts).flatMap((finding) => {
    const text = finding.path === undefined ? null : texts.get(finding.path);
    if (text === null || text === undefined || finding.pointer === undefined || finding.line !== undefined)
      return [finding];
    return placeFindings([finding], text, finding.path ?? "");
  });
  const secret = new Set([...submissions.filter(holdsSecret).map(({ path }) => path), ...code.secret]);
  const findings = sortFindings([
    ...[...source.findings, ...placed, ...code.findings].map((finding) => withhold(finding, secret)),
    ...(refused === null ? [] : [refused]),
  ]);
  const documents = new Map<string, ResultDocument>();
  const planned: Plan["submissions"] = [];
  for (const submission of submissions) {
    const { document, digest, path } = submission;
    if (document === null || digest === null || secret.has(path) || refused !== null) continue;
    const file = `${sha256Hex(canonicalDocument(document))}.json`;
    documents.set(file, document);
    const duplicates = duplicatesOf(submission, committed).map((original) => ({
      path: original.path,
      document: original.digest,
    }));
    planned.push({ path, digest, file, duplicates });
  }
  const kept = planned.length === 0 ? null : registry;
  const bank =
    options.vaultRunner === true ? await bankMembers(source, documents.values()) : new Set<string>();
  const parts = partsFor([...documents.values()], bank);
  return {
    plan: {
      schema_version: 1,
      identity: source.identity,
      changed_files: changes.length,
      findings: findings.slice(0, MAX_PLAN_FINDINGS),
      findings_total: findings.length,
      submissions: planned,
      committed: planned.length === 0 ? [] : compared.board.map(onBoard),
      merge_order: planned.length === 0 ? [] : orderOnBoard(compared),
      registry: kept === null ? null : `${sha256Hex(kept)}.json`,
      shards: parts.shards,
      vault_shards: parts.vault,
      ...(code.part === null ? {} : { code: `${sha256Hex(canonicalDocument(code.part))}.json` }),
    },
    documents,
    registry: kept,
    code: code.part,
    codeData: code.data,
    note: compared.note,
  };
}

const NO_CODE = { part: null, findings: [], secret: [], data: null } as const;

/** Loaded where it is needed: pull requests with results of the sheet benchmark start without it. */
async function judgeCode(source: ChangeSource, arrivedAt: string | null, synthetic: boolean) {
  const { planCode } = await import("./code-pr.ts");
  return planCode(source, arrivedAt, synthetic);
}

/** As much of a committed result as a rank needs. */
const onBoard = ({ recipes: _recipes, calls: _calls, ...result }: CommittedResult): BoardResult => result;

const orderOnBoard = ({ board, mergeOrder }: Compared): string[] => {
  const paths = new Set(board.map(({ path }) => path));
  return mergeOrder.filter((path) => paths.has(path));
};

/** What a submission has to be compared with on the base. */
function wantedOf({ path, document, withdrawal, evidence }: Submission): Wanted[] {
  const [, , suite, folder] = path.split("/");
  if (suite === undefined || folder === undefined) return [];
  return [{ suite, folder, names: document?.supersedes?.digest ?? withdrawal?.withdraws ?? null, evidence }];
}

/** Added paths whose surroundings are looked at; a pull request with more is none of ours. */
const MAX_NEIGHBOURHOODS = 200;

/** Paths of the base beside each added file and each of its folders: all that a new name can clash with. */
async function neighbours({ changes, results }: ChangeSource): Promise<string[]> {
  const top = RESULTS_FOLDER.slice(0, -1);
  const folders = new Set<string>([""]);
  for (const { path, status } of changes) {
    if (status !== "added" || !path.startsWith(RESULTS_FOLDER) || folders.size > MAX_NEIGHBOURHOODS) continue;
    const below = path.slice(RESULTS_FOLDER.length).split("/").slice(0, -1);
    for (let depth = 1; depth <= below.length; depth += 1) folders.add(below.slice(0, depth).join("/"));
  }
  const found: string[] = [];
  for (const folder of folders) {
    const below = folder === "" ? [] : folder.split("/");
    const level = await results.level(...below);
    for (const { name } of [...level.folders, ...level.files]) found.push([top, ...below, name].join("/"));
  }
  return found.sort();
}

const nameOf = (suite: string, member: string): string => `${suite} ${member}`;

/** `<suite> <member>` of every member over a workbook of the bank; a suite that does not hold has none here. */
async function bankMembers(source: ChangeSource, documents: Iterable<ResultDocument>): Promise<Set<string>> {
  const suites = [...new Set([...documents].map(({ suite }) => suite.id))];
  const files = await source.readBase(suites.map(suitePath));
  return new Set(
    suites.flatMap((id, index) => {
      const bytes = files[index] ?? null;
      const suite = bytes === null ? null : parseSuite(bytes, suitePath(id));
      const members = suite?.ok === true ? suite.value.members : [];
      return members
        .filter(({ source_kind }) => source_kind === "bank_asset")
        .map((member) => nameOf(id, member.id));
    }),
  );
}

/** How many machines share the work, and how many of them stand beside the vault: none when there is nothing to execute. */
function partsFor(documents: readonly ResultDocument[], bank: ReadonlySet<string>): Parts {
  const recipes = documents.flatMap(({ suite, members }) =>
    members.filter(({ recipe }) => recipe !== null).map(({ id }) => bank.has(nameOf(suite.id, id))),
  );
  const shardsOf = (count: number): number => Math.min(MAX_SHARDS, Math.ceil(count / MEMBERS_PER_SHARD));
  const beside = recipes.filter((vault) => vault).length;
  const vault = shardsOf(beside);
  const hosted = shardsOf(recipes.length - beside);
  return { shards: Math.max(documents.length === 0 ? 0 : 1, hosted + vault), vault };
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
    const text = new TextDecoder("utf-8").decode(bytes);
    if (isWithdrawalPath(path)) {
      const parsed = parseWithdrawal(bytes, path);
      const digest = digestOf(bytes);
      const withdrawal = parsed.ok ? withdrawalOf(parsed.value, path, digest) : null;
      const { findings } = parsed;
      return { ...common, text, document: null, withdrawal, findings, digest, evidence: null };
    }
    const read = readResult(bytes, path);
    const document = read.ok ? read.value.document : null;
    return {
      ...common,
      text,
      document,
      findings: read.findings,
      digest: digestOf(bytes),
      evidence: document === null ? null : evidenceDigest(document),
    };
  });
}

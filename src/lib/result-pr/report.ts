import { isPrivateMember, type PrivacyOptions, redactMember } from "../benchmarks/privacy.ts";
import type {
  Components,
  MemberMetrics,
  Mismatch,
  ResultDocument,
  Status,
} from "../benchmarks/result-schema.ts";
import type { Suite } from "../benchmarks/suite-schema.ts";
import { tagRates } from "../benchmarks/tag-rates.ts";
import { costPerSolved } from "../feed/build.ts";
import { latestResults, rankModels } from "../feed/rank.ts";
import { entryOf, type Registry } from "../feed/schema.ts";
import { type Finding, hasErrors } from "../findings.ts";
import type { CodePart } from "./code-report-schema.ts";
import { evidenceDigest } from "./evidence.ts";
import type { BoardResult } from "./facts.ts";
import type { Identity } from "./plan-schema.ts";
import type { Report, ReportMember, ReportResult } from "./report-schema.ts";
import { decideVerdict, sortFindings } from "./verdict.ts";

/** Findings of a report; more are counted. */
const MAX_FINDINGS = 500;
/** Standings shown above and below a result. */
export const NEIGHBOURS = 2;
/** Why a result is not ranked that is older than its model's newest. */
export const LATER_RESULT = "a later result of this model is already on the board";

/** What recomputing one document gave; a recomputation that never came to an end has no members. */
export interface RecomputedFacts {
  readonly members: readonly {
    readonly id: string;
    readonly status: Status | "unverified";
    readonly metrics: MemberMetrics | null;
    readonly mismatches: readonly Mismatch[];
  }[];
  readonly components: Components | null;
  readonly composite: number | null;
}

/** One submitted document with everything that is known about it. */
export interface ResultFacts {
  readonly path: string;
  /** SHA-256 of the committed bytes. */
  readonly digest: string;
  readonly document: ResultDocument;
  readonly recomputed: RecomputedFacts;
  /** The frozen suite and its vocabulary's tags; null when the grader has no such suite. */
  readonly suite: Suite | null;
  readonly tags: readonly string[];
  readonly duplicates: readonly { readonly path: string; readonly document: string }[];
}

export interface ReportFacts {
  readonly identity: Identity;
  readonly engine: { readonly version: string; readonly digest: string };
  readonly changedFiles: number;
  /** Everything that was found, in any order. */
  readonly findings: readonly Finding[];
  /** Findings that earlier stages counted but did not keep. */
  readonly findingsDropped: number;
  readonly results: readonly ResultFacts[];
  readonly committed: readonly BoardResult[];
  /** Some of their paths in first-parent merge order, oldest first, where only that tells which is newer. */
  readonly mergeOrder?: readonly string[];
  /** Null when the base has no registry: then nothing is ranked. */
  readonly registry: Registry | null;
  readonly privacy?: PrivacyOptions;
  readonly code?: CodePart | null;
}

/** Puts a report together. Pure: the same facts give the same report. */
export function assembleReport(facts: ReportFacts): Report {
  const findings = sortFindings(facts.findings);
  const unverified = facts.results.some(({ recomputed }) =>
    recomputed.members.some(({ status }) => status === "unverified"),
  );
  const verdict = decideVerdict(findings, unverified);
  return {
    schema_version: 1,
    ...facts.identity,
    engine: facts.engine,
    verdict,
    findings: findings.slice(0, MAX_FINDINGS),
    findings_total: findings.length + facts.findingsDropped,
    changed_files: facts.changedFiles,
    results: facts.results.map((result) => assembleResult(result, facts, hasErrors(findings))),
    ...(facts.code == null ? {} : { code: facts.code }),
  };
}

function assembleResult(result: ResultFacts, facts: ReportFacts, broken: boolean): ReportResult {
  const { document, recomputed, suite } = result;
  const previous = previousOf(result, facts);
  const statuses = new Map(recomputed.members.map(({ id, status }) => [id, status]));
  const passed = recomputed.members.filter(({ status }) => status === "passed").length;
  const { components, composite } = recomputed;
  const tags = suite === null ? [] : tagRates(suite.members, statuses, result.tags);
  const before =
    suite === null || previous === null
      ? []
      : tagRates(suite.members, new Map(Object.entries(previous.statuses)), result.tags);
  return {
    path: result.path,
    document: result.digest,
    suite: document.suite,
    model: document.model.id,
    finished_at: document.finished_at,
    supersedes: document.supersedes?.digest ?? null,
    claimed: { components: document.components, composite: document.composite },
    recomputed: components === null || composite === null ? null : { components, composite },
    members: membersOf(result, previous, facts.privacy),
    cost: { ...document.cost, per_solved_usd: costPerSolved(document.cost, passed) },
    previous:
      previous === null
        ? null
        : {
            document: previous.digest,
            components: previous.components,
            composite: previous.composite,
            finished_at: previous.finished_at,
          },
    tags: tags.map((rate) => ({
      ...rate,
      previous_passed: before.find(({ tag }) => tag === rate.tag)?.passed ?? null,
    })),
    rank: rankOf(result, facts, broken),
    evidence: evidenceDigest(document),
    duplicates: [...result.duplicates],
    levels: {
      scores: composite === null ? "declared" : "recomputed",
      model: "declared",
      provenance: "declared",
      usage: "declared",
      cost: "declared",
      times: "declared",
    },
  };
}

/** The model's latest result of exactly this suite on the base. */
function previousOf(
  { document, digest }: ResultFacts,
  { committed, mergeOrder }: ReportFacts,
): BoardResult | null {
  const others = committed.filter((other) => other.digest !== digest);
  const latest = latestResults(others, document.suite, mergeOrder).find(
    ({ model }) => model === document.model.id,
  );
  return others.find(({ path }) => path === latest?.path) ?? null;
}

function membersOf(
  { document, recomputed, suite }: ResultFacts,
  previous: BoardResult | null,
  privacy: PrivacyOptions | undefined,
): ReportMember[] {
  return recomputed.members.flatMap((member): ReportMember[] => {
    const claimed = document.members.find(({ id }) => id === member.id);
    const listed = suite?.members.find(({ id }) => id === member.id);
    if (claimed === undefined || listed === undefined) return [];
    return [
      redactMember({
        id: member.id,
        private: isPrivateMember(listed, privacy),
        claimed_status: claimed.status,
        recomputed_status: member.status,
        fault: claimed.reason?.fault ?? null,
        claimed: claimed.metrics,
        recomputed: member.metrics,
        previous_status: previous?.statuses[member.id] ?? null,
        mismatches: [...member.mismatches],
      }),
    ];
  });
}

/** Rank on the base's board before and after this result, by the very function that ranks the feed. */
function rankOf(
  { path, digest, document, recomputed }: ResultFacts,
  { committed, registry, mergeOrder = [] }: ReportFacts,
  broken: boolean,
): ReportResult["rank"] {
  const none = (reason: string, before: number | null = null, of = 0): ReportResult["rank"] => ({
    before,
    after: null,
    of,
    neighbours: [],
    reason,
  });
  if (registry === null) return none("the base has no readable registry of curated models");
  const model = document.model.id;
  const others = committed.filter((other) => other.digest !== digest);
  // What comes now is merged later than everything that is there.
  const placed = new Set(mergeOrder);
  const order = [...others.map((other) => other.path).filter((each) => !placed.has(each)), ...mergeOrder];
  const was = rankModels(others, registry, document.suite, order);
  const before = was.find((ranked) => ranked.model === model)?.position ?? null;
  if (!registry.models.some(({ id }) => id === model))
    return none("the registry does not list this model", before, was.length);
  if (recomputed.composite === null || recomputed.components === null)
    return none("not every member could be recomputed", before, was.length);
  if (broken) return none("only a result without errors is ranked", before, was.length);
  const { composite, components } = recomputed;
  const own = { ...entryOf(document, path, digest), composite, components };
  const ranked = rankModels([...others, own], registry, document.suite, order);
  const index = ranked.findIndex(({ entry }) => entry.digest === digest);
  if (index < 0) return none(LATER_RESULT, before, was.length);
  return {
    before,
    after: index + 1,
    of: ranked.length,
    neighbours: ranked.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1).map((standing) => ({
      model: standing.model,
      composite: standing.entry.composite,
      rank: standing.position,
    })),
    reason: null,
  };
}

/** The report of a grader that failed: no verdict about the result, and it says so. */
export function failedReport(
  identity: Identity,
  engine: { readonly version: string; readonly digest: string },
  findings: readonly Finding[],
): Report {
  return {
    schema_version: 1,
    ...identity,
    engine,
    verdict: "error",
    findings: sortFindings(findings).slice(0, MAX_FINDINGS),
    findings_total: findings.length,
    changed_files: 0,
    results: [],
  };
}

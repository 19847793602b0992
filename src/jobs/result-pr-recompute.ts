import type { Engine } from "../io/engine.ts";
import { type FileSource, folderSource } from "../io/files.ts";
import { placeFindings } from "../lib/benchmarks/place-findings.ts";
import { isPrivateMember, type PrivacyOptions, withheldMetrics } from "../lib/benchmarks/privacy.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { digestOf } from "../lib/digest.ts";
import { parseRegistry } from "../lib/feed/schema.ts";
import type { Finding } from "../lib/findings.ts";
import { dealParts, type PlacedShare, workOf } from "../lib/result-pr/deal.ts";
import type { Part, Plan } from "../lib/result-pr/plan-schema.ts";
import { assembleReport, failedReport, type ResultFacts } from "../lib/result-pr/report.ts";
import type { Report } from "../lib/result-pr/report-schema.ts";
import { sortFindings } from "../lib/result-pr/verdict.ts";
import { type LoadedSuite, loadSuite } from "./load-suite.ts";
import { planDigest } from "./result-pr-evidence.ts";
import type { PlannedEvidence } from "./result-pr-plan.ts";
import { concludeResult, type RecomputedMember, recomputeMembers } from "./score.ts";
import { readBankPolicy } from "./vault.ts";

/**
 * Where the frozen suites are: the grader's own checkout, never the pull request. What is shown of bank members follows
 * from the policy there, unless `openBank` says otherwise.
 */
export interface Grader extends PrivacyOptions {
  readonly suites: string | FileSource;
  /** Where bank workbooks are, when neither in the vault nor among the suites' files. */
  readonly bank?: string | FileSource;
}

/** Shard `index` (from 1) of `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * Executes one shard's share of the recipes. Members are dealt by how long they take, so that shards are about equally
 * long, and the bank's to the parts beside the vault where the plan has any; a member without a recipe costs nothing and
 * goes with the first shard.
 */
export async function recomputePart(evidence: PlannedEvidence, grader: Grader, shard: Shard): Promise<Part> {
  const { plan } = evidence;
  const submissions: Part["submissions"] = [];
  const shares: PlacedShare[] = [];
  const judged: { path: string; document: ResultDocument; loaded: Awaited<ReturnType<typeof load>> }[] = [];
  for (const { path, file } of plan.submissions) {
    const document = evidence.documents.get(file);
    if (document === undefined) continue;
    const loaded = await load(grader, document);
    judged.push({ path, document, loaded });
    const members = new Map(loaded.ok ? loaded.value.suite.members.map((each) => [each.id, each]) : []);
    for (const { id, recipe } of document.members) {
      const member = members.get(id);
      const work = member === undefined ? 0 : workOf(member);
      const vault = member?.source_kind === "bank_asset";
      if (recipe !== null) shares.push({ key: keyOf(path, id), work, vault });
    }
  }
  const turn = dealParts(shares, { shards: shard.of, vault: plan.vault_shards });
  for (const { path, document, loaded } of judged) {
    const ids = document.members.map(({ id }) => id);
    const only = new Set(ids.filter((id) => (turn.get(keyOf(path, id)) ?? 1) === shard.index));
    const members = loaded.ok
      ? await recomputeMembers(document, loaded.value, { ...grader, path, only })
      : [];
    const shown = loaded.ok ? withhold(members, loaded.value) : members;
    submissions.push({ path, members: shown.map(plain) });
  }
  return { schema_version: 1, shard: shard.index, of: shard.of, plan: planDigest(plan), submissions };
}

const keyOf = (path: string, member: string): string => `${path}\0${member}`;

/**
 * Members as they may be handed on: of a private one only what the report is made of. The size and digest of what a
 * recipe takes, and where, would make a submitted recipe a question about the workbook.
 */
function withhold(
  members: readonly RecomputedMember[],
  { suite, openBank }: LoadedSuite,
): RecomputedMember[] {
  const hidden = new Set(
    suite.members.filter((member) => isPrivateMember(member, { openBank })).map(({ id }) => id),
  );
  return members.map((member) =>
    hidden.has(member.id)
      ? {
          ...member,
          metrics: member.metrics === null ? null : withheldMetrics(member.metrics),
          mismatches: [],
          output: null,
        }
      : member,
  );
}

/** As it goes into a file: the submitter's own words, cut short, must not make it one that nobody can read. */
const plain = (member: RecomputedMember): Part["submissions"][number]["members"][number] => ({
  ...member,
  mismatches: [...member.mismatches],
  findings: sortFindings(member.findings),
});

const load = ({ suites, bank, openBank }: Grader, document: ResultDocument) =>
  loadSuite(suites, document.suite.id, {
    ...(bank === undefined ? {} : { bank }),
    ...(openBank === undefined ? {} : { openBank }),
  });

/** Whether this grader shows details of bank members. A policy that cannot be read keeps the bank closed. */
export async function isOpenBank({ suites, openBank }: Grader): Promise<boolean> {
  if (openBank !== undefined) return openBank;
  const policy = await readBankPolicy(typeof suites === "string" ? folderSource(suites) : suites);
  return policy.ok && policy.value.open;
}

/** Puts plan and parts together into the report. */
export async function joinParts(
  evidence: PlannedEvidence,
  parts: readonly Part[],
  grader: Grader,
  engine: Engine,
): Promise<Report> {
  const { plan } = evidence;
  const own = partsOf(plan, parts);
  const missing = missingParts(plan, own);
  if (missing.length > 0) return failedReport(plan.identity, engine, [...plan.findings, ...missing]);
  const findings: Finding[] = [...plan.findings];
  const results: ResultFacts[] = [];
  for (const submission of plan.submissions) {
    const document = evidence.documents.get(submission.file);
    if (document === undefined) continue;
    const loaded = await load(grader, document);
    const { facts, found } = await concludeSubmission(submission, document, loaded, own, grader);
    results.push(facts);
    findings.push(...found);
  }
  const registry = evidence.registry === null ? null : parseRegistry(evidence.registry);
  return assembleReport({
    identity: plan.identity,
    engine,
    changedFiles: plan.changed_files,
    findings,
    findingsDropped: plan.findings_total - plan.findings.length,
    results,
    committed: plan.committed,
    mergeOrder: plan.merge_order,
    registry: registry?.ok === true ? registry.value : null,
    code: evidence.code,
    privacy: { openBank: await isOpenBank(grader) },
  });
}

async function concludeSubmission(
  { path, digest, duplicates }: Plan["submissions"][number],
  document: ResultDocument,
  loaded: Awaited<ReturnType<typeof loadSuite>>,
  parts: readonly Part[],
  grader: Grader,
): Promise<{ facts: ResultFacts; found: readonly Finding[] }> {
  const common = { path, digest, document, duplicates };
  if (!loaded.ok)
    return {
      facts: {
        ...common,
        recomputed: { members: [], components: null, composite: null },
        suite: null,
        tags: [],
      },
      found: unloadable(document, path, loaded.findings),
    };
  const { suite, vocabulary } = loaded.value;
  const members = new Map(
    parts.flatMap((part) =>
      part.submissions
        .filter((submission) => submission.path === path)
        .flatMap((submission) => submission.members.map((member) => [member.id, member] as const)),
    ),
  );
  const ordered = suite.members.flatMap(({ id }) => members.get(id) ?? []);
  const recomputed = concludeResult(document, suite, ordered, { ...grader, path });
  const listed = new Set(document.members.map(({ id }) => id));
  const lost = suite.members.filter(({ id }) => listed.has(id) && !members.has(id));
  return {
    facts: { ...common, recomputed, suite, tags: vocabulary.tags.map(({ id }) => id) },
    found: [...placed(recomputed.findings, document, path, digest), ...lostMembers(path, lost)],
  };
}

/** Members that no part speaks of: without them nothing was recomputed, whatever else holds. */
function lostMembers(path: string, lost: readonly { readonly id: string }[]): Finding[] {
  if (lost.length === 0) return [];
  return [
    {
      code: "grader-part-incomplete",
      severity: "error",
      message: `${lost.length} members were not recomputed by any part.`,
      path,
      actual: lost
        .slice(0, 10)
        .map(({ id }) => id)
        .join(", "),
      hint: "See the logs of the jobs that recompute; /assay validate tries again.",
    },
  ];
}

/** Positions hold for the committed bytes; a document that is not in canonical form keeps its pointers only. */
function placed(
  findings: readonly Finding[],
  document: ResultDocument,
  path: string,
  digest: string,
): Finding[] {
  const text = canonicalDocument(document);
  return digestOf(text) === digest ? placeFindings(findings, text, path) : [...findings];
}

/** A suite that nobody has is the submitter's mistake; one that does not hold is ours. */
function unloadable(document: ResultDocument, path: string, findings: readonly Finding[]): Finding[] {
  if (!findings.some(({ code }) => code === "suite-unknown")) return [...findings];
  return [
    {
      code: "pr-unknown-suite",
      severity: "error",
      message: "The base branch has no suite of this name.",
      path,
      pointer: "/suite/id",
      actual: document.suite.id,
      hint: "Results are for frozen suites: the files in benchmarks/suites/.",
    },
  ];
}

/** The parts of this very plan: a folder may hold others, of an earlier attempt with other evidence. */
function partsOf(plan: Plan, parts: readonly Part[]): Part[] {
  const digest = planDigest(plan);
  return parts.filter((part) => part.of === plan.shards && part.plan === digest);
}

function missingParts(plan: Plan, own: readonly Part[]): Finding[] {
  return Array.from({ length: plan.shards }, (_, index) => index + 1)
    .filter((shard) => !own.some((part) => part.shard === shard))
    .map((shard) => ({
      code: "grader-part-missing",
      severity: "error",
      message: `Part ${shard} of ${plan.shards} of the recomputation did not come to an end.`,
      hint: "See the log of that job; /assay validate tries again.",
    }));
}

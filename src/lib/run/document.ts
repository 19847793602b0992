import type { MemberScore } from "../benchmarks/compare.ts";
import { componentsOf, compositeOf } from "../benchmarks/composite.ts";
import { zeroMetrics } from "../benchmarks/metrics.ts";
import {
  documentMismatches,
  isPrivateMember,
  type PrivacyOptions,
  redactFinding,
} from "../benchmarks/privacy.ts";
import {
  type Attempt,
  COMPOSITE_VERSION,
  type ResultDocument,
  type ResultMember,
} from "../benchmarks/result-schema.ts";
import type { Suite, SuiteMember } from "../benchmarks/suite-schema.ts";
import { costOf, totalsOf } from "../benchmarks/totals.ts";
import type { Finding } from "../findings.ts";
import { clip } from "./clip.ts";
import type { RunPlan } from "./journal.ts";
import { decideMember, type JudgedAttempt } from "./loop.ts";
import { DETERMINISTIC_COMPONENTS } from "./plan.ts";
import { MAX_FINDINGS } from "./prompt.ts";

/** Why a member was not asked at all. */
export interface NotAsked {
  readonly code: "workbook-not-staged" | "prompt-too-large";
  readonly message: string;
}

/** All that happened to one member. `score` is there exactly when its last attempt was accepted. */
export interface MemberHistory {
  readonly notAsked: NotAsked | null;
  readonly attempts: readonly JudgedAttempt[];
  readonly score: MemberScore | null;
}

export interface RunFacts {
  readonly suite: Suite;
  readonly plan: RunPlan;
  readonly invocation: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly runner: { readonly name: string; readonly version: string; readonly environment: string };
  /** Calls without a known outcome; they count as calls and make the cost incomplete. */
  readonly unanswered: number;
  /** Tokens of the first prompts of the members that were asked. */
  readonly measured?: ResultDocument["prompt"]["measured"];
  /** By member id; a member that is absent was never reached. */
  readonly members: ReadonlyMap<string, MemberHistory>;
  /** Whether words about bank members may stay; mismatch rows of theirs hold addresses only in any case. */
  readonly privacy?: PrivacyOptions;
}

/** Makes the result document of a run out of what happened. Members stand in the suite's order, each exactly once. */
export function assembleDocument(facts: RunFacts): ResultDocument {
  const { plan } = facts;
  const members = facts.suite.members.map((member) =>
    assembleMember(
      member,
      facts.members.get(member.id) ?? { notAsked: null, attempts: [], score: null },
      plan.caps.attempts_per_member,
      facts.privacy,
    ),
  );
  return {
    schema_version: 1,
    suite: plan.suite,
    model: plan.model,
    prompt: { ...plan.prompt, ...(facts.measured === undefined ? {} : { measured: facts.measured }) },
    pipeline_version: plan.pipeline_version,
    started_at: facts.startedAt,
    finished_at: facts.finishedAt,
    caps: plan.caps,
    pacing: plan.pacing,
    runner: {
      ...facts.runner,
      transport: plan.transport,
      invocation: facts.invocation,
      deterministic_components: [...DETERMINISTIC_COMPONENTS],
    },
    model_output_deterministic: false,
    members,
    totals: totalsOf(members, facts.unanswered),
    components: componentsOf(members),
    composite: compositeOf(members),
    composite_version: COMPOSITE_VERSION,
    cost: costOf(members, facts.unanswered),
  };
}

function assembleMember(
  member: SuiteMember,
  history: MemberHistory,
  attemptsPerMember: number,
  privacy?: PrivacyOptions,
): ResultMember {
  const last = history.attempts.at(-1);
  const hidden = isPrivateMember(member, privacy);
  const base = { id: member.id, attempts: history.attempts.map((attempt) => describe(attempt, hidden)) };
  if (history.score !== null && last?.judged.recipe) {
    const { status, output, metrics, mismatches } = history.score;
    return {
      ...base,
      status,
      reason: null,
      recipe: last.judged.recipe,
      output: output === null ? null : { ...output },
      metrics,
      mismatches: documentMismatches(member, mismatches),
    };
  }
  return {
    ...base,
    status: last === undefined ? "skipped" : "failed",
    reason: reasonOf(history, attemptsPerMember, hidden),
    recipe: null,
    output: null,
    metrics: zeroMetrics(),
    mismatches: [],
  };
}

/** Of a hidden member no words of model, provider or engine: each of them can quote the sheet. */
function reasonOf(
  history: MemberHistory,
  attemptsPerMember: number,
  hidden: boolean,
): NonNullable<ResultMember["reason"]> {
  const last = history.attempts.at(-1);
  if (history.notAsked !== null) return { fault: "infrastructure", ...history.notAsked };
  if (last === undefined)
    return {
      fault: "infrastructure",
      code: "call-cap",
      message: "The run's call cap was reached before this member was asked.",
    };
  const { outcome, findings } = last.judged;
  const first = findings[0];
  if (outcome === "transport_error")
    return {
      fault: "transport",
      code: last.answer.kind === "transport" ? last.answer.code : "http-status",
      message: clip(
        `The call failed: ${hidden ? transportWords(last.answer) : (first?.message ?? "no answer arrived")}`,
        500,
      ),
    };
  if (decideMember(history.attempts, attemptsPerMember).do === "ask")
    return {
      fault: "infrastructure",
      code: "call-cap",
      message: `The run's call cap was reached before this member's attempt ${history.attempts.length + 1}.`,
    };
  const detail = hidden || first === undefined ? (first?.code ?? outcome) : first.message;
  const count = history.attempts.length === 1 ? "1 attempt" : `${history.attempts.length} attempts`;
  return {
    fault: "model",
    code: outcome.replaceAll("_", "-"),
    message: clip(`No usable recipe in ${count}; the last one: ${detail}`, 500),
  };
}

/** How a call failed, without the provider's words. */
const transportWords = (answer: JudgedAttempt["answer"]): string =>
  answer.kind === "answer"
    ? "no answer arrived"
    : [answer.kind === "account" ? "account" : answer.code, answer.status].filter(Boolean).join(" ");

function describe(attempt: JudgedAttempt, hidden: boolean): Attempt {
  const { answer, judged } = attempt;
  const findings = judged.findings.slice(0, MAX_FINDINGS).map(shortened);
  const isAnswer = answer.kind === "answer";
  return {
    kind: attempt.kind,
    outcome: judged.outcome,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    findings: hidden ? findings.map(redactFinding) : findings,
    usage: answer.kind === "account" ? null : answer.usage,
    cost_usd: answer.kind === "account" ? null : answer.cost_usd,
    generation_id: answer.kind === "account" ? null : answer.generation_id,
    response_sha256: isAnswer ? answer.response_sha256 : null,
    finish_reason: answer.kind === "account" ? null : answer.finish_reason,
  };
}

/** Findings quote answers: their texts are cut to what a document should carry, and made well-formed. */
function shortened(finding: Finding): Finding {
  const entries = Object.entries(finding).map(([key, value]) => [
    key,
    typeof value === "string" ? clip(value, 500) : value,
  ]);
  return Object.fromEntries(entries) as Finding;
}

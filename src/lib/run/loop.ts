import { type Attempt, MAX_ATTEMPTS } from "../benchmarks/result-schema.ts";
import type { JudgedAnswer } from "./answer.ts";
import type { CallAnswer } from "./call.ts";
import type { JournalRecord } from "./journal.ts";

/**
 * The shared generation loop as a state machine over recorded facts: one initial attempt, then at most two revisions.
 * It keeps nothing between steps. What happened is derived from the journal, what to do next is decided as plain data,
 * and the job does it.
 */

/** A call as the journal knows it. Without a completion its outcome is unknown. */
export interface RecordedCall {
  readonly call: number;
  readonly member: string;
  readonly attempt: number;
  readonly kind: Attempt["kind"];
  readonly intendedAt: string;
  readonly completion: {
    readonly at: string;
    readonly durationMs: number;
    readonly answer: CallAnswer;
  } | null;
}

export interface RunHistory {
  /** Every call that was ever about to be sent; each counts against the cap. */
  readonly calls: readonly RecordedCall[];
  /** Calls whose outcome is unknown, or which the provider refused for the account: asked again. */
  readonly unanswered: number;
  /** Time of the first start. */
  readonly startedAt: string | null;
  /** Time at which nothing was left to ask; null while something is. */
  readonly finishedAt: string | null;
  /** True once the document was written and shown. */
  readonly reported: boolean;
}

/** Folds the journal's records into calls. */
export function deriveHistory(records: readonly JournalRecord[]): RunHistory {
  const calls = new Map<number, RecordedCall>();
  let startedAt: string | null = null;
  let finishedAt: string | null = null;
  let reported = false;
  for (const record of records) {
    if (record.type === "call-intended") {
      const { call, member, attempt, kind, at } = record;
      calls.set(call, { call, member, attempt, kind, intendedAt: at, completion: null });
    } else if (record.type === "call-completed") {
      const intended = calls.get(record.call);
      if (intended === undefined) continue;
      const { at, duration_ms: durationMs, answer } = record;
      calls.set(record.call, { ...intended, completion: { at, durationMs, answer } });
    } else if (record.type === "run-started") startedAt = record.at;
    else if (record.type === "run-finished") finishedAt = record.at;
    else if (record.type === "run-reported") reported = true;
  }
  const all = [...calls.values()].sort((a, b) => a.call - b.call);
  const unanswered = all.filter((call) => !isAnswered(call)).length;
  return { calls: all, unanswered, startedAt, finishedAt, reported };
}

/** True when a call counts as an attempt: its outcome is known, and the account was not refused. */
export const isAnswered = (call: RecordedCall): boolean =>
  call.completion !== null && call.completion.answer.kind !== "account";

/** An attempt at a member: an answered call and what its answer is worth. */
export interface JudgedAttempt {
  readonly attempt: number;
  readonly kind: Attempt["kind"];
  readonly startedAt: string;
  readonly durationMs: number;
  readonly answer: CallAnswer;
  readonly judged: JudgedAnswer;
}

/** The member's attempts in order, each judged. Unanswered calls are none. */
export function deriveAttempts(
  calls: readonly RecordedCall[],
  member: string,
  judge: (answer: CallAnswer) => JudgedAnswer,
): JudgedAttempt[] {
  return calls.flatMap((call) => {
    if (call.member !== member || call.completion === null || !isAnswered(call)) return [];
    const { answer, durationMs } = call.completion;
    return [
      {
        attempt: call.attempt,
        kind: call.kind,
        startedAt: call.intendedAt,
        durationMs,
        answer,
        judged: judge(answer),
      },
    ];
  });
}

export type MemberStep =
  | {
      readonly do: "ask";
      readonly attempt: number;
      readonly kind: Attempt["kind"];
      /** The attempt to revise; null for the initial one. */
      readonly after: JudgedAttempt | null;
    }
  | { readonly do: "settle" };

/**
 * Outcomes that a revision can mend: the answer was no JSON (also because it was empty or cut), the recipe did not
 * validate, or it did not execute. Not a refusal (asking again would be a second chance, not a revision) and not a
 * transport failure (which would be a retry).
 */
const REVISABLE: readonly Attempt["outcome"][] = [
  "invalid_json",
  "invalid_recipe",
  "execution_error",
  "empty",
  "truncated",
];

/** What to do next about one member, whatever the caps of the run leave. */
export function decideMember(attempts: readonly JudgedAttempt[], attemptsPerMember: number): MemberStep {
  const last = attempts.at(-1);
  if (last === undefined) return { do: "ask", attempt: 1, kind: "initial", after: null };
  const left = Math.min(attemptsPerMember, MAX_ATTEMPTS) - attempts.length;
  if (left <= 0 || !REVISABLE.includes(last.judged.outcome)) return { do: "settle" };
  return { do: "ask", attempt: attempts.length + 1, kind: "revision", after: last };
}

/** A member as far as the loop cares. */
export interface LoopMember {
  readonly id: string;
  /** False when it cannot be asked at all: workbook not staged, prompt too large. */
  readonly askable: boolean;
  readonly attempts: readonly JudgedAttempt[];
}

export type RunStep =
  | {
      readonly do: "call";
      /** Number of the call in the run, from 1. */
      readonly call: number;
      readonly member: string;
      readonly attempt: number;
      readonly kind: Attempt["kind"];
      readonly after: JudgedAttempt | null;
    }
  | { readonly do: "finish"; readonly capReached: boolean };

/** What to do next in the run: members in suite order, one call at a time, until all are settled or the cap is reached. */
export function decideRun(
  members: readonly LoopMember[],
  callsMade: number,
  caps: { readonly calls: number; readonly attempts_per_member: number },
): RunStep {
  for (const member of members) {
    if (!member.askable) continue;
    const step = decideMember(member.attempts, caps.attempts_per_member);
    if (step.do === "settle") continue;
    if (callsMade >= caps.calls) return { do: "finish", capReached: true };
    return {
      do: "call",
      call: callsMade + 1,
      member: member.id,
      attempt: step.attempt,
      kind: step.kind,
      after: step.after,
    };
  }
  return { do: "finish", capReached: false };
}

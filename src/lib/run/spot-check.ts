import { z } from "zod";
import type { MemberScore } from "../benchmarks/compare.ts";
import { METRIC_LIST, zeroMetrics } from "../benchmarks/metrics.ts";
import { add, fromFraction, multiply, rational, roundHalfAway } from "../benchmarks/rational.ts";
import {
  ATTEMPT_OUTCOMES,
  METRIC_IDS,
  type MemberMetrics,
  type ResultDocument,
  type ResultMember,
  STATUSES,
} from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema } from "../benchmarks/suite-schema.ts";
import { sha256Hex } from "../digest.ts";
import type { JudgedAttempt } from "./loop.ts";
import { usd } from "./progress.ts";
import { renderTable } from "./table.ts";

/**
 * Asking some members of a result again, and how far the answers agree. Model output is not deterministic: agreement
 * makes it likely that this model wrote these recipes, a difference proves nothing by itself.
 */

const sideSchema = z.strictObject({
  status: z.enum(STATUSES),
  output: digestSchema.nullable(),
  /** Outcome of each attempt. */
  attempts: z.array(z.enum(ATTEMPT_OUTCOMES)),
  /** Digest of the first answer's text. */
  first_response: digestSchema.nullable(),
});

export const spotCheckSchema = z.strictObject({
  schema_version: z.literal(1),
  /** The result document that was checked. */
  result: digestSchema,
  suite: z.strictObject({ id: z.string(), digest: digestSchema }),
  model: z.string(),
  prompt_mode: z.string(),
  transport: z.strictObject({ recorded: z.string(), used: z.string() }),
  started_at: instantSchema,
  finished_at: instantSchema,
  /** What decided which members were asked; giving it again asks the same ones. */
  seed: z.string(),
  sample: z.int().positive(),
  /** Members that could have been asked, the sample among them. */
  candidates: z.int().nonnegative(),
  excluded: z.array(z.strictObject({ member: z.string(), why: z.string() })),
  members: z.array(
    z.strictObject({
      id: z.string(),
      /** `same`: the same table again (or no table again). `unknown`: no answer arrived this time. */
      agreement: z.enum(["same", "differs", "unknown"]),
      same_output: z.boolean().nullable(),
      same_status: z.boolean().nullable(),
      same_first_response: z.boolean().nullable(),
      recorded: sideSchema,
      /** Null when no answer arrived. */
      asked: sideSchema.nullable(),
      /** Asked minus recorded, each rounded to 6 decimals; null when no answer arrived. */
      metric_deltas: z.record(z.enum(METRIC_IDS), z.number()).nullable(),
    }),
  ),
  totals: z.strictObject({
    asked: z.int().nonnegative(),
    same: z.int().nonnegative(),
    differs: z.int().nonnegative(),
    unknown: z.int().nonnegative(),
    /** Every request that was sent. */
    calls: z.int().nonnegative(),
    cost_usd: z.number().nonnegative().nullable(),
    cost_complete: z.boolean(),
  }),
  /** True when it was stopped before the whole sample was asked. */
  stopped: z.boolean(),
});

export type SpotCheck = z.infer<typeof spotCheckSchema>;
export type SpotMember = SpotCheck["members"][number];

/** So many members are asked when nobody says how many. */
export const DEFAULT_SAMPLE = 5;

/**
 * A sample of ids that follows from the seed alone: those whose SHA-256 with the seed is smallest, in the given order.
 * Whoever does not know the seed cannot know the sample.
 */
export function sampleMembers(ids: readonly string[], seed: string, size: number): string[] {
  const drawn = [...ids]
    .map((id) => ({ id, key: sha256Hex(JSON.stringify([seed, id])) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, size);
  const chosen = new Set(drawn.map(({ id }) => id));
  return ids.filter((id) => chosen.has(id));
}

/** Why a member cannot be asked again, or null when it can. `available` says that its prompt can be made here. */
export function whyNotAsked(member: ResultMember, available: boolean): string | null {
  const last = member.attempts.at(-1);
  if (last === undefined) return "the run did not ask it";
  if (last.outcome === "transport_error") return "the run got no answer to its last call";
  return available ? null : "its workbook is not here";
}

/** How a member's new attempts compare with what the document records. */
export function compareMember(
  recorded: ResultMember,
  attempts: readonly JudgedAttempt[],
  score: MemberScore | null,
): SpotMember {
  const last = attempts.at(-1);
  const recordedSide = {
    status: recorded.status,
    output: recorded.output?.sha256 ?? null,
    attempts: recorded.attempts.map(({ outcome }) => outcome),
    first_response: recorded.attempts[0]?.response_sha256 ?? null,
  };
  if (last === undefined || last.judged.outcome === "transport_error")
    return {
      id: recorded.id,
      agreement: "unknown",
      same_output: null,
      same_status: null,
      same_first_response: null,
      recorded: recordedSide,
      asked: null,
      metric_deltas: null,
    };
  const first = attempts[0]?.answer;
  const asked = {
    status: score?.status ?? ("failed" as const),
    output: score?.output?.sha256 ?? null,
    attempts: attempts.map(({ judged }) => judged.outcome),
    first_response: first?.kind === "answer" ? first.response_sha256 : null,
  };
  const same_output = asked.output === recordedSide.output;
  const same_status = asked.status === recordedSide.status;
  return {
    id: recorded.id,
    agreement: same_output && same_status ? "same" : "differs",
    same_output,
    same_status,
    same_first_response:
      asked.first_response === null || recordedSide.first_response === null
        ? null
        : asked.first_response === recordedSide.first_response,
    recorded: recordedSide,
    asked,
    metric_deltas: deltas(recorded.metrics, score?.metrics ?? zeroMetrics()),
  };
}

const deltas = (before: MemberMetrics, after: MemberMetrics): NonNullable<SpotMember["metric_deltas"]> =>
  Object.fromEntries(
    METRIC_LIST.map(({ id }) => [
      id,
      roundHalfAway(add(fromFraction(after[id]), multiply(fromFraction(before[id]), rational(-1n, 1n))), 6),
    ]),
  ) as NonNullable<SpotMember["metric_deltas"]>;

/** Adds up what the members came to. `costs` has one entry per call; null where none was reported. */
export function spotTotals(
  members: readonly SpotMember[],
  costs: readonly (number | null)[],
): SpotCheck["totals"] {
  const count = (agreement: SpotMember["agreement"]): number =>
    members.filter((member) => member.agreement === agreement).length;
  const known = costs.filter((cost) => cost !== null);
  return {
    asked: members.length,
    same: count("same"),
    differs: count("differs"),
    unknown: count("unknown"),
    calls: costs.length,
    cost_usd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    cost_complete: known.length === costs.length,
  };
}

/** The check as a person reads it. Plain text, no colour. */
export function spotCheckText(check: SpotCheck, document: ResultDocument): string {
  const yes = (same: boolean | null): string => (same === null ? "?" : same ? "same" : "differs");
  const delta = (value: number | undefined): string =>
    value === undefined ? "-" : value === 0 ? "0" : `${value > 0 ? "+" : ""}${value.toFixed(4)}`;
  const rows = check.members.map((member) => [
    member.id,
    member.agreement,
    member.asked === null
      ? `${member.recorded.status}, no answer now`
      : member.same_status
        ? member.recorded.status
        : `${member.recorded.status}, now ${member.asked.status}`,
    yes(member.same_output),
    yes(member.same_first_response),
    ...METRIC_LIST.map(({ id }) => delta(member.metric_deltas?.[id])),
  ]);
  const { totals } = check;
  const money =
    totals.cost_usd === null
      ? "cost not reported"
      : `${usd(totals.cost_usd)}${totals.cost_complete ? "" : " reported, not of every call"}`;
  return [
    `${document.model.id} on ${document.suite.id}: ${check.members.length} of ${check.candidates} members asked again (seed ${check.seed})`,
    ...check.excluded.map(({ member, why }) => `  not to be asked: ${member}, ${why}`),
    "",
    ...renderTable(
      [
        ["member", "agreement", "status", "table", "answer", ...METRIC_LIST.map(({ title }) => title)],
        ...rows,
      ],
      METRIC_LIST.map((_, at) => at + 5),
    ),
    "",
    `${totals.same} the same, ${totals.differs} different, ${totals.unknown} without an answer; ${totals.calls} calls, ${money}${check.stopped ? "; stopped before the whole sample was asked" : ""}`,
    ...(check.transport.recorded === check.transport.used
      ? []
      : [`The run went another way: ${check.transport.recorded}; this check: ${check.transport.used}.`]),
    "Model output is not deterministic: a difference is a reason to look, not a proof.",
  ].join("\n");
}

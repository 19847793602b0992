import { METRIC_LIST } from "../benchmarks/metrics.ts";
import { isPrivateMember, type PrivacyOptions, roundedMetrics } from "../benchmarks/privacy.ts";
import {
  add,
  fromFraction,
  multiply,
  type Rational,
  rational,
  roundHalfAway,
  ZERO,
} from "../benchmarks/rational.ts";
import type {
  Components,
  MemberMetrics,
  MetricId,
  ResultDocument,
  ResultMember,
  Status,
} from "../benchmarks/result-schema.ts";
import type { SuiteMember } from "../benchmarks/suite-schema.ts";
import type { Finding } from "../findings.ts";
import type { Execution } from "../sheet/output.ts";
import { compareRows, type Differences } from "./differences.ts";

/** Why a score is what it is: plain data, to be shown in a terminal or on a page. */
export interface Explanation {
  readonly model: string;
  readonly suite: { readonly id: string; readonly digest: string };
  readonly finished_at: string;
  readonly composite: number;
  readonly composite_version: string;
  readonly components: Components;
  readonly members: readonly MemberExplanation[];
}

export interface MetricExplanation {
  readonly id: MetricId;
  readonly title: string;
  /** `7 of 8`, or the rounded share where counts are withheld. */
  readonly fraction: string;
  /** The share, rounded to six decimals. */
  readonly value: number;
  /** What the composite lost by it: weight × (1 − share) ÷ members, rounded to six decimals. */
  readonly lost: number;
}

export interface MemberExplanation {
  readonly id: string;
  readonly title: string;
  readonly task: string;
  /** Details stay inside: addresses only. */
  readonly private: boolean;
  readonly claimed: Status;
  /** What executing the recipe here gave; null when it could not be executed here. */
  readonly recomputed: Status | null;
  /** Why there is nothing to compare; null when there is. */
  readonly reason: string | null;
  readonly metrics: readonly MetricExplanation[];
  /** Sum of what the metrics lost, rounded to six decimals. */
  readonly lost: number;
  readonly attempts: readonly string[];
  /** Data rows and columns of both tables; null when one is not here or not shown. */
  readonly sizes: {
    readonly reference: readonly [rows: number, columns: number];
    readonly produced: readonly [rows: number, columns: number];
  } | null;
  readonly differences: Differences | null;
  /** Where the document says that something differs: all that is shown of a private member. */
  readonly addresses: readonly { readonly kind: string; readonly address: string }[];
  /** Why the recipe does not execute. */
  readonly findings: readonly Finding[];
  /** What the sheet shows at each address that `differences` names. */
  readonly cells: ReadonlyMap<string, string>;
  /** Pictures of the sheet as SVG documents: what the reference takes, and what the recipe takes. */
  readonly pictures: readonly { readonly title: string; readonly svg: string }[];
}

/** What is known of one member when it is explained. */
export interface MemberInput {
  readonly claimed: ResultMember;
  readonly member: SuiteMember;
  /** Null when the workbook is not here, or the suite does not hold; `reason` then says so. */
  readonly reference: Execution | null;
  readonly produced: Execution | null;
  readonly reason: string | null;
  /** As recomputed here; null as `reference`. */
  readonly score: { readonly status: Status; readonly metrics: MemberMetrics } | null;
  readonly findings: readonly Finding[];
  readonly textOf: (address: string) => string | null;
  readonly pictures: MemberExplanation["pictures"];
}

export interface ExplainOptions extends PrivacyOptions {
  /** Differences kept of each member. */
  readonly rows: number;
}

/** Explains one member. Of a private one only status, rounded metrics and addresses are in what it gives. */
export function explainMember(
  input: MemberInput,
  members: number,
  options: ExplainOptions,
): MemberExplanation {
  const { claimed, member, reference, produced, score } = input;
  const hidden = isPrivateMember(member, options);
  const exact = score?.metrics ?? claimed.metrics;
  const metrics = hidden ? roundedMetrics(exact) : exact;
  const differences =
    hidden || reference === null || produced === null ? null : compareRows(reference, produced, options.rows);
  return {
    id: member.id,
    title: member.title,
    task: member.task,
    private: hidden,
    claimed: claimed.status,
    recomputed: score?.status ?? null,
    reason: input.reason ?? claimed.reason?.message ?? null,
    metrics: explainMetrics(metrics, members, hidden),
    lost: lostByAll(metrics, members),
    attempts: claimed.attempts.map(({ kind, outcome }) => `${kind}: ${outcome}`),
    sizes:
      hidden || reference === null || produced === null
        ? null
        : { reference: sizeOf(reference), produced: sizeOf(produced) },
    differences,
    addresses: claimed.mismatches.flatMap(({ kind, address }) =>
      address === null ? [] : [{ kind, address }],
    ),
    findings: hidden ? [] : input.findings,
    cells: differences === null ? new Map() : cellTexts(differences, input.textOf),
    pictures: hidden ? [] : input.pictures,
  };
}

/** The whole document's explanation, from its members'. */
export const explainResult = (
  document: ResultDocument,
  members: readonly MemberExplanation[],
): Explanation => ({
  model: document.model.id,
  suite: document.suite,
  finished_at: document.finished_at,
  composite: document.composite,
  composite_version: document.composite_version,
  components: document.components,
  members,
});

const sizeOf = ({ table }: Execution): [number, number] => [table.rows.length, table.columns.length];

function explainMetrics(metrics: MemberMetrics, members: number, hidden: boolean): MetricExplanation[] {
  return METRIC_LIST.map((metric) => {
    const fraction = metrics[metric.id];
    const value = roundHalfAway(fromFraction(fraction), 6);
    return {
      id: metric.id,
      title: metric.title,
      fraction: hidden ? String(value) : `${fraction.numerator} of ${fraction.denominator}`,
      value,
      lost: roundHalfAway(lostBy(metric, metrics, members), 6),
    };
  });
}

/** weight × (1 − share) ÷ members, exactly. */
function lostBy(
  { id, weight }: (typeof METRIC_LIST)[number],
  metrics: MemberMetrics,
  members: number,
): Rational {
  const { numerator, denominator } = metrics[id];
  const missing = rational(BigInt(denominator - numerator), BigInt(denominator));
  return multiply(multiply(fromFraction(weight), missing), rational(1n, BigInt(members)));
}

const lostByAll = (metrics: MemberMetrics, members: number): number =>
  roundHalfAway(
    METRIC_LIST.reduce((sum, metric) => add(sum, lostBy(metric, metrics, members)), ZERO),
    6,
  );

function cellTexts(
  { rows }: Differences,
  textOf: (address: string) => string | null,
): ReadonlyMap<string, string> {
  const addresses = rows.flatMap(({ reference, produced, headers }) => [
    ...(reference === null ? [] : [reference.address]),
    ...(produced === null ? [] : [produced.address]),
    ...headers.flatMap((header) =>
      [...header.reference, ...header.produced].flatMap(({ source }) => (source === null ? [] : [source])),
    ),
  ]);
  return new Map(
    [...new Set(addresses)].flatMap((address) => {
      const text = textOf(address);
      return text === null ? [] : [[address, text] as const];
    }),
  );
}

import type { Finding } from "../findings.ts";
import { SCORE_DECIMALS } from "./composite.ts";
import { METRIC_LIST } from "./metrics.ts";
import { fromFraction, roundHalfAway } from "./rational.ts";
import type { MemberMetrics, Mismatch } from "./result-schema.ts";
import type { SuiteMember } from "./suite-schema.ts";

/**
 * What may leave about members whose workbook is private (the bank): status and rounded components. No values, sheet
 * names, row counts, traces or hints. An owner whose bank is public opens it with `openBank`.
 */
export interface PrivacyOptions {
  /** True when the bank's workbooks may be shown to everyone. */
  readonly openBank?: boolean;
}

/** True when details of this member stay inside. */
export const isPrivateMember = (
  member: Pick<SuiteMember, "source_kind">,
  { openBank = false }: PrivacyOptions = {},
): boolean => member.source_kind === "bank_asset" && !openBank;

/**
 * Mismatch rows as a result document carries them. Those of private members hold kind and address only: the document
 * lives beside the recipes, which name the same addresses anyway; reports drop them (`redactMember`).
 */
export const documentMismatches = (
  member: Pick<SuiteMember, "source_kind">,
  mismatches: readonly Mismatch[],
  options?: PrivacyOptions,
): Mismatch[] =>
  isPrivateMember(member, options)
    ? mismatches.map(({ kind, address }) => ({
        kind,
        address,
        row: null,
        column: null,
        expected: null,
        actual: null,
      }))
    : [...mismatches];

/**
 * Metrics without counts: each fraction is its value rounded to six decimals, over 1000000 (1/1 and 0/1 stay), and
 * every count is 0, which together says that the counts are withheld.
 */
export const roundedMetrics = (metrics: MemberMetrics): MemberMetrics =>
  Object.fromEntries(
    METRIC_LIST.map((metric) => [metric.id, { ...metric.zero, ...roundedFraction(metrics[metric.id]) }]),
  ) as MemberMetrics;

function roundedFraction(fraction: { numerator: number; denominator: number }): {
  numerator: number;
  denominator: number;
} {
  const scale = 10 ** SCORE_DECIMALS;
  const numerator = Math.round(roundHalfAway(fromFraction(fraction), SCORE_DECIMALS) * scale);
  if (numerator === 0) return { numerator: 0, denominator: 1 };
  return numerator === scale ? { numerator: 1, denominator: 1 } : { numerator, denominator: scale };
}

interface Redactable {
  readonly private: boolean;
  readonly claimed: MemberMetrics;
  readonly recomputed: MemberMetrics | null;
  readonly mismatches: readonly Mismatch[];
}

/** A member as a report may show it: a private one keeps its statuses and rounded components, and no mismatch rows. */
export function redactMember<T extends Redactable>(member: T): T {
  if (!member.private) return member;
  return {
    ...member,
    claimed: roundedMetrics(member.claimed),
    recomputed: member.recomputed === null ? null : roundedMetrics(member.recomputed),
    mismatches: [],
  };
}

/**
 * A finding about a private member's recipe or numbers, as it may leave: code, severity and position stay (the
 * submitter's own file), words that could quote the workbook do not.
 */
export function redactFinding(finding: Finding): Finding {
  const { code, severity, path, pointer, line, column } = finding;
  return {
    code,
    severity,
    message: "This concerns a member of the private bank, so no details are shown.",
    ...(path === undefined ? {} : { path }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    hint: "Run npm run bench:validate where the bank's workbooks are staged; docs/findings.md explains the code.",
  };
}

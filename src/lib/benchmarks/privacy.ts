import type { Finding } from "../findings.ts";
import { recipeKeys } from "../sheet/recipe-schema.ts";
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
 * Metrics as exact as sums of them need, and no more: fractions in lowest terms, every count 0. Parts of a recomputation
 * carry those of private members, whose recipes could otherwise be used to count cells of a workbook.
 */
export const withheldMetrics = (metrics: MemberMetrics): MemberMetrics =>
  Object.fromEntries(
    METRIC_LIST.map(({ id, zero }) => {
      const { numerator, denominator } = metrics[id];
      const divisor = commonDivisor(numerator, denominator);
      return [id, { ...zero, numerator: numerator / divisor, denominator: denominator / divisor }];
    }),
  ) as MemberMetrics;

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

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

/** What a pointer into a recipe or a result document can name besides list items. */
let pointerWords: ReadonlySet<string> | undefined;

/** A pointer up to the first name that is not ours: a key of somebody's own making can quote the workbook. */
function plainPointer(pointer: string): string {
  pointerWords ??= new Set(["members", "recipe", ...recipeKeys()]);
  const known = pointerWords;
  const words = pointer.split("/");
  const foreign = words.findIndex((word, index) => index > 0 && !/^\d{1,6}$/.test(word) && !known.has(word));
  return foreign < 0 ? pointer : words.slice(0, foreign).join("/");
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
    ...(pointer === undefined ? {} : { pointer: plainPointer(pointer) }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    hint: "Whoever has the bank's workbooks sees more with --open-bank; docs/findings.md explains the code.",
  };
}

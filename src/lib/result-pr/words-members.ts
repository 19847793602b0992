import { type Fraction, METRIC_IDS, type MetricId, type Status } from "../benchmarks/result-schema.ts";
import type { ReportMember, ReportResult } from "./report-schema.ts";
import { type Block, folded, moreItem, moreRow } from "./words-fit.ts";
import { cell, code, plural, row, tableHead } from "./words-text.ts";

/** What the comment says about the members of one result: status, whose fault, flips, mismatches, tags. Pure. */

/** `n/d` as a decimal. */
const decimal = (fraction: Fraction, digits: number): string =>
  (fraction.numerator / fraction.denominator).toFixed(digits);

const sameFraction = (a: Fraction, b: Fraction): boolean =>
  BigInt(a.numerator) * BigInt(b.denominator) === BigInt(b.numerator) * BigInt(a.denominator);

const STATUS_ORDER: readonly (Status | "unverified")[] = [
  "passed",
  "partial",
  "failed",
  "skipped",
  "unverified",
];

/** `6 passed · 1 partial · 1 failed`. */
const memberSummary = (members: readonly ReportMember[]): string =>
  STATUS_ORDER.flatMap((status) => {
    const count = members.filter((member) => member.recomputed_status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  }).join(" · ");

type Fault = NonNullable<ReportMember["fault"]>;

/** Whose fault it was, in a table's cell. */
const FAULTS: Readonly<Record<Fault, string>> = {
  model: "the model's answer",
  transport: "transport to the model",
  infrastructure: "our infrastructure",
};

/** And as a sentence. */
const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  model: "**the model's own answer** was no recipe that executes",
  transport:
    "**the way to the model** failed (provider or network); not the model's fault, and worth zero all the same",
  infrastructure:
    "**the runner or this office** could not ask (a cap, a missing workbook); not the model's fault, and worth zero all the same",
};

/** Members that failed or were skipped, by whose fault it was. */
function faultBlocks({ members }: ReportResult): Block[] {
  const rows = (Object.keys(FAULT_WORDS) as Fault[]).flatMap((fault) => {
    const names = members.filter((member) => member.fault === fault).map(({ id }) => code(id, { max: 60 }));
    if (names.length === 0) return [];
    const shown = names.slice(0, 12).join(", ");
    const more = names.length > 12 ? ` and ${names.length - 12} more` : "";
    return [`- ${plural(names.length, "member")}: ${FAULT_WORDS[fault]}: ${shown}${more}`];
  });
  if (rows.length === 0) return [];
  return [
    {
      kind: "rows",
      open: "**Why members failed:**\n",
      rows,
      close: "",
      priority: 3,
      more: moreItem("kind of fault", "kinds of fault"),
    },
  ];
}

const RANK_OF_STATUS: Readonly<Record<string, number>> = { passed: 3, partial: 2, failed: 1, skipped: 0 };

/** Members whose status is another than in the model's previous result. */
function flipBlocks(result: ReportResult): Block[] {
  const flips = result.members.filter(
    (member) =>
      member.previous_status !== null &&
      member.recomputed_status !== "unverified" &&
      member.previous_status !== member.recomputed_status,
  );
  if (flips.length === 0) return [];
  const rows = flips.map((member) => {
    const before = member.previous_status ?? "skipped";
    const better = (RANK_OF_STATUS[member.recomputed_status] ?? 0) > (RANK_OF_STATUS[before] ?? 0);
    return `- ${better ? "▲" : "▼"} ${code(member.id, { max: 60 })}: ${before} → ${member.recomputed_status}`;
  });
  return [
    {
      kind: "rows",
      open: `**Members that flipped** since the previous result: ${flips.length}\n`,
      rows,
      close: "",
      priority: 4,
      more: moreItem("flipped member"),
    },
  ];
}

/** A metric of one member: recomputed, with the claim before it where it differs. */
function metricCell(member: ReportMember, id: MetricId): string {
  const digits = member.private ? 2 : 3;
  const now = member.recomputed?.[id];
  if (now === undefined) return `(${decimal(member.claimed[id], digits)})`;
  const shown = decimal(now, digits);
  if (sameFraction(now, member.claimed[id])) return shown;
  const claimed = decimal(member.claimed[id], digits);
  return claimed === shown ? `**${shown}** ≠` : `${claimed} → **${shown}**`;
}

/** Whether the output matched exactly is what the status says. */
const MEMBER_METRICS: readonly MetricId[] = ["cell_match_rate", "value_address_f1", "header_accuracy"];

/** True when a member is not, or is not known to be, what the submitter claims. */
const isOff = (member: ReportMember): boolean =>
  member.claimed_status !== member.recomputed_status ||
  (member.recomputed !== null &&
    METRIC_IDS.some(
      (id) => !sameFraction(member.claimed[id], member.recomputed?.[id] ?? member.claimed[id]),
    ));

function memberBlocks(result: ReportResult): Block[] {
  const statusOf = (member: ReportMember): string => {
    const status =
      member.claimed_status === member.recomputed_status
        ? member.recomputed_status
        : `${member.claimed_status} → **${member.recomputed_status}**`;
    return member.fault === null ? status : `${status} (${FAULTS[member.fault]})`;
  };
  const off = result.members.filter(isOff);
  // What differs from the claim comes first: it must not be the part that is cut.
  const rows = [...off, ...result.members.filter((member) => !isOff(member))].map((member) =>
    row([
      cell(member.id, 60) + (member.private ? " (private)" : ""),
      statusOf(member),
      ...MEMBER_METRICS.map((id) => metricCell(member, id)),
    ]),
  );
  const unknown = off.filter(({ recomputed_status }) => recomputed_status === "unverified").length;
  const notes = [
    ...(off.length > unknown ? [`${plural(off.length - unknown, "claim")} off`] : []),
    ...(unknown > 0 ? [`${unknown} not recomputed here`] : []),
  ];
  const note = notes.length === 0 ? "claims and recomputation agree" : notes.join(", ");
  return [
    { kind: "text", priority: 2, text: `**Members:** ${memberSummary(result.members)}` },
    ...faultBlocks(result),
    folded(
      `Members, claimed → recomputed: ${plural(result.members.length, "member")}, ${note}`,
      tableHead(["Member", "Status", "Cells", "Addresses", "Headers"], "llrrr"),
      rows,
      { priority: 5, more: moreRow(5, "member") },
    ),
  ];
}

const MISMATCH_KINDS: Readonly<Record<ReportMember["mismatches"][number]["kind"], string>> = {
  cell: "cell differs",
  "missing-value": "value missing",
  "extra-value": "value not asked for",
  header: "header differs",
};

/** How many mismatches one result shows. */
export const SHOWN_MISMATCHES = 20;

/** Mismatches of members that are not private, at most 20, folded; one line each, so that they fit a phone. */
function mismatchBlocks(result: ReportResult): Block[] {
  const open = result.members.filter((member) => !member.private);
  // A few of each member before many of one.
  const all = open
    .flatMap((member) => member.mismatches.map((mismatch, index) => ({ member, mismatch, index })))
    .sort((a, b) => a.index - b.index);
  if (all.length === 0) return [];
  const side = (value: string | null): string =>
    value === null ? "nothing" : value === "" ? "(blank)" : code(value, { max: 40 });
  const rows = all
    .slice(0, SHOWN_MISMATCHES)
    .sort((a, b) => open.indexOf(a.member) - open.indexOf(b.member) || a.index - b.index)
    .map(({ member, mismatch }) => {
      const place = [
        code(member.id, { max: 60 }),
        ...(mismatch.address === null ? [] : [code(mismatch.address, { max: 60 })]),
        ...(mismatch.row === null ? [] : [`row ${mismatch.row}`]),
        ...(mismatch.column === null ? [] : [code(mismatch.column, { max: 40 })]),
      ].join(" ");
      const reference = mismatch.expected === null ? "" : `reference ${side(mismatch.expected)}, `;
      return `- ${place}: ${MISMATCH_KINDS[mismatch.kind]}; ${reference}produced ${side(mismatch.actual)}`;
    });
  return [
    folded(`Mismatches: ${Math.min(all.length, SHOWN_MISMATCHES)} of ${all.length} in the report`, "", rows, {
      priority: 7,
      more: moreItem("mismatch", "mismatches"),
      alreadyHidden: Math.max(0, all.length - SHOWN_MISMATCHES),
    }),
  ];
}

/** Tags of which more or fewer members pass than in the previous result; all of them are folded below. */
function tagBlocks(result: ReportResult): Block[] {
  if (result.tags.length === 0) return [];
  const compared = result.tags.some((tag) => tag.previous_passed !== null);
  const changed = result.tags.flatMap(({ tag, passed, total, previous_passed: before }) =>
    before === null || before === passed
      ? []
      : [`- ${passed > before ? "▲" : "▼"} ${code(tag, { max: 60 })}: ${before} → ${passed} of ${total}`],
  );
  const rows = result.tags.map((tag) =>
    row([
      cell(tag.tag, 60),
      `${tag.passed} of ${tag.total}`,
      ...(compared ? [tag.previous_passed === null ? "–" : String(tag.previous_passed)] : []),
    ]),
  );
  const changes: Block[] =
    changed.length === 0
      ? []
      : [
          {
            kind: "rows",
            open: `**Structure features that changed** since the previous result: ${changed.length}\n`,
            rows: changed,
            close: "",
            priority: 6,
            more: moreItem("feature"),
          },
        ];
  return [
    ...changes,
    folded(
      `Passed by structure feature: ${plural(result.tags.length, "tag")}`,
      tableHead(["Tag", "Passed", ...(compared ? ["Before"] : [])], "lrr"),
      rows,
      { priority: 8, more: moreRow(compared ? 3 : 2, "tag") },
    ),
  ];
}

/** Everything about the members of one result. */
export const memberWords = (result: ReportResult): Block[] => [
  ...memberBlocks(result),
  ...flipBlocks(result),
  ...mismatchBlocks(result),
  ...tagBlocks(result),
];

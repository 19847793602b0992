import { type Fraction, METRIC_IDS, type MetricId, type Status } from "../benchmarks/result-schema.ts";
import type { Report, ReportMember, ReportResult } from "./report-schema.ts";
import { type Block, folded, moreItem, moreRow } from "./words-fit.ts";
import { cell, code, plural, row, short, tableHead } from "./words-text.ts";

/** What the comment says about one result: scores, change, rank, members, tags, cost. Pure. */

export const METRIC_TITLES: Readonly<Record<MetricId, string>> = {
  deterministic_pass_rate: "Deterministic pass rate",
  exact_output_match: "Exact output match",
  cell_match_rate: "Cell match rate",
  value_address_f1: "Value-address F1",
  header_accuracy: "Header accuracy",
};

/** A score as documents round it. */
export const score = (value: number): string => value.toFixed(6);

/** A signed difference of two scores; `0` when equal at 6 decimals. */
export function change(now: number, before: number): string {
  const difference = now - before;
  if (Math.abs(difference) < 5e-7) return "±0";
  return `${difference > 0 ? "+" : "−"}${Math.abs(difference).toFixed(6)}`;
}

/** `n/d` as a decimal. */
const decimal = (fraction: Fraction, digits: number): string =>
  (fraction.numerator / fraction.denominator).toFixed(digits);

const sameFraction = (a: Fraction, b: Fraction): boolean =>
  BigInt(a.numerator) * BigInt(b.denominator) === BigInt(b.numerator) * BigInt(a.denominator);

/** True when any claimed component or the composite is not what recomputation gave. */
export function claimsDiffer(result: ReportResult): boolean {
  const { claimed, recomputed } = result;
  if (recomputed === null) return false;
  return (
    claimed.composite !== recomputed.composite ||
    METRIC_IDS.some((id) => claimed.components[id] !== recomputed.components[id])
  );
}

/** The level of a number; a number that the report gives no level for is only known as far as it was declared. */
function levelOf(result: ReportResult, keys: readonly string[]): string {
  for (const key of keys) {
    const level = result.levels[key];
    if (level !== undefined) return level;
  }
  return "declared";
}

/** Claimed against recomputed, component by component, with levels and the change against the previous result. */
export function scoreTable(result: ReportResult): string {
  const previous = result.previous;
  const titles = ["Score", "Claimed", "Recomputed", "Level", ...(previous ? ["Change"] : [])];
  const line = (
    title: string,
    keys: string[],
    claimed: number,
    now: number | null,
    before: number | null,
  ) => {
    const differs = now !== null && now !== claimed;
    const recomputed = now === null ? "–" : differs ? `**${score(now)}** ≠` : score(now);
    const level = now === null ? "declared" : levelOf(result, keys);
    const moved = before === null ? [] : [change(now ?? claimed, before)];
    return row([title, score(claimed), recomputed, level, ...moved]);
  };
  const rows = METRIC_IDS.map((id) =>
    line(
      METRIC_TITLES[id],
      [id, "components", "metrics", "scores"],
      result.claimed.components[id],
      result.recomputed?.components[id] ?? null,
      previous?.components[id] ?? null,
    ),
  );
  rows.push(
    line(
      "**Composite**",
      ["composite", "components", "metrics", "scores"],
      result.claimed.composite,
      result.recomputed?.composite ?? null,
      previous?.composite ?? null,
    ),
  );
  return `${tableHead(titles, `lrrl${previous ? "r" : ""}`)}\n${rows.join("\n")}`;
}

/** `3 → 2 of 7`, or why there is no rank. */
export function rankWords(result: ReportResult): string {
  const { before, after, of, reason } = result.rank;
  if (after === null) return `not ranked${reason === null ? "" : ` (${code(reason)})`}`;
  const moved =
    before === null
      ? "new"
      : before === after
        ? "unchanged"
        : before > after
          ? `▲ from ${before}`
          : `▼ from ${before}`;
  return `**${after} of ${of}** (${moved})`;
}

function rankBlocks(result: ReportResult, base: string | null): Block[] {
  const holds = base === null ? "" : `, as of base ${short(base, 7)}`;
  const line = `**Rank** on ${code(result.suite.id)}: ${rankWords(result)}${holds}`;
  const neighbours = result.rank.neighbours.map((standing) => {
    const own = standing.model === result.model;
    const model = cell(standing.model);
    return row([String(standing.rank), own ? `**${model}** ←` : model, score(standing.composite)]);
  });
  if (neighbours.length === 0) return [{ kind: "text", text: line, priority: 1 }];
  return [
    { kind: "text", text: line, priority: 1 },
    {
      kind: "rows",
      open: tableHead(["#", "Model", "Composite"], "rlr"),
      rows: neighbours,
      close: "",
      priority: 3,
      more: moreRow(3, "model"),
    },
  ];
}

const STATUS_ORDER: readonly (Status | "unverified")[] = [
  "passed",
  "partial",
  "failed",
  "skipped",
  "unverified",
];

const countBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};

/** `6 passed · 1 partial · 1 failed (model 1)`. */
function memberSummary(members: readonly ReportMember[]): string {
  const counts = countBy(members, (member) => member.recomputed_status);
  const parts = STATUS_ORDER.flatMap((status) => {
    const count = counts.get(status);
    if (count === undefined) return [];
    const faults = countBy(
      members.filter((member) => member.recomputed_status === status && member.fault !== null),
      (member) => FAULTS[member.fault ?? "model"],
    );
    const whose = [...faults]
      .map(([fault, number]) => (faults.size > 1 ? `${fault} ${number}` : fault))
      .join(", ");
    return [`${count} ${status}${whose === "" ? "" : ` (fault: ${whose})`}`];
  });
  return parts.join(" · ");
}

const FAULTS: Readonly<Record<NonNullable<ReportMember["fault"]>, string>> = {
  model: "the model's answer",
  transport: "transport to the model",
  infrastructure: "the runner or grader",
};

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
    return `- ${better ? "▲" : "▼"} ${code(member.id)}: ${before} → ${member.recomputed_status}`;
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

const MEMBER_METRICS: readonly MetricId[] = [
  "exact_output_match",
  "cell_match_rate",
  "value_address_f1",
  "header_accuracy",
];

function memberBlocks(result: ReportResult): Block[] {
  const statusOf = (member: ReportMember): string => {
    const status =
      member.claimed_status === member.recomputed_status
        ? member.recomputed_status
        : `${member.claimed_status} → **${member.recomputed_status}**`;
    return member.fault === null ? status : `${status} (${FAULTS[member.fault]})`;
  };
  // What differs from the claim comes first: it must not be the part that is cut.
  const weight = (member: ReportMember): number =>
    member.claimed_status !== member.recomputed_status ||
    (member.recomputed !== null &&
      METRIC_IDS.some(
        (id) => !sameFraction(member.claimed[id], member.recomputed?.[id] ?? member.claimed[id]),
      ))
      ? 0
      : 1;
  const rows = [...result.members]
    .sort((a, b) => weight(a) - weight(b))
    .map((member) =>
      row([
        cell(member.id, 60) + (member.private ? " (private)" : ""),
        statusOf(member),
        ...MEMBER_METRICS.map((id) => metricCell(member, id)),
      ]),
    );
  const differing = result.members.filter((member) => weight(member) === 0).length;
  const note = differing === 0 ? "claims and recomputation agree" : `${plural(differing, "claim")} off`;
  return [
    {
      kind: "text",
      priority: 2,
      text: `**Members:** ${memberSummary(result.members)}`,
    },
    folded(
      `Members, claimed → recomputed: ${plural(result.members.length, "member")}, ${note}`,
      tableHead(["Member", "Status", "Exact", "Cells", "Addresses", "Headers"], "llrrrr"),
      rows,
      { priority: 5, more: moreRow(6, "member") },
    ),
  ];
}

const MISMATCH_KINDS: Readonly<Record<ReportMember["mismatches"][number]["kind"], string>> = {
  cell: "cell differs",
  "missing-value": "value missing",
  "extra-value": "value not asked for",
  header: "header differs",
};

/** How many mismatch rows one result shows. */
export const SHOWN_MISMATCHES = 20;

/** Mismatch rows of members that are not private, at most 20, folded. */
function mismatchBlocks(result: ReportResult): Block[] {
  const open = result.members.filter((member) => !member.private);
  // A few of each member before many of one.
  const all = open
    .flatMap((member) => member.mismatches.map((mismatch, index) => ({ member, mismatch, index })))
    .sort((a, b) => a.index - b.index);
  if (all.length === 0) return [];
  const side = (value: string | null): string =>
    value === null ? "–" : value === "" ? "(blank)" : cell(value, 40);
  const rows = all
    .slice(0, SHOWN_MISMATCHES)
    .sort((a, b) => open.indexOf(a.member) - open.indexOf(b.member) || a.index - b.index)
    .map(({ member, mismatch }) => {
      const place = [
        ...(mismatch.address === null ? [] : [cell(mismatch.address, 60)]),
        ...(mismatch.row === null ? [] : [`row ${mismatch.row}`]),
        ...(mismatch.column === null ? [] : [cell(mismatch.column, 40)]),
      ].join(" ");
      return row([
        cell(member.id, 60),
        place === "" ? "–" : place,
        MISMATCH_KINDS[mismatch.kind],
        side(mismatch.expected),
        side(mismatch.actual),
      ]);
    });
  return [
    folded(
      `Mismatches: ${Math.min(all.length, SHOWN_MISMATCHES)} of ${all.length} in the report`,
      tableHead(["Member", "Where", "What", "Reference", "Produced"], "lllll"),
      rows,
      { priority: 7, more: moreRow(5), alreadyHidden: Math.max(0, all.length - SHOWN_MISMATCHES) },
    ),
  ];
}

function tagBlocks(result: ReportResult): Block[] {
  if (result.tags.length === 0) return [];
  const before = result.tags.some((tag) => tag.previous_passed !== null);
  const rows = result.tags.map((tag) =>
    row([
      cell(tag.tag, 60),
      `${tag.passed} of ${tag.total}`,
      ...(before ? [tag.previous_passed === null ? "–" : String(tag.previous_passed)] : []),
    ]),
  );
  const columns = before ? 3 : 2;
  return [
    folded(
      `Passed by structure feature: ${plural(result.tags.length, "tag")}`,
      tableHead(["Tag", "Passed", ...(before ? ["Before"] : [])], "lrr"),
      rows,
      { priority: 8, more: moreRow(columns, "tag") },
    ),
  ];
}

const usd = (value: number): string =>
  value === 0 ? "$0" : `$${value.toFixed(value !== 0 && Math.abs(value) < 0.01 ? 6 : 4)}`;

/** Cost is record-only; unknown is never shown as zero. */
export function costWords(result: ReportResult): string {
  const { total_usd, complete, per_solved_usd } = result.cost;
  const level = levelOf(result, ["cost", "cost_usd"]);
  if (total_usd === null) return `**Cost:** unknown (${level}; record only)`;
  const total = complete ? usd(total_usd) : `at least ${usd(total_usd)} (some calls reported none)`;
  const each = per_solved_usd === null ? "" : `, ${usd(per_solved_usd)} per passed member`;
  return `**Cost:** ${total}${each} (${level}; record only)`;
}

function levelWords(result: ReportResult): string | null {
  const declared = Object.entries(result.levels)
    .filter(([, level]) => level === "declared")
    .map(([what]) => code(what, { max: 60 }));
  if (declared.length === 0) return null;
  const shown = declared.slice(0, 12).join(", ");
  return `**Declared**, not checked by us: ${shown}${declared.length > 12 ? ` and ${declared.length - 12} more` : ""}`;
}

function duplicateBlocks(result: ReportResult): Block[] {
  if (result.duplicates.length === 0) return [];
  return [
    {
      kind: "rows",
      open: "**The same evidence is already committed:**\n",
      rows: result.duplicates.map((same) => `- ${code(same.path)} (${short(same.document)})`),
      close: "",
      priority: 2,
      more: moreItem("duplicate"),
    },
  ];
}

/** One line about one result, for the list when there are many. */
export function resultLine(result: ReportResult): string {
  const now = result.recomputed?.composite;
  return row([
    cell(result.model),
    cell(result.suite.id),
    score(result.claimed.composite),
    now === undefined ? "–" : now === result.claimed.composite ? score(now) : `**${score(now)}** ≠`,
    rankWords(result).replaceAll("|", "/"),
  ]);
}

/** Which result it is, and its scores; `several` adds a heading that tells it from the others. */
export function scoreBlocks(result: ReportResult, several: boolean): Block[] {
  const heading: Block[] = several
    ? [{ kind: "text", text: `### Result of ${code(result.model)}`, priority: 0 }]
    : [];
  const previous =
    result.previous === null
      ? "first result of this model on this suite"
      : `compared with its result of ${code(result.previous.finished_at.slice(0, 10))} (${short(result.previous.document)})`;
  const text = `Model ${code(result.model)} on suite ${code(result.suite.id)}, ${previous}\n\n${scoreTable(result)}`;
  return [...heading, { kind: "text", priority: 0, text }];
}

/** What explains the scores, and what follows from them. */
export function detailBlocks(result: ReportResult, report: Report): Block[] {
  const notes = [costWords(result), levelWords(result)].filter((note) => note !== null);
  if (result.supersedes !== null) notes.unshift(`**Supersedes** ${short(result.supersedes)}`);
  return [
    ...duplicateBlocks(result),
    ...rankBlocks(result, report.base_sha),
    ...memberBlocks(result),
    ...flipBlocks(result),
    { kind: "text", text: notes.join("\n\n"), priority: 4 },
    ...mismatchBlocks(result),
    ...tagBlocks(result),
  ];
}

import { METRIC_IDS, type MetricId } from "../benchmarks/result-schema.ts";
import { OWN_CONTESTANTS } from "./contestants.ts";
import type { Report, ReportResult } from "./report-schema.ts";
import { type Block, moreItem, moreRow } from "./words-fit.ts";
import { memberWords } from "./words-members.ts";
import { cell, code, plural, row, short, tableHead } from "./words-text.ts";

/** What the comment says about one result: scores, change, rank, cost, duplicates. Pure. */

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
const levelOf = (result: ReportResult, keys: readonly string[]): string =>
  keys.map((key) => result.levels[key]).find((level) => level !== undefined) ?? "declared";

/** Claimed against recomputed, component by component, and the change against the previous result. */
export function scoreTable(result: ReportResult): string {
  const previous = result.previous;
  const titles = ["Score", "Claimed", "Recomputed", ...(previous ? ["Change"] : [])];
  const line = (title: string, claimed: number, now: number | null, before: number | null) => {
    const differs = now !== null && now !== claimed;
    const recomputed = now === null ? "–" : differs ? `**${score(now)}** ≠` : score(now);
    const moved = before === null ? [] : [change(now ?? claimed, before)];
    return row([title, score(claimed), recomputed, ...moved]);
  };
  const rows = METRIC_IDS.map((id) =>
    line(
      METRIC_TITLES[id],
      result.claimed.components[id],
      result.recomputed?.components[id] ?? null,
      previous?.components[id] ?? null,
    ),
  );
  rows.push(
    line(
      "**Composite**",
      result.claimed.composite,
      result.recomputed?.composite ?? null,
      previous?.composite ?? null,
    ),
  );
  return `${tableHead(titles, `lrr${previous ? "r" : ""}`)}\n${rows.join("\n")}`;
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

const usd = (value: number): string => `$${value.toFixed(Math.abs(value) < 0.01 ? 6 : 4)}`;

/** Cost is record-only; unknown is never shown as zero, and a provider's zero is no price (F60). */
export function costWords(result: ReportResult): string {
  const { total_usd, complete, per_solved_usd } = result.cost;
  const level = levelOf(result, ["cost", "cost_usd"]);
  if (total_usd === null) return `**Cost:** unknown (${level}; record only)`;
  if (total_usd === 0)
    return OWN_CONTESTANTS.includes(result.model)
      ? `**Cost:** none, this contestant runs on one's own machine (${level}; record only)`
      : `**Cost:** unknown, every call was reported as $0 (${level}; record only)`;
  const total = complete ? usd(total_usd) : `at least ${usd(total_usd)} (some calls reported none)`;
  const each = per_solved_usd === null ? "" : `, ${usd(per_solved_usd)} per passed member`;
  return `**Cost:** ${total}${each} (${level}; record only)`;
}

/** Which numbers are how well known. */
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

/** Why there is no recomputed score: a score is the mean over all members. */
function notRecomputed({ members }: ReportResult): string {
  const done = members.filter(({ recomputed_status }) => recomputed_status !== "unverified").length;
  return done === 0
    ? "Nothing of it could be recomputed here"
    : `${done} of ${plural(members.length, "member")} ${done === 1 ? "was" : "were"} recomputed here; without the others there is no score`;
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
  const level =
    result.recomputed === null
      ? notRecomputed(result)
      : `Level \`${levelOf(result, ["composite", "components", "metrics", "scores"])}\`: executed here from the recipes in this pull request`;
  const text = `Model ${code(result.model)} on suite ${code(result.suite.id)}, ${previous}\n\n${scoreTable(result)}\n\n${level}.`;
  return [...heading, { kind: "text", priority: 0, text }];
}

/** What explains the scores, and what follows from them. */
export function detailBlocks(result: ReportResult, report: Report): Block[] {
  const notes = [costWords(result), levelWords(result)].filter((note) => note !== null);
  if (result.supersedes !== null) notes.unshift(`**Supersedes** ${short(result.supersedes)}`);
  return [
    ...duplicateBlocks(result),
    ...rankBlocks(result, report.base_sha),
    ...memberWords(result),
    { kind: "text", text: notes.join("\n\n"), priority: 4 },
  ];
}

import { cutText, padText, safeText, textWidth } from "../picture/text.ts";
import { countWords, headerText, type RowDifference, summaryWords } from "./differences.ts";
import type { Explanation, MemberExplanation } from "./explanation.ts";

export interface TerminalOptions {
  /** Paint as well; the marks are there either way. */
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

const RESET = "\u001b[0m";
const RED = "\u001b[31m";
const DIM = "\u001b[2m";
const BOLD = "\u001b[1m";

const MAX_COLUMN = 28;
/** Headers shown one by one: what concerns many values is in the summary. */
const MAX_HEADERS = 8;

interface Cell {
  readonly text: string;
  readonly mark?: "differs" | "dim";
}

/** A table whose last columns go when the terminal is too narrow; what differs is marked with `*`, and red. */
function renderTable(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: TerminalOptions,
  right: ReadonlySet<number> = new Set(),
): string[] {
  const textOf = ({ text, mark }: Cell): string => `${mark === "differs" ? "*" : ""}${safeText(text)}`;
  const widths = titles.map((title, column) =>
    Math.min(
      MAX_COLUMN,
      Math.max(textWidth(title), ...rows.map((row) => textWidth(textOf(row[column] ?? { text: "" })))),
    ),
  );
  let shown = 0;
  let total = 2;
  while (shown < widths.length && (shown === 0 || total + (widths[shown] ?? 0) + 2 <= options.width)) {
    total += (widths[shown] ?? 0) + 2;
    shown += 1;
  }
  const line = (cells: readonly Cell[]): string =>
    `  ${cells
      .slice(0, shown)
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const text = padText(cutText(textOf(cell), width), width, right.has(column) ? "left" : "right");
        if (!options.colour || cell.mark === undefined) return text;
        return `${cell.mark === "differs" ? RED : DIM}${text}${RESET}`;
      })
      .join("  ")}`.trimEnd();
  const left = titles.length - shown;
  return [
    line(titles.map((text) => ({ text, mark: "dim" as const }))),
    ...rows.map(line),
    ...(left > 0 ? [`  … ${left} more columns; --html shows all of them.`] : []),
  ];
}

const score = (value: number): string => value.toFixed(6);
const heading = (text: string, { colour }: TerminalOptions): string =>
  colour ? `${BOLD}${safeText(text)}${RESET}` : safeText(text);

/** All members, the most costly first: where the composite was lost. */
export function renderOverview(explanation: Explanation, options: TerminalOptions): string {
  const members = [...explanation.members].sort((a, b) => b.lost - a.lost);
  const [first] = members;
  const metrics = first?.metrics.map(({ title }) => title) ?? [];
  return `${[
    heading(`${explanation.model} on ${explanation.suite.id}`, options),
    `  composite ${score(explanation.composite)} (${explanation.composite_version}), finished ${explanation.finished_at}`,
    "",
    ...renderTable(
      ["Member", "Status", "Lost", ...metrics],
      members.map((member) => [
        { text: member.id },
        statusCell(member),
        { text: score(member.lost) },
        ...member.metrics.map(({ fraction }) => ({ text: fraction })),
      ]),
      options,
      new Set([2, 3, 4, 5, 6, 7]),
    ),
    "",
    "  Lost: what the composite would gain if the member were perfect. Name a member to see why.",
  ].join("\n")}\n`;
}

const statusCell = ({ claimed, recomputed }: MemberExplanation): Cell =>
  recomputed === null || recomputed === claimed
    ? { text: recomputed === null ? `${claimed} (claimed)` : claimed }
    : { text: `${recomputed}, claimed ${claimed}`, mark: "differs" };

/** One member: metrics, both tables beside each other where they differ, and headers. */
export function renderMember(member: MemberExplanation, options: TerminalOptions): string {
  const { differences } = member;
  const lines = [
    heading(`${member.id}: ${member.title}`, options),
    `  ${statusCell(member).text}${member.attempts.length === 0 ? "" : ` after ${member.attempts.join(", ")}`}`,
    ...(member.reason === null ? [] : [`  ${safeText(member.reason)}`]),
    "",
    ...renderTable(
      ["Metric", "Share", "Value", "Lost"],
      member.metrics.map(({ title, fraction, value, lost }) => [
        { text: title },
        { text: fraction },
        { text: score(value) },
        { text: score(lost) },
      ]),
      options,
      new Set([1, 2, 3]),
    ),
  ];
  if (member.private)
    lines.push("", "  The workbook is private: addresses only (--open-bank shows the rest to its owner).");
  if (differences === null) lines.push(...addressLines(member));
  else lines.push(...differenceLines(member, differences, options));
  return `${lines.join("\n")}\n`;
}

function addressLines({ addresses }: MemberExplanation): string[] {
  if (addresses.length === 0) return [];
  return ["", ...addresses.map(({ kind, address }) => `  ${kind.padEnd(14)}${safeText(address)}`)];
}

function differenceLines(
  member: MemberExplanation,
  { columns, counts, headers: summary, rows }: NonNullable<MemberExplanation["differences"]>,
  options: TerminalOptions,
): string[] {
  const { sizes } = member;
  const lacking = columns.filter(({ produced }) => produced === null).map(({ name }) => `"${name}"`);
  const extra = columns.filter(({ reference }) => reference === null).map(({ name }) => `"${name}"`);
  const lines = [
    "",
    ...(sizes === null
      ? []
      : [
          `  reference ${sizes.reference.join(" × ")}, produced ${sizes.produced.join(" × ")} (data rows × columns)`,
        ]),
    `  values: ${countWords(counts)}`,
    ...(lacking.length === 0 ? [] : [`  columns that are missing: ${safeText(lacking.join(", "))}`]),
    ...(extra.length === 0 ? [] : [`  columns that are extra: ${safeText(extra.join(", "))}`]),
  ];
  for (const header of summary.slice(0, MAX_HEADERS))
    lines.push(`  header "${safeText(header.name)}": resolved otherwise in ${summaryWords(header)}`);
  if (rows.length === 0) return lines;
  lines.push(
    "",
    ...renderTable(
      ["", "Row", "Value cell", ...columns.map(({ name }) => name)],
      rows.flatMap((row) => rowCells(row, member)),
      options,
      new Set([1]),
    ),
  );
  const headers = rows.flatMap(({ reference, headers: found }) =>
    found.map((difference) => ({ address: reference?.address ?? "", difference })),
  );
  if (headers.length > 0) {
    lines.push("", "  Headers of a value that differ (scalar, direction, source cell):");
    for (const { address, difference } of headers.slice(0, MAX_HEADERS)) {
      const side = (found: typeof difference.reference): string =>
        found.length === 0 ? "none" : found.map(headerText).join(" | ");
      lines.push(
        `  ${safeText(address)} "${safeText(difference.name)}"`,
        `    reference ${safeText(side(difference.reference))}`,
        `    produced  ${safeText(side(difference.produced))}`,
      );
    }
  }
  return lines;
}

/** A value as two lines: what the reference has, and what the recipe made of it. */
function rowCells(row: RowDifference, { cells }: MemberExplanation): Cell[][] {
  const { reference, produced } = row;
  const shown = (address: string): string => {
    const text = cells.get(address);
    return text === undefined ? address : `${address} ${text}`;
  };
  const absent: Cell[] = [
    { text: "-", mark: "dim" },
    { text: row.kind, mark: "dim" },
  ];
  return [
    [
      { text: "reference" },
      ...(reference === null
        ? absent
        : [{ text: String(reference.row) }, { text: shown(reference.address) }]),
      ...(reference?.cells ?? []).map((text) => ({ text: text ?? "" })),
    ],
    [
      { text: "produced", mark: "dim" },
      ...(produced === null
        ? absent
        : [
            reference !== null && reference.row !== produced.row
              ? { text: String(produced.row), mark: "differs" as const }
              : { text: String(produced.row) },
            reference === null
              ? { text: `${shown(produced.address)} (extra)` }
              : { text: row.kind, mark: "dim" as const },
          ]),
      ...(produced?.cells ?? []).map((text, column): Cell => {
        const other = reference?.cells[column] ?? null;
        return text === other || reference === null
          ? { text: text ?? "" }
          : { text: text ?? "(no such column)", mark: "differs" };
      }),
    ],
  ];
}

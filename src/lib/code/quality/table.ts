import { padText, safeText } from "../../picture/text.ts";
import { roundHalfUp } from "../round.ts";
import type { Quality } from "../schema/quality-schema.ts";
import { summarizeQuality } from "./summary.ts";

export interface QualityRow {
  readonly name: string;
  /** Null when nothing was measured. */
  readonly quality: Quality | null;
  /** What was done: `measured`, `as committed` … */
  readonly note: string;
}

const HEAD = ["", "lines", "comment", "duplicated", "functions", "mean", "max", ">10", "lint", ""];

/** The measurements as a table of text, rounded for people. Unknown is a dash, with the reason in the last column. */
export function renderQualityTable(rows: readonly QualityRow[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => (row[column] as string).length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] as number;
          return column === 0 || column === HEAD.length - 1 ? padText(cell, width) : cell.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

function cellsOf({ name, quality, note }: QualityRow): string[] {
  if (quality === null) return [safeText(name), ...Array<string>(HEAD.length - 2).fill("–"), note];
  const summary = summarizeQuality(quality);
  const { complexity, complexity_reason: reason, lint } = summary;
  return [
    safeText(name),
    String(summary.implementation_lines),
    percent(summary.comment_share),
    percent(summary.duplicated_share),
    ...(complexity === null
      ? ["–", "–", "–", "–"]
      : [
          String(complexity.functions),
          roundHalfUp(complexity.mean, 2),
          String(complexity.max),
          String(complexity.above_10),
        ]),
    lint === null ? "–" : String(lint),
    reason === null ? note : `${note}; ${safeText(reason)}`,
  ];
}

const percent = (share: number | null): string => (share === null ? "–" : `${roundHalfUp(share * 100, 1)}%`);

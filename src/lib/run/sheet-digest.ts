import type { Cell, Sheet, Workbook } from "../sheet/model.ts";
import { type Band, splitBands } from "./bands.ts";
import { ALL, DIGEST_LEVELS, type DigestLevel } from "./digest-levels.ts";
import { bandLines, type DigestLine, type DigestPen, rowLine, styleOf } from "./digest-lines.ts";
import { askedSheets, formatNames, isListed, quote, rangeAddress, spans } from "./listing.ts";

/**
 * The structural digest of prompt mode `digest-1`: a large sheet in few words. Rows that do not repeat stand as in the
 * cell listing, runs of equal cells joined (`R3 C2-251="000" b`). Rows alike make a band:
 *
 *     R11-164 numbers: C2-251 f2 38500 from -3.2 to 1212.1
 *     R11 C1=date(1991-02-01) f1; C2=12.5 f2; …
 *     R12 C1=date(1991-05-01) f1
 *     R164 …
 *     R5-2597 C1: 2593 cells, 8 distinct: "NSW" @R5-402; "Vic." @R403 R410 +33; 2 distinct in 40 cells not shown
 *     R5-22 C2: 18 cells, 2006 to 2023 in steps of 1
 *
 * The first and last row of a band are listed whole; numbers between them are summed up by column; labels are listed
 * row by row, or, in coarser digests of long bands, summed up by column with the rows where each value stands. Every
 * sheet ends with an account that adds up: `cells: 41163 = 2663 listed, 38500 summed up, 0 not shown`.
 */

/** The digest of one sheet at one level, or null as soon as it is longer than `maxCharacters`. */
export function digestSheet(sheet: Sheet, level: DigestLevel, maxCharacters: number): string | null {
  const formats = formatNames(sheet);
  const pen: DigestPen = { sheet, formats, level };
  const likeOf = (cell: Cell): string => {
    if (level.like === "nothing") return "";
    return styleOf(level.like === "style" ? { ...cell, format: "General" } : cell, formats);
  };
  const head = headLines(sheet, formats, level);
  let length = head.reduce((sum, line) => sum + line.length + 1, 0);
  const lines: DigestLine[] = [];
  for (const band of splitBands(sheet, likeOf)) {
    for (const line of linesOf(band, pen)) {
      const last = lines.at(-1);
      if (last !== undefined && last.bottom + 1 === line.top && isRepeated(last, line)) {
        lines.splice(-1, 1, joined(last, line));
        continue;
      }
      lines.push(line);
      length += line.cells.length + 1;
      if (level.lines === ALL && length > maxCharacters) return null;
    }
  }
  const shown = shorten(lines, level.lines);
  const sum = (key: "listed" | "summed" | "omitted"): number =>
    shown.reduce((total, line) => total + line[key], 0);
  const [listed, summed, omitted] = [sum("listed"), sum("summed"), sum("omitted")];
  const text = [
    ...head,
    ...shown.map(({ top, bottom, cells }) => `R${top === bottom ? top : `${top}-${bottom}`} ${cells}`),
    `cells: ${listed + summed + omitted} = ${listed} listed, ${summed} summed up, ${omitted} not shown`,
    "",
  ].join("\n");
  return text.length > maxCharacters ? null : text;
}

function linesOf(band: Band, pen: DigestPen): DigestLine[] {
  const { level, sheet } = pen;
  const isLong = band.rows.length >= (band.columns.size > 0 ? level.numberRows : level.labelRows);
  if (isLong) return bandLines(band, pen);
  return band.rows.map((row) => rowLine(row, (sheet.rows.get(row) ?? []).filter(isListed), pen));
}

const isRepeated = (last: DigestLine, next: DigestLine): boolean =>
  last.isRow && next.isRow && last.cells === next.cells;

const joined = (last: DigestLine, next: DigestLine): DigestLine => ({
  ...last,
  bottom: next.bottom,
  listed: last.listed + next.listed,
  summed: last.summed + next.summed,
  omitted: last.omitted + next.omitted,
});

function headLines(sheet: Sheet, formats: ReadonlyMap<string, string>, level: DigestLevel): string[] {
  const state = sheet.state === "visible" ? "" : " (hidden)";
  const used = sheet.used === null ? "empty" : `used ${rangeAddress(sheet.used)}`;
  const list = (name: string, items: readonly string[]): string[] => {
    if (items.length === 0) return [];
    const left = items.length - level.pieces;
    const more = left > 0 ? [`and ${left} more not shown`] : [];
    return [`${name}: ${[...items.slice(0, level.pieces), ...more].join(" ")}`];
  };
  const columns = sheet.hiddenColumns.map(({ first, last }) =>
    first === last ? `${first}` : `${first}-${last}`,
  );
  return [
    `Sheet ${quote(sheet.name)}${state}: ${used}; digest, level ${DIGEST_LEVELS.indexOf(level)}`,
    ...list("merged", sheet.merges.map(rangeAddress)),
    ...list("hidden rows", split(spans([...sheet.hiddenRows].sort((a, b) => a - b)))),
    ...list("hidden columns", columns),
    ...list(
      "formats",
      [...formats].map(([code, name]) => `${name}=${quote(code)}`),
    ),
  ];
}

const split = (text: string): string[] => (text === "" ? [] : text.split(" "));

/** Keeps the first two thirds and the last third of so many lines; the rows between are counted in one line. */
function shorten(lines: readonly DigestLine[], max: number): readonly DigestLine[] {
  if (lines.length <= max) return lines;
  const tail = Math.floor(max / 3);
  const head = max - tail - 1;
  const left = lines.slice(head, lines.length - tail);
  const cells = left.reduce((sum, line) => sum + line.listed + line.summed + line.omitted, 0);
  const gap: DigestLine = {
    top: Math.min(...bounds(left, "top")),
    bottom: Math.max(...bounds(left, "bottom")),
    cells: `not shown: ${cells} cells`,
    isRow: false,
    listed: 0,
    summed: 0,
    omitted: cells,
  };
  return [...lines.slice(0, head), gap, ...lines.slice(lines.length - tail)];
}

/** The ends of a long list suffice: lines are in row order but for those of one band, which share their rows. */
const bounds = (lines: readonly DigestLine[], edge: "top" | "bottom"): number[] =>
  [...lines.slice(0, 2000), ...lines.slice(-2000)].map((line) => line[edge]);

export type WorkbookDigest =
  | { readonly ok: true; readonly text: string; readonly level: number }
  | { readonly ok: false; readonly maxCharacters: number };

/** Digests of the asked sheets, in workbook order, at the finest level at which they fit; a refusal when none does. */
export function digestWorkbook(workbook: Workbook, task: string, maxCharacters: number): WorkbookDigest {
  const asked = askedSheets(task, workbook);
  for (const [number, level] of DIGEST_LEVELS.entries()) {
    const parts: string[] = [];
    let left = maxCharacters;
    for (const sheet of asked) {
      const text = left < 0 ? null : digestSheet(sheet, level, left);
      if (text === null) break;
      parts.push(text);
      left -= text.length + 1;
    }
    if (parts.length === asked.length) return { ok: true, text: parts.join("\n"), level: number };
  }
  return { ok: false, maxCharacters };
}

import { digestLine, type RowsOfCells } from "./digest-parser.ts";
import { type ListedCell, parseText } from "./listed-cell.ts";

/** Reads a prompt, listing or digest, back into cells: the baseline knows a workbook only from what it is sent. */

export interface ListedRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface ListedSheet {
  readonly name: string;
  readonly merges: readonly ListedRange[];
  /** Row number to column number to cell. */
  readonly rows: ReadonlyMap<number, ReadonlyMap<number, ListedCell>>;
}

export interface ListedPrompt {
  readonly task: string;
  readonly sheets: readonly ListedSheet[];
}

/** The task and the listed sheets of a user message; lines of another form are passed over. */
export function parsePrompt(message: string): ListedPrompt {
  const task = /^Task: (.*)$/m.exec(message)?.[1] ?? "";
  const sheets: { name: string; merges: ListedRange[]; rows: RowsOfCells }[] = [];
  for (const line of message.split("\n")) {
    const opening = /^Sheet ("(?:[^"\\]|\\.)*")/.exec(line);
    if (opening?.[1] !== undefined) {
      sheets.push({ name: parseText(opening[1]), merges: [], rows: new Map() });
      continue;
    }
    const sheet = sheets.at(-1);
    if (sheet === undefined) continue;
    if (line.startsWith("merged: ")) sheet.merges.push(...parseRanges(line));
    if (/^R[0-9]/.test(line)) digestLine(line, sheet.rows);
  }
  return { task, sheets };
}

const parseRanges = (line: string): ListedRange[] =>
  [...line.matchAll(/R([0-9]+)C([0-9]+):R([0-9]+)C([0-9]+)/g)].map(([, top, left, bottom, right]) => ({
    top: Number(top),
    left: Number(left),
    bottom: Number(bottom),
    right: Number(right),
  }));

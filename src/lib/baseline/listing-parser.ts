/** Reads a prompt of mode `listing-1` back into cells: the baseline knows a workbook only from what it is sent. */

export interface ListedCell {
  readonly kind: "text" | "number" | "date" | "boolean" | "error" | "blank";
  /** Plain text of the value; for dates the ISO text. */
  readonly text: string;
  /** Present for numbers. */
  readonly number?: number;
  readonly bold: boolean;
  /** Superscript parts of the text, if the listing marks any. */
  readonly marks: string;
}

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
  const sheets: { name: string; merges: ListedRange[]; rows: Map<number, Map<number, ListedCell>> }[] = [];
  for (const line of message.split("\n")) {
    const opening = /^Sheet ("(?:[^"\\]|\\.)*")/.exec(line);
    if (opening?.[1] !== undefined) {
      sheets.push({ name: parseText(opening[1]), merges: [], rows: new Map() });
      continue;
    }
    const sheet = sheets.at(-1);
    if (sheet === undefined) continue;
    if (line.startsWith("merged: ")) sheet.merges.push(...parseRanges(line));
    const row = /^R([0-9]+) (?=C[0-9]+=)/.exec(line);
    if (row !== null) sheet.rows.set(Number(row[1]), parseCells(line.slice(row[0].length)));
  }
  return { task, sheets };
}

function parseText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

const parseRanges = (line: string): ListedRange[] =>
  [...line.matchAll(/R([0-9]+)C([0-9]+):R([0-9]+)C([0-9]+)/g)].map(([, top, left, bottom, right]) => ({
    top: Number(top),
    left: Number(left),
    bottom: Number(bottom),
    right: Number(right),
  }));

/** `C1="Sydney" b indent=1; C2=12.5 f1` */
function parseCells(text: string): Map<number, ListedCell> {
  const cells = new Map<number, ListedCell>();
  const cell =
    /C([0-9]+)=("(?:[^"\\]|\\.)*"|error\("(?:[^"\\]|\\.)*"\)|[^ ;]+)((?: (?:[a-z]+=)?(?:"(?:[^"\\]|\\.)*"|[^ ;"]+))*)(?:; |$)/gy;
  for (const [, column, value = "", marks = ""] of text.matchAll(cell)) {
    const superscript = / marks=("(?:[^"\\]|\\.)*")/.exec(marks)?.[1];
    cells.set(Number(column), {
      ...parseValue(value),
      bold: / b(?: |$)/.test(marks),
      marks: superscript === undefined ? "" : parseText(superscript),
    });
  }
  return cells;
}

function parseValue(value: string): Pick<ListedCell, "kind" | "text" | "number"> {
  if (value.startsWith('"')) return { kind: "text", text: parseText(value) };
  if (value === "blank") return { kind: "blank", text: "" };
  if (value === "true" || value === "false") return { kind: "boolean", text: value };
  const date = /^date\((.*)\)$/.exec(value)?.[1];
  if (date !== undefined) return { kind: "date", text: date };
  if (value.startsWith("error(")) return { kind: "error", text: value };
  return { kind: "number", text: value, number: Number(value) };
}

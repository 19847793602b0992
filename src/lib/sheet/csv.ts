import type { Outcome } from "../findings.ts";
import type { TidyTable } from "./output.ts";

const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Canonical CSV: RFC 4180 with LF after every record, header first, quotes only where needed. A record that is one
 * empty field is written `""`, since an empty line could not be told from no record. Its SHA-256 is the table's digest.
 */
export function canonicalCsv(table: TidyTable): string {
  const lines: string[] = [recordOf(table.columns)];
  for (const row of table.rows) lines.push(recordOf(row));
  return lines.join("");
}

function recordOf(fields: readonly string[]): string {
  if (fields.length === 1 && fields[0] === "") return '""\n';
  let line = "";
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? "";
    if (index > 0) line += ",";
    line += NEEDS_QUOTES.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  }
  return `${line}\n`;
}

/**
 * Reads RFC 4180 CSV: LF or CRLF between records, the last line end optional. Findings (`csv-…`) for a quote inside a
 * plain field, text after a closing quote, an open quote, and records of different lengths.
 */
export function parseCsv(text: string): Outcome<string[][]> {
  const records: string[][] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const startLine = line;
    const record: string[] = [];
    for (;;) {
      const field = text[at] === '"' ? quoted(text, at) : plain(text, at);
      if ("problem" in field) return refused(field.code, field.problem, line);
      record.push(field.value);
      line += field.lines;
      at = field.end;
      if (text[at] !== ",") break;
      at += 1;
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    line += 1;
    const width = records[0]?.length;
    if (width !== undefined && record.length !== width) {
      return refused(
        "csv-ragged",
        `A record has ${record.length} fields, the first has ${width}.`,
        startLine,
      );
    }
    records.push(record);
  }
  return { ok: true, value: records, findings: [] };
}

type Field =
  | { readonly value: string; readonly end: number; readonly lines: number }
  | { readonly code: string; readonly problem: string };

function plain(text: string, start: number): Field {
  let end = start;
  for (; end < text.length; end += 1) {
    const char = text[end];
    if (
      char === "," ||
      char === "\n" ||
      (char === "\r" && (text[end + 1] === "\n" || end + 1 === text.length))
    )
      break;
    if (char === '"')
      return { code: "csv-quote", problem: "A quote stands inside a field that is not quoted." };
  }
  return { value: text.slice(start, end), end, lines: 0 };
}

function quoted(text: string, start: number): Field {
  let value = "";
  let at = start + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close < 0) return { code: "csv-open-quote", problem: "A quoted field is not closed." };
    value += text.slice(at, close);
    at = close + 1;
    if (text[at] !== '"') break;
    value += '"';
    at += 1;
  }
  const next = text[at];
  if (next !== undefined && next !== "," && next !== "\n" && next !== "\r") {
    return { code: "csv-after-quote", problem: "Text follows a closing quote." };
  }
  let lines = 0;
  for (let found = value.indexOf("\n"); found >= 0; found = value.indexOf("\n", found + 1)) lines += 1;
  return { value, end: at, lines };
}

const refused = (code: string, message: string, line: number): Outcome<string[][]> => ({
  ok: false,
  findings: [{ code, severity: "error", message, line }],
});

import { parseStrictJson } from "../../strict-json/parse.ts";

/** No committed document is larger. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Appends a value to a list inside a JSON text and leaves every other character as it was. The value is laid out like its
 * surroundings: in one line where the document is one, else indented as the document is.
 * @param pointer the list's JSON pointer
 * @throws RangeError when the text is no strict JSON or has no list there
 */
export function appendToList(text: string, pointer: string, value: unknown): string {
  const json = parseStrictJson(text, { maxBytes: MAX_BYTES });
  const place = json.ok ? json.value.position(pointer) : undefined;
  const start = place === undefined ? -1 : offsetOf(text, place.line, place.column);
  if (text[start] !== "[") throw new RangeError(`no list at ${pointer}`);
  const end = closingBracket(text, start);
  const inner = text.slice(start + 1, end);
  const body = inner.trimEnd();
  const before = text.slice(0, start + 1 + body.length);
  const comma = body === "" ? "" : ",";
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  if (!text.trimEnd().includes("\n")) return `${before}${comma}${JSON.stringify(value)}${text.slice(end)}`;
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const base = /[ \t]*/.exec(text.slice(text.lastIndexOf("\n", start) + 1))?.[0] ?? "";
  const lines = JSON.stringify(value, null, unit).split("\n");
  const item = lines.map((line) => `${newline}${base}${unit}${line}`).join("");
  // What stands between the last item and the bracket stays, when it is a line break of its own.
  const rest = inner.slice(body.length);
  return `${before}${comma}${item}${rest.includes("\n") ? rest : newline + base}${text.slice(end)}`;
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}

/** Where the list that opens at a place is closed. The text is known to be JSON. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    } else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

import type { StrictJson } from "../../strict-json/parse.ts";

/** A member to add to the object at a pointer; the object has members, none of them with this key. */
export interface NewMember {
  readonly pointer: string;
  readonly key: string;
  readonly value: unknown;
}

/**
 * Adds members to objects inside a JSON text and leaves every other character as it was: what is committed is only added
 * to, and a difference shows nothing else. One member an object.
 * @param text sound JSON
 * @param json the same text, parsed
 * @throws RangeError when there is no object at one of the pointers
 */
export function insertMembers(text: string, json: StrictJson, members: readonly NewMember[]): string {
  const lines = lineStarts(text);
  const pieces = members.map(({ pointer, key, value }) => {
    const place = json.position(pointer);
    const start = place === undefined ? -1 : (lines[place.line - 1] as number) + place.column - 1;
    if (text[start] !== "{") throw new RangeError(`no object at ${pointer}`);
    const close = closingBrace(text, start);
    let end = close;
    while (/\s/.test(text[end - 1] as string)) end--;
    const gap = text.slice(end, close);
    // Written over several lines, members stand two blanks deeper than the brace that closes them.
    const before = gap.includes("\n") ? `\n${gap.slice(gap.lastIndexOf("\n") + 1)}  ` : " ";
    return { end, member: `,${before}${JSON.stringify(key)}: ${JSON.stringify(value)}` };
  });
  let from = 0;
  let result = "";
  for (const { end, member } of pieces.sort((a, b) => a.end - b.end)) {
    result += text.slice(from, end) + member;
    from = end;
  }
  return result + text.slice(from);
}

/** JSON as people read it, with rows of numbers on one line each. */
export const renderJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /\[\n\s+(-?[\d.e+-]+(?:,\n\s+-?[\d.e+-]+)*)\n\s+\]/g,
    (_, row: string) => `[${row.replace(/\s+/g, " ")}]`,
  );

/**
 * Adds an item to the end of a list inside a JSON text and leaves every other character as it was. The list holds objects, or nothing.
 * @param text sound JSON
 * @param json the same text, parsed
 * @param pointer of the list
 * @throws RangeError when there is no such list of objects
 */
export function appendItem(text: string, json: StrictJson, pointer: string, item: unknown): string {
  let last = -1;
  while (json.position(`${pointer}/${last + 1}`) !== undefined) last += 1;
  if (last < 0) return fillList(text, json, pointer, item);
  const place = json.position(`${pointer}/${last}`);
  const start = place === undefined ? -1 : (lineStarts(text)[place.line - 1] as number) + place.column - 1;
  if (text[start] !== "{") throw new RangeError(`no list of objects at ${pointer}`);
  const end = closingBrace(text, start) + 1;
  const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
  // An item on a line of its own gets the next line, as far in.
  const isOwnLine = /^\s*$/.test(line) && text.lastIndexOf("\n", start) >= 0;
  const shown = isOwnLine ? renderJson(item).replaceAll("\n", `\n${line}`) : JSON.stringify(item);
  return `${text.slice(0, end)},${isOwnLine ? `\n${line}` : " "}${shown}${text.slice(end)}`;
}

function fillList(text: string, json: StrictJson, pointer: string, item: unknown): string {
  const place = json.position(pointer);
  const start = place === undefined ? -1 : (lineStarts(text)[place.line - 1] as number) + place.column - 1;
  if (!/^\[\s*\]/.test(text.slice(start, start + 1000)))
    throw new RangeError(`no list of objects at ${pointer}`);
  return text.slice(0, start + 1) + JSON.stringify(item) + text.slice(closingBrace(text, start));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function closingBrace(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0) return at;
    }
  }
  throw new RangeError("the object is not closed");
}

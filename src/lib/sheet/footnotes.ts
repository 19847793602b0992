import type { Cell } from "./model.ts";

/** One marker: `(a)`, `(ab)`, `(1)`, `(a,b)`, the same in square brackets, signs, or superscript letters and digits. */
const ITEM = "(?:[a-z]{1,2}|[0-9]{1,2})";
const LIST = `${ITEM}(?:, ?${ITEM}){0,5}`;
const MARKER = new RegExp(
  `(?:\\(${LIST}\\)|\\[${LIST}\\]|[*†‡§¶\\u00aa\\u00b2\\u00b3\\u00b9\\u00ba\\u02b0-\\u02b8\\u2070-\\u207f\\u1d2c-\\u1d6a])$`,
  "u",
);
/** A marker is shorter than this, so only the end of the text is looked at. */
const TAIL = 40;

/** The cell's text without its superscript runs; all of it when nothing else would be left. */
export function withoutSuperscript(cell: Cell): string | null {
  if (cell.runs === undefined) return null;
  const rest = cell.runs.filter((run) => !run.superscript).map((run) => run.text);
  return rest.some((text) => text.trim() !== "") ? rest.join("") : null;
}

/** Removes footnote markers at the end, however many; the text itself when nothing else would be left. */
export function withoutMarkers(text: string): string {
  let rest = text.trimEnd();
  for (;;) {
    const tail = rest.slice(-TAIL);
    const marker = MARKER.exec(tail);
    // Lists such as `(a), (b)` leave their comma behind.
    if (marker === null) break;
    rest = rest.slice(0, rest.length - marker[0].length).trimEnd();
    if (rest.endsWith(",") && MARKER.test(rest.slice(-TAIL - 1, -1).trimEnd()))
      rest = rest.slice(0, -1).trimEnd();
  }
  return rest === "" ? text : rest;
}

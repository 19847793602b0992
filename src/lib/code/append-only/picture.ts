/** Characters of a value that are shown. */
const MAX_SHOWN = 80;

/**
 * A short picture of a JSON value: containers by kind and size, long texts around the first place in which they differ
 * from `other`, so that two pictures of different texts differ.
 */
export function pictureOf(value: unknown, other: unknown = null): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return `an object with ${Object.keys(value).length} keys`;
  if (typeof value !== "string") return JSON.stringify(value) ?? "nothing";
  const text = JSON.stringify(value);
  if (text.length <= MAX_SHOWN) return text;
  const against = typeof other === "string" ? JSON.stringify(other) : "";
  let start = 0;
  while (start < text.length && text[start] === against[start]) start += 1;
  // Some of what is the same before it, so that one finds the place.
  const from = against === "" || start < MAX_SHOWN / 2 ? 0 : start - 20;
  const shown = text.slice(from, from + MAX_SHOWN);
  return `${from > 0 ? "…" : ""}${shown}${from + MAX_SHOWN < text.length ? "…" : ""}`;
}

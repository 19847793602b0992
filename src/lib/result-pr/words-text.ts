/** Putting other people's strings into Markdown so that they stay strings (field lessons F34). Pure. */

/** UTF-8 length in bytes; a lone surrogate counts as U+FFFD (3 bytes), as encoders write it. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What shows nothing, reorders text, breaks lines, or stands alone as half a pair. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u;

/** One character as it may stand in a comment: controls as Unicode's pictures, what cannot be seen as `\u{…}`. */
function visible(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return "\u2421";
  if (!UNSEEN.test(character)) return character;
  return `\\u{${point.toString(16).toUpperCase().padStart(4, "0")}}`;
}

/**
 * Text with every control, bidirectional, zero-width and unpaired character made visible, on one line, cut to at most
 * `max` UTF-16 units with `…` at the end (never inside a surrogate pair).
 */
export function clean(text: string, max = 200): string {
  let out = "";
  let cut = 0;
  for (const character of text) {
    const shown = visible(character);
    if (out.length + shown.length > max) return `${out.slice(0, cut)}…`;
    out += shown;
    if (out.length < max) cut = out.length;
  }
  return out;
}

/**
 * A Markdown code span holding `text` whatever it contains: the fence is one backtick longer than the longest run
 * inside, and nothing in it can become a mention, link, image, HTML or table border.
 * `table`: for a cell of a table, where an unescaped `|` would end the cell even inside code.
 */
export function code(text: string, options: { max?: number; table?: boolean } = {}): string {
  let inner = clean(text, options.max ?? 200);
  if (options.table) {
    // Parsers disagree about a backslash before an escaped pipe, so that one is spelt out.
    inner = inner.replaceAll("\\|", "\\u{7C}").replaceAll("|", "\\|");
  }
  if (inner.trim() === "") return inner === "" ? "(empty)" : `\`${"␠".repeat(inner.length)}\``;
  const longest = Math.max(0, ...[...inner.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  const pad = inner.startsWith("`") || inner.endsWith("`") || (inner.startsWith(" ") && inner.endsWith(" "));
  return pad ? `${fence} ${inner} ${fence}` : `${fence}${inner}${fence}`;
}

/** A word that is only a word: no digit, sign or dot inside, so that it is no reference, address, markup or command. */
const WORD = /^\(?[A-Za-z]+(?:['-][A-Za-z]+)*\)?[,.;:!?]?$/;
/** A short number: a longer one could be read as a commit. */
const NUMBER = /^\d{1,6}(?:\.\d{1,6})?[,;:]?$/;
/** Seven letters of a to f could be read as a commit too. */
const HEX = /^\(?[a-f]{7,}/i;

const isPlain = (word: string, index: number): boolean =>
  (WORD.test(word) && !HEX.test(word)) || (index > 0 && NUMBER.test(word));

/**
 * A sentence that may quote other people: plain words stay words, everything else of it stands in code spans. Cut to at
 * most `max` UTF-16 units before that.
 */
export function prose(text: string, max = 400): string {
  const words = clean(text, max)
    .split(" ")
    .filter((word) => word !== "");
  const parts: string[] = [];
  let odd: string[] = [];
  const close = (): void => {
    if (odd.length > 0) parts.push(code(odd.join(" "), { max }));
    odd = [];
  };
  for (const [index, word] of words.entries()) {
    if (isPlain(word, index)) {
      close();
      parts.push(word);
      continue;
    }
    // A full stop after a path or name is the sentence's, not the name's.
    const [, name, stop] = /^(.*[^.,;:!?])([.,;:!?])$/.exec(word) ?? [];
    odd.push(stop === undefined ? word : (name ?? word));
    if (stop !== undefined) {
      close();
      parts.push(`${parts.pop() ?? ""}${stop}`);
    }
  }
  close();
  return parts.length === 0 ? "(empty)" : parts.join(" ");
}

/** A code span for a table cell. */
export const cell = (text: string, max = 80): string => code(text, { max, table: true });

/** Plain text for places without Markdown (annotation messages, check titles): visible characters, no mention. */
export const plain = (text: string, max = 200): string => clean(text, max).replaceAll("@", "＠");

/** A Markdown table row. Cells must already be safe. */
export const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Header and delimiter rows of a table; `align`: `l` or `r` per column. */
export const tableHead = (titles: readonly string[], align: string): string =>
  `${row(titles)}\n${row(titles.map((_, index) => (align[index] === "r" ? "--:" : ":--")))}`;

/** `1 member`, `2 members`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** First `length` characters of a sha or digest (without `sha256:`), as a code span. */
export const short = (id: string, length = 12): string => code(id.replace(/^sha256:/, "").slice(0, length));

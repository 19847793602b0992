/** Text for fixed-width drawing: safe characters, width in terminal columns, cutting. */

/** Replaces what could steer a terminal or break an XML document: controls, bidi overrides, lone surrogates. */
export function safeText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffe\uffff]/gu,
    "\ufffd",
  );
}

const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
const ZERO = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200d\ufeff])$/u;

const characterWidth = (character: string): number =>
  ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

/** Columns a text takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts a text to at most `width` columns, with an ellipsis where something was cut off. */
export function cutText(text: string, width: number): string {
  if (text.length <= width && textWidth(text) <= width) return text;
  let taken = 0;
  let result = "";
  for (const character of text) {
    const next = characterWidth(character);
    if (taken + next > width - 1) {
      // Only cut when what is left does not fit as a whole.
      return textWidth(text) <= width ? text : `${result}…`;
    }
    result += character;
    taken += next;
  }
  return result;
}

/** Pads to `width` columns, at the right end or, for numbers, at the left. */
export function padText(text: string, width: number, side: "left" | "right" = "right"): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  return side === "right" ? text + space : space + text;
}

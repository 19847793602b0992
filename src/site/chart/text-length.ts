import { cutText, textWidth } from "../../lib/picture/text.ts";

/**
 * Length of one column of text, of its font size. Nothing measures a font when a page is built; over system fonts
 * (Segoe UI, San Francisco, Roboto, DejaVu) letters of names and numbers take 0.5 to 0.6 on average, semibold ones
 * a twelfth more, so this one is rather too long: a label may stand a little apart, never on another. Wide characters take
 * two columns.
 */
const COLUMN = 0.61;
const BOLD = 1.08;

/** Length of a text in the units of its font size. */
export const textLength = (text: string, fontSize: number, bold = false): number =>
  textWidth(text) * COLUMN * fontSize * (bold ? BOLD : 1);

/** The text, cut with an ellipsis to what fits into a length. */
export const fitText = (text: string, length: number, fontSize: number): string =>
  cutText(text, Math.max(1, Math.floor(length / (COLUMN * fontSize))));

/** Breaks a text at spaces into lines of so many columns at most; a longer word is cut. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const cut = cutText(word, columns);
    if (last !== undefined && textWidth(last) + 1 + textWidth(cut) <= columns)
      lines[lines.length - 1] = `${last} ${cut}`;
    else lines.push(cut);
  }
  return lines;
}

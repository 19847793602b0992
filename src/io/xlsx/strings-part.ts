import type { TextRun } from "../../lib/sheet/model.ts";
import { isOn } from "./styles-part.ts";
import { CLOSE, END, OPEN, wellFormed, type XmlScanner } from "./xml-scan.ts";

/** A run of rich text; one without a font of its own has its cell's. */
export interface ItemRun {
  readonly text: string;
  readonly font: Pick<TextRun, "bold" | "italic" | "superscript"> | null;
}

/** What an `<si>` or `<is>` says: its text, and its runs when it is rich (they concatenate to the text). */
export interface TextItem {
  readonly text: string;
  readonly runs: readonly ItemRun[] | null;
}

/** Reads `sharedStrings.xml`, in file order. @throws XlsxFault */
export function readSharedStrings(scanner: XmlScanner): TextItem[] {
  const items: TextItem[] = [];
  for (;;) {
    const event = scanner.next();
    if (event === END) return items;
    if (event === OPEN && scanner.name === "si") items.push(readItem(scanner));
  }
}

/** Text below this length never keeps the part that it was cut from alive. */
const SHORT = 13;

/**
 * The text that raw (still escaped) XML text stands for, with escapes such as `_x000D_` resolved.
 * @throws XlsxFault when it is no sound XML
 */
export function textOf(raw: string, scanner: XmlScanner): string {
  const text = scanner.decode(scanner.checked(raw));
  const resolved = text.includes("_x") ? unescaped(text) : text;
  // A copy: a slice would keep the whole part in memory for as long as the cell.
  return resolved.length < SHORT ? resolved : Buffer.from(resolved).toString();
}

const unescaped = (text: string): string =>
  wellFormed(
    text.replace(/_x([0-9A-F]{4})_/g, (_match, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    ),
  );

/** Reads the `<si>` or `<is>` just opened, up to and including its CLOSE. @throws XlsxFault */
export function readItem(scanner: XmlScanner): TextItem {
  const depth = scanner.depth;
  scanner.hold(1);
  let plain = "";
  const runs: ItemRun[] = [];
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === "t") plain += scanner.rawContent();
      else if (scanner.name === "r") {
        const run = readRun(scanner);
        if (run !== null) runs.push(run);
      }
      // Phonetic readings (`rPh`) are pronunciation, not text.
      else scanner.skip();
    } else if (event === CLOSE && scanner.depth === depth) {
      if (runs.length === 0) return { text: textOf(plain, scanner), runs: null };
      if (plain !== "") runs.unshift({ text: textOf(plain, scanner), font: null });
      return { text: runs.map(({ text }) => text).join(""), runs };
    }
  }
}

/** Null for a run without text. */
function readRun(scanner: XmlScanner): ItemRun | null {
  const depth = scanner.depth;
  scanner.hold(2);
  let font: ItemRun["font"] = null;
  let raw = "";
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === "t") raw += scanner.rawContent();
      else if (scanner.name === "rPr") font = readRunFont(scanner);
      else scanner.skip();
    } else if (event === CLOSE && scanner.depth === depth) {
      return raw === "" ? null : { text: textOf(raw, scanner), font };
    }
  }
}

function readRunFont(scanner: XmlScanner): ItemRun["font"] {
  const depth = scanner.depth;
  const font = { bold: false, italic: false, superscript: false };
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      const value = scanner.attribute("val");
      if (scanner.name === "b" && isOn(value)) font.bold = true;
      else if (scanner.name === "i" && isOn(value)) font.italic = true;
      else if (scanner.name === "vertAlign" && value === "superscript") font.superscript = true;
      scanner.skip();
    } else if (event === CLOSE && scanner.depth === depth) return font;
  }
}

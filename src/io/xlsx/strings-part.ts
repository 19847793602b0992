import { isOn } from "./styles-part.ts";
import { CLOSE, END, OPEN, type XmlScanner } from "./xml-scan.ts";

/**
 * The shared strings as exceljs will read them: one clean `<si>` per entry, namespace prefixes and
 * phonetic readings gone, and of a run's font only what the model keeps. exceljs reads inline strings
 * and formula texts less faithfully (an empty one vanishes, `&amp;lt;` is decoded twice), so those
 * cells join this table as well.
 */
export class StringTable {
  readonly #items: string[] = [];
  readonly #plain = new Map<string, number>();

  get size(): number {
    return this.#items.length;
  }

  /** Adds a normalised `<si>` and gives its index. */
  push(item: string): number {
    return this.#items.push(item) - 1;
  }

  /** Index of a plain string given as raw (escaped) XML text; equal texts share one entry. */
  plain(raw: string): number {
    const known = this.#plain.get(raw);
    if (known !== undefined) return known;
    const index = this.push(plainItem(raw));
    this.#plain.set(raw, index);
    return index;
  }

  toXml(): string {
    return `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${this.#items.join("")}</sst>`;
  }
}

const plainItem = (raw: string): string => `<si><t xml:space="preserve">${raw}</t></si>`;

/** Reads `sharedStrings.xml` into a table, in file order. @throws XlsxFault */
export function readSharedStrings(scanner: XmlScanner, table: StringTable): void {
  for (;;) {
    const event = scanner.next();
    if (event === END) return;
    if (event === OPEN && scanner.name === "si") table.push(readItem(scanner));
  }
}

/** Normalises the `<si>` or `<is>` just opened, up to and including its CLOSE. */
export function readItem(scanner: XmlScanner): string {
  const depth = scanner.depth;
  scanner.hold(1);
  let plain = "";
  let runs = "";
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === "t") plain += scanner.rawContent();
      else if (scanner.name === "r") runs += readRun(scanner);
      // Phonetic readings (`rPh`) are pronunciation, not text.
      else scanner.skip();
    } else if (event === CLOSE && scanner.depth === depth) {
      if (runs === "") return plainItem(plain);
      const leading = plain === "" ? "" : `<r><t xml:space="preserve">${plain}</t></r>`;
      return `<si>${leading}${runs}</si>`;
    }
  }
}

function readRun(scanner: XmlScanner): string {
  const depth = scanner.depth;
  scanner.hold(2);
  let font = "";
  let text = "";
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === "t") text += scanner.rawContent();
      else if (scanner.name === "rPr") font = readRunFont(scanner);
      else scanner.skip();
    } else if (event === CLOSE && scanner.depth === depth) {
      return text === "" ? "" : `<r>${font}<t xml:space="preserve">${text}</t></r>`;
    }
  }
}

function readRunFont(scanner: XmlScanner): string {
  const depth = scanner.depth;
  let font = "";
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      const value = scanner.attribute("val");
      if (scanner.name === "b" && isOn(value)) font += "<b/>";
      else if (scanner.name === "i" && isOn(value)) font += "<i/>";
      else if (scanner.name === "vertAlign" && value === "superscript") {
        font += '<vertAlign val="superscript"/>';
      }
      scanner.skip();
    } else if (event === CLOSE && scanner.depth === depth) return `<rPr>${font}</rPr>`;
  }
}

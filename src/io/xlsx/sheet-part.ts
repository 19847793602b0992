import { MAX_COLUMNS, MAX_ROWS, type Range } from "../../lib/sheet/model.ts";
import { columnLetters, columnNumber, parseReference } from "./address.ts";
import { XlsxFault } from "./fault.ts";
import { isoToSerial } from "./serial-date.ts";
import { readItem, type StringTable } from "./strings-part.ts";
import { CLOSE, END, OPEN, type XmlScanner } from "./xml-scan.ts";

/** How a cell's value reaches the model. */
export const BLANK = 0;
/** By exceljs. */
export const PARSED = 1;
/** A `t="d"` cell: its ISO text is kept in `isoDates`. */
export const ISO_DATE = 2;

/** One row of the file: parallel arrays, in file order of its cells. */
export interface ScannedRow {
  readonly row: number;
  readonly columns: number[];
  readonly styles: number[];
  readonly kinds: number[];
  /** Columns whose value is a formula's cached result. */
  readonly formulas: number[];
}

/** What the pre-pass takes from a worksheet part; `xml` is what is left for exceljs: values, nothing else. */
export interface ScannedSheet {
  readonly xml: string;
  readonly rows: ScannedRow[];
  readonly isoDates: ReadonlyMap<string, { iso: string; serial: number }>;
  readonly merges: readonly Range[];
  readonly hiddenRows: ReadonlySet<number>;
  readonly hiddenColumns: readonly { readonly first: number; readonly last: number }[];
  /** Formula cells that hold no cached value, and the first of them. */
  readonly uncachedFormulas: { readonly count: number; readonly first: string };
}

export interface SheetScan {
  readonly name: string;
  readonly strings: StringTable;
  /** Entries of the file's own shared string table, before other texts joined it. */
  readonly sharedStrings: number;
  readonly date1904: boolean;
  readonly caps: { readonly rows: number; readonly columns: number };
  /** Counts a cell against the workbook's budget. @throws XlsxFault */
  readonly spend: () => void;
}

// Every part of it begins with a character that the part before cannot hold, so that nothing is tried twice.
const NUMBER = /^\s*[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*$/;
const INDEX = /^\s*[0-9]{1,9}\s*$/;

/**
 * Scans a worksheet part: gives every row and cell its address, reads merges, hidden rows and columns,
 * and rewrites the values to the plain form that exceljs reads right. What it drops, nothing here needs:
 * formulas' texts, styles, drawings, validations, conditional formats, hyperlinks, extensions.
 * @throws XlsxFault
 */
export function scanSheet(scanner: XmlScanner, scan: SheetScan): ScannedSheet {
  const state = new SheetScanner(scanner, scan);
  state.run();
  return state;
}

class SheetScanner implements ScannedSheet {
  xml = "";
  readonly rows: ScannedRow[] = [];
  readonly isoDates = new Map<string, { iso: string; serial: number }>();
  readonly merges: Range[] = [];
  readonly hiddenRows = new Set<number>();
  readonly hiddenColumns: { first: number; last: number }[] = [];
  readonly uncachedFormulas = { count: 0, first: "" };
  readonly #scanner: XmlScanner;
  readonly #scan: SheetScan;
  readonly #letters: string[] = [];
  readonly #seenRows = new Set<number>();

  constructor(scanner: XmlScanner, scan: SheetScan) {
    this.#scanner = scanner;
    this.#scan = scan;
  }

  run(): void {
    const scanner = this.#scanner;
    const parts: string[] = [];
    let previousRow = 0;
    for (let event = scanner.next(); event !== END; event = scanner.next()) {
      if (event !== OPEN) continue;
      switch (scanner.name) {
        case "worksheet":
        case "sheetData":
        case "cols":
        case "mergeCells":
          break;
        case "row":
          previousRow = this.#row(previousRow, parts);
          break;
        case "col":
          this.#column();
          break;
        case "mergeCell":
          this.#merge();
          break;
        default:
          if (scanner.depth === 1) {
            throw new XlsxFault(
              "xlsx-malformed-xml",
              `Sheet "${this.#scan.name}" is a <${scanner.name}> part, not a worksheet.`,
            );
          }
          scanner.skip();
      }
    }
    this.xml = `<worksheet><sheetData>${parts.join("")}</sheetData></worksheet>`;
  }

  #row(previous: number, parts: string[]): number {
    const scanner = this.#scanner;
    const text = scanner.attribute("r");
    const number = text === undefined ? previous + 1 : Number(text);
    if (!Number.isInteger(number) || number < 1 || (text !== undefined && !/^[0-9]+$/.test(text))) {
      throw this.#fault("xlsx-bad-address", `A row has the number "${text}".`);
    }
    if (number > Math.min(this.#scan.caps.rows, MAX_ROWS)) {
      throw this.#fault("xlsx-too-many-rows", `Row ${number} lies beyond the limit.`, {
        expected: `at most row ${Math.min(this.#scan.caps.rows, MAX_ROWS)}`,
      });
    }
    const hidden = scanner.attribute("hidden");
    if (hidden === "1" || hidden === "true") this.hiddenRows.add(number);
    const row: ScannedRow = { row: number, columns: [], styles: [], kinds: [], formulas: [] };
    const depth = scanner.depth;
    let xml = "";
    let column = 0;
    for (;;) {
      const event = scanner.next();
      if (event === OPEN) {
        if (scanner.name === "c") {
          column = this.#columnOf(column, number);
          xml += this.#cell(row, column);
        } else scanner.skip();
      } else if (event === CLOSE && scanner.depth === depth) break;
    }
    if (row.columns.length > 0) {
      if (this.#seenRows.has(number)) throw this.#fault("xlsx-duplicate-row", `Row ${number} occurs twice.`);
      this.#seenRows.add(number);
      this.rows.push(row);
    }
    if (xml !== "") parts.push(`<row r="${number}">${xml}</row>`);
    return number;
  }

  /** The column of the cell just opened: from its address, or the one after the cell before it. */
  #columnOf(previous: number, row: number): number {
    const address = this.#scanner.attribute("r");
    let column = previous + 1;
    if (address !== undefined) {
      let letters = 0;
      while (address.charCodeAt(letters) >= 65) letters++;
      column = columnNumber(address.slice(0, letters));
      const digits = address.slice(letters);
      if (column === 0 || letters > 3 || !/^[1-9][0-9]{0,6}$/.test(digits)) {
        throw this.#fault("xlsx-bad-address", `A cell in row ${row} has the address "${address}".`);
      }
      if (Number(digits) !== row) {
        throw this.#fault("xlsx-bad-address", `Cell ${address} stands in row ${row}.`);
      }
    }
    const limit = Math.min(this.#scan.caps.columns, MAX_COLUMNS);
    if (column > limit) {
      throw this.#fault("xlsx-too-many-columns", `Row ${row} has a cell in column ${column}.`, {
        expected: `at most column ${limit}`,
      });
    }
    return column;
  }

  #cell(row: ScannedRow, column: number): string {
    this.#scan.spend();
    const scanner = this.#scanner;
    const styleText = scanner.attribute("s");
    const type = scanner.attribute("t") ?? "n";
    let value: string | undefined;
    let inline: string | undefined;
    let formula = false;
    if (scanner.selfClosing) scanner.next();
    else {
      const depth = scanner.depth;
      for (;;) {
        const event = scanner.next();
        if (event === OPEN) {
          if (scanner.name === "v") {
            if (value !== undefined) throw this.#badValue(this.#address(row.row, column), "one value", "two");
            value = scanner.rawContent();
          } else if (scanner.name === "is") inline = readItem(scanner);
          else {
            if (scanner.name === "f") formula = true;
            scanner.skip();
          }
        } else if (event === CLOSE && scanner.depth === depth) break;
      }
    }
    row.columns.push(column);
    row.styles.push(styleText === undefined ? 0 : Number(styleText));
    if (formula) row.formulas.push(column);
    const address = this.#address(row.row, column);
    const content = this.#content(type, value, inline, formula, address);
    if (content === null) {
      if (formula) {
        if (this.uncachedFormulas.count === 0) this.uncachedFormulas.first = address;
        this.uncachedFormulas.count++;
      }
      row.kinds.push(BLANK);
      return "";
    }
    row.kinds.push(content === "" ? ISO_DATE : PARSED);
    return content;
  }

  /** The cell as exceljs gets it; null for a blank, "" when the value went to `isoDates`. */
  #content(
    type: string,
    value: string | undefined,
    inline: string | undefined,
    formula: boolean,
    address: string,
  ): string | null {
    switch (type) {
      case "n":
        if (value === undefined || value.trim() === "") return null;
        if (!NUMBER.test(value) || !Number.isFinite(Number(value)))
          throw this.#badValue(address, "a number", value);
        return `<c r="${address}"><v>${value}</v></c>`;
      case "s": {
        if (value === undefined || value.trim() === "") return null;
        if (!INDEX.test(value) || Number(value) >= this.#scan.sharedStrings) {
          throw this.#fault(
            "xlsx-bad-shared-string",
            `Cell ${address} refers to a shared text that does not exist.`,
            {
              expected: `an index below ${this.#scan.sharedStrings}`,
              actual: value.slice(0, 40),
            },
          );
        }
        return `<c r="${address}" t="s"><v>${value}</v></c>`;
      }
      case "str":
        if (value === undefined && !formula) return null;
        return `<c r="${address}" t="s"><v>${this.#scan.strings.plain(value ?? "")}</v></c>`;
      case "inlineStr": {
        const item = inline === undefined ? null : this.#scan.strings.push(inline);
        const index = item ?? (value === undefined ? null : this.#scan.strings.plain(value));
        return index === null ? null : `<c r="${address}" t="s"><v>${index}</v></c>`;
      }
      case "b": {
        const word = value?.trim() ?? "";
        if (word === "") return null;
        if (!/^(?:0|1|true|false)$/i.test(word)) throw this.#badValue(address, "a boolean", word);
        return `<c r="${address}" t="b"><v>${/^(?:1|true)$/i.test(word) ? 1 : 0}</v></c>`;
      }
      case "e":
        if (value === undefined || value.trim() === "") return null;
        return `<c r="${address}" t="e"><v>${value}</v></c>`;
      case "d": {
        if (value === undefined || value.trim() === "") return null;
        const date = isoToSerial(value, this.#scan.date1904);
        if (date === null) throw this.#badValue(address, "an ISO date", value);
        this.isoDates.set(address, date);
        return "";
      }
      default:
        throw this.#badValue(address, "a cell type of n, s, str, inlineStr, b, e or d", type);
    }
  }

  #column(): void {
    const hidden = this.#scanner.attribute("hidden");
    if (hidden !== "1" && hidden !== "true") return;
    const first = Number(this.#scanner.attribute("min") ?? Number.NaN);
    const last = Math.min(Number(this.#scanner.attribute("max") ?? Number.NaN), MAX_COLUMNS);
    if (Number.isInteger(first) && Number.isInteger(last) && first >= 1 && first <= last) {
      this.#scanner.hold(1);
      this.hiddenColumns.push({ first, last });
    }
  }

  #merge(): void {
    const text = this.#scanner.value("ref") ?? "";
    const range = parseReference(text);
    if (range === null) throw this.#fault("xlsx-bad-address", `A merge covers "${text.slice(0, 40)}".`);
    if (range.top === range.bottom && range.left === range.right) return;
    this.#scanner.hold(1);
    this.merges.push(range);
  }

  #address(row: number, column: number): string {
    const letters = this.#letters[column] ?? columnLetters(column);
    this.#letters[column] = letters;
    return `${letters}${row}`;
  }

  #badValue(address: string, expected: string, actual: string): XlsxFault {
    return this.#fault("xlsx-bad-value", `Cell ${address} does not hold what its type says.`, {
      expected,
      actual: actual.slice(0, 40),
    });
  }

  #fault(
    code: `xlsx-${string}`,
    message: string,
    extra: { expected?: string; actual?: string } = {},
  ): XlsxFault {
    return new XlsxFault(code, `${message.replace(/\.$/, "")} (sheet "${this.#scan.name}").`, {
      ...extra,
      hint: "Open the file in a spreadsheet program and save it again.",
    });
  }
}

import { type Cell, MAX_COLUMNS, MAX_ROWS, type Range } from "../../lib/sheet/model.ts";
import { columnLetters, parseReference } from "./address.ts";
import { XlsxFault } from "./fault.ts";
import { type CellPlace, dateCell, makeCell, numberCell, textCell } from "./make-cell.ts";
import { isoToSerial } from "./serial-date.ts";
import { readItem, type TextItem, textOf } from "./strings-part.ts";
import { type CellStyle, PLAIN_STYLE } from "./styles-part.ts";
import { CLOSE, END, OPEN, type XmlScanner } from "./xml-scan.ts";

/** What a worksheet part says. */
export interface ScannedSheet {
  /** Cells by row, both in file order; only rows that hold cells. */
  readonly rows: Map<number, Cell[]>;
  readonly merges: readonly Range[];
  readonly hiddenRows: ReadonlySet<number>;
  readonly hiddenColumns: readonly { readonly first: number; readonly last: number }[];
  /** Formula cells that hold no cached value, and the first of them. */
  readonly uncachedFormulas: { readonly count: number; readonly first: string };
}

export interface SheetScan {
  readonly name: string;
  readonly strings: readonly TextItem[];
  readonly styles: readonly CellStyle[];
  readonly date1904: boolean;
  readonly caps: { readonly rows: number; readonly columns: number };
  /** Counts a cell against the workbook's budget. @throws XlsxFault */
  readonly spend: () => void;
}

// Every part of it begins with a character that the part before cannot hold, so that nothing is tried twice.
const NUMBER = /^\s*[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*$/;
const INDEX = /^\s*[0-9]{1,9}\s*$/;

/**
 * Reads a worksheet part: every row and cell with its address and value, merges, hidden rows and columns. What it passes
 * over, nothing here needs: formulas' texts, drawings, validations, conditional formats, hyperlinks, extensions.
 * @throws XlsxFault
 */
export function scanSheet(scanner: XmlScanner, scan: SheetScan): ScannedSheet {
  const state = new SheetScanner(scanner, scan);
  state.run();
  return state;
}

class SheetScanner implements ScannedSheet {
  readonly rows = new Map<number, Cell[]>();
  readonly merges: Range[] = [];
  readonly hiddenRows = new Set<number>();
  readonly hiddenColumns: { first: number; last: number }[] = [];
  readonly uncachedFormulas = { count: 0, first: "" };
  readonly #scanner: XmlScanner;
  readonly #scan: SheetScan;
  /** Texts that stand in the sheet itself, by their raw form: many cells say the same. */
  readonly #texts = new Map<string, string>();

  constructor(scanner: XmlScanner, scan: SheetScan) {
    this.#scanner = scanner;
    this.#scan = scan;
  }

  run(): void {
    const scanner = this.#scanner;
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
          previousRow = this.#row(previousRow);
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
  }

  #row(previous: number): number {
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
    const cells: Cell[] = [];
    const depth = scanner.depth;
    let column = 0;
    for (;;) {
      const event = scanner.next();
      if (event === OPEN) {
        if (scanner.name === "c") {
          column = this.#columnOf(column, number);
          cells.push(this.#cell(number, column));
        } else scanner.skip();
      } else if (event === CLOSE && scanner.depth === depth) break;
    }
    if (cells.length > 0) {
      if (this.rows.has(number)) throw this.#fault("xlsx-duplicate-row", `Row ${number} occurs twice.`);
      this.rows.set(number, cells);
    }
    return number;
  }

  /** The column of the cell just opened: from its address, or the one after the cell before it. */
  #columnOf(previous: number, row: number): number {
    const address = this.#scanner.attribute("r");
    let column = previous + 1;
    if (address !== undefined) {
      const place = placeOf(address);
      if (place === null)
        throw this.#fault("xlsx-bad-address", `A cell in row ${row} has the address "${address}".`);
      if (place.row !== row) throw this.#fault("xlsx-bad-address", `Cell ${address} stands in row ${row}.`);
      column = place.column;
    }
    const limit = Math.min(this.#scan.caps.columns, MAX_COLUMNS);
    if (column > limit) {
      throw this.#fault("xlsx-too-many-columns", `Row ${row} has a cell in column ${column}.`, {
        expected: `at most column ${limit}`,
      });
    }
    return column;
  }

  #cell(row: number, column: number): Cell {
    this.#scan.spend();
    const scanner = this.#scanner;
    const styleText = scanner.attribute("s");
    const type = scanner.attribute("t") ?? "n";
    let value: string | undefined;
    let inline: TextItem | undefined;
    let formula = false;
    if (scanner.selfClosing) scanner.next();
    else {
      const depth = scanner.depth;
      for (;;) {
        const event = scanner.next();
        if (event === OPEN) {
          if (scanner.name === "v") {
            if (value !== undefined) throw this.#badValue({ row, column }, "one value", "two");
            value = scanner.checked(scanner.rawContent());
          } else if (scanner.name === "is") inline = readItem(scanner);
          else {
            if (scanner.name === "f") formula = true;
            scanner.skip();
          }
        } else if (event === CLOSE && scanner.depth === depth) break;
      }
    }
    const style = this.#scan.styles[styleText === undefined ? 0 : Number(styleText)] ?? PLAIN_STYLE;
    const place = { row, column, style, formula };
    const cell = this.#valued(place, type, value, inline);
    if (cell !== null) return cell;
    if (formula) {
      if (this.uncachedFormulas.count === 0) this.uncachedFormulas.first = addressOf(place);
      this.uncachedFormulas.count++;
    }
    return makeCell(place, "blank", null);
  }

  /** The cell with its value (raw XML text); null for a blank one. */
  #valued(
    place: CellPlace,
    type: string,
    value: string | undefined,
    inline: TextItem | undefined,
  ): Cell | null {
    switch (type) {
      case "n": {
        if (value === undefined) return null;
        const number = Number(value);
        if (NUMBER.test(value) && Number.isFinite(number))
          return numberCell(place, number, this.#scan.date1904);
        if (value.trim() === "") return null;
        throw this.#badValue(place, "a number", value);
      }
      case "s": {
        if (value === undefined || value.trim() === "") return null;
        const item = INDEX.test(value) ? this.#scan.strings[Number(value)] : undefined;
        if (item !== undefined) return textCell(place, item);
        throw this.#fault(
          "xlsx-bad-shared-string",
          `Cell ${addressOf(place)} refers to a shared text that does not exist.`,
          { expected: `an index below ${this.#scan.strings.length}`, actual: value.slice(0, 40) },
        );
      }
      case "str":
        if (value === undefined && !place.formula) return null;
        return makeCell(place, "text", this.#text(value ?? ""));
      case "inlineStr":
        if (inline !== undefined) return textCell(place, inline);
        return value === undefined ? null : makeCell(place, "text", this.#text(value));
      case "b": {
        const word = value?.trim() ?? "";
        if (word === "") return null;
        if (!/^(?:0|1|true|false)$/i.test(word)) throw this.#badValue(place, "a boolean", word);
        return makeCell(place, "boolean", /^(?:1|true)$/i.test(word));
      }
      case "e":
        if (value === undefined || value.trim() === "") return null;
        return makeCell(place, "error", this.#scanner.decode(value));
      case "d": {
        if (value === undefined || value.trim() === "") return null;
        const date = isoToSerial(value, this.#scan.date1904);
        if (date === null) throw this.#badValue(place, "an ISO date", value);
        return dateCell(place, date.iso, date.serial);
      }
      default:
        throw this.#badValue(place, "a cell type of n, s, str, inlineStr, b, e or d", type);
    }
  }

  #text(raw: string): string {
    let text = this.#texts.get(raw);
    if (text === undefined) {
      text = textOf(raw, this.#scanner);
      this.#texts.set(raw, text);
    }
    return text;
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

  #badValue(place: Pick<CellPlace, "row" | "column">, expected: string, actual: string): XlsxFault {
    return this.#fault("xlsx-bad-value", `Cell ${addressOf(place)} does not hold what its type says.`, {
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

const addressOf = ({ row, column }: Pick<CellPlace, "row" | "column">): string =>
  `${columnLetters(column)}${row}`;

/** Row and column of an address as a cell has it: one to three capitals, one to seven digits, no leading zero. */
function placeOf(address: string): { row: number; column: number } | null {
  const end = address.length;
  let at = 0;
  let column = 0;
  for (; at < end; at++) {
    const letter = address.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  const digits = end - at;
  if (at < 1 || at > 3 || digits < 1 || digits > 7 || address.charCodeAt(at) === 48) return null;
  let row = 0;
  for (; at < end; at++) {
    const digit = address.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return null;
    row = row * 10 + digit;
  }
  return { row, column };
}

/**
 * The cell model: what a workbook says, free of any reader's library. Rows and columns are 1-based.
 * Only cells that the file holds exist; a sheet that declares a million rows costs what it holds.
 */

/** What a cell holds. `blank`: the cell exists (style, comment) but has no value. An empty string is `text`. */
export type CellType = "blank" | "text" | "number" | "date" | "boolean" | "error";

/** Text with a uniform style inside a rich-text cell. */
export interface TextRun {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly superscript: boolean;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly type: CellType;
  /**
   * text: the plain text; number: the stored number; boolean: true or false; error: its code (`#N/A`);
   * date: ISO text (`2024-06-30`, with `T10:15:00` when it has a time of day); blank: null.
   * A formula's cell has its cached value.
   */
  readonly value: string | number | boolean | null;
  /** Number format code; `General` when the file gives none. */
  readonly format: string;
  /** The stored serial number of a `date` cell, as the file has it. */
  readonly serial?: number;
  /** Present when the text is rich; concatenation equals `value`. */
  readonly runs?: readonly TextRun[];
  readonly bold: boolean;
  readonly italic: boolean;
  /** Whole-cell superscript font. */
  readonly superscript: boolean;
  /** Alignment indent, in Excel's steps. */
  readonly indent: number;
  /** Solid fill as `RRGGBB` upper case, or null (theme colours resolve to `theme:N` or `theme:N:tint`). */
  readonly fill: string | null;
  /** Comment (note) text, or null. */
  readonly comment: string | null;
  /** True when the value is a formula's cached result. */
  readonly formula: boolean;
}

/** Inclusive rectangle. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface Sheet {
  readonly name: string;
  /** `visible` or why it is not shown. */
  readonly state: "visible" | "hidden" | "veryHidden";
  /** Cells by row, ascending by column; only rows that hold cells. */
  readonly rows: ReadonlyMap<number, readonly Cell[]>;
  /** Row numbers of `rows`, ascending. */
  readonly rowNumbers: readonly number[];
  readonly merges: readonly Range[];
  /** Hidden row numbers that the file names. */
  readonly hiddenRows: ReadonlySet<number>;
  /** Hidden column spans. */
  readonly hiddenColumns: readonly { readonly first: number; readonly last: number }[];
  /** Smallest rectangle that holds every cell with a value (not blank), or null for an empty sheet. */
  readonly used: Range | null;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Serial day 0 is 1904-01-01 instead of the 1900 system. */
  readonly date1904: boolean;
}

/** Excel's own limits; an address beyond them is a finding. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

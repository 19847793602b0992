import type { Finding } from "../../lib/findings.ts";

/** Something is wrong with the workbook file; carries the finding that says what. */
export class XlsxFault extends Error {
  readonly finding: Finding;

  constructor(code: `xlsx-${string}`, message: string, extra: Partial<Finding> = {}) {
    super(message);
    this.name = "XlsxFault";
    this.finding = { code, severity: "error", message, ...extra };
  }
}

/** Limits on what one workbook may cost. All are counted on what is really there, never on what the file declares. */
export interface XlsxCaps {
  /** Entries in the zip's central directory. */
  readonly entries: number;
  /** Inflated bytes over every part that is read. */
  readonly inflatedBytes: number;
  /** Highest row number. */
  readonly rows: number;
  /** Highest column number. */
  readonly columns: number;
  /** Cells over all sheets, blank ones with a style included. */
  readonly cells: number;
  /** What is kept besides cells: texts, styles, merges, comments … each counts one, a run of rich text two. */
  readonly items: number;
}

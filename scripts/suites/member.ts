import type ExcelJS from "exceljs";
import type { SuiteMember } from "../../src/lib/benchmarks/suite-schema.ts";

/** A tidy table as the member's author knows it, before any engine has seen the workbook. */
export interface KnownTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/**
 * A conformance member. `build` lays the same invented data out twice: as a workbook, and as the tidy table that the
 * reference recipe has to give. The table never passes through the recipe engine, so the two check each other.
 */
export interface ConformanceMember
  extends Pick<SuiteMember, "id" | "title" | "difficulty" | "feature_tags" | "task" | "publisher"> {
  /** Whose published layout it follows, and how. */
  readonly layout: string;
  /** True only when it re-creates, with other values, a table that the Data Bank publishes; `layout` names it. */
  readonly published_in_bank?: boolean;
  build(): { workbook: ExcelJS.Workbook; table: KnownTable };
}

/** A member over a published workbook: described here, its recipe and README under `benchmarks/members/<id>/`. */
export interface BankMember
  extends Pick<
    SuiteMember,
    "id" | "title" | "difficulty" | "feature_tags" | "task" | "publisher" | "checked_by"
  > {
  /** The record in `benchmarks/bank/records/` that pins the workbook. */
  readonly bank_record: string;
}

/** Everything a suite is made from, in member order. */
export interface SuiteSource {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** How the references of its conformance members are checked, beyond what the generator itself guarantees. */
  readonly also_checked?: (member: ConformanceMember) => string;
  readonly members: readonly (ConformanceMember | BankMember)[];
}

/** Canonical CSV by the shortest way: quotes where RFC 4180 needs them, LF. A second writer beside the engine's. */
export function knownCsv(table: KnownTable): string {
  const field = (value: string | number): string => {
    const text = String(value).normalize("NFC");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [table.columns, ...table.rows].map((row) => `${row.map(field).join(",")}\n`).join("");
}

/** Excel's serial number of a UTC day. */
export function serialOf(isoDate: string, date1904 = false): number {
  const days = Date.parse(`${isoDate}T00:00:00Z`) / 86_400_000 + 25_569;
  return date1904 ? days - 1462 : days;
}

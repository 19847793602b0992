import ExcelJS from "exceljs";
import { strToU8, unzipSync, zipSync } from "fflate";

/**
 * Writes conformance workbooks whose bytes depend on nothing but the member's source: fixed document times, entries in
 * name order with one fixed time stamp, compressed by a pure JavaScript deflate.
 */

const EPOCH = new Date(Date.UTC(2026, 0, 1));
const ZIP_TIME = "2026-01-01T00:00:00";

/** A fresh workbook with the properties every conformance workbook carries. */
export function newWorkbook(options: { date1904?: boolean } = {}): ExcelJS.Workbook {
  const workbook = new ExcelJS.Workbook();
  workbook.creator = "Assay";
  workbook.lastModifiedBy = "Assay";
  workbook.created = EPOCH;
  workbook.modified = EPOCH;
  workbook.properties.date1904 = options.date1904 ?? false;
  return workbook;
}

/** The workbook as xlsx bytes, the same on every machine. */
export async function writeDeterministic(workbook: ExcelJS.Workbook): Promise<Uint8Array> {
  const entries = unzipSync(new Uint8Array(await workbook.xlsx.writeBuffer()));
  const ordered: Record<string, Uint8Array> = {};
  // The content types come first by convention; some readers sniff them.
  const names = Object.keys(entries).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (const name of names) ordered[name] = entries[name] ?? strToU8("");
  return zipSync(ordered, { level: 9, mtime: ZIP_TIME });
}

const rank = (name: string): number => (name === "[Content_Types].xml" ? 0 : 1);

/** Numbers from a seed (mulberry32), so that invented values never change. */
export function seededNumbers(seed: number): {
  integer(low: number, high: number): number;
  decimal(low: number, high: number, places: number): number;
  chance(probability: number): boolean;
} {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    decimal: (low, high, places) => Number((low + next() * (high - low)).toFixed(places)),
    chance: (probability) => next() < probability,
  };
}

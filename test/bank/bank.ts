import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, type TestContext } from "vitest";
import * as XLSX from "xlsx";
import { readWorkbook } from "../../src/io/xlsx/read.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { parseRecipe } from "../../src/lib/sheet/check.ts";
import { canonicalCsv } from "../../src/lib/sheet/csv.ts";
import { executeRecipe } from "../../src/lib/sheet/execute.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folder of the staged data bank; its workbooks are never part of this repository. */
export const bankFolder = process.env.ASSAY_BANK ?? join(root, "..", "shared", "bank");

/** The twelve workbooks of the bank; named here so that an unstaged bank shows twelve skips, not none. */
export const BANK_IDS = [
  "abs-3301-births-2022-table-04",
  "abs-4125-gender-indicators-2018-table-10",
  "abs-6160-weekly-payroll-jobs-2024-table-02",
  "abs-6202-labour-force-table-21",
  "abs-6291-labour-force-detailed-table-05",
  "abs-8155-australian-industry-2022-23-manufacturing",
  "abs-8165-counts-of-australian-businesses-2024-cube-01",
  "abs-nhs-2022-table-01-summary-health",
  "abs-nsmhw-2020-21-table-06-consultations",
  "abs-schools-2023-table-50a-staff",
  "aihw-community-mental-health-care-2020-21",
  "aihw-hou-339-homelessness-indicators-2023-24",
] as const;

/** The bytes of a bank workbook, or a skip of the running test with its reason. */
export function bankWorkbook(context: TestContext, id: string): Uint8Array {
  const path = join(bankFolder, "workbooks", `${id}.xlsx`);
  if (!existsSync(path)) context.skip(`the data bank is not staged: no ${id}.xlsx in ${bankFolder}`);
  return new Uint8Array(readFileSync(path));
}

/** The ingest record of a bank workbook; call it after `bankWorkbook` has found the bank. */
export function bankRecord(id: string): { sha256: string; opens_in: { cells_compared: number } } {
  return JSON.parse(readFileSync(join(bankFolder, "records", `${id}.json`), "utf8"));
}

const recipes = join(root, "test", "fixtures", "bank-recipes");

/** Text as a canonical table holds it: NFC, white space squeezed. */
export const canonicalText = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim();

/** One sheet as SheetJS reads it; rows and columns count from 1. */
export class OracleSheet {
  readonly #sheet: XLSX.WorkSheet;

  constructor(sheet: XLSX.WorkSheet) {
    this.#sheet = sheet;
  }

  cell(row: number, column: number): XLSX.CellObject | undefined {
    return this.#sheet[XLSX.utils.encode_cell({ r: row - 1, c: column - 1 })];
  }

  /** The stored value; undefined for a blank. */
  raw(row: number, column: number): string | number | boolean | undefined {
    const value = this.cell(row, column)?.v;
    return value instanceof Date ? undefined : value;
  }

  /** The stored value as canonical text; "" for a blank. */
  text(row: number, column: number): string {
    const value = this.raw(row, column);
    return value === undefined ? "" : canonicalText(String(value));
  }

  /** The stored number as an ISO date, by the platform's own calendar. */
  date(row: number, column: number): string {
    const serial = Number(this.raw(row, column));
    return new Date((serial - 25_569) * 86_400_000).toISOString().slice(0, 10);
  }

  note(row: number, column: number): string {
    return canonicalText(
      (this.cell(row, column)?.c ?? []).map(({ t }) => t.replaceAll("_x000D_", " ")).join(""),
    );
  }

  format(row: number, column: number): string {
    return String(this.cell(row, column)?.z ?? "General");
  }

  /** Text without its superscript runs. */
  plainRuns(row: number, column: number): string {
    const cell = this.cell(row, column);
    if (typeof cell?.r !== "string" || !cell.r.includes("<r>")) return this.text(row, column);
    const runs = cell.r.split("</r>").filter((run) => !run.includes('vertAlign val="superscript"'));
    const texts = runs.map((run) => /<t[^>]*>([^<]*)<\/t>/.exec(run)?.[1] ?? "");
    return canonicalText(
      texts.join("").replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    );
  }
}

/** What a hand-written loop expects: one entry a row, its value's place last. */
export interface Expected {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly source: string }[];
}

/**
 * Runs the committed recipe of a bank workbook and compares the whole table, cell by cell and in order, with
 * what `loops` reads from the same bytes through SheetJS; then the places of the values, then the digest.
 */
export async function expectBankTable(
  context: TestContext,
  id: string,
  loops: (sheet: (name: string) => OracleSheet) => Expected,
): Promise<void> {
  const bytes = bankWorkbook(context, id);
  const workbook = await readWorkbook(bytes, { path: `${id}.xlsx` });
  if (!workbook.ok) throw new Error(JSON.stringify(workbook.findings));
  const recipe = parseRecipe(new Uint8Array(readFileSync(join(recipes, `${id}.json`))), `${id}.json`);
  if (!recipe.ok) throw new Error(JSON.stringify(recipe.findings));
  const outcome = executeRecipe(workbook.value, recipe.value);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
  expect(outcome.findings).toEqual([]);
  const { table, valueTrace, headerTrace } = outcome.value;
  const book = XLSX.read(bytes, { cellNF: true, cellStyles: true });
  const expected = loops((name) => {
    const sheet = book.Sheets[name];
    if (sheet === undefined) throw new Error(`the oracle has no sheet ${name}`);
    return new OracleSheet(sheet);
  });
  expect(table.columns).toEqual(expected.columns);
  for (const [index, { cells, source }] of expected.rows.entries()) {
    const produced = [...(table.rows[index] ?? []), valueTrace[index]];
    const wanted = [...cells, source];
    // One row at a time, so that a difference shows its row and not two tables of thousands.
    if (produced.join("\u0000") !== wanted.join("\u0000"))
      expect([index, ...produced]).toEqual([index, ...wanted]);
  }
  expect(table.rows).toHaveLength(expected.rows.length);
  expect(headerTrace.flat().filter(({ state }) => state === "ambiguous")).toEqual([]);
  const digests: Record<string, string> = JSON.parse(
    readFileSync(join(recipes, "digests", "csv.json"), "utf8"),
  );
  expect(digestOf(canonicalCsv(table))).toBe(digests[id]);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";

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

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { knownCsv } from "../../scripts/suites/member.ts";

/**
 * The reference tables of `rehearsal-bank-1` are not committed; these loops over SheetJS give each of them without the
 * recipe engine, and the suite pins what the engine gives. Equal digests mean that both agree on every byte.
 */

const root = join(import.meta.dirname, "../..");
const bank = process.env.ASSAY_BANK ?? join(root, "../shared/bank");
type Row = (string | number)[];
type Grid = (row: number, column: number) => string | number | undefined;

const squeeze = (text: unknown): string => String(text).replace(/\s+/g, " ").trim();
const isoOf = (serial: unknown): string =>
  new Date(Math.round((Number(serial) - 25_569) * 86_400_000)).toISOString().slice(0, 10);

function grids(record: string): (sheet: string) => Grid {
  const book = XLSX.read(readFileSync(join(bank, "workbooks", `${record}.xlsx`)));
  return (name) => (row, column) =>
    book.Sheets[name]?.[XLSX.utils.encode_cell({ r: row - 1, c: column - 1 })]?.v;
}

/** Texts that carry on downward in a column until the row says Total. */
function carried(grid: Grid, column: number, first: number, last: number): Map<number, string> {
  const labels = new Map<number, string>();
  let current = "";
  for (let row = first; row <= last; row++) {
    if (/Total$/.test(String(grid(row, 1) ?? ""))) continue;
    const own = grid(row, column);
    if (own !== undefined && own !== "") current = squeeze(own);
    labels.set(row, current);
  }
  return labels;
}

const MEMBERS: Record<
  string,
  { record: string; columns: string[]; rows: (sheet: (name: string) => Grid) => Row[] }
> = {
  "rb1-schools-staff-pivot": {
    record: "abs-schools-2023-table-50a-staff",
    columns: ["year", "sex", "function", "affiliation_1", "affiliation_2", "state", "staff"],
    rows(sheet) {
      const pivot = sheet("Table 1");
      const flat = sheet("Table 2");
      // The workbook's own flat list is the answer key: values come from it, by their labels.
      // Its labels are spelt with other capitals in some years.
      const key = new Map<string, number>();
      for (let row = 6; flat(row, 1) !== undefined; row++) {
        const [year, state, first, second, sex, role] = [1, 2, 3, 4, 5, 6].map((c) => squeeze(flat(row, c)));
        key.set([year, sex, role, first, second, state].join("|").toLowerCase(), Number(flat(row, 7)));
      }
      const fields = [1, 2, 3, 4, 5].map((column) => carried(pivot, column, 9, 351));
      const rows: Row[] = [];
      for (const row of fields[0]?.keys() ?? []) {
        for (let column = 6; column <= 13; column++) {
          const labels = [...fields.map((field) => field.get(row) ?? ""), squeeze(pivot(8, column))];
          const value = key.get(labels.join("|").toLowerCase());
          if (value !== undefined) rows.push([...labels, value]);
        }
      }
      // Nothing of the flat list is left over, so the pivot's labels were carried down right.
      expect(rows.length).toBe(key.size);
      return rows;
    },
  },
  "rb2-labour-force-series": {
    record: "abs-6202-labour-force-table-21",
    columns: ["date", "series", "unit", "series_id", "hours"],
    rows(sheet) {
      const data = sheet("Data1");
      const rows: Row[] = [];
      for (let row = 11; row <= 158; row++)
        for (let column = 2; column <= 8; column++)
          rows.push([
            isoOf(data(row, 1)),
            squeeze(data(1, column)),
            squeeze(data(2, column)),
            squeeze(data(10, column)),
            Number(data(row, column)),
          ]);
      return rows;
    },
  },
  "rb3-payroll-weeks-across": {
    record: "abs-6160-weekly-payroll-jobs-2024-table-02",
    columns: ["division", "subdivision", "week_ending", "index"],
    rows(sheet) {
      const data = sheet("Table 2");
      const rows: Row[] = [];
      for (let row = 7; row <= 91; row++)
        for (let column = 3; column <= 248; column++)
          rows.push([
            squeeze(data(row, 1)),
            squeeze(data(row, 2)),
            isoOf(data(6, column)),
            Number(data(row, column)),
          ]);
      return rows;
    },
  },
  "rb4-manufacturing-by-state": {
    record: "abs-8155-australian-industry-2022-23-manufacturing",
    columns: ["state", "industry", "measure", "financial_year", "unit", "value"],
    rows(sheet) {
      const data = sheet("Table_2");
      const rows: Row[] = [];
      let state = "";
      for (let row = 8; row <= 160; row++) {
        const label = squeeze(data(row, 1));
        if (typeof data(row, 2) !== "number" && label === label.toUpperCase()) {
          state = label;
          continue;
        }
        for (let column = 2; column <= 10; column++) {
          const value = data(row, column);
          const measure = squeeze(data(5, column - ((column - 2) % 3)));
          if (typeof value === "number")
            rows.push([state, label, measure, squeeze(data(6, column)), squeeze(data(7, column)), value]);
        }
      }
      return rows;
    },
  },
};

describe("rehearsal-bank-1: references by another reader and hand-written loops", () => {
  for (const [id, member] of Object.entries(MEMBERS)) {
    it(id, (context) => {
      if (!existsSync(join(bank, "workbooks"))) context.skip(`the bank is not staged at ${bank}`);
      const suite = JSON.parse(readFileSync(join(root, "benchmarks/suites/rehearsal-bank-1.json"), "utf8"));
      const pinned = suite.members.find((candidate: { id: string }) => candidate.id === id);
      const rows = member.rows(grids(member.record));
      const csv = knownCsv({ columns: member.columns, rows });
      expect(rows.length).toBe(pinned.reference.rows);
      expect(`sha256:${createHash("sha256").update(csv).digest("hex")}`).toBe(pinned.reference.sha256);
    });
  }
});

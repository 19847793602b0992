import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { BANK_MEMBERS } from "../../scripts/suites/gold-2026.07/bank/index.ts";
import { knownCsv } from "../../scripts/suites/member.ts";
import { executeReference } from "../../src/jobs/load-suite.ts";
import { computeTags } from "../../src/lib/benchmarks/tags/index.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { canonicalCsv } from "../../src/lib/sheet/csv.ts";
import { bankWorkbook, OracleSheet } from "../bank/bank.ts";

/**
 * The reference tables of the bank members are not committed. These loops over SheetJS give each of them without the recipe
 * engine, and the frozen suite pins what the engine gives: equal digests mean that both agree on every byte.
 */

const root = join(import.meta.dirname, "../..");
type Sheets = (name: string) => OracleSheet;
type Row = readonly string[];

/** From `first` to `last`, both included. */
const span = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
/** The label of the nearest row at or before `row` among those listed; blank before the first. */
const heldSince = (row: number, starts: readonly number[], label: (row: number) => string): string => {
  const start = starts.filter((each) => each <= row).at(-1);
  return start === undefined ? "" : label(start);
};
const withoutMarks = (label: string): string => label.replace(/(\([a-z]{1,2}\))+$/, "").trim();
/** The stars that a number format puts before a number. */
const stars = (sheet: OracleSheet, row: number, column: number): string =>
  /^"([*]+)"/.exec(sheet.format(row, column))?.[1] ?? "";
const isNumber = (sheet: OracleSheet, row: number, column: number): boolean =>
  typeof sheet.raw(row, column) === "number";

interface Loops {
  readonly columns: readonly string[];
  readonly rows: (sheets: Sheets) => Row[];
}

const MEMBERS: Record<string, Loops> = {
  "gb01-births-by-remoteness": {
    columns: ["state", "area", "year", "group", "measure", "remark", "value"],
    rows(sheets) {
      const sheet = sheets("Table 4.1");
      const states = [10, 19, 26, 35, 44, 53, 61, 67, 70];
      const areas = span(10, 78).filter((row) => !states.includes(row));
      const cells = span(0, 10).flatMap((block) => span(0, 10).map((offset) => ({ block, offset })));
      return areas.flatMap((row) =>
        cells.map(({ block, offset }) => {
          const column = 2 + 12 * block + offset;
          const value = sheet.text(row, column);
          return [
            heldSince(row, states, (start) => sheet.text(start, 1)),
            sheet.text(row, 1),
            String(2012 + block),
            offset >= 2 && offset <= 8 ? "Age-specific fertility rates" : "",
            sheet.text(8, column),
            sheet.note(8, column),
            value === "np" ? "" : value,
          ];
        }),
      );
    },
  },
  "gb02-primary-carers": {
    columns: ["table", "section", "topic", "category", "detail", "year", "sex", "flag", "persons"],
    rows(sheets) {
      const sheet = sheets("Table 10.4");
      const columns: [column: number, year: string, sex: string][] = [
        [2, "2009", "Males"],
        [4, "2009", "Females"],
        [7, "2012", "Males"],
        [9, "2012", "Females"],
        [13, "2015", "Males"],
        [15, "2015", "Females"],
      ];
      const rows: Row[] = [];
      for (const [table, shift] of [
        ["estimates", 0],
        ["errors", 36],
      ] as const) {
        for (const line of [11, ...span(17, 22), ...span(25, 32), ...span(35, 39), 41]) {
          const row = line + shift;
          const isDetail = line === 18 || line === 19;
          const topicOf = (start: number): string => (line === 41 ? "" : sheet.text(start + shift, 1));
          for (const [column, year, sex] of columns)
            rows.push([
              table,
              line === 11 ? "KEY SERIES" : "DETAILED INFORMATION",
              heldSince(line, [16, 24, 34], topicOf),
              withoutMarks(sheet.text(isDetail ? 17 + shift : row, 1)),
              isDetail ? sheet.text(row, 1) : "",
              year,
              sex,
              stars(sheet, row, column),
              sheet.text(row, column),
            ]);
        }
      }
      return rows;
    },
  },
  "gb03-payroll-jobs": {
    columns: ["division", "subdivision", "week_ending", "index"],
    rows(sheets) {
      const sheet = sheets("Table 2");
      return span(7, 91).flatMap((row) =>
        span(3, 248).map((column) => [
          sheet.text(row, 1),
          sheet.text(row, 2),
          sheet.date(6, column),
          sheet.text(row, column),
        ]),
      );
    },
  },
  "gb04-hours-worked": {
    columns: ["table_title", "date", "series", "unit", "series_id", "hours"],
    rows(sheets) {
      const sheet = sheets("Data1");
      const title = sheets("Index").text(6, 2);
      expect(title).toMatch(/^Table 21\. Quarterly hours worked/);
      return span(11, 158).flatMap((row) =>
        span(2, 8).map((column) => [
          title,
          sheet.date(row, 1),
          sheet.text(1, column),
          sheet.text(2, column),
          sheet.text(10, column),
          sheet.text(row, column),
        ]),
      );
    },
  },
  "gb05-employed-by-industry": {
    columns: ["quarter", "region", "industry", "employment", "series_id", "employed"],
    rows(sheets) {
      const rows: Row[] = [];
      for (const [name, last] of [
        ["Data1", 251],
        ["Data2", 251],
        ["Data3", 41],
      ] as const) {
        const sheet = sheets(name);
        const series = span(2, last).map((column) => {
          const parts = sheet
            .text(1, column)
            .replace(/;$/, "")
            .split(";")
            .map((part) => part.replace(">", "").trim());
          const [region = "", industry = ""] = parts.length === 3 ? parts : [parts[0]];
          return [region, industry, parts.at(-1) ?? "", sheet.text(10, column)];
        });
        for (const row of span(11, 164)) {
          const quarter = sheet.date(row, 1);
          for (const [at, labels] of series.entries())
            rows.push([quarter, ...labels, sheet.text(row, at + 2)]);
        }
      }
      return rows;
    },
  },
  "gb06-manufacturing-by-state": {
    columns: ["state", "industry", "measure", "financial_year", "value"],
    rows(sheets) {
      const sheet = sheets("Table_2");
      const rows: Row[] = [];
      let state = "";
      for (const row of span(8, 160)) {
        const label = sheet.text(row, 1);
        if (!isNumber(sheet, row, 2) && label === label.toUpperCase()) {
          state = label;
          continue;
        }
        for (const column of span(2, 10).filter((each) => isNumber(sheet, row, each))) {
          const measure = sheet.text(5, column - ((column - 2) % 3));
          rows.push([state, label, measure, sheet.text(6, column), sheet.text(row, column)]);
        }
      }
      return rows;
    },
  },
  "gb07-business-counts": {
    columns: ["financial_year", "industry", "movement", "kind", "value"],
    rows(sheets) {
      const sheet = sheets("Table 1");
      const rows: Row[] = [];
      for (const top of [7, 29, 51, 73])
        for (const row of span(top + 1, top + 21))
          for (const column of span(2, 13).filter((each) => isNumber(sheet, row, each))) {
            const [movement = "", kind = ""] = sheet.text(5, column).split(" - ");
            rows.push([sheet.text(top, 1), sheet.text(row, 1), movement, kind, sheet.text(row, column)]);
          }
      return rows;
    },
  },
  "gb08-health-characteristics": {
    columns: ["population", "topic", "subtopic", "guideline", "label", "survey", "flag", "estimate"],
    rows(sheets) {
      const sheet = sheets("Table 1.1_Estimates");
      const topics = [8, 16, 32, 42];
      const subtopics = [43, 55, 67, 72, 78, 81, 84, 87, 91];
      const guidelines = [44, 50];
      const headings = [31, 41, ...topics, ...subtopics, ...guidelines];
      const totals = [30, 40];
      const label = (row: number): string => withoutMarks(sheet.text(row, 1));
      return span(9, 95)
        .filter((row) => !headings.includes(row) && !totals.includes(row))
        .flatMap((row) =>
          span(2, 8).map((column) => {
            const value = sheet.text(row, column);
            return [
              row < 31
                ? "PERSONS ALL AGES"
                : row < 41
                  ? "PERSONS AGED 15 YEARS AND OVER"
                  : "PERSONS AGED 18 YEARS AND OVER",
              heldSince(row, topics, label),
              heldSince(row, subtopics, label),
              row < 55 ? heldSince(row, guidelines, label) : "",
              label(row),
              sheet.text(5, column),
              stars(sheet, row, column),
              value === "na" ? "" : value,
            ];
          }),
        );
    },
  },
  "gb09-consultations": {
    columns: ["consultation", "sex", "disorder", "flag", "persons"],
    rows(sheets) {
      const sheet = sheets("Table_6.1_Estimates");
      const sexes = { Males: 2, Females: 7, Persons: 12 };
      return [...span(10, 15), 17, 18, 20].flatMap((row) =>
        Object.entries(sexes).flatMap(([sex, first]) =>
          span(first, first + 3).map((column) => [
            withoutMarks(sheet.text(row, 1)),
            sex,
            withoutMarks(sheet.text(7, column)),
            stars(sheet, row, column),
            sheet.text(row, column),
          ]),
        ),
      );
    },
  },
  "gb10-school-staff": {
    columns: ["year", "sex", "function", "affiliation_1", "affiliation_2", "state", "staff"],
    rows(sheets) {
      const pivot = sheets("Table 1");
      const flat = sheets("Table 2");
      const key = (labels: readonly string[]): string => labels.join("|").toLowerCase();
      const left = new Map<string, string>();
      for (const row of span(6, 2597)) {
        const [year = "", state = "", first = "", second = "", sex = "", role = ""] = span(1, 6).map(
          (column) => flat.text(row, column),
        );
        left.set(key([year, sex, role, first, second, state]), flat.text(row, 7));
      }
      expect(left.size).toBe(2592);
      const current = ["", "", "", "", ""];
      const rows: Row[] = [];
      for (const row of span(9, 350)) {
        if (pivot.text(row, 1).endsWith("Total")) continue;
        for (const at of span(0, 4)) {
          const own = pivot.text(row, at + 1);
          if (own !== "") current[at] = own;
        }
        for (const column of span(6, 13)) {
          const labels = [...current, pivot.text(8, column)];
          const staff = left.get(key(labels));
          left.delete(key(labels));
          rows.push([...labels.map((each) => each.replace(/^[a-z] /, "")), staff ?? "not in the list"]);
        }
      }
      expect(left.size).toBe(0);
      return rows;
    },
  },
  "gb11-community-care-contacts": {
    columns: ["state", "count", "measure", "financial_year", "value"],
    rows(sheets) {
      const sheet = sheets("Table CMHC.2");
      const rows: Row[] = [];
      for (const top of [6, 15, 24, 33, 42, 51, 60, 69, 78])
        for (const row of [...span(top, top + 4), top + 6, top + 7])
          for (const column of span(4, 19))
            rows.push([
              ...[1, 2, 3].map((each) => sheet.text(row, each)),
              sheet.text(5, column),
              sheet.text(row, column),
            ]);
      return rows;
    },
  },
  "gb12-persistent-homelessness": {
    columns: ["financial_year", "category", "cohort", "state", "value"],
    rows(sheets) {
      const sheet = sheets("H_PERSISTENT");
      return span(5, 112).flatMap((row) =>
        span(4, 12).map((column) => [
          ...[1, 2, 3].map((each) => sheet.text(row, each)),
          column === 12 ? "National" : sheet.text(4, column),
          sheet.text(row, column),
        ]),
      );
    },
  },
};

/** What the frozen suite pins for a member; null as long as there is no such suite. */
function pinned(id: string): { sha256: string; rows: number } | null {
  const path = join(root, "benchmarks/suites/gold-2026.07.json");
  if (!existsSync(path)) return null;
  const suite: { members: { id: string; reference: { sha256: string; rows: number } }[] } = JSON.parse(
    readFileSync(path, "utf8"),
  );
  const member = suite.members.find((candidate) => candidate.id === id);
  if (member === undefined) throw new Error(`gold-2026.07 has no member ${id}`);
  return member.reference;
}

it("covers every bank member of the suite", () => {
  expect(Object.keys(MEMBERS)).toEqual(BANK_MEMBERS.map(({ id }) => id));
});

describe("gold-2026.07, bank: references by another reader and hand-written loops", () => {
  for (const member of BANK_MEMBERS) {
    it(`${member.id}: the table and the tags`, async (context) => {
      const bytes = bankWorkbook(context, member.bank_record);
      const loops = MEMBERS[member.id];
      if (loops === undefined) throw new Error(`no loops for ${member.id}`);
      const book = XLSX.read(bytes, { cellNF: true });
      const rows = loops.rows((name) => {
        const sheet = book.Sheets[name];
        if (sheet === undefined) throw new Error(`there is no sheet ${name}`);
        return new OracleSheet(sheet);
      });
      const csv = knownCsv({ columns: loops.columns, rows });
      const reference = pinned(member.id);
      if (reference !== null) {
        expect(rows.length).toBe(reference.rows);
        expect(digestOf(csv)).toBe(reference.sha256);
      }
      const path = `benchmarks/members/${member.id}/recipe.json`;
      const executed = await executeReference(
        readFileSync(join(root, path)),
        path,
        bytes,
        `${member.bank_record}.xlsx`,
      );
      if (!executed.ok) throw new Error(JSON.stringify(executed.findings));
      const { workbook, recipe, reference: execution } = executed.value;
      expect(execution.headerTrace.flat().filter(({ state }) => state === "ambiguous")).toEqual([]);
      const produced = canonicalCsv(execution.table);
      if (produced !== csv) {
        // The first row that differs says more than two texts of megabytes.
        const [wanted, got] = [csv.split("\n"), produced.split("\n")];
        const at = wanted.findIndex((line, index) => line !== got[index]);
        expect({ at, row: got[at], rows: got.length }).toEqual({ at, row: wanted[at], rows: wanted.length });
      }
      expect(computeTags({ workbook, recipe, execution })).toEqual([...member.feature_tags].sort());
    }, 120_000);
  }
});

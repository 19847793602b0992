import { describe, it } from "vitest";
import { type Expected, expectBankTable, type OracleSheet } from "./bank.ts";

type Row = Expected["rows"][number];

/** The stars a number format puts before a number: a flag that the stored value does not carry. */
const flagOf = (sheet: OracleSheet, row: number, column: number): string =>
  /^"([*#]+)"/.exec(sheet.format(row, column))?.[1] ?? "";

const withoutMarks = (label: string): string => label.replace(/(\([a-z]{1,2}\))+$/, "").trim();

/** Surveys: levels by position and wording, flags by number format, footnote marks on labels. */
describe("survey tables of the bank", () => {
  it("abs-4125: estimates and errors on one sheet, flags in number formats", async (context) => {
    await expectBankTable(context, "abs-4125-gender-indicators-2018-table-10", (sheet) => {
      const table = sheet("Table 10.4");
      const rows: Row[] = [];
      const columns = [2, 3, 4, 5, 7, 8, 9, 10, 13, 14, 15, 16];
      for (const [name, shift, measure] of [
        ["estimates", 0, "estimate"],
        ["errors", 36, "RELATIVE STANDARD ERROR (%)"],
      ] as const) {
        let topic = "";
        let category = "";
        for (let row = 11; row <= 41; row++) {
          const label = withoutMarks(table.text(row + shift, 1));
          if (label === "") continue;
          if ([16, 24, 34].includes(row)) topic = table.text(row + shift, 1);
          const detail = row === 18 || row === 19;
          if (row === 41) topic = "";
          if (!detail) category = label;
          for (const [index, column] of columns.entries()) {
            const value = table.text(row + shift, column);
            if (value === "" || value === "na") continue;
            rows.push({
              cells: [
                name,
                row < 13 ? "KEY SERIES" : "DETAILED INFORMATION",
                topic,
                category,
                detail ? label : "",
                String([2009, 2012, 2015][Math.floor(index / 4)]),
                index % 4 < 2 ? "Males" : "Females",
                index % 2 === 0 ? "'000" : "%",
                measure,
                flagOf(table, row + shift, column),
                value,
              ],
              source: `Table 10.4!R${row + shift}C${column}`,
            });
          }
        }
      }
      return {
        columns: [
          "table",
          "section",
          "topic",
          "category",
          "detail",
          "year",
          "sex",
          "unit",
          "measure",
          "flag",
          "value",
        ],
        rows,
      };
    });
  });

  it("abs-nhs: topics without values, three indents, years as numbers and as text", async (context) => {
    await expectBankTable(context, "abs-nhs-2022-table-01-summary-health", (sheet) => {
      const table = sheet("Table 1.1_Estimates");
      const rows: Row[] = [];
      const topics = [8, 16, 30, 32, 40, 42, 96];
      const subtopics = [43, 55, 67, 72, 78, 81, 84, 87, 91];
      const guidelines = [44, 50];
      let topic = "";
      let subtopic = "";
      let guideline = "";
      for (let row = 8; row <= 96; row++) {
        const label = withoutMarks(table.text(row, 1));
        if (topics.includes(row)) [topic, subtopic, guideline] = [label, "", ""];
        if (subtopics.includes(row)) [subtopic, guideline] = [label, ""];
        if (guidelines.includes(row)) guideline = label;
        for (let column = 2; column <= 8; column++) {
          const value = table.raw(row, column);
          if (typeof value !== "number") continue;
          rows.push({
            cells: [
              row < 31
                ? "PERSONS ALL AGES"
                : row < 41
                  ? "PERSONS AGED 15 YEARS AND OVER"
                  : "PERSONS AGED 18 YEARS AND OVER",
              topic,
              subtopic,
              guideline,
              label,
              table.text(5, column),
              "'000",
              flagOf(table, row, column),
              String(value),
            ],
            source: `Table 1.1_Estimates!R${row}C${column}`,
          });
        }
      }
      return {
        columns: [
          "population",
          "topic",
          "subtopic",
          "guideline",
          "label",
          "survey",
          "unit",
          "flag",
          "persons",
        ],
        rows,
      };
    });
  });

  it("abs-nsmhw: one table over four sheets by measure, 'np' and format flags", async (context) => {
    await expectBankTable(context, "abs-nsmhw-2020-21-table-06-consultations", (sheet) => {
      const rows: Row[] = [];
      for (const name of [
        "Table_6.1_Estimates",
        "Table_6.2_RSEs",
        "Table_6.3_Proportions",
        "Table_6.4_MoEs",
      ]) {
        const table = sheet(name);
        for (const row of [10, 11, 12, 13, 14, 15, 17, 18, 20]) {
          for (const [block, sex] of ["Males", "Females", "Persons"].entries()) {
            for (let column = 2 + block * 5; column < 6 + block * 5; column++) {
              const value = table.text(row, column);
              if (value === "") continue;
              rows.push({
                cells: [
                  name,
                  table.text(8, 2),
                  sex,
                  withoutMarks(table.text(7, column)),
                  row <= 15 ? table.text(9, 1) : "",
                  withoutMarks(table.text(row, 1)),
                  /"([*#]+)"/.exec(table.format(row, column))?.[1] ?? "",
                  value === "np" ? "" : value,
                ],
                source: `${name}!R${row}C${column}`,
              });
            }
          }
        }
      }
      return { columns: ["sheet", "measure", "sex", "status", "question", "answer", "flag", "value"], rows };
    });
  });
});

describe("tables of the Australian Institute of Health and Welfare", () => {
  it("aihw-cmhc: merged diagnoses with separators of empty strings", async (context) => {
    await expectBankTable(context, "aihw-community-mental-health-care-2020-21", (sheet) => {
      const table = sheet("Table CMHC.19");
      const rows: Row[] = [];
      for (let row = 7; row <= 44; row++) {
        for (const start of [3, 6, 9, 12, 15]) {
          for (const column of [start, start + 1]) {
            const value = table.text(row, column);
            if (value === "") continue;
            const [code = "", diagnosis = ""] = table.text(5, start).split(": ");
            rows.push({
              cells: [
                table.text(row, 1),
                table.text(row, 2),
                code,
                diagnosis,
                table.text(6, column),
                value === "—" ? "" : value,
              ],
              source: `Table CMHC.19!R${row}C${column}`,
            });
          }
        }
      }
      return { columns: ["sex", "age", "code", "diagnosis", "measure", "value"], rows };
    });
  });

  it("aihw-hou: superscript marks inside labels, not applied consistently", async (context) => {
    await expectBankTable(context, "aihw-hou-339-homelessness-indicators-2023-24", (sheet) => {
      const table = sheet("I_SERVICE_1");
      const rows: Row[] = [];
      for (let row = 5; row <= 544; row++) {
        for (let column = 5; column <= 13; column++) {
          const value = table.raw(row, column);
          if (typeof value !== "number") continue;
          rows.push({
            cells: [
              table.text(row, 1).slice(0, 4),
              withoutMarks(table.plainRuns(row, 2)),
              table.text(row, 3),
              table.text(row, 4),
              table.text(4, column),
              String(value),
            ],
            source: `I_SERVICE_1!R${row}C${column}`,
          });
        }
      }
      return { columns: ["year", "data_type", "sex", "age", "state", "value"], rows };
    });
  });
});

import { describe, it } from "vitest";
import { type Expected, expectBankTable } from "./bank.ts";

type Row = Expected["rows"][number];

/** Levels in one column of labels: by code, by position, by a heading row. */
describe("industry and business tables of the bank", () => {
  it("abs-8155: four levels by the length of a code, suppression only in comments", async (context) => {
    await expectBankTable(context, "abs-8155-australian-industry-2022-23-manufacturing", (sheet) => {
      const table = sheet("Table_1");
      const measures = [
        "Employment at end June",
        "Wages and salaries",
        "Sales and service income",
        "Industry value added",
      ];
      const rows: Row[] = [];
      let subdivision = "";
      let group = "";
      for (let row = 8; row <= 221; row++) {
        const label = table.text(row, 1);
        const code = /^[0-9]*/.exec(label)?.[0] ?? "";
        if (code.length === 2) subdivision = label;
        if (code.length < 4) group = code.length === 3 ? code : "";
        for (let column = 2; column <= 13; column++) {
          rows.push({
            cells: [
              label,
              subdivision,
              group,
              code.length === 4 ? code : "",
              measures[Math.floor((column - 2) / 3)] ?? "",
              table.text(6, column),
              table.text(7, column),
              table.note(row, column),
              table.text(row, column),
            ],
            source: `Table_1!R${row}C${column}`,
          });
        }
      }
      return {
        columns: ["industry", "subdivision", "group", "class", "measure", "year", "unit", "remark", "value"],
        rows,
      };
    });
  });

  it("abs-8165: yearly blocks with a sector heading that governs only some rows", async (context) => {
    await expectBankTable(context, "abs-8165-counts-of-australian-businesses-2024-cube-01", (sheet) => {
      const table = sheet("Table 10");
      const rows: Row[] = [];
      for (let block = 0; block < 4; block++) {
        const top = 7 + block * 9;
        const year = table.text(top, 1);
        for (const [offset, sector] of [
          [2, "Private Sector"],
          [3, "Private Sector"],
          [4, "Private Sector"],
          [5, "Private Sector"],
          [7, "Public Sector"],
          [8, ""],
        ] as const) {
          for (let column = 2; column <= 13; column++) {
            const [movement = "", kind = ""] = table.text(5, column).split(" - ");
            rows.push({
              cells: [
                year,
                sector,
                table.text(top + offset, 1),
                movement,
                kind,
                table.text(6, column),
                table.text(top + offset, column),
              ],
              source: `Table 10!R${top + offset}C${column}`,
            });
          }
        }
      }
      return { columns: ["year", "sector", "organisation", "movement", "kind", "unit", "value"], rows };
    });
  });
});

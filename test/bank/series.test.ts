import { describe, it } from "vitest";
import { type Expected, expectBankTable } from "./bank.ts";

type Row = Expected["rows"][number];

/** Time series, whose shape is regular: loops over rows and columns, nothing else. */
describe("series of the bank", () => {
  it("abs-schools: the pivot table gives the workbook's own flat table", async (context) => {
    await expectBankTable(context, "abs-schools-2023-table-50a-staff", (sheet) => {
      // Table 2 of the workbook is the answer; Table 1 is only used for the order of its rows and columns.
      const flat = sheet("Table 2");
      const staff = new Map<string, string>();
      // A pivot table does not tell "Teaching staff" from "Teaching Staff"; the flat one writes both.
      const key = (...parts: string[]): string => parts.join("|").toLowerCase();
      for (let row = 6; row <= 2597; row++) {
        const [year, state, affiliation, sector, sex, role] = [1, 2, 3, 4, 5, 6].map((column) =>
          flat.text(row, column),
        );
        staff.set(
          key(year ?? "", state ?? "", affiliation ?? "", sector ?? "", sex ?? "", role ?? ""),
          flat.text(row, 7),
        );
      }
      const rows: Row[] = [];
      const states = ["a NSW", "b Vic.", "c Qld", "d SA", "e WA", "f Tas.", "g NT", "h ACT"];
      const sectors = [
        ["a Government", "a Government"],
        ["b Non-government", "b Catholic"],
        ["b Non-government", "c Independent"],
      ] as const;
      let line = 9;
      for (let year = 2023; year >= 2006; year--) {
        for (const sex of ["a Male", "b Female"]) {
          for (const role of ["a Teaching Staff", "b Specialist Support Staff", "c Other Staff"]) {
            for (const [affiliation, sector] of sectors) {
              for (const [index, state] of states.entries()) {
                const value = staff.get(key(String(year), state, affiliation, sector, sex, role));
                if (value === undefined)
                  throw new Error(`no ${year} ${state} ${affiliation} ${sector} ${sex} ${role}`);
                const cells = [
                  String(year),
                  state.slice(2),
                  affiliation.slice(2),
                  sector.slice(2),
                  sex.slice(2),
                  role.slice(2),
                  value,
                ];
                rows.push({ cells, source: `Table 1!R${line}C${6 + index}` });
              }
              line++;
            }
          }
        }
        line++; // the year's total
      }
      return { columns: ["year", "state", "affiliation", "sector", "sex", "function", "staff"], rows };
    });
  });

  it("abs-6202: hours worked by sector", async (context) => {
    await expectBankTable(context, "abs-6202-labour-force-table-21", (sheet) => {
      const data = sheet("Data1");
      const rows: Row[] = [];
      for (let row = 11; row <= 158; row++) {
        let sector = "";
        for (let column = 2; column <= 8; column++) {
          const [measure = "", series = ""] = data
            .text(1, column)
            .split(";")
            .map((piece) => piece.trim());
          if (series === "Market" || series === "Non-market") sector = series;
          rows.push({
            cells: [
              data.date(row, 1),
              measure,
              series,
              sector,
              data.text(2, column),
              data.text(3, column),
              data.date(7, column),
              data.text(10, column),
              data.text(row, column),
            ],
            source: `Data1!R${row}C${column}`,
          });
        }
      }
      return {
        columns: [
          "period",
          "measure",
          "series",
          "sector",
          "unit",
          "adjustment",
          "start",
          "series_id",
          "hours",
        ],
        rows,
      };
    });
  });

  it("abs-6291: one table over three sheets, 83,160 values", async (context) => {
    await expectBankTable(context, "abs-6291-labour-force-detailed-table-05", (sheet) => {
      const rows: Row[] = [];
      for (const [name, last] of [
        ["Data1", 251],
        ["Data2", 251],
        ["Data3", 41],
      ] as const) {
        const data = sheet(name);
        for (let row = 11; row <= 164; row++) {
          for (let column = 2; column <= last; column++) {
            const levels = data
              .text(1, column)
              .split(";")
              .map((level) => level.replace(">", "").trim())
              .filter((level) => level !== "");
            const employment = levels.pop() ?? "";
            const [region = "", industry = ""] = levels;
            rows.push({
              cells: [
                data.date(row, 1),
                region,
                industry,
                employment,
                data.text(10, column),
                data.text(row, column),
              ],
              source: `${name}!R${row}C${column}`,
            });
          }
        }
      }
      return { columns: ["period", "region", "industry", "employment", "series_id", "persons"], rows };
    });
  }, 60_000);

  it("abs-6160: the weeks of 2024, which run across", async (context) => {
    await expectBankTable(context, "abs-6160-weekly-payroll-jobs-2024-table-02", (sheet) => {
      const table = sheet("Table 2");
      const rows: Row[] = [];
      for (let row = 7; row <= 91; row++) {
        for (let column = 3; column <= 248; column++) {
          const week = table.date(6, column);
          if (!week.startsWith("2024")) continue;
          const division = table.text(row, 1);
          const dash = division.indexOf("-");
          rows.push({
            cells: [
              week,
              "2024",
              division.slice(dash - 1, dash),
              division.slice(dash + 1),
              table.text(row, 2).slice(4),
              table.text(row, column),
            ],
            source: `Table 2!R${row}C${column}`,
          });
        }
      }
      return { columns: ["week_ending", "year", "division_code", "division", "subdivision", "index"], rows };
    });
  });

  it("abs-3301: eleven years side by side, states stacked, 'np' suppressed", async (context) => {
    await expectBankTable(context, "abs-3301-births-2022-table-04", (sheet) => {
      const table = sheet("Table 4.1");
      const rows: Row[] = [];
      const headings = [10, 19, 26, 35, 44, 53, 61, 67, 70];
      let state = "";
      for (let row = 10; row <= 78; row++) {
        if (headings.includes(row)) {
          state = table.text(row, 1);
          continue;
        }
        for (let block = 0; block < 11; block++) {
          for (let offset = 0; offset < 11; offset++) {
            const column = 2 + block * 12 + offset;
            const value = table.text(row, column);
            rows.push({
              cells: [
                state,
                table.text(row, 1),
                String(2012 + block),
                offset >= 2 && offset <= 8 ? "Age-specific fertility rates" : "",
                table.text(8, column),
                table.text(9, column),
                table.note(8, column),
                value === "np" ? "" : value,
              ],
              source: `Table 4.1!R${row}C${column}`,
            });
          }
        }
      }
      return { columns: ["state", "area", "year", "group", "measure", "unit", "note", "value"], rows };
    });
  });
});

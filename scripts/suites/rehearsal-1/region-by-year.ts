import type { ConformanceMember } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const REGIONS = ["Northshire", "Easton Vale", "Southmere", "Westbrook", "Lake District", "Outer Islands"];
const YEARS = [2019, 2020, 2021, 2022, 2023];

/** One compact block: labels on the left, years on top, a title above and a source line below. */
export const regionByYear: ConformanceMember = {
  id: "r1-region-by-year",
  title: "Dwellings completed by region, 2019 to 2023",
  publisher: "synthetic",
  difficulty: "easy",
  feature_tags: ["single_table", "time_series"],
  task: "Sheet 'Table 1': dwellings completed, one row per region and year. Outputs in this order: region, year, dwellings. Notes below the table are not observations.",
  layout: "A plain cross-tabulation as statistics offices print it; no particular publication.",
  build() {
    const numbers = seededNumbers(101);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 1");
    sheet.getCell("A1").value = "Table 1. Dwellings completed by region (number)";
    sheet.getCell("A1").font = { bold: true, size: 14 };
    sheet.getCell("A3").value = "Region";
    YEARS.forEach((year, index) => {
      sheet.getCell(3, index + 2).value = year;
      sheet.getCell(3, index + 2).font = { bold: true };
    });
    const rows: (string | number)[][] = [];
    REGIONS.forEach((region, at) => {
      sheet.getCell(at + 4, 1).value = region;
      YEARS.forEach((year, index) => {
        const dwellings = numbers.integer(120, 9800);
        sheet.getCell(at + 4, index + 2).value = dwellings;
        sheet.getCell(at + 4, index + 2).numFmt = "#,##0";
        rows.push([region, year, dwellings]);
      });
    });
    sheet.getCell("A11").value = "Note: years end on 30 June. Figures before 2019 are in the 2018 edition.";
    sheet.getCell("A12").value = "Source: invented for this member.";
    return { workbook, table: { columns: ["region", "year", "dwellings"], rows } };
  },
};

import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const DISTRICTS = [
  "Ashgrove",
  "Birchwood",
  "Clearwater",
  "Drayton",
  "Eastcliff",
  "Fernhill",
  "Glenmore",
  "Highbridge",
];
const YEARS = [2018, 2019, 2020, 2021, 2022, 2023, 2024];

/** One compact block; notes and the source follow directly, without a blank row. */
export const permitsByYear: ConformanceMember = {
  id: "gc16-permits-by-year",
  title: "Building permits by district, 2018 to 2024, notes directly below",
  publisher: "synthetic",
  difficulty: "easy",
  feature_tags: ["footnote_contamination", "single_table", "time_series"],
  task: "Sheet 'Permits': permits issued, one row per district and year. Outputs in this order: district, year, permits. The notes below the last district are no observations.",
  layout: "A plain cross-tabulation as statistics offices print it; no particular publication.",
  build() {
    const numbers = seededNumbers(72_616);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Permits");
    sheet.getCell("B2").value = "Building permits issued, by district (number, invented)";
    sheet.getCell("B2").font = { bold: true, size: 12 };
    sheet.getCell("B4").value = "District";
    YEARS.forEach((year, c) => {
      sheet.getCell(4, c + 3).value = year;
      sheet.getCell(4, c + 3).font = { bold: true };
    });
    sheet.getColumn(2).width = 24;
    const rows: (string | number)[][] = [];
    DISTRICTS.forEach((district, r) => {
      sheet.getCell(r + 5, 2).value = district;
      YEARS.forEach((year, c) => {
        const permits = numbers.integer(14, 2_300);
        sheet.getCell(r + 5, c + 3).value = permits;
        sheet.getCell(r + 5, c + 3).numFmt = "#,##0";
        rows.push([district, year, permits]);
      });
    });
    [
      "Note 1: permits are counted in the year they are issued, not when work starts.",
      "Note 2: figures for 2024 are provisional; 2018 excludes 42 permits that were reissued in 2019.",
      "Source: invented for this member.",
    ].forEach((note, at) => {
      sheet.getCell(DISTRICTS.length + 5 + at, 2).value = note;
      sheet.getCell(DISTRICTS.length + 5 + at, 2).font = { italic: true, size: 9 };
    });
    return { workbook, table: { columns: ["district", "year", "permits"], rows } };
  },
};

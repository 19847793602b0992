import { addTimeSeries, periods, type Series, seriesId } from "../../layouts/abs-time-series.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const TITLE =
  "Table 1. Total Hourly Rates of Pay Excluding Bonuses: Sector, Original, Seasonally Adjusted and Trend";
const SECTORS = ["Private", "Public", "Private and Public"];
const TYPES = ["Original", "Seasonally Adjusted", "Trend"];
const DATES = periods(2015, 3, 36, 3);

/** Nine series of which three by three share a name; what the workbook is about stands on the Index sheet only. */
export const wagePriceIndex: ConformanceMember = {
  id: "gc03-wage-price-index",
  title: "Wage price index by sector and series type, with the title from the Index sheet",
  publisher: "abs",
  difficulty: "easy",
  feature_tags: ["hierarchical_headers", "metadata_sheet", "single_table", "time_series"],
  task: "Sheet 'Data1': every observation of every series. Outputs in this order: table_title (the title in cell B6 of sheet 'Index'), date (ISO), series (row 1, runs of blanks as one blank), series_type (row 3), value.",
  layout:
    "Follows the ABS time-series spreadsheet (as 6202.0 Labour Force, Table 21, in the Data Bank: ten header rows, one series a column, dates from row 11, an Index sheet with the title), here for a table like 6345.0 Wage Price Index, Table 1, whose series share names and differ by type.",
  build() {
    const numbers = seededNumbers(6345);
    const series: Series[] = [];
    for (const type of TYPES) {
      for (const sector of SECTORS) {
        let level = numbers.decimal(108, 112, 1);
        series.push({
          name: `Quarterly Index ;  Total hourly rates of pay excluding bonuses ;  Australia ;  ${sector} ;  All industries ;`,
          unit: "Index Numbers",
          seriesType: type,
          id: seriesId(2_603_001 + series.length),
          values: DATES.map(() => {
            level = Number((level + numbers.decimal(0.2, 1.3, 1)).toFixed(1));
            return level;
          }),
        });
      }
    }
    const workbook = newWorkbook();
    addTimeSeries(workbook, {
      product: "6345.0 Wage Price Index, Australia",
      title: TITLE,
      dataType: "INDEX",
      frequency: "Quarter",
      collectionMonth: 3,
      dates: DATES,
      sheets: [{ name: "Data1", series }],
    });
    const rows: (string | number)[][] = [];
    DATES.forEach((date, at) => {
      for (const { name, seriesType, values } of series)
        rows.push([TITLE, date, name.replace(/ +/g, " "), seriesType, values[at] ?? ""]);
    });
    return { workbook, table: { columns: ["table_title", "date", "series", "series_type", "value"], rows } };
  },
};

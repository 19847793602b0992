import { addTimeSeries, periods, type Series, seriesId } from "../../layouts/abs-time-series.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const PRODUCT = "6291.0.55.001 Labour Force, Australia, Detailed";
const TITLE =
  "Table 11. Employed persons by State, Territory and Industry division of main job, Full-time and Part-time";
const STATES = ["Australia", "> New South Wales", "> Victoria"];
const INDUSTRIES = ["Mining", "Construction", "Retail Trade", "Arts and Recreation Services"];
const STATUSES = ["Employed total", "> Employed full-time", "> Employed part-time"];
/** How many series each Data sheet takes; the publisher's limit is 250. */
const SHEET_SIZE = 14;
const DATES = periods(2017, 2, 26, 3);

/** Total first, parts after it, as the publisher lists them; small series have holes. */
function seriesOf(): Series[] {
  const numbers = seededNumbers(62_911);
  const series: Series[] = [];
  STATES.forEach((state, s) => {
    INDUSTRIES.forEach((industry) => {
      const size = s === 0 ? 400 : 120;
      const parts = DATES.map(() => [
        numbers.decimal(size * 0.4, size, 7),
        numbers.decimal(size * 0.1, size * 0.5, 7),
      ]);
      STATUSES.forEach((status, t) => {
        const small = s > 0 && industry === "Arts and Recreation Services";
        // Part-time in mining is collected only from a later quarter on, one series ends early.
        const first = industry === "Mining" && t === 2 ? 5 + s : 0;
        const last = small && t === 1 ? DATES.length - 4 : DATES.length - 1;
        series.push({
          name: `${state} ;  ${industry} ;  ${status} ;`,
          unit: "000",
          seriesType: "Original",
          id: seriesId(84_601_071 + series.length),
          values: DATES.map((_, at) => {
            const [full = 0, part = 0] = parts[at] ?? [];
            const value = [Number((full + part).toFixed(7)), full, part][t] ?? null;
            const hole = small && numbers.chance(0.12);
            return at < first || at > last || hole ? null : value;
          }),
        });
      });
    });
  });
  return series;
}

/** One table over three sheets, cut by column count; product and title stand on the Index sheet only. */
export const employmentSheets: ConformanceMember = {
  id: "gc05-employment-sheets",
  title: "Employed persons by state, industry and status, one table over three Data sheets",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "metadata_sheet", "single_table", "sparse_data", "time_series"],
  task: "Sheets 'Data1', 'Data2' and 'Data3' hold one table: every observation given. Empty cells are no observations. All rows of Data1 first, then Data2, then Data3. Outputs in this order: product (cell B5 of sheet 'Index'), table_title (cell B6 of sheet 'Index'), date (ISO), series (row 1, runs of blanks as one blank), series_type (row 3), series_id (row 10), employed.",
  layout:
    "Follows ABS 6291.0.55.001 Labour Force, Detailed, Table 05 (in the Data Bank): one list of series cut over Data1 to Data3, each with its own copy of the ten header rows and the dates; product and title on the Index sheet. Fewer series a sheet, and some with gaps.",
  build() {
    const series = seriesOf();
    const sheets = [0, 1, 2].map((at) => ({
      name: `Data${at + 1}`,
      series: series.slice(at * SHEET_SIZE, (at + 1) * SHEET_SIZE),
    }));
    const workbook = newWorkbook();
    addTimeSeries(workbook, {
      product: PRODUCT,
      title: TITLE,
      dataType: "STOCK",
      frequency: "Quarter",
      collectionMonth: 2,
      dates: DATES,
      sheets,
    });
    const rows: (string | number)[][] = [];
    for (const sheet of sheets) {
      DATES.forEach((date, at) => {
        for (const { name, seriesType, id, values } of sheet.series) {
          const value = values[at] ?? null;
          if (value !== null)
            rows.push([PRODUCT, TITLE, date, name.replace(/ +/g, " "), seriesType, id, value]);
        }
      });
    }
    return {
      workbook,
      table: {
        columns: ["product", "table_title", "date", "series", "series_type", "series_id", "employed"],
        rows,
      },
    };
  },
};

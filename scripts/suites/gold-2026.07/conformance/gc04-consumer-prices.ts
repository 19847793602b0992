import { addTimeSeries, periods, type Series, seriesId } from "../../layouts/abs-time-series.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const MEASURES = [
  { name: "Index Numbers", unit: "Index Numbers", lag: 0 },
  { name: "Percentage Change from Previous Period", unit: "Percent", lag: 1 },
  { name: "Percentage Change from Corresponding Quarter of Previous Year", unit: "Percent", lag: 4 },
];
/** `first` is the quarter in which the city's collection starts; `without` are quarters that were not collected. */
const CITIES: { name: string; first: number; without: readonly number[] }[] = [
  { name: "Sydney", first: 0, without: [] },
  { name: "Melbourne", first: 0, without: [] },
  { name: "Brisbane", first: 0, without: [] },
  { name: "Adelaide", first: 0, without: [] },
  { name: "Perth", first: 0, without: [] },
  { name: "Hobart", first: 0, without: [17, 18] },
  { name: "Darwin", first: 6, without: [] },
  { name: "Canberra", first: 0, without: [] },
  { name: "Australia", first: 0, without: [] },
];
const DATES = periods(2014, 6, 36, 3);

/** An index and its two rates of change: a rate starts as many quarters later as it looks back, and has their gaps. */
function seriesOf(): (Series & { measure: string; city: string })[] {
  const numbers = seededNumbers(6401);
  const levels = CITIES.map(({ first, without }) => {
    let level = numbers.decimal(104, 108, 1);
    return DATES.map((_, at) => {
      level = Number((level + numbers.decimal(-0.2, 1.6, 1)).toFixed(1));
      return at < first || without.includes(at) ? null : level;
    });
  });
  return MEASURES.flatMap(({ name, unit, lag }, m) =>
    CITIES.map((city, c) => ({
      measure: name,
      city: city.name,
      name: `${name} ;  All groups CPI ;  ${city.name} ;`,
      unit,
      seriesType: "Original",
      id: seriesId(2_325_806 + m * CITIES.length + c),
      values: DATES.map((_, at) => {
        const now = levels[c]?.[at] ?? null;
        if (lag === 0 || now === null) return now;
        const then = levels[c]?.[at - lag] ?? null;
        return then === null ? null : Number(((100 * (now - then)) / then).toFixed(1));
      }),
    })),
  );
}

/** Series names are paths of three levels; rates start late and inherit the gaps of their index. */
export const consumerPrices: ConformanceMember = {
  id: "gc04-consumer-prices",
  title: "Consumer price index and its changes by city, time-series sheet with gaps",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "single_table", "sparse_data", "time_series", "unit_rows"],
  task: "Sheet 'Data1': every observation given; empty cells (before a series starts, and where nothing was collected) are no observations. The name of a series in row 1 is a path of three levels between semicolons: the measure, the group of goods, and the city. Outputs in this order: date (ISO), measure, index_group, city, unit (row 2), series_id (row 10), value. All observations of a date together, in the order of the columns.",
  layout:
    "Follows the ABS time-series spreadsheet (as 6202.0 Labour Force, Table 21, in the Data Bank), here for a table like 6401.0 Consumer Price Index, Tables 1 and 2: index numbers beside percentage changes, which start one and four quarters later.",
  build() {
    const series = seriesOf();
    const workbook = newWorkbook();
    addTimeSeries(workbook, {
      product: "6401.0 Consumer Price Index, Australia",
      title: "TABLES 1 and 2. CPI: All Groups, Index Numbers and Percentage Changes",
      dataType: "INDEX",
      frequency: "Quarter",
      collectionMonth: 3,
      dates: DATES,
      sheets: [{ name: "Data1", series }],
    });
    const rows: (string | number)[][] = [];
    DATES.forEach((date, at) => {
      for (const { measure, city, unit, id, values } of series) {
        const value = values[at] ?? null;
        if (value !== null) rows.push([date, measure, "All groups CPI", city, unit, id, value]);
      }
    });
    return {
      workbook,
      table: {
        columns: ["date", "measure", "index_group", "city", "unit", "series_id", "value"],
        rows,
      },
    };
  },
};

import type { TidyTable } from "../sheet/output.ts";
import { isShare, type Metric, share } from "./comparison.ts";

/**
 * Cells with identical canonical text, of the union of both tables' cells. A cell is (row number in source order,
 * column name); it is in the union when one of the tables has that row and that column. Rows are never matched
 * fuzzily or deduplicated; a repeated column name is aligned by occurrence. Two tables without cells match fully.
 *
 * Worked example: the reference has columns `year`, `value` and 2 rows (4 cells); the produced table has columns
 * `year`, `state`, `value` and 1 row (3 cells). Common cells: 2. Union: 4 + 3 - 2 = 5. When both common cells have
 * the same text the rate is 2/5 = 0.4.
 */
export const cellMatchRate: Metric<"cell_match_rate"> = {
  id: "cell_match_rate",
  title: "Cell match rate",
  unit: "share",
  direction: "higher-is-better",
  range: [0, 1],
  weight: { numerator: 15, denominator: 100 },
  definition:
    "Cells with identical canonical text, of the union of cells of both tables; columns are aligned by output name, rows by source order.",
  compute({ reference, produced }) {
    const columns = alignColumns(reference.table, produced.table);
    const commonRows = Math.min(reference.table.rows.length, produced.table.rows.length);
    let matched = 0;
    for (let row = 0; row < commonRows; row += 1) {
      const expected = reference.table.rows[row] ?? [];
      const actual = produced.table.rows[row] ?? [];
      for (const [left, right] of columns) if (expected[left] === actual[right]) matched += 1;
    }
    const union = size(reference.table) + size(produced.table) - commonRows * columns.length;
    return { ...share(matched, union, 1), matched, union };
  },
  zero: { numerator: 0, denominator: 1, matched: 0, union: 0 },
  consistent: (value) => isShare(value, value.matched, value.union),
};

const size = (table: TidyTable): number => table.rows.length * table.columns.length;

/** A column's identity: its name and which of the columns of that name it is. */
export const columnKeys = (columns: readonly string[]): string[] => {
  const seen = new Map<string, number>();
  return columns.map((name) => {
    const occurrence = seen.get(name) ?? 0;
    seen.set(name, occurrence + 1);
    return JSON.stringify([name, occurrence]);
  });
};

/** Index pairs [reference, produced] of the columns that both tables have. */
export function alignColumns(reference: TidyTable, produced: TidyTable): [number, number][] {
  const positions = new Map(columnKeys(produced.columns).map((key, index) => [key, index]));
  return columnKeys(reference.columns).flatMap((key, index): [number, number][] => {
    const other = positions.get(key);
    return other === undefined ? [] : [[index, other]];
  });
}

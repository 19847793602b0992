import { alignColumns, columnKeys } from "../benchmarks/cell-match-rate.ts";
import { alignValues, sameHeaders } from "../benchmarks/header-accuracy.ts";
import type { Execution, HeaderAssignment } from "../sheet/output.ts";

/** One column of both tables beside each other; null on the side that lacks it. */
export interface ColumnPair {
  readonly name: string;
  readonly reference: number | null;
  readonly produced: number | null;
}

/** One side of a row: its number (from 1), the address of its value, and its cells in the order of the column pairs. */
export interface RowSide {
  readonly row: number;
  readonly address: string;
  /** Null where this side has no such column. */
  readonly cells: readonly (string | null)[];
}

/** One header as both sides resolved it; null on the side that has none of this name. */
export interface HeaderDifference {
  readonly name: string;
  readonly reference: readonly HeaderAssignment[];
  readonly produced: readonly HeaderAssignment[];
}

export const DIFFERENCE_KINDS = ["missing", "extra", "cells", "headers", "moved"] as const;
/**
 * `missing`: the recipe does not take this value; `extra`: the reference does not; `cells`: both have it, and cells of
 * its row differ; `headers`: the cells are the same, though a header was resolved otherwise; `moved`: all is the same,
 * in another row.
 */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** A value of the sheet with what both sides made of it. */
export interface RowDifference {
  readonly kind: DifferenceKind;
  readonly reference: RowSide | null;
  readonly produced: RowSide | null;
  readonly headers: readonly HeaderDifference[];
}

/** In how many values a header was resolved otherwise, and in which respects. */
export interface HeaderSummary {
  readonly name: string;
  readonly values: number;
  /** `direction`, `source`, `scalar`, `state`, or `missing` and `extra` where one side has no such header. */
  readonly respects: Readonly<Record<string, number>>;
}

export interface Differences {
  /** The reference's columns in order, then those that only the produced table has. */
  readonly columns: readonly ColumnPair[];
  readonly counts: Readonly<Record<DifferenceKind | "same", number>>;
  /** By how many values they concern, most first. */
  readonly headers: readonly HeaderSummary[];
  /** Some of them, every kind among them: in the reference's order, then extra values. */
  readonly rows: readonly RowDifference[];
}

/**
 * Both tables beside each other, aligned by the value cells that they were read from: unlike a comparison row by row,
 * one missing value does not make everything after it look wrong. At most `limit` differences are kept, the first of
 * each kind; all are counted.
 */
export function compareRows(reference: Execution, produced: Execution, limit: number): Differences {
  const columns = pairColumns(reference, produced);
  const counts = { missing: 0, extra: 0, cells: 0, headers: 0, moved: 0, same: 0 };
  const found: RowDifference[] = [];
  const summaries = new Map<string, { values: number; respects: Map<string, number> }>();
  const add = (difference: RowDifference): void => {
    counts[difference.kind] += 1;
    if (counts[difference.kind] <= limit) found.push(difference);
  };
  const sideOf = (execution: Execution, key: "reference" | "produced", index: number): RowSide => ({
    row: index + 1,
    address: execution.valueTrace[index] ?? "",
    cells: columns.map((column) => {
      const at = column[key];
      return at === null ? null : (execution.table.rows[index]?.[at] ?? null);
    }),
  });
  for (const [left, right] of alignValues(reference, produced)) {
    const expected = sideOf(reference, "reference", left);
    if (right === null) {
      add({ kind: "missing", reference: expected, produced: null, headers: [] });
      continue;
    }
    const actual = sideOf(produced, "produced", right);
    const headers = headerDifferences(reference.headerTrace[left] ?? [], produced.headerTrace[right] ?? []);
    for (const difference of headers) summarise(summaries, difference);
    const kind = expected.cells.some((cell, index) => cell !== actual.cells[index])
      ? "cells"
      : headers.length > 0
        ? "headers"
        : left !== right
          ? "moved"
          : null;
    if (kind === null) counts.same += 1;
    else add({ kind, reference: expected, produced: actual, headers });
  }
  for (const [right, left] of alignValues(produced, reference))
    if (left === null)
      add({ kind: "extra", reference: null, produced: sideOf(produced, "produced", right), headers: [] });
  return {
    columns,
    counts,
    headers: [...summaries]
      .map(([name, { values, respects }]) => ({ name, values, respects: Object.fromEntries(respects) }))
      .sort((a, b) => b.values - a.values),
    rows: sample(found, limit),
  };
}

/** Every kind may fill an equal share; what a kind leaves free goes to the others in the order of kinds. */
function sample(found: readonly RowDifference[], limit: number): RowDifference[] {
  const lists = DIFFERENCE_KINDS.map((kind) => found.filter((difference) => difference.kind === kind));
  const present = lists.filter(({ length }) => length > 0).length;
  const quota = present === 0 ? 0 : Math.max(1, Math.floor(limit / present));
  const shares = lists.map(({ length }) => Math.min(length, quota));
  let free = limit - shares.reduce((sum, share) => sum + share, 0);
  const chosen = new Set(
    lists.flatMap((list, index) => {
      const share = shares[index] ?? 0;
      const more = Math.max(0, Math.min(free, list.length - share));
      free -= more;
      return list.slice(0, share + more);
    }),
  );
  return found.filter((difference) => chosen.has(difference)).slice(0, limit);
}

function summarise(
  summaries: Map<string, { values: number; respects: Map<string, number> }>,
  { name, reference, produced }: HeaderDifference,
): void {
  const summary = summaries.get(name) ?? { values: 0, respects: new Map<string, number>() };
  summaries.set(name, summary);
  summary.values += 1;
  for (const respect of respectsOf(reference, produced))
    summary.respects.set(respect, (summary.respects.get(respect) ?? 0) + 1);
}

function respectsOf(
  reference: readonly HeaderAssignment[],
  produced: readonly HeaderAssignment[],
): readonly string[] {
  const [left, right] = [reference[0], produced[0]];
  if (right === undefined || reference.length > produced.length) return ["missing"];
  if (left === undefined || produced.length > reference.length) return ["extra"];
  const respects = (["direction", "source", "scalar", "state"] as const).filter(
    (key) => left[key] !== right[key],
  );
  // Several headers of one name, of which another than the first differs.
  return respects.length > 0 ? respects : ["order or source"];
}

function pairColumns(reference: Execution, produced: Execution): ColumnPair[] {
  const matches = new Map(alignColumns(reference.table, produced.table));
  const known = new Set(columnKeys(reference.table.columns));
  return [
    ...reference.table.columns.map((name, index) => ({
      name,
      reference: index,
      produced: matches.get(index) ?? null,
    })),
    ...columnKeys(produced.table.columns).flatMap((key, index) =>
      known.has(key) ? [] : [{ name: produced.table.columns[index] ?? "", reference: null, produced: index }],
    ),
  ];
}

/** Headers of one value that the two sides resolved differently, by output name. */
function headerDifferences(
  reference: readonly HeaderAssignment[],
  produced: readonly HeaderAssignment[],
): HeaderDifference[] {
  if (sameHeaders(reference, produced)) return [];
  const names = [...new Set([...reference, ...produced].map(({ name }) => name))];
  return names.flatMap((name) => {
    const of = (headers: readonly HeaderAssignment[]): HeaderAssignment[] =>
      headers.filter((header) => header.name === name);
    const [left, right] = [of(reference), of(produced)];
    return sameHeaders(left, right) ? [] : [{ name, reference: left, produced: right }];
  });
}

/** `2023 (up, Data!R1C2)`, `2023 (constant)`, `missing (left)`. */
export const headerText = ({ direction, source, scalar, state }: HeaderAssignment): string =>
  state === "ok"
    ? `${scalar ?? ""} (${source === null ? direction : `${direction}, ${source}`})`
    : `${state} (${direction})`;

/** `3 the same, 1 missing, 2 with other cells, …` */
export const countWords = (counts: Differences["counts"]): string =>
  [
    `${counts.same} the same`,
    `${counts.missing} missing`,
    `${counts.extra} extra`,
    `${counts.cells} with other cells`,
    `${counts.headers} with other headers only`,
    `${counts.moved} in another row only`,
  ].join(", ");

/** `36 values (direction 36, source 4)` */
export const summaryWords = ({ values, respects }: HeaderSummary): string =>
  `${values} value${values === 1 ? "" : "s"} (${Object.entries(respects)
    .map(([respect, count]) => `${respect} ${count}`)
    .join(", ")})`;

import type { Execution, HeaderAssignment } from "../sheet/output.ts";
import { alignColumns, columnKeys } from "./cell-match-rate.ts";
import { alignValues, sameHeaders } from "./header-accuracy.ts";
import { MAX_MISMATCHES, type Mismatch } from "./result-schema.ts";

/**
 * A sample of at most twenty differences that explains a score; it replaces no metric. Deterministic: missing values,
 * extra values, wrong headers and wrong cells, each in source order. Every kind may fill a quarter of the sample; what
 * a kind leaves free goes to the others in the same order, so that a shifted table does not hide the other causes.
 */
export function sampleMismatches(reference: Execution, produced: Execution): Mismatch[] {
  const lists = [
    take(missingValues(reference, produced), MAX_MISMATCHES),
    take(extraValues(reference, produced), MAX_MISMATCHES),
    take(wrongHeaders(reference, produced), MAX_MISMATCHES),
    take(wrongCells(reference, produced), MAX_MISMATCHES),
  ];
  const quota = Math.floor(MAX_MISMATCHES / lists.length);
  const shares = lists.map((list) => Math.min(list.length, quota));
  let free = MAX_MISMATCHES - shares.reduce((sum, share) => sum + share, 0);
  const sample = lists.flatMap((list, index) => {
    const extra = Math.min(free, list.length - (shares[index] ?? 0));
    free -= extra;
    return list.slice(0, (shares[index] ?? 0) + extra);
  });
  return sample.map((row) => ({
    ...row,
    column: clip(row.column),
    expected: clip(row.expected),
    actual: clip(row.actual),
  }));
}

/** Characters of one text in a mismatch row: enough to see what differs, whatever a cell holds. */
const MAX_TEXT = 200;

/** At most 200 characters, the last an ellipsis when more were there; halves of surrogate pairs are replaced. */
function clip(text: string | null): string | null {
  if (text === null) return null;
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
  if (whole.length <= MAX_TEXT) return whole;
  const characters = [...whole.slice(0, 2 * MAX_TEXT)];
  return characters.length <= MAX_TEXT && whole.length <= 2 * MAX_TEXT
    ? whole
    : `${characters.slice(0, MAX_TEXT - 1).join("")}…`;
}

/** Reference values whose address was not taken (or not often enough). */
function* missingValues(reference: Execution, produced: Execution): Generator<Mismatch> {
  for (const [left, right] of alignValues(reference, produced))
    if (right === null) yield valueMismatch("missing-value", reference, left);
}

/** Produced values whose address the reference does not take (or not that often). */
function* extraValues(reference: Execution, produced: Execution): Generator<Mismatch> {
  for (const [left, right] of alignValues(produced, reference))
    if (right === null) yield valueMismatch("extra-value", produced, left);
}

function valueMismatch(kind: "missing-value" | "extra-value", side: Execution, index: number): Mismatch {
  const value = side.table.rows[index]?.at(-1) ?? null;
  return {
    kind,
    address: side.valueTrace[index] ?? null,
    row: index + 1,
    column: side.table.columns.at(-1) ?? null,
    expected: kind === "missing-value" ? value : null,
    actual: kind === "extra-value" ? value : null,
  };
}

/** Reference values that were taken with other headers: the first header that differs, by output name. */
function* wrongHeaders(reference: Execution, produced: Execution): Generator<Mismatch> {
  for (const [left, right] of alignValues(reference, produced)) {
    if (right === null) continue;
    const expected = reference.headerTrace[left] ?? [];
    const actual = produced.headerTrace[right] ?? [];
    if (sameHeaders(expected, actual)) continue;
    const [name, wanted, got] = firstDifference(expected, actual);
    yield {
      kind: "header",
      address: reference.valueTrace[left] ?? null,
      row: left + 1,
      column: name,
      expected: wanted,
      actual: got,
    };
  }
}

function firstDifference(
  expected: readonly HeaderAssignment[],
  actual: readonly HeaderAssignment[],
): [name: string, expected: string | null, actual: string | null] {
  const named = (headers: readonly HeaderAssignment[], name: string): string | null => {
    const texts = headers.filter((header) => header.name === name).map(describeHeader);
    return texts.length === 0 ? null : texts.sort().join(" | ");
  };
  const names = [...new Set([...expected, ...actual].map(({ name }) => name))];
  for (const name of names) {
    const [wanted, got] = [named(expected, name), named(actual, name)];
    if (wanted !== got) return [name, wanted, got];
  }
  return ["", null, null];
}

/** `2023 (up Data!R1C2)`, `missing (left)`. */
const describeHeader = ({ direction, source, scalar, state }: HeaderAssignment): string =>
  state === "ok"
    ? `${scalar ?? ""} (${source === null ? direction : `${direction} ${source}`})`
    : `${state} (${direction})`;

/** Cells of the union whose canonical text differs, row by row; reference columns first, then produced ones. */
function* wrongCells(reference: Execution, produced: Execution): Generator<Mismatch> {
  const [left, right] = [reference.table, produced.table];
  const matches = new Map(alignColumns(left, right));
  const known = new Set(columnKeys(left.columns));
  const columns: { name: string; left: number | null; right: number | null }[] = [
    ...left.columns.map((name, index) => ({ name, left: index, right: matches.get(index) ?? null })),
    ...columnKeys(right.columns).flatMap((key, index) =>
      known.has(key) ? [] : [{ name: right.columns[index] ?? "", left: null, right: index }],
    ),
  ];
  const rows = Math.max(left.rows.length, right.rows.length);
  for (let row = 0; row < rows; row += 1) {
    for (const column of columns) {
      const expected = column.left === null ? null : (left.rows[row]?.[column.left] ?? null);
      const actual = column.right === null ? null : (right.rows[row]?.[column.right] ?? null);
      if (expected === actual) continue;
      yield {
        kind: "cell",
        address: reference.valueTrace[row] ?? produced.valueTrace[row] ?? null,
        row: row + 1,
        column: column.name,
        expected,
        actual,
      };
    }
  }
}

function take<T>(items: Iterable<T>, limit: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    if (taken.length === limit) break;
    taken.push(item);
  }
  return taken;
}

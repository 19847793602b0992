import type { Execution, HeaderAssignment } from "../../../src/lib/sheet/output.ts";

/** The metrics written a second time, slowly and in the words of the methodology; they share no code with the real ones. */

interface SlowFraction {
  readonly part: number;
  readonly whole: number;
}

/** All cells of a table as `[row, name, occurrence] → text`. */
function cellsOf({ table }: Execution): Map<string, string> {
  const cells = new Map<string, string>();
  for (let row = 0; row < table.rows.length; row += 1)
    for (let column = 0; column < table.columns.length; column += 1) {
      const before = table.columns.slice(0, column).filter((other) => other === table.columns[column]).length;
      cells.set(`${row}|${table.columns[column]}|${before}`, table.rows[row]![column]!);
    }
  return cells;
}

export function slowCellMatch(reference: Execution, produced: Execution): SlowFraction {
  const [expected, actual] = [cellsOf(reference), cellsOf(produced)];
  const union = [...new Set([...expected.keys(), ...actual.keys()])];
  const matched = union.filter(
    (key) => expected.has(key) && actual.has(key) && expected.get(key) === actual.get(key),
  );
  return { part: matched.length, whole: union.length };
}

/** Harmonic mean of precision and recall over address sets, as a number. */
export function slowAddressF1(reference: Execution, produced: Execution): number {
  const expected = [...new Set(reference.valueTrace)];
  const actual = [...new Set(produced.valueTrace)];
  if (expected.length === 0 && actual.length === 0) return 1;
  const hits = expected.filter((address) => actual.includes(address)).length;
  if (hits === 0) return 0;
  const [precision, recall] = [hits / actual.length, hits / expected.length];
  return (2 * precision * recall) / (precision + recall);
}

const canonical = (headers: readonly HeaderAssignment[]): string =>
  headers
    .map(({ name, direction, source, scalar, state }) =>
      [name, direction, source, scalar, state].join("\u0001"),
    )
    .sort()
    .join("\u0002");

export function slowHeaderAccuracy(reference: Execution, produced: Execution): SlowFraction {
  const remaining = produced.valueTrace.map((address, index) => ({
    address,
    headers: produced.headerTrace[index]!,
  }));
  let part = 0;
  for (const [index, address] of reference.valueTrace.entries()) {
    const found = remaining.findIndex((value) => value.address === address);
    if (found < 0) continue;
    const [value] = remaining.splice(found, 1);
    if (canonical(value!.headers) === canonical(reference.headerTrace[index]!)) part += 1;
  }
  return { part, whole: reference.valueTrace.length };
}

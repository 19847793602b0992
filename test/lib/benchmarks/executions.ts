import fc from "fast-check";
import type { Execution, HeaderAssignment } from "../../../src/lib/sheet/output.ts";

/** One observation: where its value was taken, its cells (value last), its headers. */
export interface Row {
  readonly address: string;
  readonly cells: readonly string[];
  readonly headers?: readonly HeaderAssignment[];
}

export const execution = (columns: readonly string[], rows: readonly Row[]): Execution => ({
  table: { columns, rows: rows.map(({ cells }) => cells) },
  valueTrace: rows.map(({ address }) => address),
  headerTrace: rows.map(({ headers = [] }) => headers),
});

export const header = (
  name: string,
  scalar: string | null,
  more: Partial<HeaderAssignment> = {},
): HeaderAssignment => ({
  name,
  direction: "up",
  source: "S!R1C2",
  scalar,
  state: "ok",
  ...more,
});

/** Small alphabets, so that equal names, addresses and texts meet often. */
const name = fc.constantFrom("year", "state", "unit", "value");
const text = fc.constantFrom("", "1", "2", "a", "é");
const address = fc.constantFrom("S!R2C2", "S!R2C3", "S!R3C2", "S!R3C3", "T!R2C2");
const assignment: fc.Arbitrary<HeaderAssignment> = fc.record({
  name,
  direction: fc.constantFrom("up", "left", "left-up"),
  source: fc.constantFrom("S!R1C2", "S!R1C3", null),
  scalar: fc.constantFrom("2022", "2023", null),
  state: fc.constantFrom("ok", "missing", "ambiguous"),
});

/** Any execution; `columns` may repeat a name, rows may take one address twice. */
export const anyExecution: fc.Arbitrary<Execution> = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .chain((columns) =>
    fc
      .array(
        fc.record({
          address,
          cells: fc.array(text, { minLength: columns.length, maxLength: columns.length }),
          headers: fc.array(assignment, { maxLength: 3 }),
        }),
        { maxLength: 6 },
      )
      .map((rows) => execution(columns, rows)),
  );

import type { Execution } from "../sheet/output.ts";

/** One output column of the table, and the letters that stand for it in a picture. */
export interface PictureOutput {
  readonly letters: string;
  readonly name: string;
  readonly direction: string;
}

/** What each cell of one sheet is to an executed recipe; keys are `R5C2`. */
export interface PictureRoles {
  /** Value cells; true when a header of that value is missing or ambiguous. */
  readonly values: ReadonlyMap<string, boolean>;
  /** Header cells: indexes into `outputs`, ascending. */
  readonly headers: ReadonlyMap<string, readonly number[]>;
  readonly outputs: readonly PictureOutput[];
}

/** No recipe: every cell is just a cell. */
export const NO_ROLES: PictureRoles = { values: new Map(), headers: new Map(), outputs: [] };

export const cellKey = (row: number, column: number): string => `R${row}C${column}`;

/** `a` … `z`, `aa`, `ab` … */
export function outputLetters(index: number): string {
  let rest = index;
  let letters = "";
  do {
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26) - 1;
  } while (rest >= 0);
  return letters;
}

/** Splits `sheet!R1C1` at its last `!`: a sheet's name may hold one. */
function splitAddress(address: string): { sheet: string; key: string } {
  const mark = address.lastIndexOf("!");
  return { sheet: address.slice(0, mark), key: address.slice(mark + 1) };
}

/** What the cells of `sheet` are to an execution: its two traces, turned around. Letters go in recipe order. */
export function rolesOf(execution: Execution, sheet: string): PictureRoles {
  const values = new Map<string, boolean>();
  const directions = new Map<string, string>();
  const takenBy = new Map<string, Set<string>>();
  for (const [row, address] of execution.valueTrace.entries()) {
    const value = splitAddress(address);
    let problem = false;
    for (const { name, direction, source, state } of execution.headerTrace[row] ?? []) {
      if (!directions.has(name)) directions.set(name, direction);
      if (state !== "ok") problem = true;
      if (source === null) continue;
      const header = splitAddress(source);
      // A header that is the value cell itself would say nothing that its value mark does not.
      if (header.sheet !== sheet || source === address) continue;
      const names = takenBy.get(header.key);
      if (names === undefined) takenBy.set(header.key, new Set([name]));
      else names.add(name);
    }
    if (value.sheet === sheet) values.set(value.key, problem || values.get(value.key) === true);
  }
  const used = new Set([...takenBy.values()].flatMap((names) => [...names]));
  const outputs = [...directions]
    .filter(([name]) => used.has(name))
    .map(([name, direction], index): PictureOutput => ({ letters: outputLetters(index), name, direction }));
  const indexes = new Map(outputs.map(({ name }, index) => [name, index]));
  const headers = new Map<string, readonly number[]>();
  for (const [key, names] of takenBy) {
    headers.set(
      key,
      [...names].map((name) => indexes.get(name) ?? 0).sort((a, b) => a - b),
    );
  }
  return { values, headers, outputs };
}

import { executeRecipe } from "../../sheet/execute.ts";
import { outputNamesOf } from "../../sheet/headers.ts";
import type { Cell, Range, Sheet, Workbook } from "../../sheet/model.ts";
import type { Execution } from "../../sheet/output.ts";
import type { HeaderRule, Recipe, TableRule } from "../../sheet/recipe-schema.ts";
import { rangesBySheet, rangesOn, referencesOf, sheetNamesOf } from "../../sheet/scope.ts";
import { cellAt, cellsBetween, rowsBetween, sheetNamed } from "../../sheet/sheet-index.ts";

/** What a tag is computed from: a member's workbook, its reference recipe, and what executing that gives. */
export interface TagInput {
  readonly workbook: Workbook;
  readonly recipe: Recipe;
  readonly execution: Execution;
}

/** Says whether a member has a structure feature. Pure; depends on nothing but its input. */
export type TagPredicate = (input: TagInput) => boolean;

/** A cell's place in a workbook. */
export interface Spot {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

/** The axis on which a header lies: `column` above or below its values, `row` beside them. */
export type Axis = "column" | "row";

/** A header cell that describes at least one value, with the places of the values it describes. */
export interface Use {
  readonly source: Spot;
  readonly values: readonly Spot[];
}

/** One output column of one table, as it was resolved. */
export interface OutputEvidence {
  readonly name: string;
  readonly rule: HeaderRule;
  /** Null for `fixed`, `self` and constants, which lie on no axis. */
  readonly axis: Axis | null;
  /** Cells that it was resolved from; empty for constants and for an output that is always missing. */
  readonly uses: readonly Use[];
  /** Distinct scalars that it takes (missing and ambiguous ones take none). */
  readonly scalars: ReadonlySet<string>;
}

/** The values of one table on one sheet. */
export interface ValuesEvidence {
  readonly sheet: Sheet;
  /** `values.from` on this sheet. */
  readonly ranges: readonly Range[];
  /** `values.except` on this sheet. */
  readonly except: readonly Range[];
  /** Cells that became rows of the table, each once; some may be blank (`blanks: "keep"`). */
  readonly selected: readonly Cell[];
  /** Rows and columns that hold selected cells with a value. */
  readonly rows: ReadonlySet<number>;
  readonly columns: ReadonlySet<number>;
}

export interface TableEvidence {
  readonly rule: TableRule;
  readonly values: readonly ValuesEvidence[];
  readonly outputs: readonly OutputEvidence[];
}

const known = new WeakMap<Execution, readonly TableEvidence[]>();

/** What each table of the recipe selected and how each of its outputs was resolved. Computed once an execution. */
export function evidenceOf(input: TagInput): readonly TableEvidence[] {
  const before = known.get(input.execution);
  if (before !== undefined) return before;
  const { workbook, recipe, execution } = input;
  const evidence = recipe.tables.map((rule) => {
    if (recipe.tables.length === 1) return tableEvidence(workbook, rule, execution);
    // Rows of several tables do not say which rule gave them: names need not be distinct.
    const alone = executeRecipe(workbook, { ...recipe, tables: [rule] });
    return tableEvidence(workbook, rule, alone.ok ? alone.value : NOTHING);
  });
  known.set(execution, evidence);
  return evidence;
}

const NOTHING: Execution = { table: { columns: [], rows: [] }, valueTrace: [], headerTrace: [] };

function tableEvidence(workbook: Workbook, rule: TableRule, execution: Execution): TableEvidence {
  const spot = spotReader();
  const places = execution.valueTrace.map(spot);
  return {
    rule,
    values: sheetNamesOf(rule).flatMap((name) => {
      const sheet = sheetNamed(workbook, name);
      return sheet === undefined ? [] : [valuesEvidence(sheet, rule, places)];
    }),
    outputs: outputsEvidence(rule, execution, places, spot),
  };
}

function valuesEvidence(sheet: Sheet, rule: TableRule, places: readonly Spot[]): ValuesEvidence {
  const selected = new Map<string, Cell>();
  for (const { sheet: name, row, column } of places) {
    if (name !== sheet.name) continue;
    const cell = cellAt(sheet, row, column);
    if (cell !== undefined) selected.set(`${row},${column}`, cell);
  }
  const held = [...selected.values()].filter(saysSomething);
  return {
    sheet,
    ranges: rangesOn(referencesOf(rule.values.from), sheet.name),
    except: rangesOn(referencesOf(rule.values.except), sheet.name),
    selected: [...selected.values()],
    rows: new Set(held.map(({ row }) => row)),
    columns: new Set(held.map(({ column }) => column)),
  };
}

function outputsEvidence(
  rule: TableRule,
  execution: Execution,
  places: readonly Spot[],
  spot: (address: string) => Spot,
): OutputEvidence[] {
  const gathered = rule.headers.flatMap((header) =>
    outputNamesOf(header).map((name) => ({
      name,
      rule: header,
      uses: new Map<string, { source: Spot; values: Spot[] }>(),
      scalars: new Set<string>(),
    })),
  );
  for (const [index, assignments] of execution.headerTrace.entries()) {
    const value = places[index];
    for (const [at, { state, scalar, source }] of assignments.entries()) {
      const output = gathered[at];
      if (output === undefined || value === undefined || state !== "ok" || scalar === null) continue;
      output.scalars.add(scalar);
      if (source === null) continue;
      const use = output.uses.get(source);
      if (use === undefined) output.uses.set(source, { source: spot(source), values: [value] });
      else use.values.push(value);
    }
  }
  return gathered.map((output) => ({
    ...output,
    axis: axisOf(output.rule),
    uses: [...output.uses.values()],
  }));
}

function axisOf({ direction, constant }: HeaderRule): Axis | null {
  if (constant !== undefined || direction === undefined) return null;
  if (direction.startsWith("up") || direction.startsWith("down")) return "column";
  return direction.startsWith("left") || direction.startsWith("right") ? "row" : null;
}

/** Reads the addresses of traces, each text once. */
function spotReader(): (address: string) => Spot {
  const spots = new Map<string, Spot>();
  return (address) => {
    const before = spots.get(address);
    if (before !== undefined) return before;
    const [, sheet = "", row, column] = /^(.*)!R(\d+)C(\d+)$/s.exec(address) ?? [];
    const spot = { sheet, row: Number(row), column: Number(column) };
    spots.set(address, spot);
    return spot;
  };
}

/** Has a value that is not only white space: an empty string counts as blank. */
export const saysSomething = (cell: Cell): boolean =>
  cell.type !== "blank" && !(cell.type === "text" && String(cell.value).trim() === "");

/** Existing cells of a rectangle, row by row. */
export function* cellsIn(sheet: Sheet, range: Range): Generator<Cell> {
  for (const row of rowsBetween(sheet, range.top, range.bottom))
    yield* cellsBetween(sheet, row, range.left, range.right);
}

/** Every rectangle of a sheet that the recipe names: values, exceptions, headers. */
export function namedRanges(recipe: Recipe, sheet: string): Range[] {
  const ranges: Range[] = [];
  for (const table of recipe.tables) {
    const own = sheetNamesOf(table).includes(sheet);
    for (const { from, except } of [table.values, ...table.headers]) {
      const references = referencesOf([...(from ?? []), ...(except ?? [])]);
      ranges.push(...(own ? rangesOn(references, sheet) : (rangesBySheet(references).get(sheet) ?? [])));
    }
  }
  return ranges;
}

/** The merged area whose top-left cell this is, when it covers several cells. */
export const mergeAt = (sheet: Sheet, row: number, column: number): Range | undefined =>
  sheet.merges.find(
    ({ top, left, bottom, right }) => top === row && left === column && (bottom > top || right > left),
  );

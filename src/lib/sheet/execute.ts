import type { Finding, Outcome } from "../findings.ts";
import { hasErrors } from "../findings.ts";
import { formatAddress } from "./address.ts";
import { type Budget, DEFAULT_BUDGET, Meter, Stop } from "./budget.ts";
import { checkRecipe } from "./check.ts";
import { headerRule, outputNamesOf, valueNameOf } from "./headers.ts";
import type { Workbook } from "./model.ts";
import type { Execution, HeaderAssignment, TidyTable } from "./output.ts";
import { Problems } from "./problems.ts";
import type { Recipe, TableRule } from "./recipe-schema.ts";
import { canonicalText } from "./scalar.ts";
import { sheetNamesOf } from "./scope.ts";
import { sheetNamed } from "./sheet-index.ts";
import { type Value, valueCollector } from "./values.ts";

/** Name of the leading column when a recipe has several tables. */
export const TABLE_COLUMN = "table";

interface Collected {
  readonly rows: (readonly string[])[];
  readonly valueTrace: string[];
  readonly headerTrace: (readonly HeaderAssignment[])[];
}

/**
 * Executes a recipe on a workbook (docs/recipe.md). Total and bounded: what is wrong with the recipe, or passes the budget,
 * comes back as findings with JSON pointers into the recipe. Never throws. The checks of `checkRecipe` are made first;
 * its warnings are not repeated here.
 */
export function executeRecipe(
  workbook: Workbook,
  recipe: Recipe,
  budget: Budget = DEFAULT_BUDGET,
): Outcome<Execution> {
  try {
    const errors = checkRecipe(recipe, workbook).filter((finding) => finding.severity === "error");
    if (errors.length > 0) return { ok: false, findings: errors };
    return run(workbook, recipe, new Meter(budget));
  } catch (error) {
    if (error instanceof Stop) return { ok: false, findings: [...error.findings] };
    // Not the recipe's fault: the code tells callers to blame the engine, not the contestant.
    return {
      ok: false,
      findings: [
        {
          code: "recipe-engine-fault",
          severity: "error",
          message: "The recipe engine failed; this is a defect of the engine, not of the recipe.",
          actual: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : "unknown error",
        },
      ],
    };
  }
}

function run(workbook: Workbook, recipe: Recipe, meter: Meter): Outcome<Execution> {
  const columns = columnsOf(recipe);
  const collected: Collected = { rows: [], valueTrace: [], headerTrace: [] };
  const problems = new Problems();
  const findings: Finding[] = [];
  for (const [index, table] of recipe.tables.entries()) {
    const before = collected.rows.length;
    runTable(workbook, table, `/tables/${index}`, columns, collected, problems, meter);
    if (collected.rows.length === before) {
      findings.push({
        code: "recipe-no-rows",
        severity: "warning",
        message: "The table has no rows.",
        pointer: `/tables/${index}/values`,
        hint: "Check the ranges and `where`; rows without a header are left out when `missing` is `drop-row`.",
      });
    }
  }
  findings.push(...problems.findings());
  if (hasErrors(findings)) return { ok: false, findings };
  const { rows, valueTrace, headerTrace } = collected;
  return { ok: true, value: { table: { columns, rows }, valueTrace, headerTrace }, findings };
}

/** `table` when there are several, every header name in order of first appearance, the value's name last. */
export function columnsOf(recipe: Recipe): TidyTable["columns"] {
  const names = new Set(recipe.tables.flatMap((table) => table.headers.flatMap(outputNamesOf)));
  const value = valueNameOf(recipe.tables[0]);
  return [...(recipe.tables.length > 1 ? [TABLE_COLUMN] : []), ...names, value];
}

function runTable(
  workbook: Workbook,
  table: TableRule,
  pointer: string,
  columns: readonly string[],
  collected: Collected,
  problems: Problems,
  meter: Meter,
): void {
  const place = new Map(columns.map((name, index) => [name, index]));
  const headers = table.headers.map((rule, index) => {
    const at = `${pointer}/headers/${index}`;
    meter.pointer = at;
    const places = outputNamesOf(rule).map((name) => place.get(name) ?? 0);
    return { rule, pointer: at, places, prepare: headerRule(rule, at, workbook, problems, meter) };
  });
  meter.pointer = `${pointer}/values`;
  const collect = valueCollector(table.values, workbook.date1904, meter);
  const width = columns.length;
  const label = columns.length > 0 && place.get(TABLE_COLUMN) === 0 ? canonicalText(table.name ?? "") : null;

  for (const name of sheetNamesOf(table)) {
    const sheet = sheetNamed(workbook, name);
    if (sheet === undefined) continue;
    meter.pointer = `${pointer}/values`;
    const values = collect(sheet);
    const places = values.map((value) => value.cell);
    const resolvers = headers.map((header) => {
      meter.pointer = header.pointer;
      return { ...header, resolve: header.prepare(sheet, places) };
    });
    for (const value of values) {
      const address = formatAddress(sheet.name, value.cell.row, value.cell.column);
      // Every field is made, joined and hashed; kept in a table and in its traces.
      meter.pointer = pointer;
      meter.spend("work", 2 * width);
      const row = new Array<string>(width).fill("");
      if (label !== null) row[0] = label;
      const assignments: HeaderAssignment[] = [];
      let dropped = false;
      for (const header of resolvers) {
        meter.pointer = header.pointer;
        let output = 0;
        for (const assignment of header.resolve(value.cell)) {
          assignments.push(assignment);
          row[header.places[output] ?? 0] = assignment.scalar ?? "";
          output += 1;
          if (assignment.state !== "missing") continue;
          if (header.rule.missing === "drop-row") dropped = true;
          if (header.rule.missing === "error")
            problems.missingHeader(header.pointer, assignment.name, address);
        }
      }
      if (dropped) continue;
      row[width - 1] = valueText(value, `${pointer}/values`, table, address, problems);
      meter.pointer = pointer;
      meter.spend("output", lengthOf(row));
      collected.rows.push(row);
      collected.valueTrace.push(address);
      collected.headerTrace.push(assignments);
    }
  }
}

/** Characters of a row, a separator after each field counted. */
function lengthOf(row: readonly string[]): number {
  let length = row.length;
  for (const text of row) length += text.length;
  return length;
}

function valueText(
  value: Value,
  pointer: string,
  table: TableRule,
  address: string,
  problems: Problems,
): string {
  if (value.read.kind === "unconvertible") {
    problems.unconvertible(pointer, table.values.as ?? "text", address, value.read.text);
    return "";
  }
  return value.read.text;
}

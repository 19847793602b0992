import type { Meter } from "./budget.ts";
import type { Cell, Sheet } from "./model.ts";
import { compiledPattern, patternOfGlob, wholeTextTest } from "./pattern.ts";
import type { Condition, Where } from "./recipe-schema.ts";
import { canonicalText, canonicalValue, workOfText } from "./scalar.ts";
import { absentCell, cellAt, isHidden } from "./sheet-index.ts";

/** True when the cell passes. The cell may be one that the file does not hold (`absentCell`). */
export type CellTest = (cell: Cell, sheet: Sheet) => boolean;

export const ANY_CELL: CellTest = () => true;

/** Compiles a condition tree once; every test spends work for each condition it holds. */
export function compileWhere(where: Where | undefined, meter: Meter): CellTest {
  if (where === undefined) return ANY_CELL;
  const { all, any, not, ...own } = where;
  const tests: CellTest[] = [compileCondition(own, meter)];
  if (all !== undefined) tests.push(...all.map((condition) => compileCondition(condition, meter)));
  if (any !== undefined) {
    const choices = any.map((condition) => compileCondition(condition, meter));
    tests.push((cell, sheet) => choices.some((test) => test(cell, sheet)));
  }
  if (not !== undefined) {
    const refused = compileCondition(not, meter);
    tests.push((cell, sheet) => !refused(cell, sheet));
  }
  return (cell, sheet) => tests.every((test) => test(cell, sheet));
}

/**
 * True when a test's answer for a cell that the file does not hold can depend on where that cell is: then every such
 * position has to be asked, otherwise one stands for all.
 */
export function dependsOnPosition(where: Where): boolean {
  const conditions: Condition[] = [where, ...(where.all ?? []), ...(where.any ?? [])];
  if (where.not !== undefined) conditions.push(where.not);
  return conditions.some(
    ({ in_column, in_row, hidden }) =>
      in_column !== undefined || in_row !== undefined || hidden !== undefined,
  );
}

function compileCondition(condition: Condition, meter: Meter): CellTest {
  const tests = testsOf(condition, meter);
  const { in_column, in_row } = condition;
  const test: CellTest = (cell, sheet) => {
    meter.spend("work", 1 + tests.length);
    return tests.every((each) => each(cell, sheet));
  };
  if (in_column === undefined && in_row === undefined) return test;
  return (cell, sheet) => {
    // Finding the other cell is a search.
    meter.spend("work", 3);
    const row = in_row ?? cell.row;
    const column = in_column ?? cell.column;
    return test(cellAt(sheet, row, column) ?? absentCell(row, column), sheet);
  };
}

function testsOf(condition: Condition, meter: Meter): CellTest[] {
  const tests: CellTest[] = [];
  const { type, blank, equals, glob, pattern, bold, italic, superscript, indent } = condition;
  if (type !== undefined) {
    const types = new Set<string>(typeof type === "string" ? [type] : type);
    tests.push((cell) => types.has(cell.type));
  }
  if (blank !== undefined) tests.push((cell) => (cell.type === "blank") === blank);
  if (equals !== undefined) {
    const equal = equality(Array.isArray(equals) ? equals : [equals]);
    tests.push((cell) => {
      if (typeof cell.value === "string") meter.spend("work", workOfText(cell.value));
      return equal(cell);
    });
  }
  if (glob !== undefined) tests.push(onText(canonicalValue, patternOfGlob(canonicalText(glob)), meter));
  if (pattern !== undefined) tests.push(onText(canonicalValue, pattern, meter));
  for (const [style, wanted] of Object.entries({ bold, italic, superscript })) {
    if (wanted === undefined) continue;
    tests.push((cell) => {
      meter.spend("work", cell.runs?.length ?? 0);
      return isStyled(cell, style as Style) === wanted;
    });
  }
  if (indent !== undefined) {
    const { min = 0, max = Number.POSITIVE_INFINITY } =
      typeof indent === "number" ? { min: indent, max: indent } : indent;
    tests.push((cell) => cell.indent >= min && cell.indent <= max);
  }
  tests.push(...formatTests(condition, meter));
  return tests;
}

function formatTests(condition: Condition, meter: Meter): CellTest[] {
  const tests: CellTest[] = [];
  const { fill, number_format, number_format_pattern, hidden, comment, comment_pattern } = condition;
  if (fill !== undefined) {
    const wanted = fill !== null && /^[0-9a-f]{6}$/i.test(fill) ? fill.toUpperCase() : fill;
    tests.push((cell) => cell.fill === wanted);
  }
  if (number_format !== undefined) tests.push((cell) => cell.format === number_format);
  if (number_format_pattern !== undefined) {
    tests.push(onText((cell) => cell.format, number_format_pattern, meter));
  }
  if (hidden !== undefined) {
    tests.push((cell, sheet) => {
      meter.spend("work", sheet.hiddenColumns.length);
      return isHidden(sheet, cell.row, cell.column) === hidden;
    });
  }
  if (comment !== undefined) tests.push((cell) => (cell.comment !== null) === comment);
  if (comment_pattern !== undefined) tests.push(onText((cell) => cell.comment, comment_pattern, meter));
  return tests;
}

function onText(textOf: (cell: Cell) => string | null, pattern: string, meter: Meter): CellTest {
  const test = wholeTextTest(compiledPattern(pattern, meter), meter);
  return (cell) => {
    const text = textOf(cell);
    return text !== null && test(text);
  };
}

/** Numbers equal number cells only; strings equal text, ISO dates and error codes. */
function equality(wanted: readonly (string | number | boolean)[]): (cell: Cell) => boolean {
  const texts = new Set<string>();
  const others = new Set<number | boolean>();
  for (const value of wanted) {
    if (typeof value === "string") texts.add(canonicalText(value).trim());
    else others.add(value);
  }
  return ({ value }) =>
    typeof value === "string" ? texts.has(canonicalText(value).trim()) : value !== null && others.has(value);
}

type Style = "bold" | "italic" | "superscript";

/** A style holds for the whole cell: by the cell's font, or in every run that is not white space. */
function isStyled(cell: Cell, style: Style): boolean {
  if (cell[style]) return true;
  const runs = cell.runs?.filter((run) => run.text.trim() !== "") ?? [];
  return runs.length > 0 && runs.every((run) => run[style]);
}

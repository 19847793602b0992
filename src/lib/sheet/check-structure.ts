import type { Finding } from "../findings.ts";
import { closestTo } from "../strict-json/closest.ts";
import { areaOf, parseReference } from "./address.ts";
import { MAX_SPANNED_CELLS } from "./budget.ts";
import { capped } from "./capped.ts";
import { checkPatterns } from "./check-patterns.ts";
import { outputNamesOf, valueNameOf } from "./headers.ts";
import type { HeaderRule, Recipe, TableRule } from "./recipe-schema.ts";
import { sheetNamesOf } from "./scope.ts";

/** What the schema cannot say about a recipe and no workbook is needed for. Findings have pointers, no positions. */
export const checkStructure = (recipe: Recipe): Finding[] => capped(structureOf(recipe));

function* structureOf(recipe: Recipe): Generator<Finding> {
  const several = recipe.tables.length > 1;
  const valueName = valueNameOf(recipe.tables[0]);
  for (const [index, table] of recipe.tables.entries()) {
    const pointer = `/tables/${index}`;
    if (several && table.name === undefined) {
      yield error("recipe-missing-name", `${pointer}/name`, "A table of several needs a name.", {
        hint: "Add `name`: it becomes the leading `table` column.",
      });
    }
    if (valueNameOf(table) !== valueName) {
      yield error(
        "recipe-value-name",
        `${pointer}/values/name`,
        "The value column has another name than before.",
        {
          expected: valueName,
          actual: valueNameOf(table),
          hint: "Use one name in every table; what the values are can be a header or the table's name.",
        },
      );
    }
    yield* checkTableStructure(table, pointer, several);
  }
  yield* checkPatterns(recipe);
}

function* checkTableStructure(table: TableRule, pointer: string, several: boolean): Generator<Finding> {
  const sheets = sheetNamesOf(table);
  const { values } = table;
  yield* checkRanges(values.from, `${pointer}/values/from`, sheets);
  yield* checkRanges(values.except ?? [], `${pointer}/values/except`, sheets);
  yield* checkNames(table, pointer, several);
  if (new Set(sheets).size < sheets.length) {
    yield error("recipe-duplicate-sheet", `${pointer}/sheet`, "A sheet is named twice.");
  }
  for (const [index, header] of table.headers.entries()) {
    const at = `${pointer}/headers/${index}`;
    yield* checkHeader(header, at);
    yield* checkRanges(header.from ?? [], `${at}/from`, null);
    yield* checkRanges(header.except ?? [], `${at}/except`, null);
  }
}

/** Output names are unique, and none is taken by the value or the leading column. */
function checkNames(table: TableRule, pointer: string, several: boolean): Finding[] {
  const findings: Finding[] = [];
  const taken = new Set([valueNameOf(table), ...(several ? ["table"] : [])]);
  for (const [index, header] of table.headers.entries()) {
    const at = `${pointer}/headers/${index}`;
    for (const name of header.name === undefined && header.split === undefined ? [] : outputNamesOf(header)) {
      if (taken.has(name)) {
        findings.push(
          error("recipe-duplicate-name", at, "An output name is used twice.", {
            actual: name,
            hint: "The value column and, with several tables, `table` count too.",
          }),
        );
      }
      taken.add(name);
    }
  }
  return findings;
}

const READING_KEYS = ["take", "strip_footnotes", "trim", "extract", "as"] as const;
const WITHOUT_CONSTANT = [
  "from",
  "except",
  "where",
  "direction",
  "fill",
  "merged",
  "split",
  "missing",
  ...READING_KEYS,
] as const;

function checkHeader(header: HeaderRule, pointer: string): Finding[] {
  const conflict = (key: keyof HeaderRule, other: string): Finding[] =>
    header[key] === undefined
      ? []
      : [
          error("recipe-conflict", `${pointer}/${key}`, `\`${key}\` cannot stand beside ${other}.`, {
            hint: "Remove one of the two.",
          }),
        ];
  const lacks = (key: string, message: string): Finding =>
    error("recipe-missing-key", `${pointer}/${key}`, message, { hint: `Add \`${key}\`.` });
  const findings: Finding[] = [];

  if (header.split === undefined) {
    if (header.name === undefined) findings.push(lacks("name", "The header has no name."));
  } else {
    findings.push(...conflict("name", "`split`, which names the outputs"), ...checkSplit(header, pointer));
  }
  if (header.constant !== undefined) {
    return [...findings, ...WITHOUT_CONSTANT.flatMap((key) => conflict(key, "`constant`"))];
  }
  if (header.direction === undefined) {
    findings.push(lacks("direction", "The header has neither `constant` nor `direction`."));
    return findings;
  }
  if (header.direction === "self") {
    const keys = ["from", "except", "fill", "merged"] as const;
    return [...findings, ...keys.flatMap((key) => conflict(key, 'direction "self"'))];
  }
  if (header.from === undefined) findings.push(lacks("from", "The header says a direction but no cells."));
  if (header.direction === "fixed") findings.push(...conflict("fill", 'direction "fixed"'));
  return findings;
}

function checkSplit({ split }: HeaderRule, pointer: string): Finding[] {
  if (split === undefined) return [];
  const findings: Finding[] = [];
  if ((split.by === undefined) === (split.by_pattern === undefined)) {
    findings.push(
      error("recipe-split", `${pointer}/split`, "`split` needs either `by` or `by_pattern`.", {
        actual: split.by === undefined ? "neither" : "both",
      }),
    );
  }
  if (split.into.every((name) => name === null)) {
    findings.push(error("recipe-split", `${pointer}/split/into`, "`into` names no output."));
  }
  return findings;
}

/** `sheets`: names a prefix may have, or null for any (headers may lie on other sheets). */
function* checkRanges(
  texts: readonly string[],
  pointer: string,
  sheets: readonly string[] | null,
): Generator<Finding> {
  let spanned = 0;
  for (const [index, text] of texts.entries()) {
    const at = `${pointer}/${index}`;
    const reference = parseReference(text);
    if ("problem" in reference) {
      yield error("recipe-range", at, `The range ${reference.problem}.`, {
        expected: "for example R5C2:R10C8",
        actual: text.slice(0, 100),
      });
      continue;
    }
    spanned += areaOf(reference.range);
    if (sheets !== null && reference.sheet !== null && !sheets.includes(reference.sheet)) {
      const meant = closestTo(reference.sheet, sheets);
      yield error("recipe-range-sheet", at, "The range lies on a sheet that is not the table's.", {
        expected: sheets.map((name) => JSON.stringify(name)).join(", "),
        actual: JSON.stringify(reference.sheet),
        hint:
          meant === null ? "Name the sheet in `sheet` as well." : `Did you mean ${JSON.stringify(meant)}?`,
      });
    }
  }
  if (spanned > MAX_SPANNED_CELLS) {
    yield error("recipe-budget-cells", pointer, "The ranges span too many cells.", {
      expected: `at most ${MAX_SPANNED_CELLS}`,
      actual: String(spanned),
      hint: "Make the ranges as small as the table.",
    });
  }
}

const error = (code: string, pointer: string, message: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: "error",
  message,
  pointer,
  ...more,
});

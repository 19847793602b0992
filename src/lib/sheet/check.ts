import type { Finding, Outcome } from "../findings.ts";
import { hasErrors } from "../findings.ts";
import { closestTo } from "../strict-json/closest.ts";
import { locateFindings, type StrictJson } from "../strict-json/parse.ts";
import { parseLocated } from "../strict-json/schema.ts";
import { formatRange, intersection, parseReference } from "./address.ts";
import { capped } from "./capped.ts";
import { checkStructure } from "./check-structure.ts";
import type { Range, Sheet, Workbook } from "./model.ts";
import { RECIPE_LIMITS, type Recipe, recipeSchema, type TableRule } from "./recipe-schema.ts";
import { sheetNamesOf } from "./scope.ts";

/** Text to recipe: strict JSON, schema, then everything that can be said without a workbook. Findings carry positions. */
export function parseRecipe(bytes: Uint8Array | string, path?: string): Outcome<Recipe> {
  const located = parseRecipeLocated(bytes, path);
  return located.ok ? { ...located, value: located.value.recipe } : located;
}

/** As `parseRecipe`, with the positions that `checkRecipe` can use. */
export function parseRecipeLocated(
  bytes: Uint8Array | string,
  path?: string,
): Outcome<{ recipe: Recipe; json: StrictJson }> {
  const place = path === undefined ? {} : { path };
  const parsed = parseLocated(bytes, recipeSchema, {
    code: "recipe",
    maxBytes: RECIPE_LIMITS.bytes,
    ...place,
  });
  if (!parsed.ok) return parsed;
  const { value: recipe, json } = parsed.value;
  const findings = locateFindings(checkStructure(recipe), json.position, path);
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: { recipe, json }, findings };
}

/**
 * What is wrong with a recipe for this workbook: missing sheets, ranges outside a sheet's cells (an error when they hold none,
 * a warning when they reach beyond them). Repeats the checks that need no workbook, so that a recipe built in code is safe too.
 */
export function checkRecipe(
  recipe: Recipe,
  workbook: Workbook,
  positions?: Pick<StrictJson, "position">,
): Finding[] {
  const structure = checkStructure(recipe);
  const findings = hasErrors(structure)
    ? structure
    : [...structure, ...capped(checkSheets(recipe, workbook))];
  return positions === undefined ? findings : locateFindings(findings, positions.position);
}

/** Sheets by name: looked up for every range, and a workbook may hold thousands. */
interface Sheets {
  readonly byName: ReadonlyMap<string, Sheet>;
  readonly names: readonly string[];
}

function* checkSheets(recipe: Recipe, workbook: Workbook): Generator<Finding> {
  const byName = new Map(workbook.sheets.map((sheet) => [sheet.name, sheet]));
  const sheets = { byName, names: [...byName.keys()] };
  for (const [index, table] of recipe.tables.entries()) yield* checkTable(table, `/tables/${index}`, sheets);
}

function* checkTable(table: TableRule, pointer: string, sheets: Sheets): Generator<Finding> {
  const several = typeof table.sheet !== "string";
  const own: Sheet[] = [];
  for (const [index, name] of sheetNamesOf(table).entries()) {
    const sheet = sheets.byName.get(name);
    if (sheet !== undefined) own.push(sheet);
    else yield missingSheet(name, several ? `${pointer}/sheet/${index}` : `${pointer}/sheet`, sheets.names);
  }
  yield* checkRanges(table.values.from, `${pointer}/values/from`, own, sheets);
  for (const [index, header] of table.headers.entries()) {
    yield* checkRanges(header.from ?? [], `${pointer}/headers/${index}/from`, own, sheets);
  }
}

function* checkRanges(
  texts: readonly string[],
  pointer: string,
  own: readonly Sheet[],
  sheets: Sheets,
): Generator<Finding> {
  for (const [index, text] of texts.entries()) {
    const reference = parseReference(text);
    if ("problem" in reference) continue;
    const at = `${pointer}/${index}`;
    if (reference.sheet !== null) {
      const sheet = sheets.byName.get(reference.sheet);
      if (sheet === undefined) yield missingSheet(reference.sheet, at, sheets.names);
      else yield* checkExtent(reference.range, [sheet], at);
    } else if (own.length > 0) yield* checkExtent(reference.range, own, at);
  }
}

/** On several sheets a range needs cells on one of them only: sister sheets differ in length. */
function checkExtent(range: Range, sheets: readonly Sheet[], pointer: string): Finding[] {
  const used = sheets.map((sheet) => sheet.used).filter((each) => each !== null);
  const touching = used.filter((each) => intersection(each, range) !== null);
  const extents = sheets
    .slice(0, 3)
    .map(
      (sheet) => `"${sheet.name}" ${sheet.used === null ? "is empty" : `ends at ${formatRange(sheet.used)}`}`,
    )
    .join(", ");
  if (touching.length === 0) {
    return [
      {
        code: "recipe-range-outside",
        severity: "error",
        message: "The range lies outside the sheet's cells.",
        pointer,
        expected: `a range inside the sheet: ${extents}`,
        actual: formatRange(range),
        hint: "Rows and columns count from 1; the row comes first.",
      },
    ];
  }
  const inside = touching.some((each) => range.bottom <= each.bottom && range.right <= each.right);
  if (inside) return [];
  return [
    {
      code: "recipe-range-beyond",
      severity: "warning",
      message: "The range reaches beyond the sheet's last cell.",
      pointer,
      expected: extents,
      actual: formatRange(range),
      hint: "Make the range as small as the table.",
    },
  ];
}

function missingSheet(name: string, pointer: string, names: readonly string[]): Finding {
  const meant = names.find((each) => each.trim() === name.trim()) ?? closestTo(name, names);
  const listed = names.slice(0, 30).map((each) => JSON.stringify(each));
  return {
    code: "recipe-missing-sheet",
    severity: "error",
    message: "The workbook has no sheet of this name.",
    pointer,
    expected: `one of: ${listed.join(", ")}${names.length > listed.length ? ", …" : ""}`,
    actual: JSON.stringify(name),
    ...(meant === null ? {} : { hint: `Did you mean ${JSON.stringify(meant)}?` }),
  };
}

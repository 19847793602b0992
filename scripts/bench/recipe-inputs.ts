import { readUserFile } from "../../src/io/user-files.ts";
import { checkPackage, readWorkbook } from "../../src/io/xlsx/read.ts";
import { type Finding, hasErrors, type Outcome } from "../../src/lib/findings.ts";
import { checkRecipe, parseRecipeLocated } from "../../src/lib/sheet/check.ts";
import { executeRecipe } from "../../src/lib/sheet/execute.ts";
import type { Workbook } from "../../src/lib/sheet/model.ts";
import type { Execution } from "../../src/lib/sheet/output.ts";
import type { Recipe } from "../../src/lib/sheet/recipe-schema.ts";
import { locateFindings, type StrictJson } from "../../src/lib/strict-json/parse.ts";

/** A recipe with the places of its values in the file. */
export interface LocatedRecipe {
  readonly recipe: Recipe;
  readonly json: StrictJson;
}

/** Reads the recipe a person named. */
export async function readRecipe(path: string): Promise<Outcome<LocatedRecipe>> {
  const file = await readUserFile(path);
  return file.ok ? parseRecipeLocated(file.value, path) : file;
}

/** Reads the workbook a person named. */
export async function readWorkbookFile(path: string): Promise<Outcome<Workbook>> {
  const file = await readUserFile(path);
  return file.ok ? readWorkbook(file.value, { path }) : file;
}

/** What is wrong with either file, both at once. */
export interface RecipeInputs {
  readonly workbook: Workbook | null;
  readonly recipe: LocatedRecipe | null;
  readonly findings: Finding[];
}

/**
 * Reads both files and checks the recipe against the workbook. A recipe that is wrong in itself is answered at once: of the
 * workbook it is only said whether it is a sound package, not what it holds.
 */
export async function readInputs(options: { workbook: string; recipe: string }): Promise<RecipeInputs> {
  const recipe = await readRecipe(options.recipe);
  if (!recipe.ok) {
    const file = await readUserFile(options.workbook);
    const outside = file.ok ? checkPackage(file.value, { path: options.workbook }) : file.findings;
    return { workbook: null, recipe: null, findings: [...outside, ...recipe.findings] };
  }
  const workbook = await readWorkbookFile(options.workbook);
  const findings: Finding[] = [...workbook.findings, ...recipe.findings];
  if (workbook.ok) {
    const { json } = recipe.value;
    const fit = checkRecipe(recipe.value.recipe, workbook.value);
    findings.push(...locateFindings(fit, json.position, options.recipe));
  }
  return {
    workbook: workbook.ok ? workbook.value : null,
    recipe: recipe.value,
    findings: distinct(findings),
  };
}

/** Reads, checks and executes. */
export async function execute(options: {
  workbook: string;
  recipe: string;
}): Promise<Outcome<{ workbook: Workbook; execution: Execution }>> {
  const { workbook, recipe, findings } = await readInputs(options);
  if (workbook === null || recipe === null || hasErrors(findings)) return { ok: false, findings };
  const outcome = executeRecipe(workbook, recipe.recipe);
  const all = distinct([
    ...findings,
    ...locateFindings(outcome.findings, recipe.json.position, options.recipe),
  ]);
  return outcome.ok
    ? { ok: true, value: { workbook, execution: outcome.value }, findings: all }
    : { ok: false, findings: all };
}

/** Each finding once: parsing and checking both look at a recipe's structure. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const key = JSON.stringify([finding.code, finding.pointer, finding.message]);
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh;
  });
}

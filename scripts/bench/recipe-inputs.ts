import { readUserFile } from "../../src/io/user-files.ts";
import { readWorkbook } from "../../src/io/xlsx/read.ts";
import { type Finding, hasErrors, type Outcome } from "../../src/lib/findings.ts";
import { parseRecipe } from "../../src/lib/sheet/check.ts";
import { executeRecipe } from "../../src/lib/sheet/execute.ts";
import type { Workbook } from "../../src/lib/sheet/model.ts";
import type { Execution } from "../../src/lib/sheet/output.ts";
import type { Recipe } from "../../src/lib/sheet/recipe-schema.ts";

/** Reads and checks the recipe a person named. */
export async function readRecipe(path: string): Promise<Outcome<Recipe>> {
  const file = await readUserFile(path);
  return file.ok ? parseRecipe(file.value, path) : file;
}

/** Reads the workbook a person named. */
export async function readWorkbookFile(path: string): Promise<Outcome<Workbook>> {
  const file = await readUserFile(path);
  return file.ok ? readWorkbook(file.value, { path }) : file;
}

/** Reads both, reports what is wrong with either at once, and executes. */
export async function execute(options: {
  workbook: string;
  recipe: string;
}): Promise<Outcome<{ workbook: Workbook; recipe: Recipe; execution: Execution }>> {
  const [workbook, recipe] = await Promise.all([
    readWorkbookFile(options.workbook),
    readRecipe(options.recipe),
  ]);
  const findings: Finding[] = [...workbook.findings, ...recipe.findings];
  if (!workbook.ok || !recipe.ok) return { ok: false, findings };
  const outcome = executeRecipe(workbook.value, recipe.value);
  // The engine knows pointers; the file is what the person gave.
  findings.push(...outcome.findings.map((finding) => ({ path: options.recipe, ...finding })));
  if (!outcome.ok || hasErrors(findings)) return { ok: false, findings };
  return {
    ok: true,
    value: { workbook: workbook.value, recipe: recipe.value, execution: outcome.value },
    findings,
  };
}

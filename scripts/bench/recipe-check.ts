import { hasErrors } from "../../src/lib/findings.ts";
import { checkRecipe } from "../../src/lib/sheet/check.ts";
import { register } from "./command.ts";
import { readRecipe, readWorkbookFile } from "./recipe-inputs.ts";

/** Checks a recipe without executing it; with a workbook, also against its sheets. */
export const recipeCheck = register<{ recipe: string; workbook?: string }>({
  words: ["recipe", "check"],
  summary: "check a recipe, on its own or against a workbook",
  declare: (command) =>
    command
      .requiredOption("--recipe <file>", "the recipe (JSON)")
      .option("--workbook <file>", "the .xlsx workbook to check it against"),
  async action(options, { stdout }) {
    const recipe = await readRecipe(options.recipe);
    const findings = [...recipe.findings];
    if (options.workbook !== undefined) {
      const workbook = await readWorkbookFile(options.workbook);
      findings.push(...workbook.findings);
      if (recipe.ok && workbook.ok) {
        findings.push(
          ...checkRecipe(recipe.value, workbook.value).map((finding) => ({
            path: options.recipe,
            ...finding,
          })),
        );
      }
    }
    if (!hasErrors(findings)) {
      stdout.write(`The recipe is sound${options.workbook === undefined ? "" : " and fits the workbook"}.\n`);
    }
    return findings;
  },
});

import { hasErrors } from "../../src/lib/findings.ts";
import { register } from "./command.ts";
import { readInputs, readRecipe } from "./recipe-inputs.ts";

/** Checks a recipe without executing it; with a workbook, also against its sheets. */
export const recipeCheck = register<{ recipe: string; workbook?: string }>({
  words: ["recipe", "check"],
  summary: "check a recipe, on its own or against a workbook",
  declare: (command) =>
    command
      .requiredOption("--recipe <file>", "the recipe (JSON)")
      .option("--workbook <file>", "the .xlsx workbook to check it against"),
  async action(options, { stdout }) {
    const { findings } =
      options.workbook === undefined
        ? await readRecipe(options.recipe)
        : await readInputs({ workbook: options.workbook, recipe: options.recipe });
    if (!hasErrors(findings)) {
      stdout.write(`The recipe is sound${options.workbook === undefined ? "" : " and fits the workbook"}.\n`);
    }
    return findings;
  },
});

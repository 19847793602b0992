import { styleFor } from "../../src/io/terminal.ts";
import { writeUserFile } from "../../src/io/user-files.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { defaultRegion, layoutPicture } from "../../src/lib/picture/layout.ts";
import { rolesOf } from "../../src/lib/picture/roles.ts";
import { renderSvg } from "../../src/lib/picture/svg.ts";
import { renderTerminal } from "../../src/lib/picture/terminal.ts";
import { parseReference } from "../../src/lib/sheet/address.ts";
import { displayedText } from "../../src/lib/sheet/display.ts";
import type { Range, Sheet } from "../../src/lib/sheet/model.ts";
import type { Execution } from "../../src/lib/sheet/output.ts";
import { register } from "./command.ts";
import { execute } from "./recipe-inputs.ts";

interface ShowOptions {
  workbook: string;
  recipe: string;
  svg?: string;
  region?: string;
  sheet?: string;
}

/** Draws what a recipe takes from a sheet: values, headers and what it leaves. */
export const recipeShow = register<ShowOptions>({
  words: ["recipe", "show"],
  summary: "draw what a recipe takes from a sheet, in the terminal or as SVG",
  declare: (command) =>
    command
      .requiredOption("--workbook <file>", "the .xlsx workbook")
      .requiredOption("--recipe <file>", "the recipe (JSON)")
      .option("--svg <file>", "write an SVG document there instead (- is standard output)")
      .option(
        "--region <range>",
        "what to draw, for example R1C1:R20C10 (default: all that the recipe takes)",
      )
      .option("--sheet <name>", "which sheet (default: the one with the recipe's first value)"),
  async action(options, { stdout }) {
    const outcome = await execute(options);
    if (!outcome.ok) return outcome.findings;
    const { workbook, execution } = outcome.value;
    const sheet = chooseSheet(workbook.sheets, execution, options.sheet);
    if (!("rows" in sheet)) return [...outcome.findings, sheet];
    const roles = rolesOf(execution, sheet.name);
    const region = chooseRegion(options.region) ?? defaultRegion(sheet, roles);
    if ("code" in region) return [...outcome.findings, region];
    const textOf = (cell: Parameters<typeof displayedText>[0]) => displayedText(cell, workbook.date1904);
    const findings = [...outcome.findings];
    if (options.svg === undefined) {
      const style = styleFor(stdout);
      const width = process.stdout.columns ?? 120;
      stdout.write(
        renderTerminal(layoutPicture(sheet, region, roles, { textOf }), { colour: style.colour, width }),
      );
    } else {
      const svg = renderSvg(layoutPicture(sheet, region, roles, { maxRows: 80, maxColumns: 30, textOf }));
      if (options.svg === "-") stdout.write(svg);
      else findings.push(...(await writeUserFile(options.svg, svg)));
    }
    return findings;
  },
});

function chooseSheet(
  sheets: readonly Sheet[],
  execution: Execution,
  wanted: string | undefined,
): Sheet | Finding {
  const first = execution.valueTrace[0];
  const name = wanted ?? (first === undefined ? sheets[0]?.name : first.slice(0, first.lastIndexOf("!")));
  const sheet = sheets.find((candidate) => candidate.name === name);
  if (sheet !== undefined) return sheet;
  return {
    code: "bench-no-such-sheet",
    severity: "error",
    message: `The workbook has no sheet "${name ?? ""}".`,
    hint: `It has: ${sheets.map((candidate) => `"${candidate.name}"`).join(", ")}.`,
  };
}

function chooseRegion(text: string | undefined): Range | Finding | null {
  if (text === undefined) return null;
  const reference = parseReference(text);
  if ("range" in reference && reference.sheet === null) return reference.range;
  return {
    code: "bench-bad-region",
    severity: "error",
    message: `"${text}" ${"problem" in reference ? reference.problem : "names a sheet; use --sheet for that"}.`,
    hint: "Write it as R1C1:R20C10.",
  };
}

import { printable, printFindings } from "../../src/io/terminal.ts";
import { measureSuite, type PromptSize } from "../../src/jobs/run-prompts.ts";
import { PROMPT_MODES } from "../../src/lib/run/prompt.ts";
import { readSettings, type TypedOptions } from "../../src/lib/run/settings.ts";
import { renderTable } from "../../src/lib/run/table.ts";
import { refusalCode } from "./end-usage.ts";

/** `bench:run --suite <id> --measure`: what every member's first prompt takes in each mode. Returns the exit code. */
export async function measureCommand(typed: TypedOptions, root: string): Promise<number> {
  const settings = readSettings({ model: "baseline/heuristic", ...typed });
  const measured = settings.ok
    ? await measureSuite(root, settings.value.suite, settings.value.format)
    : settings;
  if (!measured.ok) {
    printFindings(measured.findings);
    return refusalCode(measured.findings);
  }
  const { tokenizer, sizes } = measured.value;
  const members = [...new Set(sizes.map(({ member }) => member))];
  const cell = (size: PromptSize | undefined): string =>
    size === undefined || size.tokens === null ? "-" : String(size.tokens);
  const rows = members.map((member) => {
    const of = (mode: string): PromptSize | undefined =>
      sizes.find((size) => size.member === member && size.mode === mode);
    const chosen = of("auto-1");
    return [member, ...PROMPT_MODES.map((mode) => cell(of(mode))), chosen?.form ?? chosen?.message ?? ""];
  });
  const total = PROMPT_MODES.map((mode) => {
    const known = sizes.flatMap((size) => (size.mode === mode && size.tokens !== null ? [size.tokens] : []));
    return String(known.reduce((sum, tokens) => sum + tokens, 0));
  });
  process.stdout.write(
    `${[
      `Tokens of first prompts (${tokenizer}, with system text and recipe schema):`,
      ...renderTable(
        [["member", ...PROMPT_MODES, "auto-1 sends"], ...rows, ["sum of those that fit", ...total, ""]],
        [1, 2, 3],
      ),
    ]
      .map(printable)
      .join("\n")}\n`,
  );
  return 0;
}

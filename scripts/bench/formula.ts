import { Option } from "commander";
import { printable, type TextSink } from "../../src/io/terminal.ts";
import { readStandardInput, readUserFile, STANDARD_INPUT } from "../../src/io/user-files.ts";
import { MAX_INPUT_BYTES, type RegisteredFormula, type Worked } from "../../src/lib/code/formula/formula.ts";
import { describeInput } from "../../src/lib/code/formula/page.ts";
import { FORMULAS } from "../../src/lib/code/formula/registry.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { closestTo } from "../../src/lib/strict-json/closest.ts";
import { register } from "./command.ts";

interface FormulaOptions {
  name: string;
  input?: string;
  example?: boolean;
  json?: boolean;
}

/** Works one formula: every step with the numbers put in, and the result. Without an input, says what it takes. */
export const formula = register<FormulaOptions>({
  words: ["formula", "work"],
  isDefault: true,
  summary: "work one formula: bench formula <name> --input <file>",
  declare: (command) =>
    command
      .argument("<name>", "its name, as `bench formula list` gives it")
      .option("--input <file>", "the input (JSON; - is standard input)")
      .addOption(new Option("--example", "work the documented example").conflicts("input"))
      .option("--json", "result and steps as JSON"),
  async action(options, { stdout }) {
    const found = FORMULAS.find(({ name }) => name === options.name);
    if (found === undefined) return [unknownFormula(options.name)];
    if (options.input === undefined && options.example !== true) {
      describe(found, stdout);
      return [];
    }
    const text = await readInput(found, options.input);
    if (!text.ok) return text.findings;
    const path = options.input === undefined || options.input === "-" ? STANDARD_INPUT : options.input;
    const worked = found.compute(text.value, path);
    if (!worked.ok) return worked.findings;
    if (options.json === true)
      stdout.write(`${JSON.stringify({ formula: found.name, ...worked.value }, null, 2)}\n`);
    else show(worked.value, stdout);
    return [];
  },
});

async function readInput({ example }: RegisteredFormula, input: string | undefined) {
  if (input === undefined) return { ok: true as const, value: JSON.stringify(example) };
  return input === "-" ? readStandardInput(MAX_INPUT_BYTES) : readUserFile(input, MAX_INPUT_BYTES);
}

function show({ steps, result }: Worked, stdout: TextSink): void {
  for (const step of steps) stdout.write(`${printable(step)}\n`);
  stdout.write(`result: ${printable(JSON.stringify(result))}\n`);
}

function describe(
  { name, title, section, formula: text, input, example }: RegisteredFormula,
  stdout: TextSink,
): void {
  stdout.write(
    `${name}: ${title} (methodology: ${section})\n\n  ${text}\n\ninput:   ${describeInput(input)}\nexample: ${JSON.stringify(example)}\n`,
  );
}

function unknownFormula(name: string): Finding {
  const meant = closestTo(
    name,
    FORMULAS.map((each) => each.name),
  );
  return {
    code: "code-formula-unknown",
    severity: "error",
    message: "There is no formula of this name.",
    actual: name,
    hint: meant === null ? "`bench formula list` lists them." : `Did you mean "${meant}"?`,
  };
}

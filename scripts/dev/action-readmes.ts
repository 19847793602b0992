// npm run action-readmes              writes the tables of inputs and outputs into actions/*/README.md
// npm run action-readmes -- --check   fails when one is not current
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));

const actionSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z
    .record(
      z.string(),
      z.object({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
    )
    .default({}),
  outputs: z.record(z.string(), z.object({ description: z.string() })).default({}),
});

const BEGIN = "<!-- made from action.yml by npm run action-readmes; do not edit -->";
const END = "<!-- end of what action.yml says -->";

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();

/** The generated part of an action's README. */
export function renderTables(actionYml: string): string {
  const { inputs, outputs } = actionSchema.parse(parse(actionYml));
  const lines = [BEGIN, "", "## Inputs", "", "| Input | Required | Default | Meaning |", "|---|---|---|---|"];
  for (const [name, input] of Object.entries(inputs)) {
    const preset = input.default === undefined || input.default === "" ? "" : `\`${input.default}\``;
    lines.push(
      `| \`${name}\` | ${input.required === true ? "yes" : "no"} | ${preset} | ${cell(input.description)} |`,
    );
  }
  lines.push("", "## Outputs", "", "| Output | Meaning |", "|---|---|");
  for (const [name, output] of Object.entries(outputs))
    lines.push(`| \`${name}\` | ${cell(output.description)} |`);
  lines.push("", END);
  return lines.join("\n");
}

/** A README with its generated part replaced (or added at the end, when it has none). */
export function withTables(readme: string, tables: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) return `${readme.trimEnd()}\n\n${tables}\n`;
  return `${readme.slice(0, begin)}${tables}${readme.slice(end + END.length)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes("--check");
  for (const name of readdirSync(join(root, "actions"))) {
    const file = join(root, "actions", name, "README.md");
    const readme = readFileSync(file, "utf8");
    const current = withTables(
      readme,
      renderTables(readFileSync(join(root, "actions", name, "action.yml"), "utf8")),
    );
    if (current === readme) continue;
    if (check) {
      console.error(`actions/${name}/README.md is not current: npm run action-readmes`);
      process.exitCode = 1;
    } else writeFileSync(file, current);
  }
}

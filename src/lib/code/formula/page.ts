import { z } from "zod";
import type { RegisteredFormula } from "./formula.ts";

/** The text of docs/formulas.md: every formula with its input's form and a worked example. */
export const renderFormulas = (formulas: readonly RegisteredFormula[]): string =>
  `${[
    "<!-- made by npm run docs; do not edit -->",
    "",
    "# Formulas",
    "",
    "Every number of the code benchmark can be checked by itself: `tools/bench formula <name> --input x.json` takes the input from a",
    "file (`-` is standard input), prints each step with the numbers put in, and then the result, unrounded. `--example` works the example",
    "below, `--json` gives everything as JSON, `tools/bench formula list` lists the names. Keys with a `?` may be left out. Steps show six decimals; unknown is `null`, with",
    "the reason, never 0.",
    "",
    "| Formula | Computes | Section of the methodology |",
    "|---|---|---|",
    ...formulas.map(
      ({ name, title, section }) => `| [\`${name}\`](#${name}) | ${cell(title)} | ${cell(section)} |`,
    ),
    ...formulas.flatMap(renderFormula),
  ].join("\n")}\n`;

const cell = (text: string): string => text.replaceAll("|", "\\|");

function renderFormula(formula: RegisteredFormula): string[] {
  const example = JSON.stringify(formula.example);
  const worked = formula.compute(example, "example");
  if (!worked.ok) throw new Error(`${formula.name}: the example is no input: ${worked.findings[0]?.message}`);
  const { steps, result } = worked.value;
  return [
    "",
    `## ${formula.name}`,
    "",
    `${formula.title}. Methodology: *${formula.section}*.`,
    "",
    "```text",
    formula.formula,
    "```",
    "",
    "Input:",
    "",
    "```text",
    describeInput(formula.input),
    "```",
    "",
    "Example:",
    "",
    "```json",
    ...wrapped(formula.example),
    "```",
    "",
    "gives",
    "",
    "```text",
    ...steps,
    `result: ${JSON.stringify(result)}`,
    "```",
  ];
}

/** JSON with one line for each item of a list and each key at the top. */
function wrapped(value: unknown): string[] {
  const lines = Object.entries(value as Record<string, unknown>).map(([key, held]) => {
    const items =
      Array.isArray(held) && held.some((item) => item !== null && typeof item === "object") ? held : null;
    if (items === null) return `  ${JSON.stringify(key)}: ${JSON.stringify(held)}`;
    return `  ${JSON.stringify(key)}: [\n${items.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
  });
  return `{\n${lines.join(",\n")}\n}`.split("\n");
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** The form of an input as a reader sees it, `?` for keys that may be left out: `{ runs: (number or null)[] }`. */
export function describeInput(schema: z.ZodType): string {
  return form(z.toJSONSchema(schema, { io: "input" }) as JsonSchema);
}

function form(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(form).join(" or ");
  const { type } = schema;
  if (Array.isArray(type)) return type.map((each) => form({ ...schema, type: each })).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.type === "object") {
    const needed = new Set(schema.required);
    const fields = Object.entries(schema.properties ?? {}).map(
      ([key, held]) => `${key}${needed.has(key) ? "" : "?"}: ${form(held)}`,
    );
    if (schema.additionalProperties) fields.push(`…: ${form(schema.additionalProperties)}`);
    return `{ ${fields.join(", ")} }`;
  }
  if (schema.type === "array") {
    const item = form(schema.items ?? {});
    return / or /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === "string") return "text";
  if (schema.type === "integer") return `whole number${limits(schema)}`;
  return schema.type === "number" ? `number${limits(schema)}` : String(schema.type ?? "anything");
}

function limits({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const shownMaximum = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const shownMinimum = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (shownMinimum !== undefined && shownMaximum !== undefined) return ` ${shownMinimum} … ${shownMaximum}`;
  if (shownMinimum !== undefined) return ` ≥ ${shownMinimum}`;
  if (exclusiveMinimum !== undefined) return ` > ${exclusiveMinimum}`;
  return shownMaximum === undefined ? "" : ` ≤ ${shownMaximum}`;
}

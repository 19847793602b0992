import type { z } from "zod";
import type { Outcome } from "../../findings.ts";
import type { Known } from "../../stats/known.ts";
import { parseWithSchema } from "../../strict-json/schema.ts";
import { shown } from "./show.ts";

/** What a formula came to, and how, a line for each step with the numbers put in. */
export interface Worked {
  /** Unrounded; unknown is null with a reason beside it. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly steps: readonly string[];
}

/** One formula of the methodology that anybody can check by itself. */
export interface Formula<Input> {
  /** Stable, kebab-case. */
  readonly name: string;
  readonly title: string;
  /** Section of the methodology that defines it. */
  readonly section: string;
  /** In words and signs; units where there are any. */
  readonly formula: string;
  readonly input: z.ZodType<Input>;
  readonly example: Input;
  readonly compute: (input: Input) => Worked;
}

/** A formula ready for the registry: its input's type is its own affair. */
export interface RegisteredFormula extends Omit<Formula<unknown>, "input" | "example" | "compute"> {
  readonly input: z.ZodType;
  readonly example: unknown;
  /** Checks the text as strict JSON of the input's form and computes; `code-formula-…` findings with line and column. */
  readonly compute: (json: Uint8Array | string, path: string) => Outcome<Worked>;
}

/** An input may not be larger. */
export const MAX_INPUT_BYTES = 8 * 1024 * 1024;

export const defineFormula = <Input>(formula: Formula<Input>): RegisteredFormula => ({
  ...formula,
  compute(json, path) {
    const parsed = parseWithSchema(json, formula.input, {
      code: "code-formula",
      path,
      maxBytes: MAX_INPUT_BYTES,
    });
    return parsed.ok ? { ok: true, value: formula.compute(parsed.value), findings: [] } : parsed;
  },
});

/** The result and last step of a number that may be unknown. */
export function workedValue(value: Known, steps: readonly string[], last: string): Worked {
  return value.value === null
    ? {
        result: { value: null, reason: value.reason },
        steps: [...steps, `${last}: unknown, because ${value.reason}`],
      }
    : { result: { value: value.value }, steps: [...steps, `${last} = ${shown(value.value)}`] };
}

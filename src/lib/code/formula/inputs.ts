import { z } from "zod";

/** Parts of the inputs of formulas. Limits keep a mistyped file from keeping a machine busy. */
export const MOST_ITEMS = 10_000;

export const idInput = z.string().min(1).max(300);
export const idsInput = z.array(idInput).max(MOST_ITEMS);
export const scoreInput = z.number().min(0).max(10);
export const numbersInput = z.array(z.number()).max(MOST_ITEMS);
export const gapsInput = z.array(z.number().nullable()).max(MOST_ITEMS);
export const usdInput = z.number().nonnegative();
export const secondsInput = z.number().nonnegative();
export const countInput = z.int().nonnegative();
export const listOf = <T>(item: z.ZodType<T>) => z.array(item).max(MOST_ITEMS);

export const hiddenInput = z
  .strictObject({ passed: countInput, total: countInput })
  .refine(({ passed, total }) => passed <= total, "More categories passed than there are.");

export const findingInput = z.strictObject({
  severity: z.enum(["critical", "high", "medium", "low", "nit"]),
  category: z.enum([
    "correctness",
    "robustness",
    "performance",
    "abi",
    "tests",
    "docs",
    "misleading-docs",
    "dead-code",
    "redundancy",
    "verbosity",
    "style",
  ]),
  false_positive: z.boolean(),
});

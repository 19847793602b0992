import { z } from "zod";

/** Inputs shared by the two actions of a result pull request. */

export const sha = z.string().regex(/^[0-9a-f]{40}$/, "expected 40 lower-case hex digits");
/** An input that may be left empty; it then is null. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal("").transform(() => null), schema], {
    error: () => "expected nothing, or what actions/*/action.yml describes",
  });
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/, "expected ISO 8601 UTC")
  // GitHub cuts to the second; whatever happened within it had happened by its end.
  .transform((text) => (text.length === 20 ? text.replace("Z", ".999Z") : text));

export const commitInputs = {
  "pull-request": optional(
    z
      .string()
      .regex(/^[1-9]\d{0,9}$/, "expected a number")
      .transform(Number),
  ),
  "base-sha": sha,
  "head-sha": optional(sha),
  "merge-sha": optional(sha),
};

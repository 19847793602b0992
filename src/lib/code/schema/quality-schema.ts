import { z } from "zod";
import { digestSchema, instantSchema } from "../../benchmarks/suite-schema.ts";

const count = z.int().nonnegative();
const words = (most: number) => z.string().min(1).max(most);

/** One function: index in `files`, 1-based line of its head, cyclomatic complexity, name. A row, since a round has ten thousands. */
const functionRowSchema = z.tuple([count, z.int().positive(), z.int().positive(), z.string().max(200)]);

/**
 * Cyclomatic complexity: every function that was found, or why none can be. `syntax_errors` counts the places that the parser
 * could not read; functions there are found by their tokens alone.
 */
export const complexitySchema = z.union([
  z.strictObject({ functions: z.array(functionRowSchema).max(20000), syntax_errors: count }),
  z.strictObject({ unsupported: words(200) }),
]);

/** What the task's own linter said, as counted by `bin/check`. */
export const lintSchema = z.strictObject({ tool: words(60), version: words(60), warnings: count });

/**
 * What tools measured of one deliverable: counts only, from which every share and mean is derived
 * (`src/lib/code/quality/summary.ts`). Test files and Rust's `#[cfg(test)]` modules are left out of all of it.
 */
export const qualitySchema = z
  .strictObject({
    at: instantSchema,
    /**
     * What found the functions: `tree` (syntax trees of `grammar`, by the rules of `version`) or `lizard`. Never mixed in
     * one table.
     */
    tool: z.strictObject({
      name: z.enum(["tree", "lizard"]),
      version: words(30),
      grammar: words(60).optional(),
    }),
    /** The implementation files, sorted by path in code-unit order. What else was delivered is tests, text or data. */
    files: z.array(z.strictObject({ path: words(300), sha256: digestSchema })).max(200),
    lines: z.strictObject({
      /** Lines with code on them. */
      implementation: count,
      /** Lines with nothing but comment. */
      comment: count,
      /** Lines of code that are more than a lone bracket. */
      significant: count,
      /** Significant lines inside a block of six or more that appears more than once. */
      duplicated: count,
    }),
    complexity: complexitySchema,
    lint: lintSchema.optional(),
  })
  .refine(({ lines }) => lines.significant <= lines.implementation && lines.duplicated <= lines.significant, {
    path: ["lines"],
    message: "expected duplicated ≤ significant ≤ implementation",
  })
  .refine(
    ({ files, complexity }) =>
      "unsupported" in complexity || complexity.functions.every(([file]) => file < files.length),
    { path: ["complexity", "functions"], message: "expected indexes of `files`" },
  );

export type Quality = z.infer<typeof qualitySchema>;
export type Complexity = z.infer<typeof complexitySchema>;
export type Lint = z.infer<typeof lintSchema>;

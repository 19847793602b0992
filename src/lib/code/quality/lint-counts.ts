import { z } from "zod";
import { segmentSchema } from "../../benchmarks/suite-schema.ts";

/** What a task's linter counted, entry by entry, as `--lint` takes it. */
export const lintCountsSchema = z.strictObject({
  /** The linter: `cargo clippy`. */
  tool: z.string().min(1).max(60),
  version: z.string().min(1).max(60),
  entries: z.array(z.strictObject({ id: segmentSchema, warnings: z.int().nonnegative() })).max(1000),
});

export type LintCounts = z.infer<typeof lintCountsSchema>;

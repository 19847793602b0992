import { z } from "zod";
import { segmentSchema } from "../benchmarks/suite-schema.ts";
import { textSchema } from "../code/schema/names.ts";
import type { Finding } from "../findings.ts";

/** `flawed/<name>/expect.json`: a deliverable that is wrong on purpose, and what must notice it. */
export const flawedSchema = z.strictObject({
  /** Categories of the hidden suite that fail; all others pass. */
  fails: z.array(segmentSchema).min(1).max(64),
  why: textSchema(500),
});

/** One thing that a task promises of itself, and whether it is so. */
export interface Proof {
  /** `reference`, `scaffold`, `flawed/<name>`, `speed`. */
  readonly of: string;
  readonly holds: boolean;
  /** What was seen, in a few words. */
  readonly seen: string;
}

type Categories = readonly { readonly id: string; readonly passed: boolean }[];

const failedOf = (categories: Categories): string[] =>
  categories.filter(({ passed }) => !passed).map(({ id }) => id);

const list = (ids: readonly string[]): string => (ids.length === 0 ? "nothing" : ids.join(", "));

/** The reference passes everything: the examples of SPEC.md and every category. */
export function proveReference(examples: Categories, categories: Categories): Proof {
  const failed = [...failedOf(examples), ...failedOf(categories)];
  const holds = failed.length === 0 && categories.length > 0;
  const seen = holds
    ? `passes ${examples.length} examples and ${categories.length} categories`
    : `fails ${list(failed)}`;
  return { of: "reference", holds, seen };
}

/** The scaffold fails: whoever delivers it unchanged has nothing. */
export function proveScaffold(categories: Categories): Proof {
  const passed = categories.length - failedOf(categories).length;
  return {
    of: "scaffold",
    holds: categories.length > 0 && passed < categories.length,
    seen: `passes ${passed} of ${categories.length} categories`,
  };
}

/** A deliverable that is wrong on purpose fails exactly what it should. */
export function proveFlawed(name: string, expected: readonly string[], categories: Categories): Proof {
  const failed = failedOf(categories);
  const holds = [...failed].sort().join() === [...expected].sort().join();
  const seen = holds ? `fails ${list(failed)}` : `fails ${list(failed)}; should fail ${list(expected)}`;
  return { of: `flawed/${name}`, holds, seen };
}

/** What was measured of the reference against itself. */
export interface OwnSpeed {
  /** Instructions were counted, not time. */
  readonly proxy: boolean;
  readonly ratio: number;
  /** The reference against itself, timed: what this host shows where nothing differs. */
  readonly floor: { readonly low: number; readonly high: number } | null;
  readonly flags: readonly string[];
}

/**
 * The reference against itself is 1. By digest that is so at once, so the samples of the reference with itself are looked at as well:
 * their interval must hold 1, unless the host says itself that it was too noisy to tell.
 */
export function proveSpeed({ proxy, ratio, floor, flags }: OwnSpeed): Proof {
  const within = floor === null || (floor.low <= 1 && 1 <= floor.high);
  const noisy = flags.length > 0 ? `; ${flags.join(", ")}: make it again on a quiet host` : "";
  const range = floor === null ? "" : `, timed ${floor.low.toFixed(3)} to ${floor.high.toFixed(3)}`;
  return {
    of: "speed",
    holds: Math.abs(ratio - 1) < 1e-9 && (within || flags.length > 0),
    seen: `${proxy ? "by instruction counts " : ""}${ratio.toFixed(3)} against itself${range}${noisy}`,
  };
}

/** What does not hold, as findings. */
export const proofFindings = (task: string, proofs: readonly Proof[]): Finding[] =>
  proofs
    .filter(({ holds }) => !holds)
    .map(({ of, seen }) => ({
      code: "task-promise",
      severity: "error",
      path: `tasks/${task}/${of}`,
      message: of === "speed" ? `It is ${seen}.` : `It ${seen}.`,
      hint: "docs/tasks.md says what a task must show of itself; mend the task, not the expectation.",
    }));

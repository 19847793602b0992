import { z } from "zod";

/**
 * A model id as `data/models.json` lists it: lower case, with the characters that vendors use. It may hold `@`, since a
 * configuration is split at its last one.
 */
export const modelIdSchema = z.string().regex(/^[a-z0-9][a-z0-9._@-]{0,199}$/);

/** A level of effort: `low`, `high`, `xhigh`, `max` … or `default` where the model has none. */
export const effortSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,29}$/);

/** `model@effort`: one contestant, lead or judge. */
export const configurationSchema = z.string().regex(/^[a-z0-9][a-z0-9._@-]{0,199}@[a-z0-9][a-z0-9-]{0,29}$/);

/** The two parts of a configuration, split at its last `@`. @throws RangeError when the text is none. */
export function parseConfiguration(configuration: string): { model: string; effort: string } {
  const at = configuration.lastIndexOf("@");
  if (at <= 0) throw new RangeError(`not model@effort: ${configuration}`);
  return { model: configuration.slice(0, at), effort: configuration.slice(at + 1) };
}

/** A path inside a deliverable: relative, `/`-separated, no step upwards, no hidden folder of git. */
export const deliverablePathSchema = z
  .string()
  .max(300)
  .regex(/^(?!\.git(?:\/|$))(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/);

/** Words for people: one to so many characters, no control characters but newlines and tabs. */
export const textSchema = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is about.
    .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/);

export const SEVERITIES = ["critical", "high", "medium", "low", "nit"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Each category of a finding and the group it belongs to (methodology, "Council"). */
export const CATEGORY_GROUPS = {
  correctness: "defects",
  robustness: "defects",
  performance: "defects",
  abi: "defects",
  tests: "under-delivery",
  docs: "under-delivery",
  "misleading-docs": "slop",
  "dead-code": "slop",
  redundancy: "slop",
  verbosity: "slop",
  style: "other",
} as const;
export type Category = keyof typeof CATEGORY_GROUPS;
export const CATEGORIES = Object.keys(CATEGORY_GROUPS) as [Category, ...Category[]];

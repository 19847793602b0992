import { z } from "zod";

/**
 * One thing that is wrong (or worth knowing) about something a person sent.
 * Codes are stable kebab-case words (`recipe-unknown-key`); `docs/findings.md` explains each.
 */
export const findingSchema = z.strictObject({
  code: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  /** `error` blocks; `warning` asks for a look; `notice` informs. */
  severity: z.enum(["error", "warning", "notice"]),
  /** What is wrong, in one sentence, for the person who can fix it. */
  message: z.string(),
  /** Repository-relative file, `/`-separated. */
  path: z.string().optional(),
  /** RFC 6901 JSON pointer inside the file. */
  pointer: z.string().optional(),
  /** 1-based position in the file. */
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** How to fix it. */
  hint: z.string().optional(),
});

export type Finding = z.infer<typeof findingSchema>;

/** Either a value, or at least one `error` finding that says why there is none. */
export type Outcome<T> = { ok: true; value: T; findings: Finding[] } | { ok: false; findings: Finding[] };

/** True when any finding blocks. */
export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === "error");

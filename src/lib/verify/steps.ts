import type { Finding } from "../findings.ts";

/** The way back from a row of the board to its evidence, as steps that each hold or do not. Pure. */

export const STEP_IDS = [
  "published",
  "tree",
  "row",
  "document",
  "arrival",
  "suite",
  "rules",
  "evidence",
  "scores",
  "rank",
  "feed",
  "signature",
] as const;
export type StepId = (typeof STEP_IDS)[number];

export interface Step {
  readonly id: StepId;
  /** `open`: it could not be told here, and why is said. */
  readonly state: "holds" | "fails" | "open";
  readonly text: string;
  /** What is wrong, one for each thing. */
  readonly findings: readonly Finding[];
}

export const holds = (id: StepId, text: string): Step => ({ id, state: "holds", text, findings: [] });

export const open = (id: StepId, text: string, findings: readonly Finding[] = []): Step => ({
  id,
  state: "open",
  text,
  findings,
});

/** A step that does not hold, with its finding `verify-<id>`. */
export const fails = (id: StepId, message: string, more: Partial<Finding> = {}): Step => ({
  id,
  state: "fails",
  text: message,
  findings: [{ code: `verify-${id}`, severity: "error", message, ...more }],
});

/** A step about two values that have to be equal. */
export const same = (id: StepId, text: string, expected: string, actual: string, path?: string): Step =>
  expected === actual
    ? holds(id, text)
    : fails(id, `Not so: ${text}`, {
        expected,
        actual,
        ...(path === undefined ? {} : { path }),
      });

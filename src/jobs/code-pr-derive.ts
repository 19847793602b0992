import type { DataSource } from "../io/code/data-source.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import { boardOf } from "../lib/code/movement/board.ts";
import { moveData } from "../lib/code/movement/move.ts";
import type { Movement } from "../lib/code/movement/movement-schema.ts";
import type { Revised } from "../lib/code/movement/revisions.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import { copiedDeliverables, newEvidence } from "../lib/result-pr/code-copies.ts";
import { type CodeLevels, levelsOf } from "../lib/result-pr/code-levels.ts";
import { readCodeData } from "./code-data.ts";

/** Both states of the facts, derived by the same code, and what moves between them. */

export interface DeriveInput {
  readonly before: DataSource;
  readonly after: DataSource;
  /** The pull request breaks a rule already: its facts are checked, and nothing is derived from them. */
  readonly blocked: boolean;
  readonly documents: readonly Revised[];
  /** Whether runs made by a generator count: when a round is tried out, never where results are merged. */
  readonly synthetic: boolean;
}

export interface Derived {
  readonly findings: readonly Finding[];
  /** Null when the facts do not hold, or when there is no run. */
  readonly movement: Movement | null;
  readonly levels: CodeLevels;
  readonly evidence: string[];
  /** The data as they would be; null when nothing is derived. */
  readonly data: Data | null;
}

/** Of facts that nothing is derived from. */
export const UNDERIVED = { movement: null, levels: {}, evidence: [] as string[], data: null } as const;

/** Checks the facts as they would be, and derives what moves. */
export async function deriveMovement(input: DeriveInput): Promise<Derived> {
  const { before, after, blocked, documents, synthetic } = input;
  // Deliverables are looked at by themselves.
  const options = { synthetic, deliverables: false };
  const now = await readCodeData(after, options);
  if (hasErrors(now.findings)) {
    const was = await readCodeData(before, options);
    return { ...UNDERIVED, findings: apart(now.findings, was.findings) };
  }
  if (now.data === null || blocked) return { ...UNDERIVED, findings: now.findings };
  const was = await readCodeData(before, options);
  return {
    findings: [...now.findings, ...copiedDeliverables(was.data, now.data)],
    movement: moveData({
      before: was.data,
      after: now.data,
      boards: { before: was.data === null ? null : boardOf(was.data), after: boardOf(now.data) },
      documents,
    }),
    levels: levelsOf(was.data, now.data),
    evidence: newEvidence(was.data, now.data),
    data: now.data,
  };
}

const identity = ({ code, path, pointer, message }: Finding): string =>
  JSON.stringify([code, path, pointer, message]);

/** What is wrong with the base already is not this pull request's doing, and said once. */
function apart(now: readonly Finding[], was: readonly Finding[]): Finding[] {
  const known = new Set(was.map(identity));
  const own = now.filter((finding) => !known.has(identity(finding)));
  const [first] = was.filter(({ severity }) => severity === "error");
  if (first === undefined) return own;
  return [
    ...own,
    {
      code: "grader-code-base",
      severity: "error",
      message: `The facts on the base branch do not hold (${first.code}), so nothing can be derived from them.`,
      ...(first.path === undefined ? {} : { path: first.path }),
      hint: "A maintainer runs `bench data check` on main and mends what it finds.",
    },
  ];
}

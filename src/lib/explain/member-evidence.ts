import { isPrivateMember, type PrivacyOptions } from "../benchmarks/privacy.ts";
import type { ResultMember } from "../benchmarks/result-schema.ts";
import type { SuiteMember } from "../benchmarks/suite-schema.ts";
import { digestOf } from "../digest.ts";
import type { Workbook } from "../sheet/model.ts";
import type { Execution } from "../sheet/output.ts";
import { cellText } from "./cell-text.ts";
import { explainMember, type MemberExplanation } from "./explanation.ts";
import { type GridLimits, type Grids, gridsOf } from "./grid.ts";

/** What can be shown of one member's sheets, and of what recipes made of them. */
export interface MemberEvidence {
  readonly id: string;
  /** What the reference takes; null when the sheets are not shown. */
  readonly reference: Grids | null;
  /** Why the sheets are not shown, in a sentence; null when they are. */
  readonly reason: string | null;
  /** Recipes whose table or traces differ from the reference's, one for all results that made the same of it. */
  readonly produced: readonly ProducedEvidence[];
  /** Digests of results that differ too, and for which there was no place. */
  readonly omitted: readonly string[];
}

export interface ProducedEvidence {
  /** Digests of the results. */
  readonly results: readonly string[];
  readonly explanation: MemberExplanation;
  readonly grids: Grids;
}

export interface MemberEvidenceInput {
  readonly member: SuiteMember;
  /** Members of the suite. */
  readonly members: number;
  readonly workbook: Workbook;
  readonly reference: Execution;
  /** What results made of the member, the most interesting first. */
  readonly results: readonly {
    readonly digest: string;
    readonly claimed: ResultMember;
    readonly produced: Execution;
  }[];
}

export interface EvidenceLimits extends GridLimits, PrivacyOptions {
  /** Most different things that recipes made of the member. */
  readonly maxProduced: number;
  /** Differences kept of each. */
  readonly rows: number;
}

const PRIVATE = "The workbook is private: of this member only statuses and rounded components are shown.";

/** A member whose sheets are not shown, and why. */
export const hiddenEvidence = (id: string, reason: string): MemberEvidence => ({
  id,
  reference: null,
  reason,
  produced: [],
  omitted: [],
});

/** Draws a member's sheets, once as the reference takes them and once for each different thing that recipes made. */
export function memberEvidence(input: MemberEvidenceInput, limits: EvidenceLimits): MemberEvidence {
  const { member, workbook, reference } = input;
  if (isPrivateMember(member, limits)) return hiddenEvidence(member.id, PRIVATE);
  const groups = new Map<string, { first: MemberEvidenceInput["results"][number]; digests: string[] }>();
  const right = fingerprint(reference);
  for (const result of input.results) {
    const made = fingerprint(result.produced);
    if (made === right) continue;
    const group = groups.get(made);
    if (group === undefined) groups.set(made, { first: result, digests: [result.digest] });
    else group.digests.push(result.digest);
  }
  const all = [...groups.values()];
  return {
    id: member.id,
    reference: gridsOf(workbook, reference, null, limits),
    reason: null,
    produced: all.slice(0, limits.maxProduced).map(({ first, digests }) => ({
      results: digests,
      explanation: explainMember(
        {
          claimed: first.claimed,
          member,
          reference,
          produced: first.produced,
          reason: null,
          score: null,
          findings: [],
          textOf: (address) => cellText(workbook, address),
          pictures: [],
        },
        input.members,
        limits,
      ),
      grids: gridsOf(workbook, reference, first.produced, limits),
    })),
    omitted: all.slice(limits.maxProduced).flatMap(({ digests }) => digests),
  };
}

/** Equal for executions that say the same of every value; in which order they declare headers says nothing. */
const fingerprint = ({ table, valueTrace, headerTrace }: Execution): string =>
  digestOf(
    JSON.stringify([
      table.columns,
      table.rows,
      valueTrace,
      headerTrace.map((headers) =>
        headers
          .map(({ name, direction, source, scalar, state }) =>
            JSON.stringify([name, direction, source, scalar, state]),
          )
          .sort(),
      ),
    ]),
  );

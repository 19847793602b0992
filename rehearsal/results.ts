import { componentsOf, compositeOf } from "../src/lib/benchmarks/composite.ts";
import { resultPath } from "../src/lib/benchmarks/result-path.ts";
import type { MemberMetrics, ResultDocument } from "../src/lib/benchmarks/result-schema.ts";
import { totalsOf } from "../src/lib/benchmarks/totals.ts";
import { canonicalDocument } from "../src/lib/canonical-json.ts";
import type { Change } from "./person.ts";

/** A document at its place, in its canonical bytes. */
export const resultFile = (document: ResultDocument): Change => ({
  [resultPath(document)]: canonicalDocument(document),
});

/**
 * A score raised by hand, and well: the first member that fell short is claimed as passed, and totals, components and
 * composite are made to agree with that. Only executing the recipe again can tell.
 * @throws Error when every member has passed already: there is nothing to raise.
 */
export function raiseScore(honest: ResultDocument): ResultDocument {
  const target = honest.members.find(({ status }) => status === "partial");
  if (target === undefined) throw new Error("No member fell short, so there is no score to raise.");
  const members = honest.members.map((member) =>
    member.id === target.id
      ? { ...member, status: "passed" as const, mismatches: [], metrics: perfect(member.metrics) }
      : member,
  );
  return {
    ...honest,
    members,
    totals: totalsOf(members),
    components: componentsOf(members),
    composite: compositeOf(members),
  };
}

function perfect(metrics: MemberMetrics): MemberMetrics {
  const { value_address_f1: f1, cell_match_rate: cells, header_accuracy: headers } = metrics;
  const addresses = f1.true_positives + f1.false_negatives;
  return {
    deterministic_pass_rate: { numerator: 1, denominator: 1 },
    exact_output_match: { numerator: 1, denominator: 1 },
    cell_match_rate: {
      matched: cells.union,
      union: cells.union,
      numerator: cells.union,
      denominator: cells.union,
    },
    value_address_f1: {
      true_positives: addresses,
      false_positives: 0,
      false_negatives: 0,
      numerator: 2 * addresses,
      denominator: 2 * addresses,
    },
    header_accuracy: {
      matched: headers.total,
      total: headers.total,
      numerator: headers.total,
      denominator: headers.total,
    },
  };
}

/** A committed document with its composite rounded up in place: an edit of history. */
export const editCommitted = (document: ResultDocument): Change => ({
  [resultPath(document)]: canonicalDocument({
    ...document,
    composite: Math.min(1, document.composite + 0.05),
  }),
});

import type { Execution, HeaderAssignment } from "../sheet/output.ts";
import { isShare, type Metric, share } from "./comparison.ts";

/**
 * Reference value cells whose whole header assignment is equal, of all reference value cells. Value cells are aligned
 * by source address in source order: the nth time the reference takes an address goes with the nth time the produced
 * trace takes it. An assignment is the unordered collection of (output name, direction, source, scalar, state).
 * An empty reference scores 1 when production is empty too, else 0. Extra produced cells cost nothing here.
 *
 * Worked example: the reference takes R2C2, R2C3, R3C2. The produced trace gives R2C2 the same headers in another
 * order (equal), R2C3 a year of 2022 instead of 2023 (not equal), and lacks R3C2 (not equal): 1/3 = 0.333333.
 */
export const headerAccuracy: Metric<"header_accuracy"> = {
  id: "header_accuracy",
  title: "Header accuracy",
  unit: "share",
  direction: "higher-is-better",
  range: [0, 1],
  weight: { numerator: 10, denominator: 100 },
  definition:
    "Reference value cells whose full resolved header assignment (output name, direction, selected source, scalar, state) is equal, aligned by source address; header declaration order is not significant.",
  compute({ reference, produced }) {
    const total = reference.valueTrace.length;
    let matched = 0;
    for (const [left, right] of alignValues(reference, produced))
      if (right !== null && sameHeaders(reference.headerTrace[left] ?? [], produced.headerTrace[right] ?? []))
        matched += 1;
    const empty = produced.valueTrace.length === 0 ? 1 : 0;
    return { ...share(matched, total, empty), matched, total };
  },
  zero: { numerator: 0, denominator: 1, matched: 0, total: 0 },
  consistent: (value) => isShare(value, value.matched, value.total),
};

/** For each reference value, by index: the produced value that the same address gives, by occurrence, or null. */
export function alignValues(reference: Execution, produced: Execution): [number, number | null][] {
  const occurrences = new Map<string, number[]>();
  for (const [index, address] of produced.valueTrace.entries()) {
    const known = occurrences.get(address);
    if (known === undefined) occurrences.set(address, [index]);
    else known.push(index);
  }
  const used = new Map<string, number>();
  return reference.valueTrace.map((address, index) => {
    const turn = used.get(address) ?? 0;
    used.set(address, turn + 1);
    return [index, occurrences.get(address)?.[turn] ?? null];
  });
}

/** True when both hold the same assignments, in any order. */
export function sameHeaders(a: readonly HeaderAssignment[], b: readonly HeaderAssignment[]): boolean {
  if (a.length !== b.length) return false;
  const other = (index: number): HeaderAssignment | undefined => b[index];
  if (
    a.every((header, index) => {
      const match = other(index);
      return match !== undefined && sameHeader(header, match);
    })
  )
    return true;
  const left = a.map(headerKey).sort();
  const right = b.map(headerKey).sort();
  return left.every((key, index) => key === right[index]);
}

const sameHeader = (a: HeaderAssignment, b: HeaderAssignment): boolean =>
  a.name === b.name &&
  a.direction === b.direction &&
  a.source === b.source &&
  a.scalar === b.scalar &&
  a.state === b.state;

const headerKey = ({ name, direction, source, scalar, state }: HeaderAssignment): string =>
  JSON.stringify([name, direction, source, scalar, state]);

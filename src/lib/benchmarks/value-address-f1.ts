import { isShare, type Metric, share } from "./comparison.ts";

/**
 * F1 over the sets of `sheet!R1C1` addresses that values were taken from: 2·tp / (2·tp + fp + fn), the harmonic mean
 * of precision and recall. Repeated selections count once; two empty traces score 1.
 *
 * Worked example: the reference takes R2C2, R2C3, R3C2; the produced trace is R2C2, R2C2, R2C3, R9C9.
 * tp = 2, fp = 1, fn = 1, so F1 = 4 / (4 + 1 + 1) = 0.666667.
 */
export const valueAddressF1: Metric<"value_address_f1"> = {
  id: "value_address_f1",
  title: "Value-address F1",
  unit: "share",
  direction: "higher-is-better",
  range: [0, 1],
  weight: { numerator: 15, denominator: 100 },
  definition:
    "Set-based F1 over sheet!R1C1 value-cell source addresses; duplicate selections create no extra true positives; two empty traces score 1.",
  compute({ reference, produced }) {
    const expected = new Set(reference.valueTrace);
    const actual = new Set(produced.valueTrace);
    let hits = 0;
    for (const address of actual) if (expected.has(address)) hits += 1;
    const [extra, missed] = [actual.size - hits, expected.size - hits];
    return {
      ...share(2 * hits, 2 * hits + extra + missed, 1),
      true_positives: hits,
      false_positives: extra,
      false_negatives: missed,
    };
  },
  zero: { numerator: 0, denominator: 1, true_positives: 0, false_positives: 0, false_negatives: 0 },
  consistent: (value) =>
    isShare(
      value,
      2 * value.true_positives,
      2 * value.true_positives + value.false_positives + value.false_negatives,
    ),
};

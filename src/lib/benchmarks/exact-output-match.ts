import type { Metric } from "./comparison.ts";

/**
 * 1 when the SHA-256 digests of both canonical tidy CSVs are identical, else 0.
 *
 * Worked example: the reference CSV is `year,value\n2023,1\n`. Producing exactly these bytes scores 1; producing
 * `year,value\n2023,1.5\n`, or the same columns in another order, scores 0.
 */
export const exactOutputMatch: Metric<"exact_output_match"> = {
  id: "exact_output_match",
  title: "Exact output match",
  unit: "share",
  direction: "higher-is-better",
  range: [0, 1],
  weight: { numerator: 30, denominator: 100 },
  definition:
    "Share of members whose canonical tidy-CSV SHA-256 digest is identical to the reference's. Binary per member.",
  compute: ({ referenceDigest, producedDigest }) => ({
    numerator: referenceDigest === producedDigest ? 1 : 0,
    denominator: 1,
  }),
  zero: { numerator: 0, denominator: 1 },
  consistent: ({ numerator, denominator }) => denominator === 1 && numerator <= 1,
};

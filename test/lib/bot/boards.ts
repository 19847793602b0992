import { COMPOSITE_VERSION } from "../../../src/lib/benchmarks/result-schema.ts";
import { type BoardSuite, boardSuiteSchema } from "../../../src/lib/feed/board-schema.ts";
import { result } from "../words/reports.ts";

const hex = (digit: string, length = 64): string => digit.repeat(length);

/** A published board of the suite that the invented reports are about; `sourceTree`: what it was made from. */
export function board(
  standings: readonly (readonly [model: string, composite: number])[],
  sourceTree: string | null = null,
): BoardSuite {
  const { suite, claimed } = result();
  return boardSuiteSchema.parse({
    schema_version: 1,
    source_tree: sourceTree,
    results_tree: null,
    suite_tree: null,
    suite: { ...suite, title: "T", note: "N", frozen_at: "2026-07-01T00:00:00.000Z" },
    members: [],
    tags: [],
    rows: standings.map(([model, composite], index) => ({
      rank: index + 1,
      model,
      name: model,
      result: {
        digest: `sha256:${hex(String(index + 1))}`,
        path: `benchmarks/results/${suite.id}/m${index}/20260101t000000z-0000000${index}.json`,
        blob: hex("f", 40),
      },
      finished_at: "2026-01-01T00:00:00.000Z",
      components: claimed.components,
      composite,
      composite_version: COMPOSITE_VERSION,
      solved: 1,
      members: 4,
      tags: {},
      cost: { total_usd: null, complete: false, per_solved_usd: null },
      levels: {
        scores: "recomputed",
        model: "declared",
        provenance: "declared",
        usage: "declared",
        cost: "declared",
        times: "declared",
      },
      previous: null,
      by_member: [],
    })),
    withdrawn: [],
  });
}

import type { Suite } from "./suite-schema.ts";

/** How many members of a suite have each property that the methodology's tables count. */
export interface Composition {
  readonly members: number;
  readonly published_in_bank: number;
  readonly source_kind: Readonly<Record<string, number>>;
  readonly difficulty: Readonly<Record<string, number>>;
  readonly publisher: Readonly<Record<string, number>>;
  readonly feature_tags: Readonly<Record<string, number>>;
}

/** The composition of `gold-2026.07` as it was published: the numbers of every table of the methodology. */
export const GOLD_2026_07_COMPOSITION: Composition = {
  members: 30,
  published_in_bank: 14,
  source_kind: { bank_asset: 12, conformance: 18 },
  difficulty: { easy: 7, medium: 16, hard: 7 },
  publisher: { abs: 25, aihw: 2, synthetic: 3 },
  feature_tags: {
    filled_spans: 8,
    footnote_contamination: 3,
    hierarchical_headers: 25,
    merged_cells: 8,
    metadata_sheet: 4,
    multi_table: 5,
    single_table: 27,
    sparse_data: 13,
    stacked_blocks: 15,
    time_series: 21,
    transposed_headers: 1,
    unit_rows: 4,
  },
};

/** Counts a suite's members the same way. What no member has does not appear. */
export function compositionOf({ members }: Pick<Suite, "members">): Composition {
  const count = (properties: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const property of properties) counts[property] = (counts[property] ?? 0) + 1;
    return counts;
  };
  return {
    members: members.length,
    published_in_bank: members.filter((member) => member.published_in_bank).length,
    source_kind: count(members.map((member) => member.source_kind)),
    difficulty: count(members.map((member) => member.difficulty)),
    publisher: count(members.map((member) => member.publisher)),
    feature_tags: count(members.flatMap((member) => member.feature_tags)),
  };
}

import type { TagInput, TagPredicate } from "./evidence.ts";
import { filledSpans } from "./filled-spans.ts";
import { footnoteContamination } from "./footnote-contamination.ts";
import { hierarchicalHeaders } from "./hierarchical-headers.ts";
import { mergedCells } from "./merged-cells.ts";
import { metadataSheet } from "./metadata-sheet.ts";
import { multiTable } from "./multi-table.ts";
import { singleTable } from "./single-table.ts";
import { sparseData } from "./sparse-data.ts";
import { stackedBlocks } from "./stacked-blocks.ts";
import { timeSeries } from "./time-series.ts";
import { transposedHeaders } from "./transposed-headers.ts";
import { unitRows } from "./unit-rows.ts";

export type { TagInput, TagPredicate } from "./evidence.ts";

/**
 * What each tag of `benchmarks/vocabulary/structure-features.json` means exactly: a member carries it if and only if the
 * predicate holds for its workbook, its reference recipe and what executing that gives. The keys are the vocabulary's ids.
 */
export const TAG_PREDICATES: Readonly<Record<string, TagPredicate>> = {
  filled_spans: filledSpans,
  footnote_contamination: footnoteContamination,
  hierarchical_headers: hierarchicalHeaders,
  merged_cells: mergedCells,
  metadata_sheet: metadataSheet,
  multi_table: multiTable,
  single_table: singleTable,
  sparse_data: sparseData,
  stacked_blocks: stackedBlocks,
  time_series: timeSeries,
  transposed_headers: transposedHeaders,
  unit_rows: unitRows,
};

/** The tags that a member has to carry, sorted. */
export const computeTags = (input: TagInput): string[] =>
  Object.entries(TAG_PREDICATES)
    .filter(([, holds]) => holds(input))
    .map(([tag]) => tag)
    .sort();

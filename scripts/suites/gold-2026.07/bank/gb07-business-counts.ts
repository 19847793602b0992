import type { BankMember } from "../../member.ts";

export const businessCounts: BankMember = {
  id: "gb07-business-counts",
  title: "Counts of businesses by industry, a block for each year",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: [
    "hierarchical_headers",
    "merged_cells",
    "single_table",
    "sparse_data",
    "stacked_blocks",
    "time_series",
  ],
  task: "Sheet 'Table 1': every number. Outputs in this order: financial_year (the heading merged across the table above each block), industry, movement, kind, value. Movement and kind are the two parts of the column heading around ' - ' (line breaks count as spaces): 'Entries - Births' gives 'Entries' and 'Births'; a heading of one part is the movement and has no kind. Blank cells are no observations.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops know that four blocks of 21 industries start 22 rows apart.",
  bank_record: "abs-8165-counts-of-australian-businesses-2024-cube-01",
};

import type { BankMember } from "../../member.ts";

export const birthsByRemoteness: BankMember = {
  id: "gb01-births-by-remoteness",
  title: "Births by remoteness area, eleven years side by side",
  publisher: "abs",
  difficulty: "hard",
  feature_tags: [
    "filled_spans",
    "hierarchical_headers",
    "merged_cells",
    "single_table",
    "stacked_blocks",
    "time_series",
  ],
  task: "Sheet 'Table 4.1': every cell of the table, one row per state, remoteness area, year and measure; totals included. Outputs in this order: state (the heading in capitals above, without spaces at its ends), area (the row's own label), year (the merged heading over each block of columns), group (the heading over some measures, such as 'Age-specific fertility rates'; blank for the measures that have none), measure, remark (the comment of the measure's cell, runs of white space as one space; blank where it has none), value. Cells that say 'np' are observations without a value: keep the row, value blank. The blank columns between the years hold no observations.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops know where each state begins and that every block of a year has eleven columns, twelve apart.",
  bank_record: "abs-3301-births-2022-table-04",
};

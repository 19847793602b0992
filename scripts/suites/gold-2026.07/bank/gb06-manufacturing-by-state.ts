import type { BankMember } from "../../member.ts";

export const manufacturingByState: BankMember = {
  id: "gb06-manufacturing-by-state",
  title: "Manufacturing by state, blocks under merged state headings",
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
  task: "Sheet 'Table_2': every number. Outputs in this order: state (the heading in capitals that is merged across the table above each block), industry (as it stands, with its code), measure (the merged heading over its three years), financial_year, value. Suppressed cells are blank and are no observations.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops take a row without numbers whose label is in capitals as the start of a state.",
  bank_record: "abs-8155-australian-industry-2022-23-manufacturing",
};

import type { BankMember } from "../../member.ts";

export const consultations: BankMember = {
  id: "gb09-consultations",
  title: "Consultations with health professionals by sex and mental disorder",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "merged_cells", "single_table", "stacked_blocks"],
  task: "Sheet 'Table_6.1_Estimates': every estimate. Outputs in this order: consultation (the row's own label), sex (the merged heading), disorder (the heading below it), flag (the stars that the number format puts before the number, else blank), persons. Labels and headings are wanted without footnote marks such as '(c)', and with line breaks as single spaces.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops list the nine rows of values and the three blocks of four columns.",
  bank_record: "abs-nsmhw-2020-21-table-06-consultations",
};

import type { BankMember } from "../../member.ts";

export const healthCharacteristics: BankMember = {
  id: "gb08-health-characteristics",
  title: "National Health Survey summary: populations, topics and guidelines over seven surveys",
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
  task: "Sheet 'Table 1.1_Estimates': one row per row label and survey, without the rows of totals that are bold. Outputs in this order: population (the merged heading above, such as 'PERSONS ALL AGES'), topic (the bold heading that the row stands under), subtopic (the heading at indent 1 without numbers of its own; blank where there is none under the topic), guideline (the heading at indent 2 without numbers of its own; blank where there is none under the subtopic), label (the row's own label), survey (as it stands), flag (the stars that the number format puts before the number, else blank), estimate. Topic, subtopic and label are wanted without the footnote marks at their end, such as '(a)' or '(j)(k)(l)'. Cells that say 'na' are observations without a value: keep the row, value blank.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops list the rows of every heading at every level; footnote marks are cut by an expression of their own.",
  bank_record: "abs-nhs-2022-table-01-summary-health",
};

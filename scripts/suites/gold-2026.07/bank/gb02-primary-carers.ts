import type { BankMember } from "../../member.ts";

export const primaryCarers: BankMember = {
  id: "gb02-primary-carers",
  title: "Primary carers: estimates and relative standard errors on one sheet",
  publisher: "abs",
  difficulty: "hard",
  feature_tags: [
    "filled_spans",
    "hierarchical_headers",
    "merged_cells",
    "multi_table",
    "stacked_blocks",
    "time_series",
  ],
  task: "Sheet 'Table 10.4': two tables, first 'estimates' (the upper part), then 'errors' (the part under 'RELATIVE STANDARD ERROR (%)'); in both only the columns headed '000, not the percentages. Outputs in this order: table, section (KEY SERIES or DETAILED INFORMATION), topic (the bold heading at indent 1 that the row stands under, such as 'Labour force status of primary carer'; blank where no such heading governs the row), category (the row's label at indent 0 to 2, without footnote marks; for an indented detail the category above it), detail (the label at indent 3, such as 'Full-time', else blank), year, sex, flag (the stars that the number format puts before the number, else blank), persons. Text in place of a number ('na', '—') is kept as it stands. Hidden columns hold nothing.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops list the rows that open a topic, the two detail rows and the six columns.",
  bank_record: "abs-4125-gender-indicators-2018-table-10",
};

import type { BankMember } from "../../member.ts";

export const schoolStaff: BankMember = {
  id: "gb10-school-staff",
  title: "In-school staff, pivot table with five levels of row labels",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["filled_spans", "hierarchical_headers", "single_table", "stacked_blocks", "time_series"],
  task: "Sheet 'Table 1': one row per year, sex, function, affiliation 1, affiliation 2 and state, without totals of any kind. Outputs in this order: year, sex, function, affiliation_1, affiliation_2, state, staff. Labels are written once and hold until the next one in their column; leave out the sorting letter before each ('b Catholic' gives 'Catholic').",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The values come from the workbook's own flat list ('Table 2') by their labels, compared without regard to capitals, which differ between the two sheets in some years; nothing of the list may be left over.",
  bank_record: "abs-schools-2023-table-50a-staff",
};

import type { BankMember } from "../../member.ts";

export const communityCareContacts: BankMember = {
  id: "gb11-community-care-contacts",
  title: "Community mental health care by state, counts and rates over sixteen years",
  publisher: "aihw",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "single_table", "stacked_blocks", "time_series"],
  task: "Sheet 'Table CMHC.2': every cell of the yearly columns; the last column (average annual change) is not wanted. Outputs in this order: state, count ('Number' or the rate, as it stands), measure, financial_year, value. Symbols in place of a number ('. .', 'n.a.') are kept as they stand. Separating rows hold empty texts, which are no observations.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops list the rows of a state and the nine places where one begins.",
  bank_record: "aihw-community-mental-health-care-2020-21",
};

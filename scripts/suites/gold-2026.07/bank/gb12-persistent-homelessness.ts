import type { BankMember } from "../../member.ts";

export const persistentHomelessness: BankMember = {
  id: "gb12-persistent-homelessness",
  title: "Persistent homelessness by priority cohort and state",
  publisher: "aihw",
  difficulty: "easy",
  feature_tags: ["hierarchical_headers", "single_table", "time_series"],
  task: "Sheet 'H_PERSISTENT': every number, totals included. Outputs in this order: financial_year, category, cohort, state (without footnote mark), value.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops go over 108 rows and nine columns.",
  bank_record: "aihw-hou-339-homelessness-indicators-2023-24",
};

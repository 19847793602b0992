import type { BankMember } from "../../member.ts";

export const payrollJobs: BankMember = {
  id: "gb03-payroll-jobs",
  title: "Weekly payroll jobs by industry subdivision, weeks across",
  publisher: "abs",
  difficulty: "easy",
  feature_tags: ["hierarchical_headers", "single_table", "time_series", "transposed_headers"],
  task: "Sheet 'Table 2': every index number. Outputs in this order: division (as it stands), subdivision (as it stands), week_ending (ISO date), index.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops go over 85 rows and 246 weeks.",
  bank_record: "abs-6160-weekly-payroll-jobs-2024-table-02",
};

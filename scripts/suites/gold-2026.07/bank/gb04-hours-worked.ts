import type { BankMember } from "../../member.ts";

export const hoursWorked: BankMember = {
  id: "gb04-hours-worked",
  title: "Quarterly hours worked, time-series sheet with its title on the Index sheet",
  publisher: "abs",
  difficulty: "easy",
  feature_tags: ["hierarchical_headers", "metadata_sheet", "single_table", "time_series", "unit_rows"],
  task: "Sheet 'Data1': every observation of every series. Outputs in this order: table_title (as sheet 'Index' gives it in row 6), date (ISO), series (row 1, runs of white space as one space), unit (row 2), series_id (row 10), hours.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops go over 148 quarters and seven series.",
  bank_record: "abs-6202-labour-force-table-21",
};

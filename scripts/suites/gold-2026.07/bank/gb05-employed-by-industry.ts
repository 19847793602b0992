import type { BankMember } from "../../member.ts";

export const employedByIndustry: BankMember = {
  id: "gb05-employed-by-industry",
  title: "Employed persons by state and industry, one table over three sheets",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "single_table", "time_series"],
  task: "Sheets 'Data1', 'Data2' and 'Data3', in this order, are one table: every observation of every series, sheet by sheet, inside each by row, then column. Outputs in this order: quarter (ISO date), region, industry, employment, series_id (row 10), employed. Region, industry and employment are the three parts of the series name in row 1, without the '>' signs and spaces around them: 'Australia ;  Mining ;  > Employed full-time ;' gives 'Australia', 'Mining', 'Employed full-time'. A name that has two parts only has no industry: leave it blank.",
  checked_by:
    "SheetJS reads the workbook and hand-written loops over its rows and columns (test/suites/gold-bank.test.ts), which share nothing with the recipe engine, write the table; its digest must be the pinned one. The loops cut each series name at its semicolons and go over 154 quarters of 540 series.",
  bank_record: "abs-6291-labour-force-detailed-table-05",
};

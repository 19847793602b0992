import { writeCubeHead, writeHeader, writeNotes, writeValue } from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

/** A category with its details; a category of `headingOnly` has a row but no values of its own. */
interface Category {
  readonly label: string;
  readonly details?: readonly string[];
  readonly headingOnly?: boolean;
}
interface Topic {
  readonly label: string;
  /** Footnote marks printed behind the label, such as `(a)(b)`. */
  readonly marks?: string;
  /** The topic's own row has values; it then has no categories. */
  readonly hasValues?: boolean;
  readonly categories: readonly Category[];
}
interface Section {
  readonly label: string;
  readonly topics: readonly Topic[];
}

const SECTIONS: readonly Section[] = [
  {
    label: "KEY SERIES",
    topics: [
      {
        label: "Always or often feels rushed or pressed for time",
        marks: " (a)",
        hasValues: true,
        categories: [],
      },
      {
        label: "Rarely or never feels rushed or pressed for time",
        marks: " (a)(b)",
        hasValues: true,
        categories: [],
      },
    ],
  },
  {
    label: "RELATED SERIES",
    topics: [
      {
        label: "Time spent on unpaid work in the last week",
        marks: " (c)",
        categories: [
          {
            label: "Domestic work",
            details: ["Less than 5 hours", "5 to 14 hours", "15 to 29 hours", "30 hours or more"],
          },
          { label: "Child care", details: ["Own child", "Other child only"] },
          { label: "Voluntary work" },
          { label: "Total" },
        ],
      },
    ],
  },
  {
    label: "DETAILED INFORMATION",
    topics: [
      {
        label: "Age group (years)",
        categories: [
          { label: "15–24" },
          { label: "25–34" },
          { label: "35–44" },
          { label: "45–54" },
          { label: "55–64" },
          { label: "65 and over" },
          { label: "Total" },
        ],
      },
      {
        label: "Labour force status",
        marks: " (d)",
        categories: [
          { label: "Employed", details: ["Employed full-time", "Employed part-time"] },
          { label: "Unemployed" },
          {
            label: "Not in the labour force",
            details: ["Retired", "Studying", "Caring for ill or disabled person", "Other"],
          },
          { label: "Total" },
        ],
      },
      {
        label: "Family composition of household",
        categories: [
          {
            label: "One family households",
            headingOnly: true,
            details: ["Couple only", "Couple with dependent children", "One parent with dependent children"],
          },
          { label: "Multiple family households" },
          {
            label: "Non-family households",
            headingOnly: true,
            details: ["Lone person", "Group household"],
          },
          { label: "Total" },
        ],
      },
      {
        label: "Main reason always or often feels rushed",
        marks: " (a)(e)",
        categories: [
          { label: "Trying to balance work and family responsibilities" },
          {
            label: "Pressure of work or study",
            details: ["Long hours", "Shift work", "Deadlines", "Study load"],
          },
          { label: "Demands of family", details: ["Children", "Partner", "Other relatives"] },
          { label: "Too much to do or too little time" },
          { label: "Other" },
          { label: "Total" },
        ],
      },
      {
        label: "Equivalised gross household income quintile",
        marks: " (f)",
        categories: [
          { label: "Lowest", details: ["Government pension main source", "Other main source"] },
          { label: "Second" },
          { label: "Third" },
          { label: "Fourth" },
          { label: "Highest", details: ["Wages main source", "Other main source"] },
          { label: "Not known" },
          { label: "Total" },
        ],
      },
    ],
  },
];

const SEXES = ["Males", "Females", "Persons"];
const CARE = ["Provided care", "Did not provide care"];
const MEASURES = ["'000", "Proportion (%)"];
const GROUP_WIDTH = CARE.length * MEASURES.length;

/** Four row levels in one column, told apart by capitals, bold and indent; three column levels written once each. */
export const timePressureLevels: ConformanceMember = {
  id: "gc12-time-pressure-levels",
  title: "Time pressure by care, sex and characteristics, levels shown by capitals, bold and indent",
  publisher: "abs",
  difficulty: "hard",
  feature_tags: ["filled_spans", "hierarchical_headers", "single_table", "stacked_blocks"],
  task: "Sheet 'Table 10.7': every value. Column 1 holds four levels: a section in bold capitals, a topic in bold, a category, and below some categories its details with a deeper indent; some topics and categories have values themselves, others are headings only. Outputs in this order: section, topic, category, detail, sex, care_status, measure, value. A row's own level is the last one that is not blank: for a topic's own values category and detail are blank, for a category's own values detail is blank. Labels without footnote marks such as '(a)'. Sex and care status are written over the first of their columns only. 'np' and '—' are values and stay as they are.",
  layout:
    "Follows ABS 4125.0 Gender Indicators, tables 10.7 and 10.10: sections in bold capitals (KEY SERIES, DETAILED INFORMATION), topics in bold, categories at indent 2 and details at indent 3 in one column, blank rows between; three header rows with a blank separator column, here with spanning labels left unmerged over their first column.",
  build() {
    const numbers = seededNumbers(72_612);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 10.7");
    const leftOf = (sex: number): number => 2 + sex * (GROUP_WIDTH + 1);
    writeCubeHead(sheet, {
      product: "41250DS0010 Gender Indicators, Australia",
      released: "Invented; one survey",
      title:
        "Table 10.7: Whether feels rushed or pressed for time, by whether provided care, by sex and selected characteristics",
      columns: leftOf(SEXES.length) - 2,
    });
    SEXES.forEach((sex, x) => {
      writeHeader(sheet, 5, leftOf(x), sex, "left");
      CARE.forEach((care, c) => {
        const left = leftOf(x) + c * MEASURES.length;
        writeHeader(sheet, 6, left, care, "left");
        MEASURES.forEach((measure, m) => {
          writeHeader(sheet, 7, left + m, measure, "right");
        });
      });
    });

    const rows: (string | number)[][] = [];
    let row = 9;
    const label = (text: string, style: { bold?: boolean; italic?: boolean; indent?: number }): void => {
      const cell = sheet.getCell(row, 1);
      cell.value = text;
      cell.font = { name: "Arial", size: 8, bold: style.bold ?? false, italic: style.italic ?? false };
      if (style.indent !== undefined) cell.alignment = { indent: style.indent };
    };
    const writeValues = (path: readonly [string, string, string, string]): void => {
      const parts = CARE.map(() => [numbers.decimal(4, 950, 1), numbers.decimal(4, 950, 1)]);
      SEXES.forEach((sex, x) => {
        CARE.forEach((care, c) => {
          const [males = 0, females = 0] = parts[c] ?? [];
          const estimate = [males, females][x] ?? Number((males + females).toFixed(1));
          const shown = [estimate, numbers.decimal(0.4, 99, 1)];
          MEASURES.forEach((measure, m) => {
            const nil = m === 1 && estimate < 14;
            const value = numbers.chance(0.03) ? "np" : nil ? "—" : (shown[m] ?? 0);
            const format = estimate < 60 ? '"*"#,##0.0' : "#,##0.0";
            writeValue(sheet, row, leftOf(x) + c * MEASURES.length + m, value, format);
            rows.push([...path, sex, care, measure, value]);
          });
        });
      });
    };
    for (const section of SECTIONS) {
      label(section.label, { bold: true });
      row += 2;
      for (const topic of section.topics) {
        const indent = section.label === "KEY SERIES" ? {} : { indent: 1 };
        label(`${topic.label}${topic.marks ?? ""}`, { bold: true, ...indent });
        if (topic.hasValues) writeValues([section.label, topic.label, "", ""]);
        row++;
        for (const { label: category, details = [], headingOnly = false } of topic.categories) {
          label(category, { indent: 2, italic: category === "Total" });
          if (!headingOnly) writeValues([section.label, topic.label, category, ""]);
          row++;
          for (const detail of details) {
            label(detail, { indent: 3 });
            writeValues([section.label, topic.label, category, detail]);
            row++;
          }
        }
        row++;
      }
    }
    writeNotes(sheet, row, [
      "* estimate has a relative standard error of between 25% and 50% and should be used with caution",
      "np not available for publication",
      "— nil or rounded to zero (including null cells)",
      "",
      "(a) Persons aged 15 years and over.",
      "(b) Excludes persons who sometimes feel rushed.",
      "(c) More than one activity may be reported.",
      "(d) In the week before the interview.",
      "(e) Persons who always or often feel rushed.",
      "(f) Quintiles of persons.",
    ]);
    const columns = ["section", "topic", "category", "detail", "sex", "care_status", "measure", "value"];
    return { workbook, table: { columns, rows } };
  },
};

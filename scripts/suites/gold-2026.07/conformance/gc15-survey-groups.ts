import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const ANSWERS = ["Very satisfied", "Satisfied", "Neither", "Dissatisfied", "Very dissatisfied", "Don't know"];
/** The same answers the other way round, as some questions were printed. */
const REVERSED = [...ANSWERS.slice(0, 5).reverse(), "Don't know"];

interface Group {
  readonly title: string;
  readonly services: readonly string[];
  readonly reversed?: boolean;
  readonly notes: readonly string[];
}
const GROUPS: readonly Group[] = [
  {
    title: "A. Getting around",
    services: ["Bus services", "Cycle paths", "Footpaths", "Car parking", "Street lighting"],
    notes: ["Footpaths include shared paths."],
  },
  {
    title: "B. Parks and sport",
    services: ["Parks", "Playgrounds", "Sports grounds", "Swimming pool", "Walking tracks", "Dog areas"],
    reversed: true,
    notes: ["Answers were read out in reverse order.", "The pool was closed in two of the three waves."],
  },
  {
    title: "C. Waste",
    services: ["Household rubbish", "Recycling", "Green waste", "Hard rubbish collection"],
    notes: [],
  },
  {
    title: "D. Libraries and learning",
    services: ["Library opening hours", "Library collection", "Library staff", "Online catalogue", "Courses"],
    notes: ["Asked of library members only."],
  },
  {
    title: "E. Families",
    services: ["Child care places", "Holiday programmes", "Maternal health visits", "Youth centre"],
    reversed: true,
    notes: ["Asked of households with children."],
  },
  {
    title: "F. Older residents",
    services: ["Home help", "Meals delivered", "Community transport", "Seniors' programme", "Respite care"],
    notes: ["Asked of persons aged 65 years and over.", "Fewer than 400 answers: read with care."],
  },
  {
    title: "G. Planning and building",
    services: ["Planning advice", "Building permits", "Heritage protection", "Street trees"],
    notes: ["Asked of persons who made an application."],
  },
  {
    title: "H. Safety and health",
    services: [
      "Food inspections",
      "Animal control",
      "Noise complaints",
      "Immunisation sessions",
      "Flood warnings",
    ],
    reversed: true,
    notes: [],
  },
  {
    title: "I. Dealing with us",
    services: [
      "Telephone enquiries",
      "Front desk",
      "Website",
      "Newsletter",
      "Payment of rates",
      "Public meetings",
    ],
    notes: ["Of those who had contact in the last year."],
  },
  {
    title: "J. Culture",
    services: ["Town hall events", "Art gallery", "Museum", "Festivals", "Public art"],
    notes: ["Festivals as a whole, not single events.", "Source: invented for this member."],
  },
];
const FIRST_ROW = 5;

/** Groups of services under each other, each with its own heading row, base row and notes directly below. */
export const surveyGroups: ConformanceMember = {
  id: "gc15-survey-groups",
  title: "Satisfaction with services, groups of questions stacked with their notes",
  publisher: "synthetic",
  difficulty: "medium",
  feature_tags: ["footnote_contamination", "single_table", "stacked_blocks"],
  task: "Sheet 'Results': number of answers by service and answer, for all groups (A to J) of services in sheet order. Every group has its own row of answers as column headings, and not every group has them in the same order. The rows 'Base …' (persons asked, with a remark) and the notes below each group are no observations; titles of groups are not wanted as an output. Outputs in this order: service, answer, count.",
  layout:
    "Follows survey reports of local governments: one block per group of questions, each with its own heading row, a base row and notes directly below; no particular publication.",
  build() {
    const numbers = seededNumbers(72_615);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Results");
    sheet.getCell("A1").value = "Residents' survey: satisfaction with services (invented)";
    sheet.getCell("A1").font = { bold: true, size: 13 };
    sheet.getCell("A2").value = "Number of answers";
    sheet.getColumn(1).width = 34;
    const rows: (string | number)[][] = [];
    let row = FIRST_ROW;
    for (const { title, services, reversed = false, notes } of GROUPS) {
      sheet.getCell(row, 1).value = title;
      sheet.getCell(row, 1).font = { bold: true };
      row++;
      const answers = reversed ? REVERSED : ANSWERS;
      ["Service", ...answers].forEach((heading, c) => {
        const cell = sheet.getCell(row, c + 1);
        cell.value = heading;
        cell.font = { italic: true };
        cell.border = { bottom: { style: "thin" } };
      });
      row++;
      const base = numbers.integer(380, 1_450);
      for (const service of services) {
        sheet.getCell(row, 1).value = service;
        // Cut the base at random places: the pieces are the answers, and they add up.
        const cuts = answers.slice(1).map(() => numbers.integer(0, base));
        cuts.sort((a, b) => a - b);
        answers.forEach((answer, c) => {
          const count = (cuts[c] ?? base) - (cuts[c - 1] ?? 0);
          const cell = sheet.getCell(row, c + 2);
          cell.value = count;
          cell.numFmt = "#,##0";
          rows.push([service, answer, count]);
        });
        row++;
      }
      sheet.getCell(row, 1).value = "Base: persons asked";
      sheet.getCell(row, 2).value = base;
      sheet.getCell(row, 3).value = "unweighted";
      row++;
      notes.forEach((note, at) => {
        sheet.getCell(row, 1).value = `Note ${at + 1}`;
        sheet.getCell(row, 2).value = note;
        row++;
      });
      row++;
    }
    return { workbook, table: { columns: ["service", "answer", "count"], rows } };
  },
};

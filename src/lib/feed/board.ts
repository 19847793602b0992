import { METRIC_LIST } from "../benchmarks/metrics.ts";
import type { BoardRow, BoardSuite } from "./board-schema.ts";

/** The boards as one Markdown page: a table per suite, best first, each row with the document it stands on. */
export function renderBoard(boards: readonly BoardSuite[]): string {
  const source = boards[0]?.source_tree ?? null;
  const lines = [
    "# Board",
    "",
    "Every score was recomputed from its committed evidence before it was merged. Which model wrote the recipes is declared by whoever sent them. Model output is not deterministic.",
    "",
    ...(boards.length === 0
      ? []
      : [
          source === null
            ? "Made from a working folder, not from a committed tree."
            : `Made from the tree \`${source}\`.`,
          "",
        ]),
  ];
  for (const { suite, members, rows, withdrawn } of boards) {
    lines.push(
      `## ${text(suite.id)}: ${text(suite.title)}`,
      "",
      text(suite.note),
      "",
      `${members.length} members, frozen ${suite.frozen_at}, suite digest \`${suite.digest}\`.`,
      "",
      ...suiteTable(rows.filter(({ rank }) => rank !== null)),
      ...unranked(rows.filter(({ rank }) => rank === null)),
      ...withdrawals(withdrawn),
    );
  }
  if (boards.length === 0) lines.push("There is no suite yet.", "");
  return lines.join("\n");
}

function suiteTable(rows: readonly BoardRow[]): string[] {
  if (rows.length === 0) return ["No curated model has a result in this suite.", ""];
  const titles = ["Rank", "Model", "Composite", ...METRIC_LIST.map(({ title }) => title)];
  const columns = [...titles, "Passed", "Cost per solved (USD)", "Finished", "Result document"];
  return [
    `| ${columns.join(" | ")} |`,
    `|${columns.map((_, index) => (index === 1 || index > 9 ? "---" : "---:")).join("|")}|`,
    ...rows.map((row) => `| ${cells(row).join(" | ")} |`),
    "",
  ];
}

const cells = (row: BoardRow): string[] => [
  String(row.rank),
  `${text(row.name ?? row.model)} \`${row.model}\``,
  score(row.composite),
  ...METRIC_LIST.map((metric) => score(row.components[metric.id])),
  `${row.solved} of ${row.members}`,
  row.cost.per_solved_usd === null ? "unknown" : String(row.cost.per_solved_usd),
  row.finished_at,
  `\`${row.result.path}\``,
];

/** Models that are not curated: shown, never ranked. */
function unranked(rows: readonly BoardRow[]): string[] {
  if (rows.length === 0) return [];
  return [
    "Not ranked, because the registry does not list them:",
    "",
    ...rows.map(({ model, composite, result }) => `- \`${model}\` ${score(composite)} (\`${result.path}\`)`),
    "",
  ];
}

function withdrawals(withdrawn: BoardSuite["withdrawn"]): string[] {
  if (withdrawn.length === 0) return [];
  return [
    "Withdrawn:",
    "",
    ...withdrawn.map(
      ({ model, result, reason, withdrawn_at }) =>
        `- \`${model}\` \`${result}\`, ${withdrawn_at}: ${text(reason)}`,
    ),
    "",
  ];
}

const score = (value: number): string => value.toFixed(6);

/** Plain text in Markdown: what could start markup or end a table cell is escaped. */
const text = (value: string): string => value.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " ");

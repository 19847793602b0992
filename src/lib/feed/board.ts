import { METRIC_LIST } from "../benchmarks/metrics.ts";
import type { Benchmark, Feed, ResultIndex } from "./schema.ts";

/** The board as a Markdown page: one table per suite, best first, each row with the document it stands on. */
export function renderBoard(feed: Feed, index: ResultIndex): string {
  const lines = [
    "# Board",
    "",
    "Every score was recomputed from its committed evidence before it was merged. Which model wrote the recipes is declared by whoever sent them. Model output is not deterministic.",
    "",
    feed.source_tree === null
      ? "Made from a working folder, not from a committed tree."
      : `Made from the tree \`${feed.source_tree}\`.`,
    "",
  ];
  for (const suite of feed.suites) {
    lines.push(
      `## ${text(suite.id)}: ${text(suite.title)}`,
      "",
      text(suite.note),
      "",
      `${suite.members} members, frozen ${suite.frozen_at}, suite digest \`${suite.digest}\`.`,
      "",
      ...suiteTable(feed, suite.id),
      ...unranked(feed, index, suite),
    );
  }
  if (feed.suites.length === 0) lines.push("There is no suite yet.", "");
  return lines.join("\n");
}

function suiteTable(feed: Feed, suite: string): string[] {
  const rows = feed.models
    .flatMap(({ id, name, benchmark = [] }) =>
      benchmark.filter((block) => block.suite === suite).map((block) => ({ id, name, block })),
    )
    .sort((a, b) => a.block.rank.position - b.block.rank.position);
  if (rows.length === 0) return ["No curated model has a result in this suite.", ""];
  const titles = ["Rank", "Model", "Composite", ...METRIC_LIST.map(({ title }) => title)];
  const columns = [...titles, "Passed", "Cost per solved (USD)", "Finished", "Result document"];
  return [
    `| ${columns.join(" | ")} |`,
    `|${columns.map((_, index) => (index === 1 || index > 9 ? "---" : "---:")).join("|")}|`,
    ...rows.map(({ id, name, block }) => `| ${cells(id, name, block).join(" | ")} |`),
    "",
  ];
}

const cells = (id: string, name: string, block: Benchmark): string[] => [
  String(block.rank.position),
  `${text(name)} \`${id}\``,
  score(block.composite),
  ...METRIC_LIST.map((metric) => score(block.components[metric.id])),
  `${block.solved} of ${block.members}`,
  block.cost_per_solved_usd === null ? "unknown" : String(block.cost_per_solved_usd),
  block.finished_at,
  `\`${block.path}\``,
];

/** Latest results of models that are not curated: shown, never ranked. */
function unranked(feed: Feed, index: ResultIndex, suite: Feed["suites"][number]): string[] {
  const curated = new Set(feed.models.map(({ id }) => id));
  const others = index.results.filter(
    (entry) =>
      entry.state === "latest" &&
      entry.suite.id === suite.id &&
      entry.suite.digest === suite.digest &&
      !curated.has(entry.model),
  );
  if (others.length === 0) return [];
  return [
    "Not ranked, because the registry does not list them:",
    "",
    ...others.map(({ model, composite, path }) => `- \`${model}\` ${score(composite)} (\`${path}\`)`),
    "",
  ];
}

const score = (value: number): string => value.toFixed(6);

/** Plain text in Markdown: what could start markup or end a table cell is escaped. */
const text = (value: string): string => value.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " ");

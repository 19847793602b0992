// npm run docs              writes the generated parts of docs/benchmarks.md, docs/mutation.md and docs/operations.md, docs/rulesets/ and docs/formulas.md
// npm run docs -- --check   fails when one is not current
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderSource, listFiles } from "../../src/io/files.ts";
import { loadSuite } from "../../src/jobs/load-suite.ts";
import { mutateDocument } from "../../src/jobs/mutate.ts";
import { listSuites } from "../../src/jobs/suite.ts";
import { describeSuite } from "../../src/lib/benchmarks/describe-suite.ts";
import {
  ATTEMPTS,
  COMPOSITE,
  CONTAMINATION,
  CORRECTIONS,
  formulaLines,
  LEVELS,
  PROVENANCE,
  RANKING,
  REPEATED,
  REPRODUCE,
  runCommand,
  SCORING,
  UNCERTAINTY,
  versionText,
  weightText,
} from "../../src/lib/benchmarks/method.ts";
import { METRIC_LIST } from "../../src/lib/benchmarks/metrics.ts";
import { modelFolder, parseResult, RESULTS_FOLDER } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import type { Suite } from "../../src/lib/benchmarks/suite-schema.ts";
import type { Vocabulary } from "../../src/lib/benchmarks/vocabulary.ts";
import { APP_EVENTS, APP_PERMISSIONS } from "../../src/lib/bot/hosting/app-rights.ts";
import { renderRulesets, rulesetFile } from "../../src/lib/bot/hosting/rulesets.ts";
import { renderFormulas } from "../../src/lib/code/formula/page.ts";
import { FORMULAS } from "../../src/lib/code/formula/registry.ts";
import { renderMutations } from "../../src/lib/mutate/table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const BENCHMARKS_PAGE = "docs/benchmarks.md";
const MUTATION_PAGE = "docs/mutation.md";
const OPERATIONS_PAGE = "docs/operations.md";
/** Rulesets without an App's id, to look at; `npm run bot -- setup` writes them ready to import. */
const RULESETS_FOLDER = "docs/rulesets";
const FORMULAS_PAGE = "docs/formulas.md";
const MUTATED = "rehearsal/fixtures/honest-result.json";
/** As the page's command says. */
const PLACES = 3;
const BASELINE = "baseline/heuristic";
/** Results that are committed for other purposes than the board, made by the real command. */
const FIXTURES = "rehearsal/fixtures";

const begin = (name: string): string => `<!-- ${name}: made by npm run docs; do not edit -->`;
const end = (name: string): string => `<!-- end of ${name} -->`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();
const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${titles.join(" | ")} |`,
  `|${titles.map((_, index) => (index > 0 && index === titles.length - 1 ? "---:" : "---")).join("|")}|`,
  ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
];
/** Paragraphs with an empty line between them. */
const paragraphs = (texts: readonly string[]): string[] =>
  texts.flatMap((text, index) => (index === 0 ? [text] : ["", text]));

/** The metrics as the scorer defines them. */
export const metricsPart = (): string[] =>
  table(
    ["Metric", "Definition", "Weight"],
    METRIC_LIST.map((metric) => [
      `**${metric.title}** \`${metric.id}\``,
      metric.definition,
      weightText(metric),
    ]),
  );

/** The composite's formula, its version, and what both mean. */
export const formulaPart = (): string[] => [
  versionText(),
  "",
  "```text",
  ...formulaLines(),
  "```",
  "",
  ...paragraphs(COMPOSITE),
];

/** Everything a result records, and how well it is known. */
export const provenancePart = (): string[] => [
  "Every result records:",
  "",
  ...PROVENANCE.map((item) => `- ${item}`),
  "",
  ATTEMPTS,
  "",
  `**How well is a number known?** ${LEVELS}`,
];

/** How a result is taken back. */
export const correctionsPart = (): string[] => [
  CORRECTIONS.before,
  "",
  ...CORRECTIONS.ways.map((way) => `- ${way.replace(/^[^:]+/, (name) => `**${name}**`)}`),
  "",
  CORRECTIONS.after,
];

export interface DocumentedSuite {
  readonly suite: Suite;
  readonly vocabulary: Vocabulary;
  /** The baseline's newest result for exactly this suite; null when none is committed. */
  readonly baseline: ResultDocument | null;
}

/** Every suite's composition, from its manifest. */
export const suitesPart = (suites: readonly DocumentedSuite[]): string[] => {
  const sections = suites.map(({ suite, vocabulary }) => {
    const { summary, tables } = describeSuite(suite, vocabulary);
    return [
      `### \`${suite.id}\``,
      "",
      `${suite.title}. ${suite.note}`,
      "",
      summary.replace(/sha256:[0-9a-f]{64}/, (digest) => `\`${digest}\``),
      ...tables.flatMap(({ title, columns, rows }) => ["", `**${title}**`, "", ...table(columns, rows)]),
    ];
  });
  return sections.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
};

/** The command that runs a suite, for each. */
export const commandsPart = (suites: readonly DocumentedSuite[]): string[] => [
  REPRODUCE,
  "",
  "```console",
  ...suites.map(({ suite }) => runCommand(suite)),
  "```",
  "",
  REPEATED,
];

/** The floor: what the baseline's committed results say, and how they were made. */
export const baselinePart = (suites: readonly DocumentedSuite[]): string[] => {
  const measured = suites.flatMap(({ suite, baseline }) => (baseline === null ? [] : [{ suite, baseline }]));
  const open = suites.filter(({ baseline }) => baseline === null).map(({ suite }) => `\`${suite.id}\``);
  return [
    ...(measured.length === 0
      ? []
      : table(
          ["Suite", "Passed", ...METRIC_LIST.map(({ title }) => title), "Composite"],
          measured.map(({ suite, baseline }) => [
            `\`${suite.id}\``,
            `${baseline.totals.passed} of ${baseline.totals.members}`,
            ...METRIC_LIST.map(({ id }) => baseline.components[id].toFixed(6)),
            `**${baseline.composite.toFixed(6)}**`,
          ]),
        )),
    ...(measured.length === 0
      ? []
      : ["", "```console", ...measured.map(({ suite }) => runCommand(suite, BASELINE)), "```"]),
    ...(open.length === 0
      ? []
      : [
          ...(measured.length === 0 ? [] : [""]),
          `No result of the baseline is committed for ${open.join(", ")}.`,
        ]),
  ];
};

/** The page with its generated parts replaced; everything else stays as it is. @throws Error for a part it lacks. */
export function withParts(page: string, parts: Readonly<Record<string, readonly string[]>>): string {
  let text = page;
  for (const [name, lines] of Object.entries(parts)) {
    const [from, to] = [text.indexOf(begin(name)), text.indexOf(end(name))];
    if (from < 0 || to < from) throw new Error(`the page has no part "${name}"`);
    text = `${text.slice(0, from)}${[begin(name), "", ...lines, "", ""].join("\n")}${text.slice(to)}`;
  }
  return text;
}

export async function readParts(): Promise<Record<string, string[]>> {
  const suites: DocumentedSuite[] = [];
  for (const id of await listSuites(root)) {
    const loaded = await loadSuite(root, id);
    if (!loaded.ok) throw new Error(`${id}: ${loaded.findings[0]?.message ?? "it does not load"}`);
    const { suite, vocabulary } = loaded.value;
    suites.push({ suite, vocabulary, baseline: await readBaseline(suite) });
  }
  return {
    metrics: metricsPart(),
    scoring: paragraphs(SCORING),
    formula: formulaPart(),
    suites: suitesPart(suites),
    contamination: paragraphs(CONTAMINATION),
    provenance: provenancePart(),
    corrections: correctionsPart(),
    ranking: paragraphs([...RANKING, ...UNCERTAINTY]),
    commands: commandsPart(suites),
    baseline: baselinePart(suites),
  };
}

/** What happens to a result that is changed at one field. */
export async function readMutationPart(): Promise<string[]> {
  const bytes = new Uint8Array(readFileSync(join(root, MUTATED)));
  const done = await mutateDocument({ root, bytes, label: MUTATED, places: PLACES });
  if (!done.ok) throw new Error(`${MUTATED}: ${done.findings[0]?.message ?? "it does not hold"}`);
  return renderMutations(done.value);
}

/** A table whose last column is text like the others. */
const textTable = (titles: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  table(titles, rows).map((line, index) => (index === 1 ? line.replace("---:", "---") : line));

/** What the App may do and hears of. */
export const rightsParts = (): Record<string, string[]> => ({
  permissions: textTable(
    ["Permission", "Level", "For"],
    APP_PERMISSIONS.map(({ title, level, reason }) => [title, level, reason]),
  ),
  events: textTable(
    ["Event", "Says"],
    APP_EVENTS.map(({ id, title, reason }) => [`${title} \`${id}\``, reason]),
  ),
});

/** The page of formulas, from their registry. */
export const formulasPage = (): string => renderFormulas(FORMULAS);

/** Path → text of rulesets, which are generated as a whole. */
export const generatedFiles = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(renderRulesets(null)).map(([name, ruleset]) => [
      `${RULESETS_FOLDER}/${name}`,
      rulesetFile(ruleset),
    ]),
  );

/** A committed result that every rule of results accepts: on the board's record, or else a fixture. */
async function readBaseline(suite: Suite): Promise<ResultDocument | null> {
  const source = folderSource(root);
  const own = await listFiles(root, `${RESULTS_FOLDER}/${suite.id}/${modelFolder(BASELINE)}`);
  const fixtures = await listFiles(root, FIXTURES);
  for (const paths of [own, fixtures]) {
    const found: ResultDocument[] = [];
    for (const path of paths.filter((name) => name.endsWith(".json"))) {
      const bytes = await source(path);
      const parsed = bytes === null ? null : parseResult(bytes, null, path);
      if (parsed?.ok !== true) continue;
      const { model, suite: about } = parsed.value;
      if (model.id === BASELINE && about.id === suite.id && about.digest === suite.digest)
        found.push(parsed.value);
    }
    const newest = found.sort((a, b) => (a.finished_at < b.finished_at ? 1 : -1))[0];
    if (newest !== undefined) return newest;
  }
  return null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = {
    [BENCHMARKS_PAGE]: await readParts(),
    [MUTATION_PAGE]: { mutation: await readMutationPart() },
    [OPERATIONS_PAGE]: rightsParts(),
  };
  const files: Record<string, string> = { ...generatedFiles(), [FORMULAS_PAGE]: formulasPage() };
  for (const [name, parts] of Object.entries(pages))
    files[name] = withParts(readFileSync(join(root, name), "utf8"), parts);
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, name);
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    if (process.argv.includes("--check")) {
      console.error(`${name} is not current: npm run docs`);
      process.exitCode = 1;
    } else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`wrote ${name}`);
    }
  }
}

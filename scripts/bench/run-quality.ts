import { folderData } from "../../src/io/code/data-source.ts";
import {
  openSyntaxReader,
  readGrammarVersion,
  runMeasurement,
  type SyntaxReader,
} from "../../src/io/code/grammars.ts";
import { filesBelow, readWhole, writeFilesWhole } from "../../src/io/files.ts";
import { fastDigest } from "../../src/io/git-ids.ts";
import { readUserFile, userPath, whenWritten } from "../../src/io/user-files.ts";
import { measureRun, noteOf, runPath } from "../../src/jobs/code-quality.ts";
import { type LintCounts, lintCountsSchema } from "../../src/lib/code/quality/lint-counts.ts";
import { renderQualityTable } from "../../src/lib/code/quality/table.ts";
import { LANGUAGES, type Language } from "../../src/lib/code/schema/task-schema.ts";
import type { Finding, Outcome } from "../../src/lib/findings.ts";
import { parseWithSchema } from "../../src/lib/strict-json/schema.ts";
import { rootOf } from "../benchmarks/root.ts";
import { type Door, register } from "./command.ts";

interface RunQualityOptions {
  run?: string;
  root?: string;
  entry?: string;
  check?: boolean;
  lint?: string;
  folder?: string;
  language?: string;
}

/** Measures the code of a run's deliverables, or of any folder. */
export const runQuality = register<RunQualityOptions>({
  words: ["run", "quality"],
  summary: "measure lines, duplication and complexity of a run's deliverables",
  declare: (command) =>
    command
      .argument("[run]", "the run, data/runs/<run>.json: entries without metrics get them")
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)")
      .option("--entry <id>", "only this entry")
      .option("--check", "write nothing; say where measuring again gives something else")
      .option("--lint <file>", "JSON with the linter's counts: {tool, version, entries: [{id, warnings}]}")
      .option("--folder <folder>", "measure a folder instead of a run, and only print")
      .option("--language <name>", `its language: ${LANGUAGES.join(", ")}`),
  async action(options, door) {
    const reader = openSyntaxReader();
    try {
      return await act(options, reader, door);
    } finally {
      await reader.close();
    }
  },
});

async function act(options: RunQualityOptions, reader: SyntaxReader, { stdout }: Door): Promise<Finding[]> {
  const { run, folder, language, entry, check = false } = options;
  const measuring = { reader, grammar: await readGrammarVersion(), at: new Date().toISOString() };
  if (folder !== undefined && run === undefined) {
    if (!isLanguage(language)) return [wrongLanguage(language)];
    const { text, findings } = await measureFolder(folder, language, measuring);
    stdout.write(text);
    return findings;
  }
  if (run === undefined || folder !== undefined || language !== undefined) return [WHAT];
  const lint = await readLint(options.lint);
  if (!lint.ok) return lint.findings;
  const root = rootOf(options.root);
  const outcome = await measureRun(folderData(root), run, { ...measuring, entry, check, lint: lint.value });
  if (outcome.rows.length > 0) stdout.write(renderQualityTable(outcome.rows));
  const { text } = outcome;
  if (text === null) return [...outcome.findings];
  const path = runPath(run);
  const written = await whenWritten(path, () => writeFilesWhole(root, [{ path, data: text }]));
  return [...outcome.findings, ...written];
}

type Measuring = { readonly reader: SyntaxReader; readonly grammar: string; readonly at: string };

/** Larger files are no source code. */
const MAX_FILE = 16 * 1024 * 1024;

async function measureFolder(
  folder: string,
  language: Language,
  { reader, grammar, at }: Measuring,
): Promise<{ text: string; findings: Finding[] }> {
  const root = userPath(folder);
  const below = await filesBelow(root);
  if (below === null) {
    const message = "There is no such folder.";
    return { text: "", findings: [{ code: "file-missing", severity: "error", path: folder, message }] };
  }
  const small = below.filter(({ size }) => size <= MAX_FILE);
  const files = [];
  for (const { path } of small) {
    const bytes = await readWhole(path);
    const inside = path.slice(root.length).replace(/\\/g, "/").replace(/^\//, "");
    files.push({ path: inside, bytes, sha256: fastDigest(bytes) });
  }
  const measurement = await runMeasurement(files, { language, at, grammar }, reader);
  const left = measurement.leftOut.map(({ path, reason }) => `left out: ${path} (${reason})\n`);
  const modules = measurement.testModules.map(
    ({ path, modules: count }) => `left out: ${count} #[cfg(test)] in ${path}\n`,
  );
  const row = { name: folder, quality: measurement.quality, note: `measured${noteOf(measurement)}` };
  return {
    text: [renderQualityTable([row]), ...left, ...modules].join(""),
    findings: [
      ...measurement.findings,
      ...below.filter(({ size }) => size > MAX_FILE).map(({ path, size }) => tooLarge(path, size)),
    ],
  };
}

async function readLint(path: string | undefined): Promise<Outcome<LintCounts | null>> {
  if (path === undefined) return { ok: true, value: null, findings: [] };
  const bytes = await readUserFile(path);
  return bytes.ok ? parseWithSchema(bytes.value, lintCountsSchema, { path, code: "code-data" }) : bytes;
}

const isLanguage = (name: string | undefined): name is Language => LANGUAGES.some((known) => known === name);

const wrongLanguage = (name: string | undefined): Finding => ({
  code: "code-quality-language",
  severity: "error",
  message: name === undefined ? "A folder does not say its language." : `"${name}" is no language of a task.`,
  expected: `--language ${LANGUAGES.join("|")}`,
});

const WHAT: Finding = {
  code: "code-quality-target",
  severity: "error",
  message: "Name either a run, or a folder with its language.",
  hint: "tools/bench run quality <run>, or tools/bench run quality --folder <folder> --language rust",
};

const tooLarge = (path: string, size: number): Finding => ({
  code: "file-too-large",
  severity: "error",
  path,
  message: `The file has ${size} bytes; the limit is ${MAX_FILE}.`,
});

import type { DataSource } from "../io/code/data-source.ts";
import { runMeasurement, type SyntaxReader } from "../io/code/grammars.ts";
import { fastDigest } from "../io/git-ids.ts";
import { effectiveRun } from "../lib/code/derive/effective.ts";
import { compareQuality } from "../lib/code/quality/compare.ts";
import { insertMembers, type NewMember } from "../lib/code/quality/insert-json.ts";
import type { LintCounts } from "../lib/code/quality/lint-counts.ts";
import type { DeliveredFile, Measurement } from "../lib/code/quality/measure.ts";
import type { QualityRow } from "../lib/code/quality/table.ts";
import { type Lint, type Quality, qualitySchema } from "../lib/code/schema/quality-schema.ts";
import { type CodeRun, type Entry, runSchema } from "../lib/code/schema/run-schema.ts";
import { type Language, taskSchema } from "../lib/code/schema/task-schema.ts";
import type { Finding } from "../lib/findings.ts";
import { parseStrictJson } from "../lib/strict-json/parse.ts";
import { DocumentReader, MAX_BYTES } from "./code-data-files.ts";

export interface QualityOptions {
  readonly reader: SyntaxReader;
  readonly grammar: string;
  /** When it is measured; instant. */
  readonly at: string;
  /** Only this entry. */
  readonly entry?: string | undefined;
  /** Compares with what is committed; nothing is added. */
  readonly check: boolean;
  readonly lint: LintCounts | null;
}

export interface QualityOutcome {
  readonly rows: readonly QualityRow[];
  readonly findings: readonly Finding[];
  /** The run's file with what was measured; null when nothing is to be written. */
  readonly text: string | null;
}

export const runPath = (run: string): string => `data/runs/${run}.json`;

/**
 * Measures the deliverables of a run. What is committed stays: an entry without metrics gets them, one without a linter's
 * count gets that. A deliverable that is not the one its run lists is not measured.
 */
export async function measureRun(
  source: DataSource,
  id: string,
  options: QualityOptions,
): Promise<QualityOutcome> {
  const documents = new DocumentReader(source);
  const run = await documents.read(runPath(id), runSchema, () => []);
  const task =
    run === null ? null : await documents.read(`tasks/${run.task}/task.json`, taskSchema, () => []);
  const bytes = await source.read(runPath(id));
  if (run === null || task === null || bytes === null)
    return { rows: [], findings: documents.findings, text: null };
  await documents.place(runPath(id), unknownEntries(run, options));
  const rows: QualityRow[] = [];
  const additions: NewMember[] = [];
  for (const [index, entry] of effectiveRun(run).entries.entries()) {
    if (options.entry !== undefined && entry.id !== options.entry) continue;
    const step = await measureEntry(source, run, entry, task.language, options);
    rows.push({ name: `${entry.id} ${entry.configuration}`, quality: step.quality, note: step.note });
    documents.findings.push(...step.findings);
    await documents.place(runPath(id), step.differences(`/entries/${index}/quality`));
    const raw = run.entries[index]?.quality;
    if (step.quality !== null && step.adds === "quality" && raw === undefined)
      additions.push({ pointer: `/entries/${index}`, key: "quality", value: step.quality });
    // A measurement that a revision replaced is left as it is.
    if (step.adds === "lint" && raw !== undefined && raw === entry.quality)
      additions.push({ pointer: `/entries/${index}/quality`, key: "lint", value: step.quality?.lint });
  }
  const text = new TextDecoder().decode(bytes);
  return {
    rows,
    findings: documents.findings,
    text: additions.length === 0 ? null : addAll(text, additions),
  };
}

interface Step {
  readonly quality: Quality | null;
  readonly note: string;
  readonly findings: readonly Finding[];
  /** Where the committed metrics are at the pointer: how they differ. */
  readonly differences: (pointer: string) => Finding[];
  /** What of `quality` is new. */
  readonly adds: "nothing" | "quality" | "lint";
}

async function measureEntry(
  source: DataSource,
  run: CodeRun,
  entry: Entry,
  language: Language,
  options: QualityOptions,
): Promise<Step> {
  const step: Step = { quality: null, note: "", findings: [], differences: () => [], adds: "nothing" };
  const committed = entry.quality ?? null;
  const lint = lintOf(entry, options.lint);
  if (committed !== null && !options.check) {
    if (lint === null || committed.lint !== undefined)
      return { ...step, quality: committed, note: "as committed" };
    return { ...step, quality: { ...committed, lint }, note: "lint added", adds: "lint" };
  }
  if (entry.deliverable.length === 0) return { ...step, note: "nothing delivered" };
  const { files, findings } = await readDeliverable(source, run.id, entry);
  if (findings.length > 0) return { ...step, findings, note: "not as listed" };
  const measurement = await runMeasurement(
    files,
    { language, at: options.at, grammar: options.grammar },
    options.reader,
  );
  const prefix = `data/entries/${run.id}/${entry.id}`;
  const seen = measurement.findings.map((finding) => ({
    ...finding,
    path: finding.path === undefined ? prefix : `${prefix}/${finding.path}`,
  }));
  const quality = lint === null ? measurement.quality : { ...measurement.quality, lint };
  if (!qualitySchema.safeParse(quality).success)
    return { ...step, findings: [...seen, tooMany(prefix)], note: "not measured" };
  const notes = noteOf(measurement);
  if (!options.check) {
    return { ...step, quality, findings: seen, note: `measured${notes}`, adds: "quality" };
  }
  if (committed === null) return { ...step, quality, findings: seen, note: `not committed yet${notes}` };
  const changed = compareQuality(committed, measurement.quality, "").length > 0;
  return {
    ...step,
    quality: committed,
    note: changed ? "changed" : "the same",
    differences: (pointer) => compareQuality(committed, measurement.quality, pointer),
  };
}

const tooMany = (path: string): Finding => ({
  code: "code-quality-too-many",
  severity: "error",
  path,
  message: "This deliverable has more functions or files than a run can hold.",
  expected: "at most 20000 functions in 200 files",
  hint: "Look at it: it seems to be generated.",
});

function lintOf(entry: Entry, counts: LintCounts | null): Lint | null {
  const found = counts?.entries.find(({ id }) => id === entry.id);
  return counts === null || found === undefined
    ? null
    : { tool: counts.tool, version: counts.version, warnings: found.warnings };
}

/** How many files were left out, by reason, and the test modules inside files that count. */
export function noteOf({ leftOut, testModules }: Measurement): string {
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const modules = testModules.reduce((sum, file) => sum + file.modules, 0);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`);
  if (modules > 0) parts.push(`${modules} #[cfg(test)]`);
  return parts.length === 0 ? "" : `, without ${parts.join(", ")}`;
}

async function readDeliverable(
  source: DataSource,
  run: string,
  entry: Entry,
): Promise<{ files: DeliveredFile[]; findings: Finding[] }> {
  const files: DeliveredFile[] = [];
  const findings: Finding[] = [];
  for (const { path, sha256 } of entry.deliverable) {
    const place = `data/entries/${run}/${entry.id}/${path}`;
    const bytes = await source.read(place);
    const actual = bytes === null ? "no such file" : fastDigest(bytes);
    if (bytes !== null && actual === sha256) files.push({ path, sha256, bytes });
    else {
      findings.push({
        code: "code-entry-digest",
        severity: "error",
        message: "The deliverable is not the file that its run lists.",
        path: place,
        expected: sha256,
        actual,
        hint: `Commit the file as it was judged, or correct ${runPath(run)}.`,
      });
    }
  }
  return { files, findings };
}

function unknownEntries(run: CodeRun, { entry, lint }: QualityOptions): Finding[] {
  const known = new Set(run.entries.map(({ id }) => id));
  const named = [...(entry === undefined ? [] : [entry]), ...(lint?.entries.map(({ id }) => id) ?? [])];
  return named
    .filter((id) => !known.has(id))
    .map((id) => ({
      code: "code-quality-unknown-entry",
      severity: "error",
      message: "The run has no such entry.",
      pointer: "/entries",
      expected: [...known].join(", ").slice(0, 300),
      actual: id,
    }));
}

function addAll(text: string, members: readonly NewMember[]): string {
  const json = parseStrictJson(text, { maxBytes: MAX_BYTES });
  if (!json.ok) throw new Error("a run that was read before cannot be read any more");
  return insertMembers(text, json.value, members);
}

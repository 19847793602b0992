import type { DataSource } from "../io/code/data-source.ts";
import { fastDigest } from "../io/git-ids.ts";
import { verifySignature } from "../io/host/keys.ts";
import {
  checkAnchors,
  checkBriefs,
  checkDefects,
  checkReplicates,
  checkTaskOf,
  outlineOf,
  type RunOutline,
  reportedFindings,
} from "../lib/code/check/across-rules.ts";
import {
  type Catalogue,
  catalogueOf,
  checkHosts,
  checkJudges,
  checkModels,
  checkTask,
} from "../lib/code/check/catalogue.ts";
import { checkRun } from "../lib/code/check/run-rules.ts";
import { checkPricing } from "../lib/code/cost/check.ts";
import type { Data, EntryData } from "../lib/code/derive/data-schema.ts";
import { type DataHead, startDerivation } from "../lib/code/derive/derive.ts";
import { type Anchors, anchorsSchema } from "../lib/code/schema/anchors-schema.ts";
import { type Defects, defectsSchema } from "../lib/code/schema/defects-schema.ts";
import { hostsSchema } from "../lib/code/schema/hosts-schema.ts";
import { judgesSchema } from "../lib/code/schema/judges-schema.ts";
import { type Models, modelsSchema } from "../lib/code/schema/models-schema.ts";
import { type Pricing, pricingSchema } from "../lib/code/schema/pricing-schema.ts";
import { type CodeRun, runSchema } from "../lib/code/schema/run-schema.ts";
import { type Task, taskSchema } from "../lib/code/schema/task-schema.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import { type DataPaths, DocumentReader, singlePath, sortPaths, unknownFile } from "./code-data-files.ts";

export interface CodeDataOptions {
  /** Whether runs made by a generator are welcome: in a folder of their own, never among committed results. */
  readonly synthetic: boolean;
  /** Whether the bytes of deliverables are compared with the digests that runs give. */
  readonly deliverables: boolean;
}

export interface CodeHead {
  /** Null when the facts do not hold, or when there is no run. */
  readonly head: DataHead | null;
  /** Runs that were looked at. */
  readonly runs: number;
  readonly findings: readonly Finding[];
}

export interface CodeData extends Omit<CodeHead, "head"> {
  /** Null when the facts do not hold, or when there is no run. */
  readonly data: Data | null;
}

/** Reads a whole data folder, checks every rule, and derives what `data.json` holds. */
export async function readCodeData(source: DataSource, options: CodeDataOptions): Promise<CodeData> {
  const entries: EntryData[] = [];
  const { head, ...rest } = await deriveCode(source, options, async (run) => {
    entries.push(...run);
  });
  return { data: head === null ? null : { ...head, entries }, ...rest };
}

/** What runs refer to. */
interface Base {
  readonly models: Models;
  readonly pricing: Pricing;
  readonly catalogue: Catalogue;
  readonly anchors: ReadonlyMap<string, Anchors>;
  readonly defects: ReadonlyMap<string, Defects>;
}

/**
 * As `readCodeData`, one run at a time: `take` gets the entries of each and may forget them. Findings have file, line and
 * column. Nothing is derived from facts that do not hold; what was taken by then is void.
 */
export async function deriveCode(
  source: DataSource,
  options: CodeDataOptions,
  take: (entries: readonly EntryData[]) => Promise<void>,
): Promise<CodeHead> {
  const paths = sortPaths(await source.list());
  const reader = new DocumentReader(source);
  const { findings } = reader;
  findings.push(...paths.unknown.map(unknownFile));
  const base = await readBase(reader, paths);
  if (base === null) return { head: null, runs: paths.runs.length, findings };

  const derivation = startDerivation({ ...base, verifySignature });
  const reported = reportedFindings(base.defects.values());
  const outlines = new Map<string, RunOutline>();
  const listed = new Set<string>();
  for (const id of paths.runs) {
    const run = await reader.read(runPath(id), runSchema, (value) =>
      checkRun(value, id, { ...base, synthetic: options.synthetic, verifySignature }),
    );
    if (run === null) continue;
    const outline = outlineOf(run, reported);
    outlines.set(outline.id, outline);
    if (options.deliverables) await checkDeliverables(source, run, listed, findings);
    if (!hasErrors(findings)) await take(derivation.add(run));
  }
  const unread = new Set(paths.runs.filter((id) => !outlines.has(id)));
  await checkAcross(reader, base, outlines, unread);
  if (options.deliverables) {
    // A run that cannot be read may list any file of its folder.
    const known = (path: string): boolean => listed.has(path) || unread.has(path.split("/")[2] ?? "");
    findings.push(...paths.deliverables.filter((path) => !known(path)).map(unlisted));
  }
  const head = hasErrors(findings) || outlines.size === 0 ? null : derivation.finish(reader.digest());
  return { head, runs: paths.runs.length, findings };
}

const runPath = (id: string): string => `data/runs/${id}.json`;
const none = (): Finding[] => [];

/** Everything but the runs. Null when one of the documents that all runs need cannot be read. */
async function readBase(reader: DocumentReader, paths: DataPaths): Promise<Base | null> {
  // A repository may have tasks before it has anything else.
  if (paths.runs.length === 0 && paths.singles.size === 0) return null;
  const pricing = await reader.read(singlePath("pricing"), pricingSchema, checkPricing);
  const cards = new Set(pricing?.cards.map(({ id }) => id));
  const models = await reader.read(singlePath("models"), modelsSchema, (value) => checkModels(value, cards));
  const known = new Map(models?.models.map((model) => [model.id, model]));
  const judges = await reader.read(singlePath("judges"), judgesSchema, (value) => checkJudges(value, known));
  const hosts = await reader.read(singlePath("hosts"), hostsSchema, checkHosts);
  if (pricing === null || models === null || judges === null || hosts === null) return null;

  const hostIds = new Map(hosts.hosts.map((host) => [host.id, host]));
  const tasks: Task[] = [];
  for (const id of paths.tasks) {
    const task = await reader.read(`tasks/${id}/task.json`, taskSchema, (value) =>
      checkTask(value, id, hostIds),
    );
    if (task !== null) tasks.push(task);
  }
  const anchors = new Map<string, Anchors>();
  for (const id of paths.anchors) {
    const document = await reader.read(`data/anchors/${id}.json`, anchorsSchema, none);
    if (document !== null) anchors.set(id, document);
  }
  const defects = new Map<string, Defects>();
  for (const id of paths.defects) {
    const document = await reader.read(`data/defects/${id}.json`, defectsSchema, none);
    if (document !== null) defects.set(id, document);
  }
  return { models, pricing, catalogue: catalogueOf(models, judges, hosts, tasks), anchors, defects };
}

/** What only all runs together show. */
async function checkAcross(
  reader: DocumentReader,
  { catalogue, anchors, defects }: Base,
  outlines: ReadonlyMap<string, RunOutline>,
  unread: ReadonlySet<string>,
): Promise<void> {
  const runs = [...outlines.values()];
  const known = new Map<string, RunOutline | null>([
    ...outlines,
    ...[...unread].map((id) => [id, null] as const),
  ]);
  const repeats = [...checkReplicates(runs, runPath), ...checkBriefs(runs, runPath)];
  for (const path of new Set(repeats.map((finding) => finding.path ?? "")))
    await reader.place(
      path,
      repeats.filter((finding) => finding.path === path),
    );
  for (const [id, document] of anchors)
    await reader.place(`data/anchors/${id}.json`, [
      ...checkTaskOf(id, catalogue),
      ...checkAnchors(document, id, known),
    ]);
  for (const [id, document] of defects)
    await reader.place(`data/defects/${id}.json`, [
      ...checkTaskOf(id, catalogue),
      ...checkDefects(document, id, catalogue.tasks.get(id), known),
    ]);
}

/** The files of a run's deliverables are there, byte for byte. */
async function checkDeliverables(
  source: DataSource,
  run: CodeRun,
  listed: Set<string>,
  findings: Finding[],
): Promise<void> {
  for (const entry of run.entries)
    for (const file of entry.deliverable) {
      const path = `data/entries/${run.id}/${entry.id}/${file.path}`;
      listed.add(path);
      const bytes = await source.read(path);
      const actual = bytes === null ? "no such file" : `${fastDigest(bytes)}, ${bytes.length} bytes`;
      const expected = `${file.sha256}, ${file.bytes} bytes`;
      if (actual !== expected)
        findings.push({
          code: "code-entry-digest",
          severity: "error",
          message: "The deliverable is not the file that its run lists.",
          path,
          expected,
          actual,
          hint: `Commit the file as it was judged, or correct ${runPath(run.id)}.`,
        });
    }
}

const unlisted = (path: string): Finding => ({
  code: "code-entry-unlisted",
  severity: "error",
  message: "No run lists this file.",
  path,
  hint: "List it in its entry's deliverable with digest and size, or remove it.",
});

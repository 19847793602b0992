import { fastDigest } from "../io/git-ids.ts";
import { parseResult, RESULTS_FOLDER } from "../lib/benchmarks/result.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import {
  buildModelIndex,
  correctionFindings,
  indexEntryOf,
  indexWithdrawalOf,
  type ModelResults,
  standingResults,
  tiedFiles,
} from "../lib/feed/index-build.ts";
import {
  INDEX_PATH,
  type IndexEntry,
  type IndexWithdrawal,
  type ModelIndex,
  type ModelRow,
  modelIndexPath,
  type ResultIndex,
  type SuiteIndex,
  suiteIndexPath,
} from "../lib/feed/index-schema.ts";
import { type ProjectedResult, projectResult } from "../lib/feed/project.ts";
import { isWithdrawalPath, parseWithdrawal } from "../lib/feed/withdrawal.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import { EvidenceChanges, Output } from "./index-output.ts";
import { IndexError, type PublishedIndex } from "./published-index.ts";
import type { FileId, ResultsTree } from "./results-tree.ts";

/** First-parent merge order of some paths, oldest first. */
export type MergeOrder = (paths: readonly string[]) => Promise<readonly string[]>;

export interface UpdateRequest {
  readonly results: ResultsTree;
  readonly sourceTree: string | null;
  readonly engine: string | null;
  /** What was published before, for as much of it as the tree still has; null derives everything. */
  readonly previous: PublishedIndex | null;
  readonly mergeOrder: MergeOrder;
  /**
   * Judges a document that the previous index does not hold by rules that need its suite; null leaves a document that
   * was judged when it was merged at what the index needs of it.
   */
  readonly judge: ((document: ResultDocument, path: string) => Finding[]) | null;
  /** Which unchanged model folders (by tree id) are derived once more and compared. */
  readonly audit: (tree: string) => boolean;
}

/** A model's newest result in a suite. */
export interface LatestResult {
  readonly model: string;
  readonly file: FileId;
  readonly entry: IndexEntry;
  readonly previous: { readonly path: string; readonly entry: IndexEntry } | null;
  /** It was the newest already when the previous index was made, so that it has been judged and executed. */
  readonly known: boolean;
}

export interface UpdatedSuite {
  readonly id: string;
  readonly tree: string;
  readonly latest: readonly LatestResult[];
  readonly withdrawals: readonly (IndexWithdrawal & { readonly model: string; readonly path: string })[];
}

export interface UpdatedIndex {
  readonly manifest: ResultIndex;
  readonly suites: readonly UpdatedSuite[];
  /** Parts of the index that are new or have changed. */
  readonly files: readonly { readonly path: string; readonly data: string }[];
  /** Parts that are what they were. */
  readonly kept: readonly string[];
  readonly findings: readonly Finding[];
}

/** Documents read at a time. */
const BATCH = 200;

/**
 * Brings the index to a tree. Folders whose tree id is the one that the previous index names are taken over; in others
 * only files are read whose blob the index does not hold. With or without a previous index the same tree gives the same
 * bytes.
 * @throws IndexError when the previous index is broken, or an audited part is not what its documents give.
 */
export async function updateIndex(request: UpdateRequest): Promise<UpdatedIndex> {
  const { results, previous } = request;
  const output = new Output();
  const findings: Finding[] = [];
  const suites: UpdatedSuite[] = [];
  const manifests: ResultIndex["suites"] = [];
  const top = await results.level();
  for (const { name } of top.files)
    if (!OTHER_FILES.has(name)) findings.push(unexpected(`${RESULTS_FOLDER}/${name}`));
  for (const { name, tree } of top.folders) {
    const before = (await previous?.suite(name)) ?? null;
    const updated = await updateSuite(request, { id: name, tree }, before, output);
    for (const finding of updated.findings) findings.push(finding);
    if (updated.index === null) continue;
    const { index } = updated;
    suites.push(updatedSuite(index, before, updated.withdrawals));
    manifests.push({
      id: name,
      tree,
      sha256: output.write(suiteIndexPath(name), index),
      models: index.models.length,
      results: index.models.reduce((sum, row) => sum + row.results, 0),
      withdrawals: index.models.reduce((sum, row) => sum + row.withdrawals.length, 0),
    });
  }
  const manifest: ResultIndex = {
    schema_version: 3,
    source_tree: request.sourceTree,
    results_tree: results.tree,
    engine: request.engine,
    suites: manifests,
  };
  output.write(INDEX_PATH, manifest);
  return { manifest, suites, files: output.files, kept: output.kept, findings };
}

/** Files that may lie in the results folder without being results. */
const OTHER_FILES = new Set(["README.md", ".gitkeep"]);

const unexpected = (path: string): Finding => ({
  code: "result-unexpected-file",
  severity: "error",
  path,
  message: "Only result documents lie in the results folder.",
});

interface SuiteOutcome {
  /** Null when findings say why there is none. */
  readonly index: SuiteIndex | null;
  readonly withdrawals: UpdatedSuite["withdrawals"];
  readonly findings: readonly Finding[];
}

async function updateSuite(
  request: UpdateRequest,
  suite: { readonly id: string; readonly tree: string },
  before: SuiteIndex | null,
  output: Output,
): Promise<SuiteOutcome> {
  const level = await request.results.level(suite.id);
  const findings: Finding[] = level.files.map(({ name }) =>
    unexpected(`${RESULTS_FOLDER}/${suite.id}/${name}`),
  );
  const rows: ModelRow[] = [];
  const evidence = new EvidenceChanges(suite.id, before, request.previous);
  const known = new Map(before?.models.map((row) => [row.folder, row]));
  for (const folder of level.folders) {
    const was = known.get(folder.name) ?? null;
    known.delete(folder.name);
    if (was !== null && was.tree === folder.tree && !request.audit(folder.tree)) {
      rows.push(was);
      output.kept.push(modelIndexPath(suite.id, folder.name));
      continue;
    }
    const updated = await updateModel(request, suite.id, folder, was, output);
    for (const finding of updated.findings) findings.push(finding);
    evidence.replace(updated.before, updated.after);
    if (updated.row !== null) rows.push(updated.row);
  }
  // Results are never deleted; a tree that lacks some all the same has an index without them.
  for (const row of known.values()) evidence.replace(await request.previous?.model(suite.id, row), undefined);
  if (hasErrors(findings)) return { index: null, withdrawals: [], findings };
  const index: SuiteIndex = {
    schema_version: 1,
    suite: suite.id,
    tree: suite.tree,
    evidence: await evidence.write(
      rows.reduce((sum, row) => sum + row.results, 0),
      output,
    ),
    models: rows,
  };
  const withdrawals = rows.flatMap((row) =>
    row.withdrawals.map((withdrawal) => ({
      ...withdrawal,
      model: row.model,
      path: `${RESULTS_FOLDER}/${suite.id}/${row.folder}/${withdrawal.file}`,
    })),
  );
  return { index, withdrawals, findings };
}

interface ModelOutcome {
  readonly row: ModelRow | null;
  readonly before: ModelIndex | undefined;
  readonly after: ModelIndex | undefined;
  readonly findings: readonly Finding[];
}

async function updateModel(
  request: UpdateRequest,
  suite: string,
  folder: { readonly name: string; readonly tree: string },
  was: ModelRow | null,
  output: Output,
): Promise<ModelOutcome> {
  const before = was === null ? undefined : await request.previous?.model(suite, was);
  const audited = was?.tree === folder.tree;
  const { content, model, findings } = await readModel(
    // Its documents were judged when they came; now they are only compared.
    audited ? { ...request, judge: null } : request,
    `${suite}/${folder.name}`,
    // What is audited is derived anew, without a look at what the index says.
    audited ? undefined : before,
  );
  if (model === null) return { row: null, before, after: undefined, findings };
  findings.push(...correctionFindings({ suite, folder: folder.name, model }, content));
  if (hasErrors(findings)) return { row: null, before, after: undefined, findings };
  const tied = tiedFiles(content);
  const prefix = `${RESULTS_FOLDER}/${suite}/${folder.name}/`;
  const order =
    tied.length === 0
      ? []
      : (await request.mergeOrder(tied.map((file) => prefix + file))).map((path) =>
          path.slice(prefix.length),
        );
  const after = buildModelIndex({ suite, folder: folder.name, tree: folder.tree, model }, content, order);
  if (audited && canonicalJson(after) !== canonicalJson(before))
    throw new IndexError(`${modelIndexPath(suite, folder.name)} is not what its documents give`);
  const [latest = null, previous = null] = standingResults(content, order);
  const row: ModelRow = {
    folder: folder.name,
    model,
    tree: folder.tree,
    sha256: output.write(modelIndexPath(suite, folder.name), after),
    results: after.results.length,
    latest,
    previous,
    withdrawals: after.withdrawals,
  };
  if (audited && canonicalJson(row) !== canonicalJson(was))
    throw new IndexError(`${suiteIndexPath(suite)} is not what the documents of ${folder.name} give`);
  return { row, before, after, findings };
}

/** Everything in one model's folder: taken from the index where it holds the very blob, read where it does not. */
async function readModel(
  request: UpdateRequest,
  folder: string,
  before: ModelIndex | undefined,
): Promise<{ content: ModelResults; model: string | null; findings: Finding[] }> {
  const [suite = "", name = ""] = folder.split("/");
  const level = await request.results.level(suite, name);
  const place = `${RESULTS_FOLDER}/${folder}`;
  const findings = level.folders.map((inner) => unexpected(`${place}/${inner.name}`));
  const known = new Map(
    [...(before?.results ?? []), ...(before?.withdrawals ?? [])].map((entry) => [entry.file, entry]),
  );
  const results: IndexEntry[] = [];
  const withdrawals: IndexWithdrawal[] = [];
  let model = before?.model ?? null;
  const found = (id: string, path: string): void => {
    model ??= id;
    if (model !== id) findings.push(otherModel(path, model, id));
  };
  const unread: { name: string; blob: string; path: string }[] = [];
  for (const { name: file, blob, mode } of level.files) {
    const path = `${place}/${file}`;
    const entry = known.get(file);
    if (mode !== "100644" || !file.endsWith(".json")) findings.push(unexpected(path));
    else if (entry?.blob !== blob) unread.push({ name: file, blob, path });
    else if ("withdraws" in entry) withdrawals.push(entry);
    else {
      const { state: _state, ...plain } = entry as IndexEntry & { state?: string };
      results.push(plain);
    }
  }
  for (let start = 0; start < unread.length; start += BATCH) {
    const batch = unread.slice(start, start + BATCH);
    const contents = await request.results.read(batch);
    for (const [index, { name: file, blob, path }] of batch.entries()) {
      const bytes = contents[index] ?? null;
      if (bytes === null) {
        findings.push(unexpected(path));
        continue;
      }
      const indexed = { file, blob, digest: fastDigest(bytes) };
      if (isWithdrawalPath(path)) {
        const parsed = parseWithdrawal(bytes, path);
        findings.push(...parsed.findings);
        if (!parsed.ok) continue;
        withdrawals.push(indexWithdrawalOf(indexed, parsed.value));
        found(parsed.value.model, path);
        continue;
      }
      let document: ProjectedResult | null =
        request.judge === null ? projectResult(bytes, path, indexed.digest) : null;
      if (document === null) {
        const parsed = parseResult(bytes, path);
        findings.push(...parsed.findings);
        if (!parsed.ok) continue;
        findings.push(...(request.judge?.(parsed.value, path) ?? []));
        document = parsed.value;
      }
      results.push(indexEntryOf(indexed, document));
      found(document.model.id, path);
    }
  }
  return { content: { results, withdrawals }, model, findings };
}

/** A folder's name holds eight digits of its model's hash: few enough to be made equal on purpose. */
const otherModel = (path: string, expected: string, actual: string): Finding => ({
  code: "result-other-model",
  severity: "error",
  path,
  pointer: "/model/id",
  message: "This folder holds the results of another model.",
  expected,
  actual,
});

function updatedSuite(
  index: SuiteIndex,
  before: SuiteIndex | null,
  withdrawals: UpdatedSuite["withdrawals"],
): UpdatedSuite {
  const was = new Map(before?.models.map((row) => [row.folder, row.latest?.blob]));
  const path = (row: ModelRow, { file }: IndexEntry): string =>
    `${RESULTS_FOLDER}/${index.suite}/${row.folder}/${file}`;
  return {
    id: index.suite,
    tree: index.tree,
    withdrawals,
    latest: index.models.flatMap((row): LatestResult[] =>
      row.latest === null
        ? []
        : [
            {
              model: row.model,
              entry: row.latest,
              file: { path: path(row, row.latest), blob: row.latest.blob },
              previous: row.previous === null ? null : { path: path(row, row.previous), entry: row.previous },
              known: was.get(row.folder) === row.latest.blob,
            },
          ],
    ),
  };
}

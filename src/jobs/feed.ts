import { folderData } from "../io/code/data-source.ts";
import { readEngine } from "../io/engine.ts";
import { type FileSource, folderSource, listFiles, removeFiles, writeFilesWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { parseResult, RESULTS_FOLDER } from "../lib/benchmarks/result.ts";
import { type ResultDocument, resultSchema } from "../lib/benchmarks/result-schema.ts";
import { resultAgainstSuite } from "../lib/benchmarks/result-suite-rules.ts";
import { suitePath } from "../lib/benchmarks/suite.ts";
import { parseVocabulary, VOCABULARY_PATH, type Vocabulary } from "../lib/benchmarks/vocabulary.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { renderBoard } from "../lib/feed/board.ts";
import { type BoardResult, buildBoardIndex, buildBoardSuite } from "../lib/feed/board-build.ts";
import {
  BOARD_INDEX_PATH,
  type BoardIndex,
  type BoardSuite,
  boardSuitePath,
} from "../lib/feed/board-schema.ts";
import { buildFeed } from "../lib/feed/build.ts";
import { agrees } from "../lib/feed/index-build.ts";
import type { IndexEntry, ResultIndex } from "../lib/feed/index-schema.ts";
import { type ProjectedResult, projectResult } from "../lib/feed/project.ts";
import { entryOf, type Feed, parseRegistry, REGISTRY_PATH, type Registry } from "../lib/feed/schema.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { type LoadedSuite, loadSuite } from "./load-suite.ts";
import { IndexError, openIndex, type PublishedIndex } from "./published-index.ts";
import { folderResults, type ResultsTree } from "./results-tree.ts";
import { recomputeResult } from "./score.ts";
import { listSuites } from "./suite.ts";
import {
  type LatestResult,
  type MergeOrder,
  type UpdatedIndex,
  type UpdatedSuite,
  updateIndex,
} from "./update-index.ts";

export interface FeedRequest {
  /** The folder that holds the tree: a checkout of main. */
  readonly root: string;
  /** Git's id of the tree in `root`; null when it is not a committed one. */
  readonly sourceTree: string | null;
  /** Results as the tree holds them; by default those of the folder, whose ids are then computed from their bytes. */
  readonly results?: ResultsTree;
  /** First-parent merge order, oldest first: all paths of results, or who can be asked for that of some. */
  readonly mergeOrder?: readonly string[] | MergeOrder;
  /** What was published before. It saves time with many results, and decides nothing. */
  readonly previous?: FileSource;
  /**
   * Whether results that go on the board are executed once more, where their workbooks are here; default true. It
   * keeps a result that came to main without a verdict off the board.
   */
  readonly recompute?: boolean;
  /** Up to so many committed results every document is judged by every rule each time; default 2000. */
  readonly judgeAll?: number;
}

export interface PublishedFiles {
  readonly feed: Feed;
  readonly index: ResultIndex;
  readonly boards: readonly BoardSuite[];
  readonly boardIndex: BoardIndex;
  /** Paths relative to the folder `published/`. */
  readonly files: readonly { readonly path: string; readonly data: string }[];
  /** The public tree of the code benchmark (`data.json`, `pricing.json`, methodology); none while it has no run. */
  readonly code: readonly { readonly path: string; readonly data: string | Uint8Array }[];
  /** Files that are byte for byte what `previous` has. */
  readonly kept: readonly string[];
  /** Why what was published before was not used; null when it was, or when there was no need. */
  readonly notUsed: string | null;
}

/** Results up to which judging all of them each time costs some seconds at most. */
const JUDGE_ALL = 2000;

/**
 * Computes the derived documents of a tree: feed, index and boards (canonical JSON), `board.md`, and the public tree of the
 * code benchmark. A result or fact that does not hold is fatal: nothing is published from a tree that cannot be trusted.
 * Never looks at a clock.
 */
export async function computeFeed(request: FeedRequest): Promise<Outcome<PublishedFiles>> {
  try {
    return await deriveFeed(request, null);
  } catch (error) {
    if (!(error instanceof IndexError) || request.previous === undefined) throw error;
    const { previous: _previous, ...rest } = request;
    return deriveFeed(rest, error.message);
  }
}

/** @throws IndexError when what was published before does not stand up to a check. */
async function deriveFeed(request: FeedRequest, notUsed: string | null): Promise<Outcome<PublishedFiles>> {
  const { root } = request;
  const base = await readBase(root);
  if (!base.ok) return base;
  const results = request.results ?? (await folderResults(root));
  const engine = request.recompute === false ? null : (await readEngine()).digest;
  const { updated, fresh } = await bringIndex(request, results, base.value, engine);
  const findings: Finding[] = [...updated.findings];
  if (!hasErrors(findings)) findings.push(...unknownSuites(updated, base.value));
  const boards: BoardSuite[] = [];
  const standing: BoardResult[] = [];
  if (!hasErrors(findings))
    for (const loaded of base.value.suites) {
      const suite = updated.suites.find(({ id }) => id === loaded.suite.id);
      const latest = await readLatest(results, suite, loaded, (result) => fresh && result.known);
      for (const finding of latest.findings) findings.push(finding);
      if (request.recompute !== false)
        for (const { result, known } of latest.results)
          if (!(fresh && known)) findings.push(...(await executed(result, loaded)));
      for (const { result } of latest.results) standing.push(result);
      boards.push(
        buildBoardSuite({
          sourceTree: request.sourceTree,
          resultsTree: results.tree,
          suiteTree: suite?.tree ?? null,
          suite: loaded.suite,
          vocabulary: loaded.vocabulary,
          registry: base.value.registry,
          results: latest.results.map(({ result }) => result),
          withdrawn: withdrawnOf(suite),
          privacy: loaded,
        }),
      );
    }
  const code = hasErrors(findings) ? null : await readCode(root);
  findings.push(...(code?.findings ?? []));
  if (code?.ok !== true || hasErrors(findings)) return { ok: false, findings };
  const feed = buildFeed({
    sourceTree: request.sourceTree,
    registry: base.value.registry,
    suites: base.value.suites.map(({ suite }) => suite),
    tags: base.value.vocabulary.tags.map(({ id }) => id),
    entries: standing.map(({ document, path, digest }) => entryOf(document, path, digest)),
  });
  const sources = { source_tree: request.sourceTree, results_tree: results.tree };
  const boardIndex = buildBoardIndex(boards, sources);
  return {
    ok: true,
    value: {
      feed,
      index: updated.manifest,
      boards,
      boardIndex,
      files: [
        { path: "feed.json", data: canonicalDocument(feed) },
        { path: BOARD_INDEX_PATH, data: canonicalDocument(boardIndex) },
        ...boards.map((board) => ({
          path: boardSuitePath(board.suite.id),
          data: canonicalDocument(board),
        })),
        { path: "board.md", data: renderBoard(boards) },
        ...updated.files,
      ],
      code: code.value,
      kept: updated.kept,
      notUsed,
    },
    findings,
  };
}

/** Loaded where there are runs: repositories without the code benchmark have nothing of it. */
async function readCode(root: string): Promise<Outcome<PublishedFiles["code"]>> {
  if ((await listFiles(root, "data/runs")).length === 0) return { ok: true, value: [], findings: [] };
  const { publicFiles } = await import("./code-publish.ts");
  return publicFiles(folderData(root));
}

/** Folders of `published/` that hold derived documents only. */
const OWN_FOLDERS = ["index", "board"];

/**
 * Writes the derived documents into a folder: new and changed ones whole, or none of them; those that were kept are
 * there already or come from `previous`; derived documents of results that are gone go.
 */
export async function writePublished(
  folder: string,
  published: PublishedFiles,
  previous?: FileSource,
): Promise<void> {
  const there = new Set((await Promise.all(OWN_FOLDERS.map((own) => listFiles(folder, own)))).flat());
  const copied: { path: string; data: Uint8Array }[] = [];
  for (const path of published.kept) {
    if (there.has(path)) continue;
    const data = (await previous?.(path)) ?? null;
    if (data === null) throw new IndexError(`${path} was kept and is nowhere to be found`);
    copied.push({ path, data });
  }
  await writeFilesWhole(folder, [...copied, ...published.files, ...published.code]);
  const wanted = new Set([...published.kept, ...published.files.map(({ path }) => path)]);
  await removeFiles(
    folder,
    [...there].filter((path) => !wanted.has(path)),
  );
}

interface Base {
  readonly registry: Registry;
  readonly vocabulary: Vocabulary;
  readonly suites: readonly LoadedSuite[];
}

async function readBase(root: string): Promise<Outcome<Base>> {
  const source = folderSource(root);
  const registry = parseRegistry((await source(REGISTRY_PATH)) ?? "", REGISTRY_PATH);
  const vocabulary = parseVocabulary((await source(VOCABULARY_PATH)) ?? "", VOCABULARY_PATH);
  const findings = [...registry.findings, ...vocabulary.findings];
  const suites: LoadedSuite[] = [];
  for (const id of await listSuites(root)) {
    const loaded = await loadSuite(root, id);
    findings.push(...loaded.findings);
    if (loaded.ok) suites.push(loaded.value);
    if (boardSuitePath(id) === BOARD_INDEX_PATH)
      findings.push({
        code: "suite-reserved-id",
        severity: "error",
        path: suitePath(id),
        message: `No suite can be called ${id}: its board would take the place of the list of boards.`,
      });
  }
  if (!registry.ok || !vocabulary.ok || hasErrors(findings)) return { ok: false, findings };
  return { ok: true, value: { registry: registry.value, vocabulary: vocabulary.value, suites }, findings };
}

/** The index of the tree, from what was published before where that helps and holds. */
async function bringIndex(
  request: FeedRequest,
  results: ResultsTree,
  base: Base,
  engine: string | null,
): Promise<{ updated: UpdatedIndex; fresh: boolean }> {
  const limit = request.judgeAll ?? JUDGE_ALL;
  const suites = new Map(base.suites.map(({ suite }) => [suite.id, suite]));
  const judge = (document: ResultDocument, path: string): Finding[] => {
    const suite = suites.get(document.suite.id);
    return suite === undefined
      ? [unknownSuite(document.suite.id, path)]
      : resultAgainstSuite(document, suite, path);
  };
  const { mergeOrder = [] } = request;
  const common = {
    results,
    sourceTree: request.sourceTree,
    engine,
    mergeOrder: typeof mergeOrder === "function" ? mergeOrder : async () => mergeOrder,
  };
  const previous = request.previous === undefined ? null : await openIndex(request.previous);
  if (previous !== null && countOf(previous) > limit) {
    const audit = (tree: string): boolean => tree.slice(0, 2) === results.tree?.slice(0, 2);
    const updated = await updateIndex({ ...common, previous, judge, audit });
    return { updated, fresh: previous.manifest.engine === engine };
  }
  const many = (await countFiles(results, limit)) > limit;
  const updated = await updateIndex({
    ...common,
    previous: null,
    judge: many ? null : judge,
    audit: () => false,
  });
  return { updated, fresh: false };
}

const unknownSuite = (id: string, path: string): Finding => ({
  code: "suite-unknown",
  severity: "error",
  path,
  message: `There is no suite ${id}.`,
});

const unknownSuites = (updated: UpdatedIndex, { suites }: Base): Finding[] =>
  updated.suites
    .filter(({ id }) => !suites.some(({ suite }) => suite.id === id))
    .map(({ id }) => unknownSuite(id, `${RESULTS_FOLDER}/${id}`));

const countOf = ({ manifest }: PublishedIndex): number =>
  manifest.suites.reduce((sum, { results }) => sum + results, 0);

/** Files in the folders of models; stops counting above the limit. */
async function countFiles(results: ResultsTree, limit: number): Promise<number> {
  let count = 0;
  for (const suite of (await results.level()).folders)
    for (const model of (await results.level(suite.name)).folders) {
      count += (await results.level(suite.name, model.name)).files.length;
      if (count > limit) return count;
    }
  return count;
}

interface StandingResult {
  readonly result: BoardResult;
  readonly known: boolean;
}

/**
 * The documents that go on a board, and what they are compared with: every number shown is read from them, never from
 * the index. A document that was on the board when its index was made has been judged then; every other is judged now
 * by every rule.
 * @throws IndexError when the index says something else of a document than the document does.
 */
async function readLatest(
  tree: ResultsTree,
  updated: UpdatedSuite | undefined,
  { suite }: LoadedSuite,
  judged: (result: LatestResult) => boolean,
): Promise<{ results: StandingResult[]; findings: Finding[] }> {
  const latest = updated?.latest ?? [];
  const contents = await tree.read(latest.map(({ file }) => file));
  const before = await tree.read(
    latest.flatMap(({ previous }) =>
      previous === null ? [] : [{ path: previous.path, blob: previous.entry.blob }],
    ),
  );
  const results: StandingResult[] = [];
  const findings: Finding[] = [];
  for (const [index, result] of latest.entries()) {
    const { path } = result.file;
    const bytes = contents[index] ?? null;
    if (bytes === null) throw new IndexError(`${path} cannot be read`);
    const plain = judged(result) ? plainResult(bytes) : null;
    let document = plain;
    if (document === null) {
      const parsed = parseResult(bytes, path);
      findings.push(...parsed.findings);
      if (!parsed.ok) continue;
      document = parsed.value;
      findings.push(...resultAgainstSuite(document, suite, path));
    }
    const { entry, previous } = result;
    const { blob } = result.file;
    hold(path, entry, fastDigest(bytes), document);
    results.push({
      known: result.known,
      result: {
        path,
        blob,
        digest: entry.digest,
        document,
        previous: previous === null ? null : readPrevious(previous, before.shift() ?? null),
      },
    });
  }
  return { results, findings };
}

function readPrevious(
  { path, entry }: NonNullable<LatestResult["previous"]>,
  bytes: Uint8Array | null,
): BoardResult["previous"] {
  const digest = bytes === null ? "" : fastDigest(bytes);
  const projected = bytes === null ? null : projectResult(bytes, path, digest);
  if (projected === null) throw new IndexError(`${path} cannot be read`);
  hold(path, entry, digest, projected);
  const { finished_at, components, composite } = projected;
  return { digest, path, blob: entry.blob, finished_at, components, composite };
}

/** The index says of a document what the document says. */
function hold(path: string, entry: IndexEntry, digest: string, document: ProjectedResult): void {
  if (!agrees(entry, digest, document))
    throw new IndexError(`the index says something else of ${path} than the document does`);
}

/** A document whose rules are known to hold; null when it has not even the form of one. */
function plainResult(bytes: Uint8Array): ResultDocument | null {
  try {
    const parsed = resultSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** What executing a result's recipes once more finds. */
async function executed({ document, path }: BoardResult, loaded: LoadedSuite): Promise<Finding[]> {
  const { findings } = await recomputeResult(document, loaded, { path });
  // Members whose workbook is not here were recomputed when the result was merged.
  return findings.filter(({ code }) => code !== "score-unverified");
}

const withdrawnOf = (updated: UpdatedSuite | undefined): BoardSuite["withdrawn"] =>
  (updated?.withdrawals ?? []).map((withdrawal) => ({
    model: withdrawal.model,
    result: withdrawal.withdraws,
    reason: withdrawal.reason,
    withdrawn_at: withdrawal.withdrawn_at,
    withdrawal: { digest: withdrawal.digest, path: withdrawal.path, blob: withdrawal.blob },
  }));

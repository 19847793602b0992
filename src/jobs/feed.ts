import { folderSource, listFiles, writeFilesWhole } from "../io/files.ts";
import { parseResult, RESULTS_FOLDER } from "../lib/benchmarks/result.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { resultAgainstSuite } from "../lib/benchmarks/result-suite-rules.ts";
import { parseVocabulary, VOCABULARY_PATH } from "../lib/benchmarks/vocabulary.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { digestOf } from "../lib/digest.ts";
import { renderBoard } from "../lib/feed/board.ts";
import { buildFeed, buildIndex, type FeedInput } from "../lib/feed/build.ts";
import { latestResults, supersedesFindings } from "../lib/feed/rank.ts";
import {
  entryOf,
  type Feed,
  parseRegistry,
  REGISTRY_PATH,
  type Registry,
  type ResultEntry,
  type ResultIndex,
} from "../lib/feed/schema.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { type LoadedSuite, loadSuite } from "./load-suite.ts";
import { recomputeResult } from "./score.ts";
import { listSuites } from "./suite.ts";

export interface FeedRequest {
  /** The folder that holds the tree: a checkout of main. */
  readonly root: string;
  /** Git's id of the tree in `root`; null when it is not a committed one. */
  readonly sourceTree: string | null;
  /** Paths of results in first-parent merge order, oldest first. */
  readonly mergeOrder?: readonly string[];
  /**
   * Whether results that go on the board are executed once more, where their workbooks are here; default true. It
   * keeps a result that came to main without a verdict off the board.
   */
  readonly recompute?: boolean;
}

export interface PublishedFiles {
  readonly feed: Feed;
  readonly index: ResultIndex;
  /** Paths relative to the folder `published/`. */
  readonly files: readonly { readonly path: string; readonly data: string }[];
}

/** Files that may lie in the results folder without being results. */
const OTHER_FILES = new Set([`${RESULTS_FOLDER}/README.md`, `${RESULTS_FOLDER}/.gitkeep`]);

/**
 * Computes the derived documents of a tree: `feed.json`, `index.json` (canonical JSON) and `board.md`. A result that
 * does not hold is fatal: nothing is published from a tree that cannot be trusted. Never looks at a clock.
 */
export async function computeFeed(request: FeedRequest): Promise<Outcome<PublishedFiles>> {
  const { root } = request;
  const findings: Finding[] = [];
  const base = await readBase(root);
  if (!base.ok) return base;
  const { registry, tags, suites } = base.value;
  const read = await readResults(root, suites);
  findings.push(...read.findings, ...supersedesFindings(read.results.map(({ entry }) => entry)));
  if (!hasErrors(findings) && request.recompute !== false)
    findings.push(...(await recomputeLatest(read.results, suites, request.mergeOrder)));
  if (hasErrors(findings)) return { ok: false, findings };
  const input: FeedInput = {
    sourceTree: request.sourceTree,
    registry,
    suites: suites.map(({ suite }) => suite),
    tags,
    entries: read.results.map(({ entry }) => entry),
    ...(request.mergeOrder === undefined ? {} : { mergeOrder: request.mergeOrder }),
  };
  const [feed, index] = [buildFeed(input), buildIndex(input)];
  return {
    ok: true,
    value: {
      feed,
      index,
      files: [
        { path: "feed.json", data: canonicalDocument(feed) },
        { path: "index.json", data: canonicalDocument(index) },
        { path: "board.md", data: renderBoard(feed, index) },
      ],
    },
    findings,
  };
}

/** Writes the derived documents into a folder, all of them or none. */
export const writePublished = (folder: string, published: PublishedFiles): Promise<void> =>
  writeFilesWhole(folder, published.files);

interface Base {
  readonly registry: Registry;
  readonly tags: readonly string[];
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
  }
  if (!registry.ok || !vocabulary.ok || hasErrors(findings)) return { ok: false, findings };
  const tags = vocabulary.value.tags.map(({ id }) => id);
  return { ok: true, value: { registry: registry.value, tags, suites }, findings };
}

interface CommittedResult {
  readonly entry: ResultEntry;
  readonly document: ResultDocument;
}

/** Reads and judges every committed result. */
async function readResults(
  root: string,
  suites: readonly LoadedSuite[],
): Promise<{ results: CommittedResult[]; findings: Finding[] }> {
  const source = folderSource(root);
  const bySuite = new Map(suites.map(({ suite }) => [suite.id, suite]));
  const results: CommittedResult[] = [];
  const findings: Finding[] = [];
  for (const path of await listFiles(root, RESULTS_FOLDER)) {
    if (OTHER_FILES.has(path)) continue;
    const error = (code: string, message: string): void => {
      findings.push({ code, severity: "error", path, message });
    };
    const bytes = path.endsWith(".json") ? await source(path) : null;
    if (bytes === null) {
      error("result-unexpected-file", "Only result documents lie in the results folder.");
      continue;
    }
    const parsed = parseResult(bytes, path);
    findings.push(...parsed.findings);
    if (!parsed.ok) continue;
    const suite = bySuite.get(parsed.value.suite.id);
    if (suite === undefined) error("suite-unknown", `There is no suite ${parsed.value.suite.id}.`);
    else findings.push(...resultAgainstSuite(parsed.value, suite, path));
    results.push({ entry: entryOf(parsed.value, path, digestOf(bytes)), document: parsed.value });
  }
  return { results, findings };
}

async function recomputeLatest(
  results: readonly CommittedResult[],
  suites: readonly LoadedSuite[],
  mergeOrder: readonly string[] | undefined,
): Promise<Finding[]> {
  const documents = new Map(results.map(({ entry, document }) => [entry.path, document]));
  const entries = results.map(({ entry }) => entry);
  const findings: Finding[] = [];
  for (const loaded of suites)
    for (const { path } of latestResults(entries, loaded.suite, mergeOrder)) {
      const document = documents.get(path);
      if (document === undefined) continue;
      const recomputed = await recomputeResult(document, loaded, { path });
      // Members whose workbook is not here were recomputed when the result was merged.
      findings.push(...recomputed.findings.filter(({ code }) => code !== "score-unverified"));
    }
  return findings;
}

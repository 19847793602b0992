import type { FileSource } from "../io/files.ts";
import { type GitRepository, ObjectReader, readMergeOrder } from "../io/git.ts";
import { readCommitTime, readLandings } from "../io/git-history.ts";
import { RESULTS_FOLDER } from "../lib/benchmarks/result-path.ts";
import type { CodeChange, History, Landing, SheetChange } from "../lib/feed/history.ts";
import { deriveCodeChange, type FactsChange, isToldPath } from "../lib/feed/history-code.ts";
import { type ChangedModel, deriveSheetChanges } from "../lib/feed/history-sheet.ts";
import { tiedFiles } from "../lib/feed/index-build.ts";
import type { Feed } from "../lib/feed/schema.ts";
import { parseStrictJson } from "../lib/strict-json/parse.ts";
import { openIndex, type PublishedIndex } from "./published-index.ts";

export interface HistoryRequest {
  readonly repository: GitRepository;
  /** The commit that everything was made from. Its history has to be whole. */
  readonly commit: string;
  /** The index of results that was made from it. */
  readonly index: FileSource;
  /** Suites and curated models of it. */
  readonly feed: Pick<Feed, "suites" | "models">;
}

/** So many changes are told of each benchmark: commits that are looked for, and changes that are shown. */
const LIMITS = { sheet: 500, code: 200 } as const;
/** Larger files of facts are not looked into: their commit is told without what it brought. */
const MAX_FACTS_BYTES = 32 * 1024 * 1024;

/**
 * Reads what changed on the boards: the newest commits that brought documents, and what they moved. Cost follows the
 * changes and the models that they are about, not the number of committed results.
 * @throws IndexError when the index is not what it says it is.
 */
export async function readHistory(request: HistoryRequest): Promise<History> {
  const { repository, commit } = request;
  const [sheet, code] = [await readSheet(request), await readCode(request)];
  return {
    at: await readCommitTime(repository, commit),
    sheet: sheet.changes,
    code: code.changes,
    complete: sheet.complete && code.complete,
  };
}

interface Told<Change> {
  /** Newest first. */
  readonly changes: readonly Change[];
  readonly complete: boolean;
}

async function readSheet({ repository, commit, index, feed }: HistoryRequest): Promise<Told<SheetChange>> {
  const limit = LIMITS.sheet;
  const landings = await readLandings(repository, commit, [RESULTS_FOLDER], { limit, changed: false });
  const opened = landings.length === 0 ? null : await openIndex(index);
  if (opened === null) return { changes: [], complete: landings.length === 0 };
  const curated = new Map(feed.models.map(({ id, name }) => [id, name]));
  const changes: SheetChange[] = [];
  for (const suite of feed.suites) {
    const prefix = `${RESULTS_FOLDER}/${suite.id}/`;
    const own = landings
      .map((landing) => ({ ...landing, files: landing.files.filter((file) => file.startsWith(prefix)) }))
      .filter(({ files }) => files.length > 0);
    const order = (paths: readonly string[]) => readMergeOrder(repository, commit, paths);
    for (const change of await suiteChanges(opened, suite, own, curated, order)) changes.push(change);
  }
  const placed = new Map(landings.map(({ sha }, at) => [sha, at]));
  // Within a commit the suites keep their order; the commits are newest first.
  changes.sort((a, b) => (placed.get(a.commit) ?? 0) - (placed.get(b.commit) ?? 0));
  return {
    changes: changes.slice(0, limit),
    complete: landings.length < limit && changes.length <= limit,
  };
}

async function suiteChanges(
  index: PublishedIndex,
  suite: { readonly id: string; readonly digest: string },
  landings: readonly Landing[],
  curated: ReadonlyMap<string, string>,
  mergeOrder: (paths: readonly string[]) => Promise<readonly string[]>,
): Promise<SheetChange[]> {
  const rows = landings.length === 0 ? [] : ((await index.suite(suite.id))?.models ?? []);
  const touched = new Set(landings.flatMap(({ files }) => files.map((file) => file.split("/")[3])));
  const changed: ChangedModel[] = [];
  const unchanged: { model: string; composite: number }[] = [];
  for (const row of rows) {
    if (!touched.has(row.folder)) {
      const { model, latest } = row;
      if (latest?.suite_digest === suite.digest) unchanged.push({ model, composite: latest.composite });
      continue;
    }
    const content = await index.model(suite.id, row);
    const prefix = `${RESULTS_FOLDER}/${suite.id}/${row.folder}/`;
    const tied = tiedFiles(content).map((file) => prefix + file);
    const order = tied.length === 0 ? [] : await mergeOrder(tied);
    changed.push({
      folder: row.folder,
      model: row.model,
      results: content.results,
      withdrawals: content.withdrawals,
      order: order.map((path) => path.slice(prefix.length)),
    });
  }
  return deriveSheetChanges({ suite, curated, unchanged, changed, landings: landings.toReversed() });
}

async function readCode({ repository, commit }: HistoryRequest): Promise<Told<CodeChange>> {
  const limit = LIMITS.code;
  const landings = await readLandings(repository, commit, ["data"], { limit, changed: true });
  const reader = new ObjectReader(repository.gitDir);
  const changes: CodeChange[] = [];
  try {
    for (const landing of landings) {
      const facts: FactsChange[] = [];
      for (const path of landing.files.filter(isToldPath))
        facts.push({
          path,
          before: await readFacts(reader, `${landing.sha}^1:${path}`),
          after: await readFacts(reader, `${landing.sha}:${path}`),
        });
      const change = deriveCodeChange(landing, facts);
      if (change !== null) changes.push(change);
    }
  } finally {
    reader.close();
  }
  return { changes, complete: landings.length < limit };
}

/** A committed file as JSON; null when there is none, or none that can be read. */
async function readFacts(reader: ObjectReader, name: string): Promise<unknown> {
  const info = await reader.info(name);
  if (info === null || info.bytes > MAX_FACTS_BYTES) return null;
  const bytes = await reader.blob(name, MAX_FACTS_BYTES);
  const parsed = bytes === null ? null : parseStrictJson(bytes, { maxBytes: MAX_FACTS_BYTES });
  return parsed?.ok === true ? parsed.value.value : null;
}

import { fastDigest } from "../io/git-ids.ts";
import { readResult } from "../lib/benchmarks/result.ts";
import { RESULTS_FOLDER } from "../lib/benchmarks/result-path.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import {
  evidencePrefix,
  indexEntryOf,
  indexWithdrawalOf,
  type ModelResults,
} from "../lib/feed/index-build.ts";
import {
  evidenceIndexPath,
  type IndexEntry,
  type IndexWithdrawal,
  type ModelRow,
  modelIndexPath,
  type SuiteIndex,
} from "../lib/feed/index-schema.ts";
import { isWithdrawalPath, parseWithdrawal, type Withdrawal, withdrawalOf } from "../lib/feed/withdrawal.ts";
import { committedResult, evidenceDigest } from "../lib/result-pr/evidence.ts";
import type { CommittedResult } from "../lib/result-pr/facts.ts";
import {
  type Candidate,
  foldersOf,
  type Relevant,
  relevantResults,
  tiedPaths,
  type Wanted,
} from "../lib/result-pr/relevant.ts";
import { IndexError, openIndex, type PublishedIndex } from "./published-index.ts";
import type { PublishedSource } from "./result-pr-source.ts";
import type { Level, ResultsTree } from "./results-tree.ts";

/** The base's results, and where an index of them may be found. */
export interface CommittedSource {
  readonly results: ResultsTree;
  /** What the branch `published` holds; null when there is no such branch. */
  published(): Promise<PublishedSource | null>;
  /** These paths of the base in first-parent merge order, oldest first; empty where no whole history is at hand. */
  mergeOrder(paths: readonly string[]): Promise<readonly string[]>;
}

export interface Compared extends Relevant {
  /** Why the published index was not used; null when it was, or was not needed. */
  readonly note: string | null;
  /** In which order the base got those of them whose age only that tells. */
  readonly mergeOrder: readonly string[];
}

/** Results of a suite up to which reading them all costs less than finding out which matter. */
const DIRECT = 300;
/** Documents read at a time. */
const BATCH = 200;

/**
 * The committed results that submissions have to be compared with. In a small suite every document is read. In a large
 * one the published index says which documents matter, and only those are read: of a folder whose tree id is the one
 * that the index names it knows every file, of any other it knows the files whose blobs it names, and the rest are read.
 * What a document says is always taken from the document; an index that says something else, or is broken, is not used.
 */
export async function readCommitted(
  source: CommittedSource,
  wanted: readonly Wanted[],
  curated: readonly string[],
  direct: number = DIRECT,
): Promise<Compared> {
  const { results } = source;
  const suites = [...new Set(wanted.map(({ suite }) => suite))];
  let large = false;
  for (const suite of suites) large ||= (await countFiles(results, suite, direct)) > direct;
  let note: string | null = null;
  if (large) {
    try {
      const published = await source.published();
      const index = published === null ? null : await openIndex(published.read);
      if (published !== null && index !== null)
        return { ...(await readByIndex(source, published, index, wanted, curated)), note };
      note = "there is none";
    } catch (error) {
      if (!(error instanceof IndexError)) throw error;
      note = error.message;
    }
  }
  const all: Placed[] = [];
  const withdrawals: Withdrawal[] = [];
  for (const suite of suites)
    for (const folder of (await results.level(suite)).folders) {
      const files = plainFiles(await results.level(suite, folder.name), `${suite}/${folder.name}`);
      for await (const { bytes, ...file } of readFiles(results, files)) {
        const read = readDocument(file, bytes);
        if (read === null) continue;
        if ("withdraws" in read) withdrawals.push(read);
        else all.push(read);
      }
    }
  const mergeOrder = await orderOf(source, all);
  const relevant = relevantResults(all, withdrawals, wanted, curated, mergeOrder);
  const documents = await readChosen(results, relevant.committed, () => true);
  return { ...inFull(relevant, documents), note, mergeOrder };
}

/** Merge order is asked for where it decides something, which is next to never. */
async function orderOf(source: CommittedSource, all: readonly Candidate[]): Promise<readonly string[]> {
  const tied = tiedPaths(all);
  return tied.length === 0 ? [] : source.mergeOrder(tied);
}

/** A candidate that is known to lie in the tree. */
interface Placed extends Candidate {
  readonly file: PlainFile;
}

/** Reads the documents that were chosen. `holds`: whether a document is what was said of it. @throws IndexError */
async function readChosen<Entry extends Placed>(
  results: ResultsTree,
  chosen: readonly Entry[],
  holds: (entry: Entry, digest: string, document: ResultDocument) => boolean,
): Promise<ReadonlyMap<string, CommittedResult>> {
  const entries = new Map(chosen.map((entry) => [entry.path, entry]));
  const documents = new Map<string, CommittedResult>();
  for await (const { path, bytes } of readFiles(
    results,
    chosen.map(({ file }) => file),
  )) {
    const read = readResult(bytes, path);
    const entry = entries.get(path);
    if (!read.ok || entry === undefined) throw new IndexError(`${path} is no result`);
    const digest = fastDigest(bytes);
    if (!holds(entry, digest, read.value.document))
      throw new IndexError(`the index says something else of ${path} than the document does`);
    documents.set(path, committedResult(path, digest, read.value.document));
  }
  return documents;
}

/** The same choice, of whole documents. @throws IndexError when one could not be read. */
function inFull(
  { committed, board, withdrawals }: Relevant<Placed>,
  documents: ReadonlyMap<string, CommittedResult>,
): Relevant {
  const read = (entries: readonly Placed[]): CommittedResult[] =>
    entries.map(({ path }) => {
      const document = documents.get(path);
      if (document === undefined) throw new IndexError(`${path} cannot be read`);
      return document;
    });
  return { committed: read(committed), board: read(board), withdrawals };
}

async function countFiles(results: ResultsTree, suite: string, limit: number): Promise<number> {
  let count = 0;
  for (const folder of (await results.level(suite)).folders) {
    count += (await results.level(suite, folder.name)).files.length;
    if (count > limit) break;
  }
  return count;
}

interface PlainFile {
  readonly path: string;
  readonly file: string;
  readonly blob: string;
}

/** What can be a document. A committed file that is none is not on the board, and is left out. */
const plainFiles = ({ files }: Level, folder: string): PlainFile[] =>
  files
    .filter(({ name, mode }) => mode === "100644" && name.endsWith(".json"))
    .map(({ name, blob }) => ({ path: `${RESULTS_FOLDER}/${folder}/${name}`, file: name, blob }));

async function* readFiles(
  results: ResultsTree,
  files: readonly PlainFile[],
): AsyncGenerator<PlainFile & { readonly bytes: Uint8Array }> {
  for (let start = 0; start < files.length; start += BATCH) {
    const batch = files.slice(start, start + BATCH);
    const contents = await results.read(batch);
    for (const [index, file] of batch.entries()) {
      const bytes = contents[index] ?? null;
      if (bytes !== null) yield { ...file, bytes };
    }
  }
}

function readDocument(file: PlainFile, bytes: Uint8Array): Placed | Withdrawal | null {
  const { path } = file;
  const digest = fastDigest(bytes);
  if (isWithdrawalPath(path)) {
    const parsed = parseWithdrawal(bytes, path);
    return parsed.ok ? withdrawalOf(parsed.value, path, digest) : null;
  }
  const read = readResult(bytes, path);
  if (!read.ok) return null;
  const { suite, model, finished_at, supersedes } = read.value.document;
  return {
    path,
    digest,
    suite,
    model: model.id,
    finished_at,
    supersedes: supersedes?.digest ?? null,
    evidence: evidenceDigest(read.value.document),
    file,
  };
}

/** What the index, or a look into the document, says of one committed result. */
interface Known extends Placed {
  readonly entry: IndexEntry;
}

async function readByIndex(
  source: CommittedSource,
  published: PublishedSource,
  index: PublishedIndex,
  wanted: readonly Wanted[],
  curated: readonly string[],
): Promise<Relevant & Pick<Compared, "mergeOrder">> {
  const { results } = source;
  const known = new Map<string, Known>();
  const withdrawals = new Map<string, Withdrawal>();
  for (const want of wanted) {
    const suite = await index.suite(want.suite);
    const level = await results.level(want.suite);
    const rows = new Map(suite?.models.map((row) => [row.folder, row]));
    const near = foldersOf(want, curated);
    // Evidence of what came since the index was made is in no evidence file.
    const chosen = level.folders.filter(
      ({ name, tree }) => near.has(name) || (want.evidence !== null && rows.get(name)?.tree !== tree),
    );
    await prefetch(published, want, suite, [...chosen.flatMap(({ name }) => rows.get(name) ?? [])]);
    for (const { name } of chosen) {
      const row = rows.get(name);
      const folder = await readFolder(results, index, want.suite, name, row);
      for (const entry of folder.results) add(known, knownOf(want.suite, name, folder.model, entry));
      for (const entry of folder.withdrawals) {
        const path = `${RESULTS_FOLDER}/${want.suite}/${name}/${entry.file}`;
        withdrawals.set(path, {
          path,
          digest: entry.digest,
          suite: { id: want.suite, digest: entry.suite_digest },
          model: folder.model,
          withdraws: entry.withdraws,
          reason: entry.reason,
          withdrawn_at: entry.withdrawn_at,
        });
      }
    }
    for (const found of await lookUp(results, index, suite, want, new Set(chosen.map(({ name }) => name))))
      add(known, found);
  }
  const all = [...known.values()];
  const mergeOrder = await orderOf(source, all);
  const relevant = relevantResults(all, [...withdrawals.values()], wanted, curated, mergeOrder);
  const documents = await readChosen(
    results,
    relevant.committed,
    ({ entry }, digest, document) =>
      canonicalJson(indexEntryOf({ file: entry.file, blob: entry.blob, digest }, document)) ===
      canonicalJson(entry),
  );
  return { ...inFull(relevant, documents), mergeOrder };
}

const add = (known: Map<string, Known>, entry: Known): void => {
  known.set(entry.path, entry);
};

function knownOf(suite: string, folder: string, model: string, entry: IndexEntry): Known {
  const path = `${RESULTS_FOLDER}/${suite}/${folder}/${entry.file}`;
  return {
    path,
    digest: entry.digest,
    model,
    suite: { id: suite, digest: entry.suite_digest },
    finished_at: entry.finished_at,
    supersedes: entry.supersedes,
    evidence: entry.evidence,
    file: { path, file: entry.file, blob: entry.blob },
    entry,
  };
}

/** Brings the parts that will be read, in one go where that takes time. */
async function prefetch(
  published: PublishedSource,
  want: Wanted,
  suite: SuiteIndex | null,
  rows: readonly ModelRow[],
): Promise<void> {
  const parts = rows.map(({ folder }) => modelIndexPath(want.suite, folder));
  if (suite !== null && want.evidence !== null)
    parts.push(evidenceIndexPath(want.suite, evidencePrefix(want.evidence, suite.evidence.digits)));
  await published.prefetch(parts);
}

/** Everything in a model's folder of the base: from the index where it names the very blob, else from the file. */
async function readFolder(
  results: ResultsTree,
  index: PublishedIndex,
  suite: string,
  folder: string,
  row: ModelRow | undefined,
): Promise<ModelResults & { readonly model: string }> {
  const part = row === undefined ? null : await index.model(suite, row);
  const known = new Map(
    [...(part?.results ?? []), ...(part?.withdrawals ?? [])].map((entry) => [entry.file, entry]),
  );
  const entries: IndexEntry[] = [];
  const withdrawals: IndexWithdrawal[] = [];
  const unread: PlainFile[] = [];
  let model = part?.model ?? "";
  const files = plainFiles(await results.level(suite, folder), `${suite}/${folder}`);
  for (const file of files) {
    const entry = known.get(file.file);
    if (entry === undefined || entry.blob !== file.blob) unread.push(file);
    else if ("withdraws" in entry) withdrawals.push(entry);
    else {
      // The time is in the name, whatever the index says.
      if (!file.file.startsWith(`${timeOf(entry.finished_at)}-${entry.digest.slice(7, 15)}`))
        throw new IndexError(`the index says something else of ${file.path} than its name does`);
      const { state: _state, ...plain } = entry as IndexEntry & { state?: string };
      entries.push(plain);
    }
  }
  for await (const { path, file, blob, bytes } of readFiles(results, unread)) {
    const indexed = { file, blob, digest: fastDigest(bytes) };
    if (isWithdrawalPath(path)) {
      const parsed = parseWithdrawal(bytes, path);
      if (!parsed.ok) continue;
      withdrawals.push(indexWithdrawalOf(indexed, parsed.value));
      model ||= parsed.value.model;
    } else {
      const read = readResult(bytes, path);
      if (!read.ok) continue;
      entries.push(indexEntryOf(indexed, read.value.document));
      model ||= read.value.document.model.id;
    }
  }
  return { results: entries, withdrawals, model };
}

const timeOf = (instant: string): string =>
  instant
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "")
    .toLowerCase();

/** Results in other folders that have the submission's evidence, or the digest that it names. */
async function lookUp(
  results: ResultsTree,
  index: PublishedIndex,
  suite: SuiteIndex | null,
  want: Wanted,
  seen: ReadonlySet<string>,
): Promise<Known[]> {
  if (suite === null) return [];
  const found: { folder: string; file: string; blob: string }[] = [];
  const folders = new Map<string, Promise<ModelResults & { readonly model: string }>>();
  const folderAndFile = (path: string): { folder: string; file: string } => {
    const [, , , folder = "", file = ""] = path.split("/");
    return { folder, file };
  };
  if (want.evidence !== null) {
    const part = await index.evidence(suite, evidencePrefix(want.evidence, suite.evidence.digits));
    for (const { evidence, path, blob } of part?.results ?? [])
      if (evidence === want.evidence) found.push({ ...folderAndFile(path), blob });
  }
  if (want.names !== null) {
    // A name ends with eight digits of its document's digest. That it is looked for elsewhere is a mistake, and rare.
    const ending = `-${want.names.slice(7, 15)}.json`;
    for (const { name } of (await results.level(want.suite)).folders)
      if (!seen.has(name))
        for (const { name: file, blob } of (await results.level(want.suite, name)).files)
          if (file.endsWith(ending)) found.push({ folder: name, file, blob });
  }
  const known: Known[] = [];
  for (const { folder, file, blob } of found.filter((hit) => !seen.has(hit.folder))) {
    const row = suite.models.find((model) => model.folder === folder);
    const reading = folders.get(folder) ?? readFolder(results, index, want.suite, folder, row);
    folders.set(folder, reading);
    const { model, results: entries } = await reading;
    const entry = entries.find((candidate) => candidate.file === file && candidate.blob === blob);
    if (entry === undefined) throw new IndexError(`the index names ${folder}/${file}, which is not there`);
    known.push(knownOf(want.suite, folder, model, entry));
  }
  return known;
}

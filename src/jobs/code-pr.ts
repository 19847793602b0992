import { fastDigest } from "../io/git-ids.ts";
import { verifySignature } from "../io/host/keys.ts";
import { compareGrowth } from "../lib/code/append-only/compare.ts";
import { GROWING } from "../lib/code/append-only/shape.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import { levelOf } from "../lib/code/derive/level.ts";
import { type Host, hostsSchema } from "../lib/code/schema/hosts-schema.ts";
import { runSchema } from "../lib/code/schema/run-schema.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import type { Change } from "../lib/result-pr/change-set.ts";
import {
  CODE_LIMITS,
  type CodeDocument,
  type CodePrFacts,
  type Deliverable,
  gainedIn,
  jsonOf,
  type Listing,
} from "../lib/result-pr/code-facts.ts";
import { dataFileOf, ENTRIES_FOLDER, HOSTS_PATH, isDataPath } from "../lib/result-pr/code-paths.ts";
import type { CodePart } from "../lib/result-pr/code-report-schema.ts";
import { checkCodePullRequest } from "../lib/result-pr/code-rules/index.ts";
import { secretFindings } from "../lib/result-pr/rules/secrets.ts";
import { parseStrictJson } from "../lib/strict-json/parse.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import { type Derived, deriveMovement, UNDERIVED } from "./code-pr-derive.ts";
import { type DataFiles, dataSource, listData, withChanges } from "./code-pr-source.ts";
import type { ChangeSource, GitObjects } from "./result-pr-source.ts";

/** Facts of the code benchmark in a pull request: everything is read as git objects, and nothing of it is executed. */

export interface PlannedCode {
  /** Null when nothing under `data/` changes. */
  readonly part: CodePart | null;
  readonly findings: readonly Finding[];
  /** Files from which nothing may be quoted. */
  readonly secret: readonly string[];
  /** The data as they would be merged, for a look at the board; null when they do not hold. */
  readonly data: Data | null;
}

/**
 * Judges the facts that a pull request changes: its own rules, those of all facts together, and what moves. Runs that a
 * generator made are refused unless `synthetic`.
 */
export async function planCode(
  source: ChangeSource,
  arrivedAt: string | null,
  synthetic: boolean,
): Promise<PlannedCode> {
  const { objects, changes } = source;
  if (objects === null) return { part: null, findings: [], secret: [], data: null };
  const data = changes.filter(({ path }) => isDataPath(path));
  const ground = await readGround(objects, data);
  const judged = withChanges(ground.files, data);
  const facts = await readFacts(source, objects, ground, judged, arrivedAt);
  const own = checkCodePullRequest(facts);
  const secret = own.filter(({ code }) => code === "pr-secret").flatMap(({ path }) => path ?? []);
  if (data.length === 0) return { part: null, findings: own, secret, data: null };
  const unread = facts.truncated || facts.documents.some(({ text }) => text === null);
  const derived: Derived = unread
    ? { ...UNDERIVED, findings: [] }
    : await deriveMovement({
        before: dataSource(objects, ground.files),
        after: dataSource(objects, judged),
        blocked: hasErrors(own),
        synthetic,
        documents: facts.documents.map((document) => ({
          path: document.path,
          value: jsonOf(document),
          gained: gainedIn(document),
        })),
      });
  return {
    part: {
      schema_version: 1,
      against: ground.against,
      documents: facts.documents.map(({ path, kind, status, bytes }) => ({ path, kind, status, bytes })),
      deliverables: {
        files: facts.deliverables.length,
        bytes: facts.deliverables.reduce((sum, { bytes }) => sum + bytes, 0),
      },
      levels: derived.levels,
      evidence: derived.evidence,
      movement: derived.movement,
    },
    findings: [...own, ...(ground.against === "base" ? [] : [behind(ground.moved)]), ...derived.findings],
    secret,
    data: derived.data,
  };
}

/** What a pull request's changes are made to. */
interface Ground {
  readonly against: CodePart["against"];
  readonly commit: string;
  readonly files: DataFiles;
  /** Documents that the base has changed since as well. */
  readonly moved: readonly string[];
}

/**
 * The base as it is now, unless it has changed the same documents since: only a merge can tell what becomes of those, so
 * until then they are compared with the state that the branch started from.
 */
async function readGround(objects: GitObjects, changes: readonly Change[]): Promise<Ground> {
  const files = await listData(objects, objects.base);
  const moved = changes
    .filter(
      ({ path, before }) =>
        before !== null && dataFileOf(path)?.kind === "document" && files.get(path)?.oid !== before.oid,
    )
    .map(({ path }) => path);
  const [start] = objects.before;
  if (moved.length === 0 || start === undefined)
    return { against: "base", commit: objects.base, files, moved: [] };
  return { against: "merge-base", commit: start, files: await listData(objects, start), moved };
}

const behind = (moved: readonly string[]): Finding => ({
  code: "code-pr-behind",
  severity: "notice",
  message:
    "Main has changed the same document since this branch started, so numbers are compared with the state before that.",
  path: moved[0] ?? "",
  hint: "Merge main into the branch to see what moves against main as it is now; what is merged is judged against that in any case.",
});

async function readFacts(
  source: ChangeSource,
  objects: GitObjects,
  ground: Ground,
  judged: DataFiles,
  arrivedAt: string | null,
): Promise<CodePrFacts> {
  const { changes, truncated } = source;
  const documents = await readDocuments(objects, changes);
  const deliverables = await readDeliverables(objects, changes);
  const there = await readThere(objects, ground.commit, [
    ...documents.flatMap(({ path, kind }) => (kind === "runs" ? [runOf(path)] : [])),
    ...deliverables.map(({ run }) => run),
  ]);
  const listings: Listing[] = [];
  for (const [run, files] of there) {
    const path = `data/runs/${run}.json`;
    const known = documents.find((document) => document.path === path);
    const value = known === undefined ? await readValue(objects, judged, path) : jsonOf(known);
    listings.push({ run, entries: entriesOf(value, freshIn(known)), there: new Set(files.keys()) });
  }
  const taken = changes.filter(({ path, status, after }) => {
    if (status !== "added" || !isDataPath(path)) return false;
    const file = dataFileOf(path);
    const standing =
      file?.kind === "deliverable"
        ? there.get(file.run)?.get(`${file.entry}/${file.file}`)
        : ground.files.get(path)?.oid;
    return standing !== undefined && standing !== after?.oid;
  });
  return {
    changes,
    truncated,
    basePaths: [
      ...ground.files.keys(),
      ...[...there].flatMap(([run, files]) =>
        [...files.keys()].map((file) => `${ENTRIES_FOLDER}${run}/${file}`),
      ),
    ].sort(),
    taken: taken.map(({ path }) => path),
    documents,
    deliverables,
    listings,
    attested: attestedIn(documents, await readHosts(objects, ground)),
    arrivedAt,
  };
}

/** The hosts that the judged facts are held against: the base's, since facts come without them. */
async function readHosts(objects: GitObjects, { files }: Ground): Promise<ReadonlyMap<string, Host>> {
  const item = files.get(HOSTS_PATH);
  if (item?.mode !== "100644") return new Map();
  await objects.bring([item.oid]);
  const bytes = await objects.blob(item.oid, CODE_LIMITS.documentBytes);
  const parsed = parseWithSchema(bytes, hostsSchema, { path: HOSTS_PATH, code: "code-data" });
  return new Map(parsed.ok ? parsed.value.hosts.map((host) => [host.id, host]) : []);
}

/** Places of measurements in runs that a host of the board signed. What is no run has none. */
function attestedIn(documents: readonly CodeDocument[], hosts: ReadonlyMap<string, Host>): Set<string> {
  const places = new Set<string>();
  for (const document of documents.filter(({ kind }) => kind === "runs")) {
    const run = runSchema.safeParse(jsonOf(document));
    for (const [index, entry] of (run.data?.entries ?? []).entries())
      for (const kind of ["hidden", "perf"] as const) {
        const measured = entry[kind];
        if (measured?.attestation === undefined || run.data === undefined) continue;
        const place = { task: run.data.task, run: run.data.id, entry };
        if (levelOf(kind, measured, place, hosts, verifySignature) === "attested")
          places.add(`${document.path}#/entries/${index}/${kind}`);
      }
  }
  return places;
}

const runOf = (path: string): string => path.slice("data/runs/".length, -".json".length);

/** Added and edited documents, each with what became of its former values. */
async function readDocuments(objects: GitObjects, changes: readonly Change[]): Promise<CodeDocument[]> {
  const candidates = changes
    .filter(({ path, after }) => after?.mode === "100644" && dataFileOf(path)?.kind === "document")
    .slice(0, CODE_LIMITS.documents);
  await objects.bring(
    candidates.flatMap(({ before, after }) => [before?.oid ?? [], after?.oid ?? []].flat()),
  );
  const documents: CodeDocument[] = [];
  let total = 0;
  for (const { path, before, after } of candidates) {
    const file = dataFileOf(path);
    if (file?.kind !== "document" || after === null) continue;
    const bytes = await objects.size(after.oid);
    total += bytes;
    const large = bytes > CODE_LIMITS.documentBytes || total > CODE_LIMITS.documentsBytes;
    const content = large ? null : await objects.blob(after.oid, CODE_LIMITS.documentBytes);
    const parsed =
      content === null ? null : parseStrictJson(content, { path, maxBytes: CODE_LIMITS.documentBytes });
    const json = parsed?.ok === true ? parsed.value : null;
    const was = before?.mode === "100644" ? await jsonAt(objects, before.oid) : undefined;
    documents.push({
      path,
      kind: file.document,
      status: before === null ? "added" : "modified",
      bytes,
      text: content === null ? null : new TextDecoder("utf-8").decode(content),
      json,
      growth:
        was === undefined || json === null ? null : compareGrowth(was, json.value, GROWING[file.document]),
    });
  }
  return documents;
}

/** The value of a committed document; undefined when it cannot be read. */
async function jsonAt(objects: GitObjects, oid: string): Promise<unknown> {
  const most = 2 * CODE_LIMITS.documentBytes;
  const parsed = parseStrictJson(await objects.blob(oid, most), { maxBytes: most });
  return parsed.ok ? parsed.value.value : undefined;
}

async function readValue(objects: GitObjects, files: DataFiles, path: string): Promise<unknown> {
  const item = files.get(path);
  if (item?.mode !== "100644") return undefined;
  await objects.bring([item.oid]);
  return jsonAt(objects, item.oid);
}

/** Added files of deliverables: their digests, and whether they hold credentials. */
async function readDeliverables(objects: GitObjects, changes: readonly Change[]): Promise<Deliverable[]> {
  const candidates = changes
    .filter(
      ({ path, status, after }) =>
        status === "added" && after?.mode === "100644" && dataFileOf(path)?.kind === "deliverable",
    )
    .slice(0, CODE_LIMITS.files);
  await objects.bring(candidates.map(({ after }) => after?.oid ?? ""));
  const found: Deliverable[] = [];
  let total = 0;
  for (const { path, after } of candidates) {
    const place = dataFileOf(path);
    if (place?.kind !== "deliverable" || after === null) continue;
    const bytes = await objects.size(after.oid);
    total += bytes;
    const readable = bytes <= CODE_LIMITS.fileBytes && total <= CODE_LIMITS.totalBytes;
    const content = readable ? await objects.blob(after.oid, CODE_LIMITS.fileBytes) : null;
    const text = content === null ? null : new TextDecoder("utf-8").decode(content);
    found.push({
      path,
      run: place.run,
      entry: place.entry,
      file: place.file,
      bytes,
      sha256: content === null ? null : fastDigest(content),
      secret: secretFindings({ path, text })[0] ?? null,
    });
  }
  return found;
}

/** Files of these runs' deliverables that a commit has, as `<entry>/<path>`, with their ids. */
async function readThere(
  objects: GitObjects,
  commit: string,
  runs: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const all = new Map<string, ReadonlyMap<string, string>>();
  for (const run of new Set(runs)) {
    const files = new Map<string, string>();
    const visit = async (below: string): Promise<void> => {
      for (const { name, mode, oid } of await objects.folder(commit, `${ENTRIES_FOLDER}${run}${below}`)) {
        if (mode === "040000") await visit(`${below}/${name}`);
        else files.set(`${below}/${name}`.slice(1), oid);
      }
    };
    await visit("");
    all.set(run, files);
  }
  return all;
}

/** Whether an entry of a run's document, by its place in it, comes with this pull request. */
function freshIn(document: CodeDocument | undefined): (index: number) => boolean {
  if (document === undefined) return () => false;
  if (document.growth === null) return () => true;
  const gained = new Set(document.growth.gained);
  return (index) => gained.has(`/entries/${index}`);
}

/** What a run lists, as far as it has the form of a run. */
function entriesOf(value: unknown, isFresh: (index: number) => boolean): Listing["entries"] {
  const items = (list: unknown): Record<string, unknown>[] =>
    Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
  return items((value as { entries?: unknown } | null | undefined)?.entries).map((entry, index) => ({
    id: String(entry.id),
    fresh: isFresh(index),
    files: items(entry.deliverable).map(({ path, sha256, bytes }) => ({
      path: String(path),
      sha256: String(sha256),
      bytes: Number(bytes),
    })),
  }));
}

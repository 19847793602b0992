import type { z } from "zod";
import { type FileSource, folderSource } from "../io/files.ts";
import { type GitRepository, gitTreeSource, ObjectReader, readBranchTip, readCheckout } from "../io/git.ts";
import { readArrival, readCommitOfTree } from "../io/git-history.ts";
import { fastDigest } from "../io/git-ids.ts";
import { parseResult } from "../lib/benchmarks/result.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { resultAgainstSuite } from "../lib/benchmarks/result-suite-rules.ts";
import { parseTrailers } from "../lib/bot/merge.ts";
import { PUBLISHED_BRANCH } from "../lib/bot/publish.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { buildBoardSuite } from "../lib/feed/board-build.ts";
import {
  BOARD_INDEX_PATH,
  type BoardRow,
  type BoardSuite,
  boardIndexSchema,
  boardSuiteSchema,
} from "../lib/feed/board-schema.ts";
import { rankModels } from "../lib/feed/rank.ts";
import { entryOf, feedSchema, parseRegistry, REGISTRY_PATH, type ResultEntry } from "../lib/feed/schema.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { parseStrictJson } from "../lib/strict-json/parse.ts";
import { fails, holds, open, type Step, same } from "../lib/verify/steps.ts";
import { readTreeItem } from "./results-tree.ts";
import { type LoadedSuite, loadSuite, recomputeResult } from "./score.ts";
import { bankFiles } from "./vault.ts";

export interface VerifyInput {
  /** A checkout of the repository with its history. */
  readonly root: string;
  /** A result's digest, at least eight hex digits of it, or a model's id. */
  readonly row: string;
  /** The suite, where a model is on several boards. */
  readonly suite?: string;
  /** What was published; by default the branch `published` of the checkout. */
  readonly published?: FileSource;
}

/** A row of the board and the documents around it. */
interface Found {
  readonly board: BoardSuite;
  readonly row: BoardRow;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Any result document. */
const MAX_DOCUMENT = 8 * 1024 * 1024;

/**
 * Follows one row of the board back to its evidence: published document, source tree, committed result, the merge that
 * brought it, the suite's digests, every score recomputed, the rank, the feed. Only git objects of the checkout and
 * workbooks on this machine are read. Gives the steps in order; steps after one without which they have nothing to look
 * at are left out.
 */
export async function verifyRow(input: VerifyInput): Promise<Outcome<Step[]>> {
  const { repository, commit } = await readCheckout(input.root);
  const tip = await readBranchTip(repository, PUBLISHED_BRANCH);
  if (input.published === undefined && tip === null) return { ok: false, findings: [nothingPublished()] };
  const branch = input.published === undefined && tip !== null ? gitTreeSource(repository, tip) : null;
  const published = input.published ?? branch;
  const reader = new ObjectReader(repository.gitDir);
  try {
    if (published === null) return { ok: false, findings: [nothingPublished()] };
    const found = await findRow(published, input);
    if (!found.ok) return found;
    const steps = [
      holds("published", `the board of ${found.value.board.suite.id} names the row and its source tree`),
    ];
    steps.push(...(await follow(input.root, repository, commit.sha, reader, published, found.value)));
    return { ok: true, value: steps, findings: [] };
  } finally {
    reader.close();
    branch?.close();
  }
}

const nothingPublished = (): Finding => ({
  code: "verify-published",
  severity: "error",
  message: "There is no branch `published` here to look a row up in.",
  hint: "git fetch origin published, or name a folder with --published.",
});

/** A published document, if it has the form that it should have. */
async function readPublished<T>(
  published: FileSource,
  path: string,
  schema: z.ZodType<T>,
): Promise<Outcome<T>> {
  const bytes = await published(path);
  const json = bytes === null ? null : parseStrictJson(bytes, { path, maxBytes: MAX_BYTES });
  const parsed = json?.ok === true ? schema.safeParse(json.value.value) : null;
  if (parsed?.success === true) return { ok: true, value: parsed.data, findings: [] };
  const message = bytes === null ? `Nothing is published as ${path}.` : `${path} does not have its form.`;
  const actual = parsed?.error.issues[0]?.message ?? json?.findings[0]?.message;
  return {
    ok: false,
    findings: [
      {
        code: "verify-published",
        severity: "error",
        message,
        path,
        ...(actual === undefined ? {} : { actual }),
      },
    ],
  };
}

/** The one row that digest or model name. */
async function findRow(published: FileSource, { row: wanted, suite }: VerifyInput): Promise<Outcome<Found>> {
  const index = await readPublished(published, BOARD_INDEX_PATH, boardIndexSchema);
  if (!index.ok) return index;
  const hex = /^(?:sha256:)?([0-9a-f]{8,64})$/.exec(wanted)?.[1];
  const hits: Found[] = [];
  for (const { id, file } of index.value.suites) {
    if (suite !== undefined && id !== suite) continue;
    const board = await readPublished(published, file, boardSuiteSchema);
    if (!board.ok) return board;
    for (const row of board.value.rows)
      if (row.model === wanted || (hex !== undefined && row.result.digest.startsWith(`sha256:${hex}`)))
        hits.push({ board: board.value, row });
  }
  const [hit, another] = hits;
  if (hit !== undefined && another === undefined) return { ok: true, value: hit, findings: [] };
  const finding: Finding = {
    code: "verify-row",
    severity: "error",
    message: hit === undefined ? "No row of the board fits." : "Several rows of the board fit.",
    actual: wanted,
    hint:
      hit === undefined
        ? "Name a digest (or its first eight hex digits or more) or a model's id, as the board shows it."
        : `Name the suite with --suite: ${hits.map(({ board }) => board.suite.id).join(", ")}.`,
  };
  return { ok: false, findings: [finding] };
}

async function follow(
  root: string,
  repository: GitRepository,
  head: string,
  reader: ObjectReader,
  published: FileSource,
  { board, row }: Found,
): Promise<Step[]> {
  const steps: Step[] = [];
  const tree = board.source_tree;
  const main = (await readBranchTip(repository, "main")) ?? head;
  const source = tree === null ? null : await sourceCommit(repository, [main, head], tree);
  if (tree === null || source === null) {
    const text = "the source tree is the tree of no commit in the history here";
    return [fails("tree", text, { actual: tree ?? "none", hint: "git fetch --unshallow origin main" })];
  }
  const behind = source === main ? "which is the tip of main" : "which main has moved on from since";
  steps.push(holds("tree", `tree ${tree.slice(0, 12)} is commit ${source.slice(0, 12)}, ${behind}`));
  steps.push(holds("row", `${row.model}: rank ${row.rank ?? "none"}, composite ${row.composite.toFixed(6)}`));
  const { path, digest, blob } = row.result;
  const item = await readTreeItem(reader, tree, path);
  const bytes = item === null ? null : await reader.blob(item.oid, MAX_DOCUMENT);
  if (item === null || bytes === null)
    return [...steps, fails("document", "the tree does not hold the result's document", { path })];
  const actual = `${item.oid} ${fastDigest(bytes)}`;
  steps.push(
    same(
      "document",
      `${path} has blob ${blob.slice(0, 12)} and ${short(digest)}`,
      `${blob} ${digest}`,
      actual,
      path,
    ),
  );
  const arrival = await readArrival(repository, source, path);
  steps.push(arrivalStep(arrival));
  const files = gitTreeSource(repository, tree);
  try {
    const loaded = await loadSuite(files, board.suite.id, { bank: bankFiles(folderSource(root)) });
    if (!loaded.ok)
      return [...steps, { ...fails("suite", "the suite does not hold"), findings: loaded.findings }];
    steps.push(
      same(
        "suite",
        `${board.suite.id} is ${short(board.suite.digest)}`,
        loaded.value.suite.digest,
        board.suite.digest,
      ),
    );
    const parsed = parseResult(bytes, path);
    const broken = parsed.ok ? resultAgainstSuite(parsed.value, loaded.value.suite, path) : parsed.findings;
    if (!parsed.ok || hasErrors(broken))
      return [...steps, { ...fails("rules", "the document breaks rules of results"), findings: broken }];
    steps.push(holds("rules", "every rule of results holds"));
    steps.push(...(await scoreSteps(parsed.value, loaded.value, row)));
    steps.push(await rankStep(reader, files, loaded.value, board, row));
  } finally {
    files.close();
  }
  steps.push(await feedStep(published, board, row));
  steps.push(
    arrival?.signature === "bad"
      ? fails("signature", "the merge commit carries a bad signature")
      : holds(
          "signature",
          `nothing of this row is attested, so no signature stands for a number; on the merge commit: ${arrival?.signature ?? "none"}`,
        ),
  );
  return steps;
}

const short = (digest: string): string => digest.slice(0, "sha256:".length + 12);

async function sourceCommit(
  repository: GitRepository,
  tips: readonly string[],
  tree: string,
): Promise<string | null> {
  for (const tip of new Set(tips)) {
    const commit = await readCommitOfTree(repository, tip, tree);
    if (commit !== null) return commit.sha;
  }
  return null;
}

function arrivalStep(arrival: Awaited<ReturnType<typeof readArrival>>): Step {
  if (arrival === null)
    return open("arrival", "the history here does not reach back to the commit that brought it");
  const { pullRequest, head } = parseTrailers(arrival.message);
  const at = `commit ${arrival.sha.slice(0, 12)}`;
  if (pullRequest === null || head === null)
    return open(
      "arrival",
      `${at} brought it without the words of a verified merge: pushed, or merged by other means`,
    );
  return same(
    "arrival",
    `pull request ${pullRequest} brought it: ${at} merges head ${head.slice(0, 12)}`,
    head,
    arrival.parents[1] ?? "no second parent",
  );
}

async function scoreSteps(document: ResultDocument, loaded: LoadedSuite, row: BoardRow): Promise<Step[]> {
  const { members, components, composite, findings } = await recomputeResult(document, loaded);
  const missing = members.filter(({ status }) => status === "unverified").length;
  const errors = findings.filter(({ severity }) => severity === "error");
  const done = `${members.length - missing} of ${members.length} members recomputed`;
  const evidence: Step =
    errors.length > 0
      ? { ...fails("evidence", `${done}; they give something else than the document says`), findings: errors }
      : missing > 0
        ? open("evidence", `${done}; for the others the workbooks are not here`, [
            {
              code: "verify-evidence",
              severity: "warning",
              message: `${missing} members could not be recomputed here.`,
              hint: "npm run bench:bank -- stage <folder with the published workbooks>",
            },
          ])
        : holds("evidence", `${done}; each is what the document says`);
  const said = canonicalJson({ components: row.components, composite: row.composite });
  const scores =
    components === null || composite === null
      ? open("scores", "not every member could be recomputed, so the sums could not be either")
      : same(
          "scores",
          "components and composite of the row are those",
          canonicalJson({ components, composite }),
          said,
        );
  return [evidence, scores];
}

/** The row's every number follows from its document, and its place from the documents of all rows. */
async function rankStep(
  reader: ObjectReader,
  files: FileSource,
  { suite, vocabulary }: LoadedSuite,
  board: BoardSuite,
  row: BoardRow,
): Promise<Step> {
  const registryBytes = await files(REGISTRY_PATH);
  const registry = registryBytes === null ? null : parseRegistry(registryBytes);
  const loaded = await loadSuite(files, board.suite.id);
  if (registry?.ok !== true || !loaded.ok) return fails("rank", "the tree's registry or suite does not hold");
  const entries: ResultEntry[] = [];
  let rebuilt: BoardRow | undefined;
  for (const { result, previous } of board.rows) {
    const bytes = await reader.blob(result.blob, MAX_DOCUMENT);
    const parsed = bytes === null ? null : parseResult(bytes, result.path);
    if (parsed?.ok !== true || bytes === null || fastDigest(bytes) !== result.digest)
      return fails("rank", "the document of a row is not the one that the board names", {
        path: result.path,
      });
    entries.push(entryOf(parsed.value, result.path, result.digest));
    if (result.digest === row.result.digest) {
      const [own] = buildBoardSuite({
        sourceTree: null,
        resultsTree: null,
        suiteTree: null,
        suite,
        vocabulary,
        registry: registry.value,
        results: [{ ...result, document: parsed.value, previous }],
        withdrawn: [],
      }).rows;
      rebuilt = own;
    }
  }
  const ranked = rankModels(entries, registry.value, board.suite);
  const rank = ranked.find(({ model }) => model === row.model)?.position ?? null;
  return same(
    "rank",
    `rank ${row.rank ?? "none"} among ${ranked.length} follows from the documents of all ${entries.length} rows`,
    canonicalJson({ ...rebuilt, rank }),
    canonicalJson(row),
  );
}

async function feedStep(published: FileSource, board: BoardSuite, row: BoardRow): Promise<Step> {
  const feed = await readPublished(published, "feed.json", feedSchema);
  if (!feed.ok) return { ...fails("feed", "the feed cannot be read"), findings: feed.findings };
  const model = feed.value.models.find(({ id }) => id === row.model);
  const block = model?.benchmark?.find(({ suite }) => suite === board.suite.id);
  const said = block === undefined ? "no block" : `${block.result} ${block.composite} ${block.rank.position}`;
  const wanted = row.rank === null ? "no block" : `${row.result.digest} ${row.composite} ${row.rank}`;
  return same(
    "feed",
    row.rank === null ? "the feed has no block for a model that is not curated" : "the feed says the same",
    wanted,
    said,
  );
}

import { type FileSource, folderSource } from "../io/files.ts";
import {
  fetchBranch,
  fetchObjects,
  fetchRepository,
  GitError,
  type GitRepository,
  ObjectReader,
  openRepository,
  type Remote,
  readBranchTip,
  readCheckout,
  readCommit,
  readMergeBases,
  readMergeOrder,
} from "../io/git.ts";
import { readTreeChanges, type TreeChanges } from "../io/git-changes.ts";
import { PUBLISHED_BRANCH } from "../lib/bot/publish.ts";
import type { Finding } from "../lib/findings.ts";
import type { Change, TreeItem } from "../lib/result-pr/change-set.ts";
import { changesFromBoth } from "../lib/result-pr/merge-bases.ts";
import type { Identity } from "../lib/result-pr/plan-schema.ts";
import { gitResults, listedResults, type ResultsTree, readItems, readTreeItem } from "./results-tree.ts";

/** Published files: read one by one; `prefetch` brings several at once where each would take a round trip. */
export interface PublishedSource {
  readonly read: FileSource;
  prefetch(paths: readonly string[]): Promise<void>;
}

/** Where a change set comes from: a pull request's git objects, or files of a working copy. */
export interface ChangeSource {
  readonly identity: Identity;
  readonly changes: readonly Change[];
  readonly truncated: boolean;
  /** Whatever changes in the folder of results is among `changes`. */
  readonly resultsSeen: boolean;
  /** What is wrong with the commits themselves. */
  readonly findings: readonly Finding[];
  /** The base's committed results. */
  readonly results: ResultsTree;
  /** Trees and contents by id, for what no other member reads; null where there is no git. */
  readonly objects: GitObjects | null;
  /** Files of the branch `published`, by which the base's results can be found; null when there is no such branch. */
  published(): Promise<PublishedSource | null>;
  /** These paths of the base in first-parent merge order, oldest first; empty where no whole history is at hand. */
  mergeOrder(paths: readonly string[]): Promise<readonly string[]>;
  /** Files of the base, null where there is none. */
  readBase(paths: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** Sizes of added files, and their bytes up to a limit (null above it). */
  readAdded(
    changes: readonly Change[],
    maxBytes: number,
  ): Promise<{ size: number; bytes: Uint8Array | null }[]>;
}

/** What lies behind a change set. */
export interface GitObjects {
  /** The base's commit. */
  readonly base: string;
  /** Whose exact tree is judged. */
  readonly judged: string;
  /** What the judged commit was compared with: merge bases, or the base; none without common history. */
  readonly before: readonly string[];
  /** The entries of a folder of a commit; none where there is no such folder. */
  folder(commit: string, path: string): Promise<readonly TreeItem[]>;
  /** Fetches contents that are not here yet. */
  bring(oids: readonly string[]): Promise<void>;
  /** Size of a content that was brought. */
  size(oid: string): Promise<number>;
  /** Bytes of a content that was brought. @throws GitError when there are more than `maxBytes` */
  blob(oid: string, maxBytes: number): Promise<Uint8Array>;
}

export interface PullRequestCommits {
  readonly pullRequest: number | null;
  readonly base: string;
  /** Null in a merge group, where it is the merge commit's second parent. */
  readonly head: string | null;
  /** Merge commit whose exact tree is judged; null judges the head. */
  readonly merge: string | null;
}

/** Changes that are looked at one by one; more are nobody's result. */
const MAX_CHANGES = 20_000;
/** Any file of the base that is read: results, registry. */
const MAX_BASE_BYTES = 8 * 1024 * 1024;
/** Any part of the published index. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a pull request as git objects: from a repository on this machine that holds them, or fetched from `remote`
 * into a temporary one. `close` ends the process and removes what was fetched.
 * @throws GitError when a commit is not to be had: the grader's failure, not the submitter's.
 */
export async function openPullRequest(
  commits: PullRequestCommits,
  where: { readonly repository: string } | { readonly remote: Remote },
): Promise<ChangeSource & { readonly close: () => Promise<void> }> {
  const shas = [commits.base, commits.head, commits.merge].filter((sha) => sha !== null);
  const fetched = "remote" in where ? await fetchRepository(where.remote, shas) : null;
  const repository =
    fetched?.repository ?? (await openRepository("repository" in where ? where.repository : ""));
  const reader = new ObjectReader(repository.gitDir);
  const close = async (): Promise<void> => {
    reader.close();
    await fetched?.dispose();
  };
  const brought = new Set<string>();
  const bring = async (oids: readonly string[]): Promise<void> => {
    const missing = [...new Set(oids)].filter((oid) => !brought.has(oid));
    if ("remote" in where) await fetchObjects(repository, where.remote, missing);
    for (const oid of missing) brought.add(oid);
  };
  try {
    const { identity, before, findings } = await identify(repository, commits);
    const after = identity.commit_sha ?? commits.base;
    const { changes, truncated, resultsSeen } = await readChanges(repository, reader, before, after);
    const results = await gitResults(reader, commits.base, bring);
    return {
      identity,
      changes,
      truncated,
      resultsSeen,
      findings,
      results,
      objects: objectsOf(reader, commits.base, after, before, bring),
      close,
      published: () => openPublished(repository, reader, where, bring),
      mergeOrder: (paths) => readMergeOrder(repository, commits.base, paths),
      async readBase(paths) {
        const items = await Promise.all(paths.map((path) => readTreeItem(reader, commits.base, path)));
        const oids = items.map((item) => (item?.mode === "100644" ? item.oid : null));
        await bring(oids.filter((oid) => oid !== null));
        return Promise.all(oids.map((oid) => (oid === null ? null : reader.blob(oid, MAX_BASE_BYTES))));
      },
      async readAdded(added, maxBytes) {
        await bring(added.flatMap(({ after: side }) => side?.oid ?? []));
        const read: { size: number; bytes: Uint8Array | null }[] = [];
        for (const { after: side, path } of added) {
          const info = await reader.info(side?.oid ?? "");
          if (info === null) throw new GitError(`the content of ${JSON.stringify(path)} is missing`);
          const bytes = info.bytes > maxBytes ? null : await reader.blob(info.oid, maxBytes);
          read.push({ size: info.bytes, bytes });
        }
        return read;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function objectsOf(
  reader: ObjectReader,
  base: string,
  judged: string,
  before: readonly string[],
  bring: GitObjects["bring"],
): GitObjects {
  return {
    base,
    judged,
    before,
    bring,
    async folder(commit, path) {
      const item = await readTreeItem(reader, commit, path);
      return item?.mode === "040000" ? ((await readItems(reader, item.oid)) ?? []) : [];
    },
    async size(oid) {
      const info = await reader.info(oid);
      if (info === null) throw new GitError(`object ${oid} is missing`);
      return info.bytes;
    },
    async blob(oid, maxBytes) {
      const bytes = await reader.blob(oid, maxBytes);
      if (bytes === null) throw new GitError(`object ${oid} is missing, or no file`);
      return bytes;
    },
  };
}

/** Ancestors that are merged into one; a history with more is compared with the first of them alone. */
const MAX_MERGE_BASES = 8;

/** What the judged commit changes: against the one before it, or against the merge of several (`merge-bases.ts`). */
async function readChanges(
  repository: GitRepository,
  reader: ObjectReader,
  [first, ...others]: readonly string[],
  after: string,
): Promise<TreeChanges> {
  if (first === undefined) return { changes: [], truncated: false, resultsSeen: true };
  const listed = await readTreeChanges(reader, first, after, MAX_CHANGES);
  let { changes } = listed;
  if (listed.truncated || others.length >= MAX_MERGE_BASES) return listed;
  for (const other of others) {
    const [common] = await readMergeBases(repository, first, other);
    if (common === undefined) continue;
    const [own, theirs] = [
      await readTreeChanges(reader, common, first, MAX_CHANGES),
      await readTreeChanges(reader, common, other, MAX_CHANGES),
    ];
    if (!own.truncated && !theirs.truncated) changes = changesFromBoth(changes, own.changes, theirs.changes);
  }
  return { ...listed, changes };
}

/** The newest commit of the branch `published`: of the repository here, or of the one that things are fetched from. */
async function openPublished(
  repository: GitRepository,
  reader: ObjectReader,
  where: { readonly repository: string } | { readonly remote: Remote },
  bring: (oids: readonly string[]) => Promise<void>,
): Promise<PublishedSource | null> {
  const tip =
    "remote" in where
      ? await fetchBranch(repository, where.remote, PUBLISHED_BRANCH)
      : await readBranchTip(repository, PUBLISHED_BRANCH);
  if (tip === null) return null;
  const oidOf = async (path: string): Promise<string | null> => {
    const item = await readTreeItem(reader, tip, path);
    return item?.mode === "100644" ? item.oid : null;
  };
  return {
    async read(path) {
      const oid = await oidOf(path);
      if (oid === null) return null;
      await bring([oid]);
      return reader.blob(oid, MAX_INDEX_BYTES);
    },
    async prefetch(paths) {
      const oids = await Promise.all(paths.map(oidOf));
      await bring(oids.filter((oid) => oid !== null));
    },
  };
}

interface Identified {
  readonly identity: Identity;
  /** The commits that the judged one is compared with: none, one, or several best common ancestors. */
  readonly before: readonly string[];
  readonly findings: Finding[];
}

async function identify(repository: GitRepository, commits: PullRequestCommits): Promise<Identified> {
  const { base, merge } = commits;
  const judgedSha = merge ?? commits.head;
  if (judgedSha === null) throw new GitError("neither a head nor a merge commit was named");
  const judged = await readCommit(repository, judgedSha);
  if (judged === null || (await readCommit(repository, base)) === null)
    throw new GitError(`commit ${judged === null ? judgedSha : base} is not in the repository`);
  // A merge group may squash: its commit then stands for the head itself.
  const head = commits.head ?? judged.parents[1] ?? judged.sha;
  const mergeBases = await readMergeBases(repository, base, head);
  const mergeBase = mergeBases[0] ?? null;
  const identity: Identity = {
    mode: merge === null ? "head" : "merge",
    pull_request: commits.pullRequest,
    head_sha: head,
    base_sha: base,
    merge_base_sha: mergeBase,
    commit_sha: judged.sha,
    tree_sha: judged.tree,
  };
  const findings: Finding[] = [];
  if (mergeBase === null)
    findings.push({
      code: "pr-unrelated-history",
      severity: "error",
      message: "This branch shares no history with the base branch.",
      hint: "Start the branch from the current main and add the result there.",
    });
  if (merge !== null && commits.head !== null && judged.parents.join(" ") !== `${base} ${commits.head}`)
    findings.push({
      code: "grader-merge-commit",
      severity: "error",
      message: "The commit to be judged is not the merge of this base and this head.",
      expected: `parents ${base} ${commits.head}`,
      actual: `parents ${judged.parents.join(" ")}`,
    });
  return { identity, before: merge === null ? mergeBases : [base], findings };
}

/** Merge order of a working copy; empty when it is no checkout, or its history is cut short. */
async function readLocalOrder(root: string, paths: readonly string[]): Promise<readonly string[]> {
  try {
    const { repository, commit, shallow } = await readCheckout(root);
    return shallow ? [] : await readMergeOrder(repository, commit.sha, paths);
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

/** A file as it would be committed. */
export interface LocalFile {
  /** Repository path it is meant for. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The same view of files that are not committed yet: the base is everything in the working copy except the files
 * themselves.
 */
export async function openLocal(root: string, files: readonly LocalFile[]): Promise<ChangeSource> {
  const judged = new Set(files.map(({ path }) => path));
  const source: FileSource = folderSource(root);
  const contents = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return {
    identity: {
      mode: "local",
      pull_request: null,
      head_sha: null,
      base_sha: null,
      merge_base_sha: null,
      commit_sha: null,
      tree_sha: null,
    },
    changes: [...judged].sort().map((path) => ({
      path,
      status: "added",
      before: null,
      after: { mode: "100644", oid: "0".repeat(40) },
    })),
    truncated: false,
    resultsSeen: true,
    findings: [],
    results: await listedResults(root, judged),
    objects: null,
    published: async () => null,
    mergeOrder: (paths) => readLocalOrder(root, paths),
    readBase: (paths) => Promise.all(paths.map((path) => (judged.has(path) ? null : source(path)))),
    readAdded: async (changes, maxBytes) =>
      changes.map(({ path }) => {
        const bytes = contents.get(path) ?? new Uint8Array();
        return { size: bytes.length, bytes: bytes.length > maxBytes ? null : bytes };
      }),
  };
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileSource } from "./files.ts";
import { ObjectReader } from "./git-blobs.ts";
import { GitError, runGit } from "./git-process.ts";

export { type ObjectInfo, ObjectReader } from "./git-blobs.ts";
export { GitError } from "./git-process.ts";

/** A repository that is read as objects only; nothing is ever checked out of it. */
export interface GitRepository {
  readonly gitDir: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** Files of a suite a source may give: larger ones are not ours. */
const MAX_SOURCE_BYTES = 64 * 1024 * 1024;
/** What a listing of trees may cost: about a million files. */
const LISTING = { timeoutMs: 120_000, maxBytes: 192 * 1024 * 1024 };
const FETCH = { timeoutMs: 300_000, maxBytes: 1024 * 1024 };

const SHA = /^[0-9a-f]{40}$/;

/** @throws GitError unless `value` is a full object id; nothing else ever reaches a command line. */
export function assertSha(value: string): string {
  if (!SHA.test(value)) throw new GitError("an object id must be 40 lower-case hex digits");
  return value;
}

/** Opens a repository, bare or not. @throws GitError when the folder holds none. */
export async function openRepository(path: string): Promise<GitRepository> {
  const { output } = await runGit(["-C", path, "rev-parse", "--absolute-git-dir"]);
  return { gitDir: output.toString("utf8").replace(/\n$/, "") };
}

const inside = (repository: GitRepository, ...args: string[]) => ["--git-dir", repository.gitDir, ...args];

/** The commit's tree and parents; null when the repository has no such commit. */
export async function readCommit(repository: GitRepository, sha: string): Promise<Commit | null> {
  const name = `${assertSha(sha)}^{commit}`;
  const { code, output } = await runGit(inside(repository, "rev-parse", "--verify", "--quiet", name), {
    accept: [1, 128],
  });
  if (code !== 0) return null;
  const resolved = output.toString("utf8").trim();
  const raw = await runGit(inside(repository, "cat-file", "commit", resolved));
  const header = raw.output.toString("utf8").split("\n\n", 1)[0] ?? "";
  const tree = /^tree ([0-9a-f]{40})$/m.exec(header)?.[1];
  if (tree === undefined) throw new GitError(`commit ${resolved} names no tree`);
  const parents = [...header.matchAll(/^parent ([0-9a-f]{40})$/gm)].map((match) => match[1] ?? "");
  return { sha: resolved, tree, parents };
}

/**
 * The best common ancestors, in git's order: none when the histories are unrelated, several when each side merged the
 * other before (a criss-cross).
 */
export async function readMergeBases(repository: GitRepository, a: string, b: string): Promise<string[]> {
  const { output } = await runGit(inside(repository, "merge-base", "--all", assertSha(a), assertSha(b)), {
    accept: [1],
  });
  return output
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}

/**
 * Every file under `folder` of a tree, `git ls-tree -r -z` as it came (`<mode> <type> <oid>\t<path>\0` …);
 * `src/lib/result-pr/change-set.ts` reads it.
 */
export async function readTreeListing(
  repository: GitRepository,
  treeish: string,
  folder?: string,
): Promise<string> {
  const args = inside(repository, "ls-tree", "-r", "-z", "--full-tree", assertSha(treeish));
  const { output } = await runGit(folder === undefined ? args : [...args, "--", folder], LISTING);
  return output.toString("utf8");
}

/** Paths and bytes of a tree, as `folderSource` gives those of a folder. Close it when done. */
export function gitTreeSource(
  repository: GitRepository,
  treeish: string,
): FileSource & { readonly close: () => void } {
  const reader = new ObjectReader(repository.gitDir);
  const tree = assertSha(treeish);
  const source = (path: string) => reader.blob(`${tree}:${path}`, MAX_SOURCE_BYTES);
  return Object.assign(source, { close: () => reader.close() });
}

export interface Remote {
  /** `https:`, `http:` or `file:` URL, or a path of this machine. */
  readonly url: string;
  /** A read-only token; it goes through the environment, never over a command line or into a file. */
  readonly token?: string;
}

const authorisation = (remote: Remote): readonly (readonly [string, string])[] => {
  if (remote.token === undefined || remote.token === "") return [];
  const basic = Buffer.from(`x-access-token:${remote.token}`).toString("base64");
  return [["http.extraHeader", `Authorization: Basic ${basic}`]];
};

/**
 * A new bare repository in a temporary folder with the commits and trees of `shas`; contents come with
 * `fetchObjects`. `dispose` removes it.
 */
export async function fetchRepository(
  remote: Remote,
  shas: readonly string[],
): Promise<{ repository: GitRepository; dispose: () => Promise<void> }> {
  const gitDir = await mkdtemp(join(tmpdir(), "assay-objects-"));
  const dispose = () => rm(gitDir, { recursive: true, force: true });
  const repository = { gitDir };
  try {
    await runGit(["init", "--quiet", "--bare", "--template=", gitDir]);
    await runGit(inside(repository, "config", "remote.origin.url", remote.url));
    await fetchInto(repository, remote, shas.map(assertSha), ["--filter=blob:none"]);
    return { repository, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The tip of a remote's branch, with its trees but without contents; null when the remote has no such branch. */
export async function fetchBranch(
  repository: GitRepository,
  remote: Remote,
  branch: string,
): Promise<string | null> {
  const ref = `refs/remotes/origin/${branch}`;
  try {
    const flags = ["--depth=1", "--filter=blob:none"];
    await fetchInto(repository, remote, [`+refs/heads/${branch}:${ref}`], flags);
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
  return readBranchTip(repository, branch);
}

/** Brings single objects (contents of files) into a repository that `fetchRepository` made. */
export async function fetchObjects(
  repository: GitRepository,
  remote: Remote,
  oids: readonly string[],
): Promise<void> {
  if (oids.length === 0) return;
  // The same call git itself makes for a missing object, but once for all of them.
  await fetchInto(
    repository,
    remote,
    oids.map(assertSha),
    ["--filter=blob:none"],
    ["-c", "fetch.negotiationAlgorithm=noop"],
  );
}

async function fetchInto(
  repository: GitRepository,
  remote: Remote,
  /** Object ids, or refspecs of ours. */
  wanted: readonly string[],
  flags: readonly string[],
  config: readonly string[] = [],
): Promise<void> {
  await runGit(
    [
      ...config,
      ...inside(
        repository,
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-auto-maintenance",
      ),
      "--recurse-submodules=no",
      ...flags,
      "--stdin",
      "origin",
    ],
    { ...FETCH, input: `${wanted.join("\n")}\n`, secretConfig: authorisation(remote) },
  );
}

/** The commit and tree that a checkout has, and whether its history is cut short. */
export async function readCheckout(
  path: string,
): Promise<{ repository: GitRepository; commit: Commit; shallow: boolean }> {
  const repository = await openRepository(path);
  const head = await runGit(inside(repository, "rev-parse", "--verify", "HEAD^{commit}"));
  const commit = await readCommit(repository, head.output.toString("utf8").trim());
  if (commit === null) throw new GitError("the checkout has no commit");
  const shallow = await runGit(inside(repository, "rev-parse", "--is-shallow-repository"));
  return { repository, commit, shallow: shallow.output.toString("utf8").trim() !== "false" };
}

/** Files under `folder` of a checkout that differ from its commit, or that the commit does not hold. */
export async function readChangedFiles(path: string, folder: string): Promise<string[]> {
  const { output } = await runGit(["-C", path, "status", "--porcelain", "-z", "--", folder], LISTING);
  return output
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "");
}

/** Files at or below `paths` in the order in which first-parent history added them, oldest first; each once. */
export async function readMergeOrder(
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
): Promise<string[]> {
  const flags = ["--first-parent", "-m", "--reverse", "--diff-filter=A", "--no-renames", "--name-only"];
  const { output } = await runGit(
    inside(
      repository,
      "--literal-pathspecs",
      "log",
      "-z",
      "--format=",
      ...flags,
      assertSha(commit),
      "--",
      ...paths,
    ),
    LISTING,
  );
  const added = output.toString("utf8").split(/[\0\n]/);
  return [...new Set(added.filter((path) => path !== ""))];
}

/** The commit that a branch of a checkout, or of the remote it came from, stands on; null when there is none. */
export async function readBranchTip(repository: GitRepository, branch: string): Promise<string | null> {
  for (const ref of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]) {
    const { code, output } = await runGit(
      inside(repository, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`),
      { accept: [1, 128] },
    );
    if (code === 0) return output.toString("utf8").trim();
  }
  return null;
}

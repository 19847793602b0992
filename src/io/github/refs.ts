import { parseTrailers } from "../../lib/bot/merge.ts";
import type { LockFacts } from "../../lib/bot/trust.ts";
import { gitBlobId } from "../git-ids.ts";
import { limitedFor, statusOf } from "./policy.ts";
import { at, orNull, type Repository } from "./repository.ts";

/** Branches, commits and the merge lock. */

/** Sha of a branch's tip, or null when there is no such branch. */
export async function readBranch(repository: Repository, branch: string): Promise<string | null> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/git/ref/{ref}", {
      ...at(repository),
      ref: `heads/${branch}`,
    }),
  );
  return answer === null ? null : answer.data.object.sha;
}

export interface CommitFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** ISO 8601; GitHub's own time where GitHub made the commit. */
  readonly committedAt: string;
}

export async function readCommit(repository: Repository, sha: string): Promise<CommitFacts> {
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", {
    ...at(repository),
    commit_sha: sha,
  });
  return {
    sha,
    tree: data.tree.sha,
    parents: data.parents.map((parent) => parent.sha),
    message: data.message,
    committedAt: data.committer.date,
  };
}

/** Git's id of a folder at the top of a commit's tree: the same as long as nothing in it changed. Null when there is none. */
export async function readFolderId(
  repository: Repository,
  sha: string,
  folder: string,
): Promise<string | null> {
  const { tree } = await readCommit(repository, sha);
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
    ...at(repository),
    tree_sha: tree,
  });
  return data.tree.find(({ path, type }) => path === folder && type === "tree")?.sha ?? null;
}

/** The commit that the lock stands on, or null when nobody holds it. */
export async function readLock(repository: Repository, branch: string): Promise<LockFacts | null> {
  const sha = await readBranch(repository, branch);
  if (sha === null) return null;
  const { tree, parents, message } = await readCommit(repository, sha);
  return { sha, tree, parents, ...parseTrailers(message) };
}

/** True when GitHub says that a rule or a permission forbids it: asking again does not help. */
const isForbidden = (error: unknown): boolean => {
  const status = statusOf(error);
  return (status === 403 && limitedFor(error, 0) === null) || status === 404 || status === 422;
};

/** False when the branch is there already, or a rule forbids it: the next look tells which. */
export async function createBranch(repository: Repository, branch: string, sha: string): Promise<boolean> {
  try {
    await repository.client.request("POST /repos/{owner}/{repo}/git/refs", {
      ...at(repository),
      ref: `refs/heads/${branch}`,
      sha,
    });
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/** Moves a branch forward, never by force. False when that is not a fast-forward, or not allowed. */
export async function forwardBranch(repository: Repository, branch: string, sha: string): Promise<boolean> {
  try {
    await repository.client.request("PATCH /repos/{owner}/{repo}/git/refs/{ref}", {
      ...at(repository),
      ref: `heads/${branch}`,
      sha,
      force: false,
    });
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/** Whether a branch's tip is `sha` or has it in its history. */
export async function isAncestor(repository: Repository, sha: string, tip: string): Promise<boolean> {
  if (sha === tip) return true;
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/compare/{basehead}", {
    ...at(repository),
    basehead: `${sha}...${tip}`,
    per_page: 1,
  });
  return data.status === "ahead";
}

/** Deletes a branch; one that is gone already is fine. */
export async function deleteBranch(repository: Repository, branch: string): Promise<void> {
  try {
    await repository.client.request("DELETE /repos/{owner}/{repo}/git/refs/{ref}", {
      ...at(repository),
      ref: `heads/${branch}`,
    });
  } catch (error) {
    if (statusOf(error) !== 422 && statusOf(error) !== 404) throw error;
  }
}

/** `forbidden`: a rule forbids it, or the head is not to be had any more. */
export type MergeOutcome = "merged" | "nothing" | "conflict" | "forbidden";

/** Merges `head` into a branch with a merge commit of GitHub's own making. */
export async function mergeInto(
  repository: Repository,
  branch: string,
  head: string,
  message: string,
): Promise<MergeOutcome> {
  try {
    const { status } = await repository.client.request("POST /repos/{owner}/{repo}/merges", {
      ...at(repository),
      base: branch,
      head,
      commit_message: message,
    });
    return status === 201 ? "merged" : "nothing";
  } catch (error) {
    if (statusOf(error) === 409) return "conflict";
    if (isForbidden(error)) return "forbidden";
    throw error;
  }
}

/** Files as they become a commit. */
export interface TreeFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** Text up to this size goes into the tree request itself; the rest becomes a blob first. */
const INLINE_BYTES = 256 * 1024;

function asText(data: Uint8Array): string | null {
  if (data.length > INLINE_BYTES) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}

/** Git's ids of the files of a tree; empty when there are more than GitHub lists at once. */
export async function readTreeFiles(
  repository: Repository,
  tree: string,
): Promise<ReadonlyMap<string, string>> {
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
    ...at(repository),
    tree_sha: tree,
    recursive: "1",
  });
  if (data.truncated) return new Map();
  const files = data.tree.filter(({ type, mode }) => type === "blob" && mode === "100644");
  return new Map(files.map(({ path, sha }) => [path, sha]));
}

/**
 * Writes a tree of exactly these files, or of these beside those of the tree `base`. Returns its id. A file that `known` (paths and git's ids of a tree that is
 * there already) holds with the very same bytes is named, not sent again.
 */
export async function postTree(
  repository: Repository,
  files: readonly TreeFile[],
  known: ReadonlyMap<string, string> = new Map(),
  base?: string,
): Promise<string> {
  const entries: { path: string; mode: "100644"; type: "blob"; content?: string; sha?: string }[] = [];
  for (const { path, data } of files) {
    const sha = known.get(path);
    if (sha !== undefined && sha === gitBlobId(data)) {
      entries.push({ path, mode: "100644", type: "blob", sha });
      continue;
    }
    const text = asText(data);
    if (text !== null) {
      entries.push({ path, mode: "100644", type: "blob", content: text });
      continue;
    }
    const { data: blob } = await repository.client.request("POST /repos/{owner}/{repo}/git/blobs", {
      ...at(repository),
      content: Buffer.from(data).toString("base64"),
      encoding: "base64",
    });
    entries.push({ path, mode: "100644", type: "blob", sha: blob.sha });
  }
  const { data } = await repository.client.request("POST /repos/{owner}/{repo}/git/trees", {
    ...at(repository),
    tree: entries,
    ...(base === undefined ? {} : { base_tree: base }),
  });
  return data.sha;
}

export async function postCommit(
  repository: Repository,
  commit: { readonly message: string; readonly tree: string; readonly parents: readonly string[] },
): Promise<string> {
  const { data } = await repository.client.request("POST /repos/{owner}/{repo}/git/commits", {
    ...at(repository),
    message: commit.message,
    tree: commit.tree,
    parents: [...commit.parents],
  });
  return data.sha;
}

import { GitError, readCheckout, readMergeOrder } from "./git.ts";
import { runGit } from "./git-process.ts";

export interface CommittedTree {
  /** Git's id of the tree of the checked-out commit; null when the folder differs from it, or is no checkout. */
  readonly tree: string | null;
  /** The checked-out commit, where `tree` is its tree and its history is not cut short; otherwise null. */
  readonly commit: string | null;
  /** The repository's objects; null when the folder is no checkout. */
  readonly gitDir: string | null;
  /** Those of some paths that first-parent history added, oldest first; none for what is no checkout. */
  mergeOrder(paths: readonly string[]): Promise<readonly string[]>;
}

const NONE: CommittedTree = { tree: null, commit: null, gitDir: null, mergeOrder: async () => [] };

/**
 * What git knows of a working folder: the tree it stands for, and in which order main got its results. A folder
 * outside git, or one whose watched files were changed, stands for no tree; that is an answer, not an error.
 */
export async function readCommittedTree(root: string, watched: readonly string[]): Promise<CommittedTree> {
  const git = async (...args: string[]): Promise<string> =>
    (await runGit(["-C", root, ...args])).output.toString("utf8");
  try {
    if ((await git("rev-parse", "--show-prefix")).trim() !== "") return NONE;
    const changed = await git("status", "--porcelain", "-z", "--untracked-files=all", "--", ...watched);
    const { repository, commit, shallow } = await readCheckout(root);
    return {
      tree: changed === "" ? commit.tree : null,
      commit: changed === "" && !shallow ? commit.sha : null,
      gitDir: repository.gitDir,
      mergeOrder: (paths) => readMergeOrder(repository, commit.sha, paths),
    };
  } catch (error) {
    if (error instanceof GitError) return NONE;
    throw error;
  }
}

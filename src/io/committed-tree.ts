import { GitError, runGit } from "./git-process.ts";

export interface CommittedTree {
  /** Git's id of the tree of the checked-out commit; null when the folder differs from it, or is no checkout. */
  readonly tree: string | null;
  /** Files ever added below the folder that was asked for, in first-parent order, oldest first. */
  readonly mergeOrder: readonly string[];
}

/**
 * What git knows of a working folder: the tree it stands for, and in which order main got its results. A folder
 * outside git, or one whose watched files were changed, stands for no tree; that is an answer, not an error.
 */
export async function readCommittedTree(
  root: string,
  watched: readonly string[],
  results: string,
): Promise<CommittedTree> {
  const git = async (...args: string[]): Promise<string> =>
    (await runGit(["-C", root, ...args])).output.toString("utf8");
  try {
    const top = (await git("rev-parse", "--show-prefix")).trim();
    if (top !== "") return { tree: null, mergeOrder: [] };
    const changed = await git("status", "--porcelain", "-z", "--untracked-files=all", "--", ...watched);
    const tree = (await git("rev-parse", "HEAD^{tree}")).trim();
    const log = [
      "log",
      "--first-parent",
      "-m",
      "--reverse",
      "--diff-filter=A",
      "--no-renames",
      "--name-only",
      "-z",
    ];
    const added = await git(...log, "--format=", "--", results);
    return {
      tree: changed === "" ? tree : null,
      mergeOrder: [...new Set(added.split(/[\0\n]/).filter((path) => path !== ""))],
    };
  } catch (error) {
    if (error instanceof GitError) return { tree: null, mergeOrder: [] };
    throw error;
  }
}

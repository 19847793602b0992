import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { assertSha, GitError, type GitRepository } from "./git.ts";
import { runGit } from "./git-process.ts";

/** Commits made from objects: the person's files, index and checkout stay as they are. */

/** Where main is, in the order in which a clone is asked: what a fork was made from comes first. */
export const BASES: readonly string[] = [
  "refs/remotes/upstream/main",
  "refs/remotes/origin/main",
  "refs/heads/main",
];

/** Who commits, as git itself would say it; null when git does not know. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

const run = promisify(execFile);

/** The person's own settings decide, so this is the one command that reads them. */
export async function readIdentity(root: string): Promise<Person | null> {
  const ask = async (key: string): Promise<string> => {
    try {
      return (await run("git", ["-C", root, "config", key])).stdout.trim();
    } catch {
      return "";
    }
  };
  const [name, email] = [await ask("user.name"), await ask("user.email")];
  return name === "" || email === "" ? null : { name, email };
}

/** Sha of the first of these refs that the repository has, with its name; null when it has none. */
export async function readFirstRef(
  repository: GitRepository,
  refs: readonly string[],
): Promise<{ readonly ref: string; readonly sha: string } | null> {
  for (const ref of refs) {
    const { code, output } = await runGit(
      [
        "--git-dir",
        repository.gitDir,
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        `${ref}^{commit}`,
      ],
      { accept: [1, 128] },
    );
    if (code === 0) return { ref, sha: output.toString("utf8").trim() };
  }
  return null;
}

/** A commit on top of `parent` that adds one file and nothing else. `at`: seconds since 1970. Returns its sha. */
export async function writeCommit(
  repository: GitRepository,
  parent: string,
  file: { readonly path: string; readonly bytes: Uint8Array },
  message: string,
  by: Person,
  at: number,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assay-index-"));
  const git = async (args: readonly string[], input: string | Uint8Array = ""): Promise<string> =>
    (await runGit(["--git-dir", repository.gitDir, ...args], { index: join(folder, "index"), input })).output
      .toString("utf8")
      .trim();
  try {
    await git(["read-tree", assertSha(parent)]);
    const blob = await git(["hash-object", "-w", "--stdin"], file.bytes);
    await git(["update-index", "--add", "-z", "--index-info"], `100644 ${blob}\t${file.path}\0`);
    const tree = await git(["write-tree"]);
    const line = `${by.name} <${by.email}> ${at} +0000`;
    const text = `tree ${tree}\nparent ${parent}\nauthor ${line}\ncommitter ${line}\n\n${message}\n`;
    return await git(["hash-object", "-w", "-t", "commit", "--stdin"], text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A commit on top of `head` with one folder as it lies in the working copy, and everything else as `head` has it; `head`
 * itself where that makes no difference. Files that git ignores stay out; nothing but objects is written.
 */
export async function writeFolderCommit(
  repository: GitRepository,
  head: string,
  root: string,
  path: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assay-index-"));
  const git = async (args: readonly string[], accept: readonly number[] = [], input = ""): Promise<string> =>
    (
      await runGit(["--git-dir", repository.gitDir, "--work-tree", root, ...args], {
        index: join(folder, "index"),
        accept,
        input,
      })
    ).output
      .toString("utf8")
      .trim();
  try {
    await git(["read-tree", assertSha(head)]);
    // A folder that is neither here nor there is no mistake.
    await git(["add", "--all", "--", path], [128]);
    const tree = await git(["write-tree"]);
    if (tree === (await git(["rev-parse", `${head}^{tree}`]))) return head;
    const nobody = "nobody <nobody@localhost> 0 +0000";
    const text = `tree ${tree}\nparent ${head}\nauthor ${nobody}\ncommitter ${nobody}\n\nNot committed yet\n`;
    return await git(["hash-object", "-w", "-t", "commit", "--stdin"], [], text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a branch. False when there is one of that name. @throws GitError */
export async function writeBranch(repository: GitRepository, branch: string, sha: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const { code } = await runGit(
    ["--git-dir", repository.gitDir, "update-ref", ref, assertSha(sha), "0".repeat(40)],
    {
      accept: [128],
    },
  );
  if (code === 0) return true;
  if ((await readFirstRef(repository, [ref])) !== null) return false;
  throw new GitError(`the branch ${branch} could not be made`);
}

/** URL of a remote; null when there is none of that name. */
export async function readRemoteUrl(repository: GitRepository, remote: string): Promise<string | null> {
  const { code, output } = await runGit(["--git-dir", repository.gitDir, "remote", "get-url", remote], {
    accept: [2, 128],
  });
  return code === 0 ? output.toString("utf8").trim() : null;
}

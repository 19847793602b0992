import { assertSha, type Commit, type GitRepository, readCommit } from "./git.ts";
import { runGit } from "./git-process.ts";

/** Which commits brought what is there. */

const LOG = { timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 };

const log = async (repository: GitRepository, ...args: string[]): Promise<string> =>
  (
    await runGit(["--git-dir", repository.gitDir, "--literal-pathspecs", "log", ...args], LOG)
  ).output.toString("utf8");

/** The newest commit in first-parent history of `tip` that has exactly this tree; null when none has. */
export async function readCommitOfTree(
  repository: GitRepository,
  tip: string,
  tree: string,
): Promise<Commit | null> {
  const lines = (await log(repository, "--first-parent", "--format=%H %T", assertSha(tip))).split("\n");
  const sha = lines.find((line) => line.endsWith(` ${tree}`))?.slice(0, 40);
  return sha === undefined ? null : readCommit(repository, sha);
}

/** The commit that brought a file, as first-parent history tells it. */
export interface Arrival {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Whether git finds a good signature on it, a bad one, none, or cannot say (no key here). */
  readonly signature: "good" | "bad" | "none" | "unknown";
}

const SIGNATURES: Readonly<Record<string, Arrival["signature"]>> = {
  G: "good",
  U: "good",
  B: "bad",
  N: "none",
};

/** The newest first-parent commit up to `commit` that added `path`; null when none did. */
export async function readArrival(
  repository: GitRepository,
  commit: string,
  path: string,
): Promise<Arrival | null> {
  const flags = ["-1", "--first-parent", "-m", "--diff-filter=A", "--no-renames", "--no-patch"];
  const text = await log(
    repository,
    ...flags,
    "--format=%H%x00%P%x00%G?%x00%B",
    assertSha(commit),
    "--",
    path,
  );
  const [sha, parents, signature, ...message] = text.split("\0");
  if (sha === undefined || parents === undefined || signature === undefined) return null;
  return {
    sha,
    parents: parents.split(" ").filter((parent) => parent !== ""),
    message: message.join("\0").trimEnd(),
    signature: SIGNATURES[signature] ?? "unknown",
  };
}

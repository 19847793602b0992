import type { Landing } from "../lib/feed/history.ts";
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

/**
 * The newest commits of first-parent history that added files below `paths` (with `changed`: or changed some), newest
 * first, each with those files, sorted. Removed files are not among them.
 * @param limit how many commits at most; git stops looking then
 */
export async function readLandings(
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
  { limit, changed }: { readonly limit: number; readonly changed: boolean },
): Promise<Landing[]> {
  const text = await log(
    repository,
    `-${limit}`,
    "--first-parent",
    "-m",
    "--no-renames",
    `--diff-filter=${changed ? "AM" : "A"}`,
    "--name-only",
    "-z",
    "--format=%H %ct%x00%B%x00",
    assertSha(commit),
    "--",
    ...paths,
  );
  const isFile = (word: string): boolean =>
    paths.some((path) => word === path || word.startsWith(`${path}/`));
  const landings: Landing[] = [];
  const words = text.split("\0");
  // A head is followed by its message, whatever that says; what follows the message are files, which lie below `paths`.
  for (let at = 0; at < words.length; at += 1) {
    const [, sha, seconds] = HEAD.exec(words[at] ?? "") ?? [];
    if (sha === undefined) continue;
    const message = words[at + 1] ?? "";
    const files: string[] = [];
    for (at += 2; at < words.length && !HEAD.test(words[at] ?? ""); at += 1) {
      const file = (words[at] ?? "").replace(/^\n/, "");
      if (isFile(file)) files.push(file);
    }
    at -= 1;
    landings.push({ sha, at: instantOf(Number(seconds)), message, files: files.sort() });
  }
  return landings;
}

const HEAD = /^([0-9a-f]{40}) (\d{1,12})$/;

/** No date outside of what ISO can say: git takes any. */
const instantOf = (seconds: number): string =>
  new Date(Math.min(seconds, 253_402_300_799) * 1000).toISOString();

/** When a commit was made: ISO, UTC. */
export async function readCommitTime(repository: GitRepository, commit: string): Promise<string> {
  return instantOf(Number((await log(repository, "-1", "--format=%ct", assertSha(commit))).trim()));
}

import { parseTrailers } from "../lib/bot/merge.ts";
import type { HistoryCommit } from "../lib/feed/history.ts";
import { assertSha, type GitRepository } from "./git.ts";
import { runGit } from "./git-process.ts";

/** What boards are made from. */
const WATCHED = ["benchmarks/results", "data"];
const LOG = { timeoutMs: 120_000, maxBytes: 256 * 1024 * 1024 };

/**
 * The newest first-parent commits up to `commit` that added or changed results or facts, oldest first.
 * @param most so many at most
 */
export async function readBoardCommits(
  repository: GitRepository,
  commit: string,
  most: number,
): Promise<HistoryCommit[]> {
  const log = async (...args: string[]): Promise<string> => {
    const words = [
      "--literal-pathspecs",
      "-c",
      "core.quotePath=true",
      "log",
      "--first-parent",
      "-m",
      "--no-renames",
    ];
    const range = [`--max-count=${most}`, "--diff-filter=AM", ...args, assertSha(commit), "--", ...WATCHED];
    const { output } = await runGit(["--git-dir", repository.gitDir, ...words, ...range], LOG);
    return output.toString("utf8");
  };
  const heads = new Map<string, Pick<HistoryCommit, "at" | "pull">>();
  const fields = (await log("--no-patch", "--format=%H%x00%cI%x00%B%x00")).split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [sha = "", date = "", message = ""] = fields.slice(at, at + 3).map((field) => field.trim());
    heads.set(sha, { at: new Date(date).toISOString(), pull: pullOf(message) });
  }
  const commits: HistoryCommit[] = [];
  for (const block of (await log("--name-status", "--format=%x01%H")).split("\x01").slice(1)) {
    const [sha = "", ...lines] = block.split("\n");
    const head = heads.get(sha);
    if (head === undefined) continue;
    commits.push({
      sha,
      ...head,
      files: lines.flatMap((line): HistoryCommit["files"] => {
        const [, status, path] = /^([AM])\t([^"]+)$/.exec(line) ?? [];
        return path === undefined ? [] : [{ status: status === "A" ? "added" : "changed", path }];
      }),
    });
  }
  return commits.reverse();
}

/** By the App's trailer, else as GitHub words its own merges. */
function pullOf(message: string): number | null {
  const { pullRequest } = parseTrailers(message);
  if (pullRequest !== null) return pullRequest;
  const [subject = ""] = message.split("\n");
  const number =
    /^Merge pull request #(\d{1,9}) from /.exec(subject)?.[1] ?? / \(#(\d{1,9})\)$/.exec(subject)?.[1];
  return number === undefined ? null : Number(number);
}

import { openRepository, readCommit } from "../io/git.ts";
import {
  BASES,
  readFirstRef,
  readIdentity,
  readRemoteUrl,
  writeBranch,
  writeCommit,
} from "../io/git-commit.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import type { Report } from "../lib/result-pr/report-schema.ts";
import {
  comparePage,
  submissionBody,
  submissionBranch,
  submissionTitle,
  webAddress,
} from "../lib/result-pr/words-submit.ts";
import { judgeCommits } from "./result-pr.ts";
import { intendedPath } from "./validate.ts";

export interface SubmitInput {
  /** A clone of the repository. */
  readonly root: string;
  /** The document's file as a path of this machine, and its bytes. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Commit or ref to start from; by default main of `upstream`, of `origin`, or the local one. */
  readonly base?: string;
  /** Remote that the branch will be pushed to. */
  readonly remote: string;
  /** Now: milliseconds since 1970. */
  readonly now: number;
}

export interface Submission {
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body: string;
  readonly report: Report;
  /** False when the verdict leaves nothing to send: no branch was made then. */
  readonly ready: boolean;
  /** Where a pull request is opened; null when the remote is no web address. */
  readonly page: string | null;
  /** Address on the web of the repository that main comes from; null when it has none. */
  readonly repositoryUrl: string | null;
}

const MAIN = "main";

const problem = (code: string, message: string, more: Partial<Finding> = {}): Outcome<never> => ({
  ok: false,
  findings: [{ code, severity: "error", message, ...more }],
});

/**
 * Prepares a result pull request: a commit with the document and nothing else, judged exactly as the workflow will
 * judge it, and a branch for it, unless the verdict is one that nobody has to hear from others. Working files, index
 * and checkout stay untouched.
 */
export async function prepareSubmission(input: SubmitInput): Promise<Outcome<Submission>> {
  const { root, bytes, remote, now } = input;
  const repository = await openRepository(root);
  const base = await readFirstRef(repository, input.base === undefined ? BASES : [input.base]);
  if (base === null)
    return problem("submit-base", "There is no commit to start from.", {
      actual: input.base ?? BASES.join(", "),
      hint: "git fetch origin main, or name one with --base.",
    });
  const by = await readIdentity(root);
  if (by === null)
    return problem("submit-identity", "Git does not know who you are, so it cannot make a commit.", {
      hint: 'git config user.name "…" and git config user.email "…"',
    });
  const path = await intendedPath(root, input.file, bytes);
  const branch = submissionBranch(path);
  const standing = await readFirstRef(repository, [`refs/heads/${branch}`]);
  const at = Math.floor(now / 1000);
  const message = `Add ${path.split("/").slice(2).join("/")}`;
  const made = await writeCommit(repository, base.sha, { path, bytes }, message, by, at);
  if ((await readCommit(repository, made))?.tree === (await readCommit(repository, base.sha))?.tree)
    return problem("submit-nothing", "The base has exactly this document already.", { path });
  const head = standing !== null && (await sameContent(repository, standing.sha, made)) ? standing.sha : made;
  const report = await judgeCommits({
    root,
    base: base.sha,
    head,
    pullRequest: null,
    arrivedAt: new Date(now).toISOString(),
  });
  const ready = report.verdict !== "invalid" && report.verdict !== "error";
  const [result] = report.results;
  if (ready && standing?.sha !== head && !(await writeBranch(repository, branch, head)))
    return problem("submit-branch", "There is a branch of this name with something else on it.", {
      actual: branch,
      hint: `git branch -D ${branch}, or send what is on it.`,
    });
  const url = await readRemoteUrl(repository, remote);
  const source = /^refs\/remotes\/([^/]+)\//.exec(base.ref)?.[1] ?? remote;
  const home = source === remote ? url : await readRemoteUrl(repository, source);
  return {
    ok: true,
    value: {
      path,
      branch,
      base: base.sha,
      head,
      title: result === undefined ? message : submissionTitle(result),
      body: submissionBody(report),
      report,
      ready,
      page: url === null ? null : comparePage(url, MAIN, branch),
      repositoryUrl: home === null ? null : webAddress(home),
    },
    findings: report.findings,
  };
}

/** Two commits of the same tree on the same parent: only who and when may differ. */
async function sameContent(repository: { readonly gitDir: string }, a: string, b: string): Promise<boolean> {
  const [one, other] = [await readCommit(repository, a), await readCommit(repository, b)];
  return (
    one !== null && other !== null && one.tree === other.tree && one.parents.join() === other.parents.join()
  );
}

import { openRepository } from "../io/git.ts";
import { BASES, readFirstRef, writeFolderCommit } from "../io/git-commit.ts";
import type { Outcome } from "../lib/findings.ts";
import type { Report } from "../lib/result-pr/report-schema.ts";
import { judgeCommits } from "./result-pr.ts";

export interface WorkingInput {
  /** A working copy of the repository. */
  readonly root: string;
  /** Commit or ref that the pull request will be against; by default main of `upstream`, of `origin`, or the local one. */
  readonly base?: string;
  /** Now, as ISO 8601 UTC with milliseconds. */
  readonly now: string;
  /** Runs that a generator made are accepted, to try a round out; a pull request with them would be refused. */
  readonly synthetic?: boolean;
}

/**
 * The report that a pull request would get with `HEAD` and the folder `data/` as it lies here: the very steps of the
 * workflow, on git objects. Working files, index and branches stay untouched.
 */
export async function judgeWorkingData(input: WorkingInput): Promise<Outcome<Report>> {
  const { root, base, now, synthetic = false } = input;
  const repository = await openRepository(root);
  const against = await readFirstRef(repository, base === undefined ? BASES : [base]);
  const head = await readFirstRef(repository, ["HEAD"]);
  if (against === null || head === null)
    return {
      ok: false,
      findings: [
        {
          code: "submit-base",
          severity: "error",
          message: "There is no commit to compare with.",
          actual: base ?? BASES.join(", "),
          hint: "git fetch origin main, or name one with --base.",
        },
      ],
    };
  const judged = await writeFolderCommit(repository, head.sha, root, "data");
  const report = await judgeCommits({
    root,
    base: against.sha,
    head: judged,
    pullRequest: null,
    arrivedAt: now,
    synthetic,
  });
  return { ok: true, value: report, findings: report.findings };
}

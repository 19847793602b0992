import { postPull, readPullOfBranch } from "../src/io/github/pulls.ts";
import { createBranch, postCommit, postTree, readBranch, readCommit } from "../src/io/github/refs.ts";
import type { JobCheck } from "../src/lib/bot/jobs.ts";
import { chooseFacts, factsBranch } from "../src/lib/bot/run-facts.ts";
import { factsDigest } from "../src/lib/job/facts-digest.ts";
import { renderFactsPull } from "../src/lib/result-pr/words-jobs.ts";
import { repositoryUrlOf } from "../src/lib/result-pr/words-links.ts";
import type { BotContext } from "./context.ts";
import type { TakenReport } from "./job-report.ts";

/** Makes a pull request of what a `run` job brought. One order makes one, however often this is done. */
export async function openFactsPull(
  context: BotContext,
  job: JobCheck,
  { run, report, files }: TakenReport,
): Promise<{ readonly pull: number | null; readonly problem: string | null }> {
  const { repository, outbox } = context;
  const none = (problem: string) => ({ pull: null, problem });
  if (report.facts === undefined) return none("its report names no facts");
  const chosen = chooseFacts(files);
  if (!chosen.ok) return none(chosen.why);
  if (factsDigest(chosen.files) !== report.facts)
    return none("its facts are not those that the report names");
  const branch = factsBranch(job.id);
  const { note } = job;
  const words = renderFactsPull(
    note,
    { pull: note.pull, check: job.id, run: run.id, by: note.login },
    repositoryUrlOf(run.url),
  );
  const pull = await outbox.ensure(`facts:${job.id}`, async () => {
    const there = await readPullOfBranch(repository, branch);
    if (there !== null) return there;
    if ((await readBranch(repository, branch)) === null) {
      const base = await readBranch(repository, repository.defaultBranch);
      if (base === null) return null;
      const tree = await postTree(
        repository,
        chosen.files,
        new Map(),
        (await readCommit(repository, base)).tree,
      );
      const commit = await postCommit(repository, { message: words.title, tree, parents: [base] });
      if (!(await createBranch(repository, branch, commit))) return null;
    }
    return postPull(repository, { branch, ...words });
  });
  return pull === null
    ? none("a rule of the repository keeps the App from making the branch")
    : { pull, problem: null };
}

import type { Engine } from "../io/engine.ts";
import { readEngine } from "../io/engine.ts";
import { folderSource } from "../io/files.ts";
import { gitTreeSource, openRepository } from "../io/git.ts";
import type { Report } from "../lib/result-pr/report-schema.ts";
import { planPullRequest } from "./result-pr-plan.ts";
import { type Grader, joinParts, recomputePart } from "./result-pr-recompute.ts";
import { type ChangeSource, type LocalFile, openLocal, openPullRequest } from "./result-pr-source.ts";
import { bankFiles } from "./vault.ts";

export type { Grader } from "./result-pr-recompute.ts";
export { type ChangeSource, type LocalFile, openPullRequest } from "./result-pr-source.ts";

export interface JudgeInput {
  readonly source: ChangeSource;
  readonly grader: Grader;
  readonly engine: Engine;
  /** When the pull request arrived (ISO 8601 UTC); null when nobody can say. */
  readonly arrivedAt: string | null;
  /** As in `PlanOptions`. */
  readonly synthetic?: boolean;
}

/** Plan, recompute and join in one process: the same steps that the workflow spreads over jobs. */
export async function judge(input: JudgeInput): Promise<Report> {
  const { source, grader, engine, arrivedAt, synthetic = false } = input;
  const evidence = await planPullRequest(source, arrivedAt, { synthetic });
  const { shards } = evidence.plan;
  const parts = [];
  for (let index = 1; index <= shards; index += 1)
    parts.push(await recomputePart(evidence, grader, { index, of: shards }));
  return joinParts(evidence, parts, grader, engine);
}

export interface LocalInput {
  /** The working copy: base, suites and committed results. */
  readonly root: string;
  /** The result documents to judge, under the paths they are meant for. */
  readonly files: readonly LocalFile[];
  /** Now, as ISO 8601 UTC with milliseconds; null skips the check of times. */
  readonly arrivedAt: string | null;
  /** Folder of staged bank workbooks, when neither in the vault nor in the working copy. */
  readonly bank?: string;
  /** Whether details of bank members are shown; by default as the working copy's policy says. */
  readonly openBank?: boolean;
}

/** The verdict that a pull request with these files would get, without git or GitHub. */
export async function judgeLocal(input: LocalInput): Promise<Report> {
  const { root, files, arrivedAt, bank, openBank } = input;
  return judge({
    source: await openLocal(root, files),
    grader: {
      suites: root,
      ...(bank === undefined ? {} : { bank }),
      ...(openBank === undefined ? {} : { openBank }),
    },
    engine: await readEngine(),
    arrivedAt,
  });
}

export interface CommitsInput {
  /** A repository that holds both commits. */
  readonly root: string;
  readonly base: string;
  readonly head: string;
  readonly pullRequest: number | null;
  /** When the pull request arrived (ISO 8601 UTC). */
  readonly arrivedAt: string | null;
  /** Folder of staged bank workbooks when there is no vault; by default the repository's own. */
  readonly bank?: string;
  /** As in `PlanOptions`. */
  readonly synthetic?: boolean;
}

/**
 * The report that the workflow gives for this base and head, byte for byte: suites and policy are the base's, workbooks
 * of the bank those on this machine.
 */
export async function judgeCommits(input: CommitsInput): Promise<Report> {
  const { root, base, head, pullRequest, arrivedAt, bank = root, synthetic = false } = input;
  const repository = await openRepository(root);
  const source = await openPullRequest({ pullRequest, base, head, merge: null }, { repository: root });
  const suites = gitTreeSource(repository, base);
  const grader: Grader = { suites, bank: bankFiles(folderSource(bank)) };
  try {
    return await judge({ source, grader, engine: await readEngine(), arrivedAt, synthetic });
  } finally {
    suites.close();
    await source.close();
  }
}

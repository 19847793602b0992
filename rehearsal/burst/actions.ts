import { zipSync } from "fflate";
import { readEngine } from "../../src/io/engine.ts";
import {
  gitTreeSource,
  ObjectReader,
  openRepository,
  readBranchTip,
  readCommit,
  readMergeOrder,
} from "../../src/io/git.ts";
import { computeFeed } from "../../src/jobs/feed.ts";
import { judge, openPullRequest } from "../../src/jobs/result-pr.ts";
import { gitResults } from "../../src/jobs/results-tree.ts";
import { PUBLISHED_BRANCH } from "../../src/lib/bot/publish.ts";
import {
  FEED_WORKFLOW,
  PUBLISHED_ARTIFACT,
  REPORT_ARTIFACT,
  RESULT_WORKFLOW,
} from "../../src/lib/bot/trust.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import type { Trigger } from "../hub/contract.ts";
import type { LocalHub } from "../hub/index.ts";
import type { VirtualClock } from "./clock.ts";

const SHA = /^[0-9a-f]{40}$/;

export interface ActionsOptions {
  readonly hub: LocalHub;
  readonly clock: VirtualClock;
  /** A checkout with the suites, which no event of a burst changes. */
  readonly root: string;
  /** Milliseconds that a run takes. */
  readonly lasts: () => number;
  /** Hears of work that failed: a defect of the simulation or of what it simulates. */
  readonly failed: (error: unknown) => void;
}

/**
 * Plays GitHub Actions for a burst: each run takes its time on the clock, and leaves what the real jobs leave, computed
 * by the functions that the actions call, in this process.
 */
export function playActions({ hub, clock, root, lasts, failed }: ActionsOptions): void {
  const complete = async (
    run: number,
    artifact: string,
    files: Readonly<Record<string, Uint8Array>> | null,
  ) => {
    hub.actions.startRun(run);
    if (files !== null) hub.actions.putArtifact(run, artifact, zipSync(files, { level: 1 }));
    hub.actions.completeRun(run, files === null ? "failure" : "success");
  };
  const play = (
    trigger: Trigger,
    workflowPath: string,
    artifact: string,
    work: () => Promise<Record<string, Uint8Array>>,
  ) => {
    const run = hub.actions.createRun({ trigger, workflowPath, workflowName: workflowPath });
    void clock
      .at(clock.now() + lasts(), async () => {
        try {
          await complete(run, artifact, await work());
        } catch (error) {
          failed(error);
          await complete(run, artifact, null);
        }
      })
      .catch(failed);
  };
  hub.onTrigger((trigger) => {
    const { event } = trigger;
    const asked = trigger.workflowPath;
    if (event === "pull_request_target" || (event === "workflow_dispatch" && asked === RESULT_WORKFLOW))
      play(trigger, RESULT_WORKFLOW, REPORT_ARTIFACT, () => report(trigger, root));
    const toMain = event === "push" && trigger.ref === `refs/heads/${trigger.repository.defaultBranch}`;
    if (toMain || (event === "workflow_dispatch" && asked === FEED_WORKFLOW))
      play(trigger, FEED_WORKFLOW, PUBLISHED_ARTIFACT, () => published(trigger, root));
  });
}

interface PullPayload {
  readonly number: number;
  readonly updated_at: string;
  readonly head: { readonly sha: string };
}

/** The artifact `assay-report` of a run. */
async function report(
  { payload, inputs, sha, repository }: Trigger,
  root: string,
): Promise<Record<string, Uint8Array>> {
  const pull = payload.pull_request as PullPayload | undefined;
  const given = (name: string): string | null => {
    const value = inputs?.[name] ?? "";
    return SHA.test(value) ? value : null;
  };
  const source = await openPullRequest(
    {
      pullRequest: pull?.number ?? Number(inputs?.pull_request),
      base: given("base_sha") ?? sha,
      head: pull?.head.sha ?? given("head_sha"),
      merge: given("merge_sha"),
    },
    { repository: repository.gitDir },
  );
  try {
    const arrivedAt = pull?.updated_at ?? inputs?.arrived_at ?? null;
    const made = await judge({ source, grader: { suites: root }, engine: await readEngine(), arrivedAt });
    return { "report.json": Buffer.from(canonicalDocument(made)) };
  } finally {
    await source.close();
  }
}

/** The artifact `assay-published` of a run. */
async function published(
  { sha, repository: { gitDir } }: Trigger,
  root: string,
): Promise<Record<string, Uint8Array>> {
  const repository = await openRepository(gitDir);
  const commit = await readCommit(repository, sha);
  if (commit === null) throw new Error(`commit ${sha} is not there`);
  const before = await readBranchTip(repository, PUBLISHED_BRANCH);
  const previous = before === null ? null : gitTreeSource(repository, before);
  const reader = new ObjectReader(gitDir);
  try {
    const computed = await computeFeed({
      root,
      sourceTree: commit.tree,
      results: await gitResults(reader, commit.tree),
      mergeOrder: (paths) => readMergeOrder(repository, commit.sha, paths),
      ...(previous === null ? {} : { previous }),
      recompute: false,
    });
    if (!computed.ok) throw new Error(`the feed does not hold: ${computed.findings[0]?.message}`);
    const files: Record<string, Uint8Array> = {};
    for (const { path, data } of computed.value.files) files[path] = Buffer.from(data);
    for (const path of computed.value.kept) {
      const bytes = await previous?.(path);
      if (bytes) files[path] = bytes;
    }
    return files;
  } finally {
    reader.close();
    previous?.close();
  }
}

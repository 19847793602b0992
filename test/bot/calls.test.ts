import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { board } from "../lib/bot/boards.ts";
import {
  answerMerge,
  artifact,
  completeRun,
  headReport,
  judged,
  moveMain,
  openPull,
  push,
  RESULT_PATH,
  repo,
  type Stage,
  say,
  startStage,
  takeTrigger,
  tip,
  writes,
} from "./stage.ts";

/** How much of GitHub's hourly allowance things cost. */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
  // What is asked for once and then remembered is asked for here: the repository, and the published board.
  const sha = await moveMain(stage);
  await stage.rest();
  const { data } = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: sha });
  const file = { "board/rehearsal-1.json": JSON.stringify(board([["acme/inkwell", 0.94]], data.tree.sha)) };
  const workflowPath = ".github/workflows/feed.yml";
  completeRun(stage, takeTrigger(stage, "push"), { "assay-published": file }, { workflowPath });
  await stage.rest();
  await judged(stage);
});
afterAll(async () => {
  await stage.close();
});

const redeliver = async (event: string): Promise<void> => {
  const found = stage.hub.deliveries.findLast((delivery) => delivery.event === event);
  stage.hub.redeliver(found?.id ?? "");
  await stage.rest();
};

describe("a push to a result pull request", () => {
  it("costs at most 12 calls, three of them writes, and nothing is written again for what changes nothing", async () => {
    const pull = await openPull(stage, { [RESULT_PATH.replace("deadbeef", "00000001")]: "{}\n" });
    await stage.rest();
    const base = await tip(stage.user("mia"));
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
    await stage.rest();
    stage.taken();
    const head = await push(stage, pull);
    await stage.rest();
    completeRun(
      stage,
      takeTrigger(stage, "pull_request_target"),
      artifact(headReport({ ...pull, head }, base)),
    );
    await stage.rest();
    const calls = stage.taken();
    expect(calls.length).toBeLessThanOrEqual(12);
    // Waiting, verdict, check run.
    expect(writes(calls).map(({ method }) => method)).toEqual(["PATCH", "PATCH", "POST"]);

    await redeliver("workflow_run");
    await redeliver("pull_request");
    const again = stage.taken();
    expect(again.length).toBeLessThanOrEqual(12);
    expect(writes(again)).toEqual([]);
  });

  it("without results costs one write: the check that may be required", async () => {
    stage.taken();
    const pull = await openPull(stage, { "docs/x.md": "x\n" });
    await stage.rest();
    const base = await tip(stage.user("mia"));
    const none = { results: [], findings: [], findings_total: 0 };
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base, none)));
    await stage.rest();
    const calls = stage.taken();
    expect(calls.length).toBeLessThanOrEqual(12);
    expect(writes(calls).map(({ method, path }) => [method, path.split("/").at(-1)])).toEqual([
      ["POST", "check-runs"],
    ]);
  });
});

it("a merge costs at most 80 calls and 13 writes", async () => {
  const pull = await judged(stage, {}, { [RESULT_PATH.replace("deadbeef", "00000002")]: "{}\n" });
  stage.taken();
  await say(stage, "mia", pull, "/assay merge");
  await answerMerge(stage, pull);
  const calls = stage.taken();
  expect(calls.length).toBeLessThanOrEqual(80);
  expect(writes(calls)).toHaveLength(13);
});

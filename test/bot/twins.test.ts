import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answerMerge,
  artifact,
  checks,
  completeRun,
  headReport,
  judged,
  type Opened,
  REPO,
  RESULT_PATH,
  repo,
  type Stage,
  say,
  startStage,
  sticky,
  takeTrigger,
  tip,
} from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  await stage.close();
});

const comment = async (pull: Opened) => (await sticky(stage, pull))[0]?.body ?? "";
const conclusion = async (pull: Opened) => (await checks(stage, pull.head)).get("assay/result")?.conclusion;

/** A second pull request from another branch with the very same head commit. */
async function twinOf(pull: Opened): Promise<Opened> {
  const sam = stage.user("sam");
  const branch = `${pull.branch}-twin`;
  await sam.rest.git.createRef({ owner: "sam", repo: REPO, ref: `refs/heads/${branch}`, sha: pull.head });
  const { data } = await sam.rest.pulls.create({
    ...repo,
    title: "Twin",
    head: `sam:${branch}`,
    base: "main",
  });
  await stage.rest();
  return { ...pull, number: data.number, branch };
}

describe("F05, F43: two pull requests with the same head commit", () => {
  it("do not undo each other's verdict, and the first is merged", async () => {
    const first = await judged(stage, {}, { [RESULT_PATH.replace("deadbeef", "cccc0001")]: "{}\n" });
    const base = await tip(stage.user("mia"));
    const twin = await twinOf(first);
    // The second one's run is refused for reasons of its author's own.
    completeRun(
      stage,
      takeTrigger(stage, "pull_request_target"),
      artifact(headReport(twin, base, { verdict: "invalid" })),
    );
    await stage.rest();
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect(await conclusion(first)).toBe("success");
    expect(await comment(first)).not.toContain("error");
    expect(await comment(first)).toContain("kind=verdict");
    await say(stage, "mia", first, "/assay merge");
    await answerMerge(stage, first);
    const { data } = await stage.user("mia").rest.pulls.get({ ...repo, pull_number: first.number });
    expect(data.merged).toBe(true);
  });

  it("hand the verdict on when the first is closed", async () => {
    const first = await judged(
      stage,
      { verdict: "invalid" },
      { [RESULT_PATH.replace("deadbeef", "cccc0002")]: "{}\n" },
    );
    const base = await tip(stage.user("mia"));
    await stage.user("mia").rest.pulls.update({ ...repo, pull_number: first.number, state: "closed" });
    await stage.rest();
    const twin = await twinOf(first);
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(twin, base)));
    await stage.rest();
    expect(await conclusion(twin)).toBe("success");
  });
});

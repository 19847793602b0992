import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { headArrival } from "../../src/lib/bot/labels.ts";
import type { PullFacts, RunFacts } from "../../src/lib/bot/trust.ts";
import {
  artifact,
  checks,
  completeRun,
  headReport,
  judged,
  type Opened,
  push,
  REPO,
  RESULT_PATH,
  replies,
  repo,
  type Stage,
  say,
  startStage,
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

const second = () => new Promise((resolve) => setTimeout(resolve, 1100));

/** A judged pull request whose first head was replaced by a second one; gives both. */
async function twice(name: string): Promise<{ first: Opened; other: Opened }> {
  const first = await judged(stage, {}, { [RESULT_PATH.replace("deadbeef", name)]: "{}\n" });
  await second();
  const other = { ...first, head: await push(stage, first) };
  await stage.rest();
  const base = await tip(stage.user("mia"));
  completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(other, base)));
  await stage.rest();
  return { first, other };
}

/** Pushes the first head back over the second one, by force. */
async function pushBack({ first }: { first: Opened }): Promise<void> {
  await second();
  await stage.user("sam").rest.git.updateRef({
    owner: "sam",
    repo: REPO,
    ref: `heads/${first.branch}`,
    sha: first.head,
    force: true,
  });
  await stage.rest();
  const base = await tip(stage.user("mia"));
  completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(first, base)));
  await stage.rest();
}

describe("F10, F12: a head that is pushed away and back", () => {
  it("does not get the merge that a label asked for on the head between", async () => {
    const heads = await twice("bbbb0001");
    stage.hub.setWebhookUrl(null);
    await second();
    await stage.user("mia").rest.issues.addLabels({
      ...repo,
      issue_number: heads.first.number,
      labels: ["assay:auto-merge"],
    });
    await pushBack(heads);
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect((await checks(stage, heads.first.head)).get("assay/merge")?.conclusion).toBe("neutral");
    expect(stage.triggers.some(({ inputs }) => inputs?.merge_sha?.length === 40)).toBe(false);
  });

  it("does not get the acceptance of the head between, when nobody listened", async () => {
    const heads = await twice("bbbb0002");
    stage.hub.setWebhookUrl(null);
    await second();
    await say(stage, "mia", heads.first, "/assay accept");
    await pushBack(heads);
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect((await checks(stage, heads.first.head)).get("assay/accept")).toBeUndefined();
    expect((await replies(stage, heads.first))[0]?.body).toContain("not known any more");
  });

  it("does get what was asked for since it is back", async () => {
    const heads = await twice("bbbb0003");
    await pushBack(heads);
    stage.hub.setWebhookUrl(null);
    await second();
    await say(stage, "mia", heads.first, "/assay accept");
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect((await checks(stage, heads.first.head)).get("assay/accept")?.conclusion).toBe("success");
  });
});

describe("when a head came", () => {
  const [ours, other] = ["a".repeat(40), "b".repeat(40)];
  const pull = { headSha: ours, headRepositoryId: 2, headBranch: "x", createdAt: "t0" } as PullFacts;
  const runs = (...heads: string[]): RunFacts[] =>
    heads.map(
      (headSha, index) =>
        ({ headSha, headRepositoryId: 2, createdAt: `t${heads.length - index}` }) as RunFacts,
    );

  it("is when its newest unbroken line of runs began", () => {
    expect(headArrival(pull, runs(ours, ours), true)).toBe("t0");
    expect(headArrival(pull, runs(ours, ours, other), true)).toBe("t2");
    expect(headArrival(pull, runs(ours, other, ours), true)).toBe("t3");
    expect(headArrival(pull, runs(other, ours), true)).toBeNull();
    expect(headArrival(pull, [], true)).toBeNull();
  });

  it("is not the beginning where closing and reopening has pushed older runs out of the list", () => {
    expect(headArrival(pull, runs(ours, ours), false)).toBe("t1");
  });

  it("is the newest run's time where the fork is gone, and with it what other heads there were", () => {
    const gone = { ...pull, headRepositoryId: null, headBranch: null };
    const left = runs(ours, ours).map((run) => ({ ...run, headRepositoryId: null }));
    expect(headArrival(gone, left, true)).toBe("t2");
  });
});

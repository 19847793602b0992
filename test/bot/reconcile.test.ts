import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseLooks } from "../../src/lib/bot/passes.ts";
import {
  answerMerge,
  artifact,
  checks,
  completeRun,
  headReport,
  judged,
  openPull,
  push,
  RESULT_PATH,
  replies,
  repo,
  type Stage,
  say,
  startStage,
  sticky,
  takeTrigger,
  tip,
} from "./stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(async () => {
  await stage.close();
});

/** What happens meanwhile is told to nobody. */
async function unheard<T>(work: () => Promise<T>): Promise<T> {
  stage.hub.setWebhookUrl(null);
  const value = await work();
  await stage.rest();
  stage.hub.setWebhookUrl(stage.bot.webhookUrl);
  return value;
}

async function pass(): Promise<void> {
  await stage.bot.reconcile();
  await stage.rest();
}

const second = () => new Promise((resolve) => setTimeout(resolve, 1100));

describe("F42: a lost event is made good by the next pass", () => {
  it("at every point between opening and merge, with or without a restart", async () => {
    for (const restarts of [false, true]) {
      const again = async () => {
        if (restarts) await stage.restart();
        await pass();
      };
      const path = RESULT_PATH.replace("deadbeef", restarts ? "aaaaaaaa" : "bbbbbbbb");
      const pull = await unheard(() => openPull(stage, { [path]: "{}\n" }));
      await again();
      expect((await sticky(stage, pull))[0]?.body).toContain("Recomputing");
      const base = await tip(stage.user("mia"));
      await unheard(async () =>
        completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base))),
      );
      await again();
      expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("success");
      await second();
      await unheard(() => say(stage, "mia", pull, "/assay merge"));
      await again();
      await unheard(() => answerMerge(stage, pull));
      await again();
      const { data } = await stage.user("mia").rest.pulls.get({ ...repo, pull_number: pull.number });
      expect(data.merged).toBe(true);
      expect(await sticky(stage, pull)).toHaveLength(1);
      expect(await replies(stage, pull)).toHaveLength(1);
    }
  });

  it("of a push: the old verdict goes, the new one comes", async () => {
    const pull = await judged(stage);
    const head = await unheard(() => push(stage, pull));
    await pass();
    expect((await sticky(stage, pull))[0]?.body).toContain(`head=${head} kind=waiting`);
  });

  it("of a head recomputed on request", async () => {
    const pull = await judged(stage, { verdict: "incomplete" });
    await say(stage, "tess", pull, "/assay validate");
    const base = await tip(stage.user("mia"));
    await unheard(async () =>
      completeRun(stage, takeTrigger(stage, "workflow_dispatch"), artifact(headReport(pull, base))),
    );
    await stage.restart();
    await pass();
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("success");
  });

  it("of closing while a merge is asked for: reopening does not revive it", async () => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge");
    const mia = stage.user("mia");
    await unheard(async () => {
      // The lock is gone as well, so that nothing but the check run remembers.
      await mia.rest.git.deleteRef({ ...repo, ref: "heads/assay/merge" });
      return mia.rest.pulls.update({ ...repo, pull_number: pull.number, state: "closed" });
    });
    await stage.restart();
    await pass();
    expect((await checks(stage, pull.head)).get("assay/merge")?.conclusion).toBe("failure");
    await mia.rest.pulls.update({ ...repo, pull_number: pull.number, state: "open" });
    await stage.rest();
    await pass();
    expect((await mia.rest.pulls.get({ ...repo, pull_number: pull.number })).data.merged).toBe(false);
  });
});

it("the comment that somebody deleted or rewrote is put right", async () => {
  const pull = await judged(stage);
  const [comment] = await sticky(stage, pull);
  await stage.user("mia").rest.issues.deleteComment({ ...repo, comment_id: comment?.id ?? 0 });
  await pass();
  const [fresh, ...more] = await sticky(stage, pull);
  expect(more).toEqual([]);
  expect(fresh?.body).toBe(comment?.body);
});

it("F19: a feed run that failed opens one issue", async () => {
  await pass();
  completeRun(
    stage,
    takeTrigger(stage, "workflow_dispatch"),
    {},
    {
      workflowPath: ".github/workflows/feed.yml",
      conclusion: "failure",
    },
  );
  await pass();
  await stage.restart();
  await pass();
  const { data } = await stage.user("mia").rest.issues.listForRepo({ ...repo, state: "open" });
  expect(data.map(({ title }) => title)).toEqual(["Assay cannot publish the base: its feed run failed"]);
});

describe("chooseLooks", () => {
  const candidate = (number: number, looked: number, urgent = false) => ({ number, looked, urgent });
  it("takes what cannot wait, and of the rest what was looked at longest ago", () => {
    const all = [candidate(1, 3), candidate(2, 1), candidate(3, 0), candidate(4, 9, true), candidate(5, 2)];
    expect([...chooseLooks(all, 2)].sort()).toEqual([2, 3, 4]);
    expect([...chooseLooks(all, 0)]).toEqual([4]);
  });
  it("comes round to everything", () => {
    let looked = new Map(Array.from({ length: 23 }, (_, index) => [index + 1, 0]));
    for (let turn = 1; turn <= 5; turn += 1) {
      const looks = chooseLooks(
        [...looked].map(([number, when]) => candidate(number, when)),
        5,
      );
      looked = new Map([...looked].map(([number, when]) => [number, looks.has(number) ? turn : when]));
    }
    expect([...looked.values()].every((when) => when > 0)).toBe(true);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answerMerge,
  artifact,
  checks,
  completeRun,
  headReport,
  judged,
  type Opened,
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
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  await stage.close();
});

let serial = 0;
/** A judged pull request of its own path, so that several can be merged. */
const fresh = (changes: Parameters<typeof judged>[1] = {}): Promise<Opened> => {
  serial += 1;
  const name = serial.toString(16).padStart(8, "0");
  return judged(stage, changes, { [RESULT_PATH.replace("deadbeef", name)]: "{}\n" });
};
const label = async (login: string, pull: Opened, name: string, on = true): Promise<void> => {
  const { issues } = stage.user(login).rest;
  const where = { ...repo, issue_number: pull.number };
  await (on ? issues.addLabels({ ...where, labels: [name] }) : issues.removeLabel({ ...where, name }));
  await stage.rest();
};
const HOLD = "assay:hold";
const AUTO = "assay:auto-merge";
const labels = async (pull: Opened) =>
  (await stage.user("mia").rest.issues.get({ ...repo, issue_number: pull.number })).data.labels.map((each) =>
    typeof each === "string" ? each : each.name,
  );
const merged = async (pull: Opened) =>
  (await stage.user("mia").rest.pulls.get({ ...repo, pull_number: pull.number })).data.merged;
const comment = async (pull: Opened) => (await sticky(stage, pull))[0]?.body ?? "";
const asked = (pull: Opened) =>
  stage.triggers.some(
    ({ inputs }) => inputs?.merge_sha?.length === 40 && inputs.pull_request === String(pull.number),
  );
const second = () => new Promise((resolve) => setTimeout(resolve, 1100));

describe("a hold", () => {
  it("stops commands and labels, is shown, survives a push, and ends by a release", async () => {
    const pull = await fresh();
    await say(stage, "walt", pull, "/assay hold the vendor is asked");
    expect(await labels(pull)).toEqual([HOLD]);
    expect((await replies(stage, pull))[0]?.body).toContain("On hold");
    expect(await comment(pull)).toContain("⛔ **On hold:**");
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("action_required");
    await say(stage, "mia", pull, "/assay merge");
    expect((await replies(stage, pull))[1]?.body).toContain("is on hold");
    await label("mia", pull, AUTO);
    expect(asked(pull)).toBe(false);

    const head = await push(stage, pull);
    await stage.rest();
    await stage.restart();
    const base = await tip(stage.user("mia"));
    completeRun(
      stage,
      takeTrigger(stage, "pull_request_target"),
      artifact(headReport({ ...pull, head }, base)),
    );
    await stage.rest();
    expect(await comment(pull)).toContain("⛔ **On hold:**");
    await label("mia", pull, AUTO, false);
    await say(stage, "mia", pull, "/assay merge");
    expect((await replies(stage, pull))[2]?.body).toContain("is on hold");

    await say(stage, "mia", pull, "/assay release");
    expect(await labels(pull)).toEqual([]);
    expect(await comment(pull)).not.toContain("On hold");
    expect((await checks(stage, head)).get("assay/result")?.conclusion).toBe("success");
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull);
    expect(await merged(pull)).toBe(true);
  });

  it("ends a merge that is under way", async () => {
    const pull = await fresh();
    await say(stage, "mia", pull, "/assay merge");
    await say(stage, "walt", pull, "/assay hold");
    expect((await replies(stage, pull))[0]?.body).toContain("is on hold");
    await answerMerge(stage, pull);
    expect(await merged(pull)).toBe(false);
  });

  it("is not ended by taking the label off, unless by somebody who may release", async () => {
    const pull = await fresh();
    await say(stage, "walt", pull, "/assay hold");
    await label("tess", pull, HOLD, false);
    expect(await labels(pull)).toEqual([HOLD]);
    expect(await comment(pull)).toContain("⛔ **On hold:**");
    // Nobody hears of it, and the bot remembers nothing.
    stage.hub.setWebhookUrl(null);
    await label("tess", pull, HOLD, false);
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    await stage.restart();
    await say(stage, "mia", pull, "/assay merge");
    expect((await replies(stage, pull))[1]?.body).toContain("is on hold");
    expect(await labels(pull)).toEqual([HOLD]);
    await label("walt", pull, HOLD, false);
    expect(await labels(pull)).toEqual([]);
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull);
    expect(await merged(pull)).toBe(true);
  });
});

describe("the label for auto-merge", () => {
  it("merges what is valid, once somebody who may merge has put it on", async () => {
    const pull = await fresh();
    await label("walt", pull, AUTO);
    expect(asked(pull)).toBe(true);
    await answerMerge(stage, pull);
    expect(await merged(pull)).toBe(true);
    expect(await replies(stage, pull)).toEqual([]);
    expect(await comment(pull)).toContain("🟣 **Merged**");
  });

  it("waits for the verdict", async () => {
    const pull = await openPull(stage, { [RESULT_PATH.replace("deadbeef", "aaaa0001")]: "{}\n" });
    await label("walt", pull, AUTO);
    expect(asked(pull)).toBe(false);
    const base = await tip(stage.user("mia"));
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
    await stage.rest();
    expect(asked(pull)).toBe(true);
    await answerMerge(stage, pull);
    expect(await merged(pull)).toBe(true);
  });

  it("F39: put on by somebody who may not merge does nothing, and says so", async () => {
    const pull = await fresh();
    await label("tess", pull, AUTO);
    await stage.bot.reconcile();
    expect(asked(pull)).toBe(false);
    expect(await comment(pull)).toContain("somebody without the role write");
  });

  it("F04: does not count for a head that was pushed after it", async () => {
    const pull = await openPull(stage, { [RESULT_PATH.replace("deadbeef", "aaaa0002")]: "{}\n" });
    await stage.rest();
    // GitHub makes a run for each head; this one's is under way.
    completeRun(stage, takeTrigger(stage, "pull_request_target"), {}, { conclusion: "cancelled" });
    await label("walt", pull, AUTO);
    await second();
    const head = await push(stage, pull);
    await stage.rest();
    const base = await tip(stage.user("mia"));
    completeRun(
      stage,
      takeTrigger(stage, "pull_request_target"),
      artifact(headReport({ ...pull, head }, base)),
    );
    await stage.rest();
    expect(asked(pull)).toBe(false);
    expect(await comment(pull)).toContain("before this head was pushed");
    await second();
    await label("walt", pull, AUTO, false);
    await label("walt", pull, AUTO);
    expect(asked(pull)).toBe(true);
    await answerMerge(stage, pull);
    expect(await merged(pull)).toBe(true);
  });

  it.each(["needs-review", "invalid", "incomplete"] as const)(
    "does nothing about what is %s",
    async (verdict) => {
      const pull = await fresh({ verdict });
      await label("mia", pull, AUTO);
      await say(stage, "mia", pull, "/assay accept");
      expect(asked(pull)).toBe(false);
    },
  );

  it("that asked once and was refused does not ask for ever", async () => {
    const pull = await fresh();
    await label("mia", pull, AUTO);
    await answerMerge(stage, pull, { verdict: "invalid" });
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect(asked(pull)).toBe(false);
    expect(await comment(pull)).toContain("🚫 **Not merged:**");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERBS } from "../../src/lib/bot/command.ts";
import { LABELS } from "../../src/lib/bot/labels.ts";
import { tampered } from "../lib/words/reports.ts";
import {
  answerMerge,
  artifact,
  checks,
  completeRun,
  deliver,
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
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  await stage.close();
});

describe("commands", () => {
  it("F41: are answered once, however often they are delivered", async () => {
    const pull = await judged(stage);
    await say(stage, "sam", pull, "/assay help");
    const delivery = stage.hub.deliveries.findLast(
      ({ event, payload }) => event === "issue_comment" && JSON.stringify(payload).includes("/assay help"),
    );
    for (let count = 0; count < 5; count += 1) stage.hub.redeliver(delivery?.id ?? "");
    await stage.rest();
    await stage.restart();
    stage.hub.redeliver(delivery?.id ?? "");
    await stage.rest();
    const answers = await replies(stage, pull);
    expect(answers).toHaveLength(1);
    for (const verb of VERBS) expect(answers[0]?.body).toContain(`| \`/assay ${verb}`);
    expect(answers[0]?.body).toContain(`The label \`${LABELS.autoMerge}\``);
  });

  it("F37: quoted, in code, in lists, escaped or inside other words are none", async () => {
    const pull = await judged(stage);
    for (const body of [
      "> /assay merge",
      "```\n/assay merge\n```",
      "    /assay merge",
      "`/assay merge`",
      "- /assay merge",
      "\\/assay merge",
      "<!-- \n/assay merge\n-->",
      "please /assay merge",
      "/assaymerge",
      "**/assay merge**",
    ]) {
      await say(stage, "mia", pull, body);
    }
    expect(await replies(stage, pull)).toEqual([]);
    expect((await checks(stage, pull.head)).has("assay/merge")).toBe(false);
  });

  it("of bots are none", async () => {
    const pull = await judged(stage);
    const id = await say(stage, "mia", pull, "hello");
    // Even a genuine webhook about a comment that the API says no person wrote.
    const [own] = await sticky(stage, pull);
    const status = await deliver(stage, "issue_comment", {
      action: "created",
      issue: { number: pull.number, pull_request: {} },
      comment: { id: own?.id ?? id, body: "/assay merge", user: { type: "User" } },
      repository: { name: repo.repo, owner: { login: repo.owner } },
    });
    expect(status).toBe(202);
    await stage.rest();
    expect(await replies(stage, pull)).toEqual([]);
  });

  it("in an edited comment are refused, and the answer says so", async () => {
    const pull = await judged(stage);
    const id = await say(stage, "mia", pull, "looks good");
    // Timestamps are whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await stage.user("mia").rest.issues.updateComment({ ...repo, comment_id: id, body: "/assay merge" });
    await stage.rest();
    const answers = await replies(stage, pull);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.body).toContain("never in edited ones");
    expect((await checks(stage, pull.head)).has("assay/merge")).toBe(false);
  });

  it("that do not exist are answered with those that do", async () => {
    const pull = await judged(stage);
    await say(stage, "sam", pull, "/assay frobnicate @everyone");
    const [answer] = await replies(stage, pull);
    expect(answer?.body).toContain("There is no command `frobnicate @everyone`");
  });

  it.each([
    ["sam", "merge", "needs the role write or above on this repository; yours is `read`"],
    ["tess", "merge", "needs the role write or above on this repository; yours is `triage`"],
    ["sam", "accept", "needs the role write"],
    ["tess", "accept", "needs the role write"],
    ["sam", "validate", "needs the role triage"],
    ["tess", "validate", "Recomputing head"],
    ["walt", "accept", "Accepted for exactly head"],
    ["tess", "hold", "needs the role write"],
    ["sam", "release", "needs the role write"],
    ["tess", `supersede ${"a".repeat(64)}`, "needs the role write"],
    ["mia", "perf", "this pull request brings no entry of a run"],
    ["mia", "verify D-7", "on this head `D-7` is not a defect"],
    ["tess", "perf", "needs the role write"],
    ["sam", "verify D-7", "needs the role write"],
    ["tess", "run", "needs the role write"],
    ["sam", "cancel", "needs the role write"],
    ["sam", "status", "No job was asked for"],
  ])("%s asks for %s: %s", async (login, verb, answer) => {
    const pull = await judged(stage);
    await say(stage, login, pull, `/assay ${verb}`);
    const [reply] = await replies(stage, pull);
    expect(reply?.body).toContain(answer);
    expect((await checks(stage, pull.head)).has("assay/merge")).toBe(false);
  });

  it("F39: are denied when the permission cannot be looked up", async () => {
    const pull = await judged(stage);
    stage.wire.block = ({ path }) => (path.includes("/permission") ? { status: 404 } : null);
    await say(stage, "mia", pull, "/assay merge");
    stage.wire.block = null;
    expect((await replies(stage, pull))[0]?.body).toContain("could not be determined");
  });

  it("F12: count for the head at their delivery, and name both when it moved", async () => {
    const pull = await judged(stage);
    // The bot is kept busy while the head moves.
    let go = (): void => undefined;
    const moved = new Promise<void>((resolve) => {
      go = resolve;
    });
    stage.wire.delay = ({ path }) => (path.includes("/issues/comments/") ? moved : null);
    const command = { ...repo, issue_number: pull.number, body: "/assay merge" };
    await stage.user("mia").rest.issues.createComment(command);
    await stage.hub.settled();
    const head = await push(stage, pull);
    stage.wire.delay = null;
    go();
    await stage.rest();
    const [reply] = await replies(stage, pull);
    expect(reply?.body).toContain(
      `the head moved from \`${pull.head.slice(0, 7)}\` to \`${head.slice(0, 7)}\``,
    );
    expect((await checks(stage, head)).has("assay/merge")).toBe(false);
  });

  it("that name another head are refused", async () => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge abcdef1");
    expect((await replies(stage, pull))[0]?.body).toContain("the command names `abcdef1`");
  });

  it("F38: more than five an hour on one pull request look like a loop: one issue, then silence", async () => {
    const pull = await judged(stage);
    for (let count = 0; count < 7; count += 1) await say(stage, "sam", pull, "/assay help");
    expect(await replies(stage, pull)).toHaveLength(5);
    const { data } = await stage.user("mia").rest.issues.listForRepo({ ...repo, state: "open" });
    expect(
      data.filter(({ title }) => title === `Assay stopped answering on pull request ${pull.number}`),
    ).toHaveLength(1);
  });

  it("F38: of a maintainer are obeyed although a stranger made the bot talk, until they look like a loop too", async () => {
    const pull = await judged(stage);
    for (let count = 0; count < 6; count += 1) await say(stage, "sam", pull, "/assay help");
    for (let count = 0; count < 3; count += 1) await say(stage, "mia", pull, "/assay hold\n/assay release");
    await say(stage, "mia", pull, "/assay hold");
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("action_required");
    for (let count = 0; count < 3; count += 1) await say(stage, "mia", pull, "/assay help");
    expect(await replies(stage, pull)).toHaveLength(10);
  });

  it("written while nobody listened are answered by reconciling, for the head whose verdict stood there", async () => {
    const pull = await judged(stage);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    stage.hub.setWebhookUrl(null);
    await say(stage, "walt", pull, "/assay accept");
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    await stage.bot.reconcile();
    await stage.rest();
    expect((await replies(stage, pull))[0]?.body).toContain("Accepted for exactly head");
  });
});

describe("reactions", () => {
  const reactions = async (comment: number) =>
    (await stage.user("mia").rest.reactions.listForIssueComment({ ...repo, comment_id: comment })).data.map(
      ({ content, user }) => [content, user?.login],
    );

  it.each([
    ["sam", "help", "+1"],
    ["sam", "merge", "-1"],
    ["sam", "frobnicate", "confused"],
    ["mia", "help\n/assay frobnicate", "confused"],
    ["sam", "frobnicate\n/assay merge", "-1"],
  ])("to %s's %j are eyes and %s", async (login, text, sign) => {
    const pull = await judged(stage);
    const id = await say(stage, login, pull, `/assay ${text}`);
    expect(await reactions(id)).toEqual([
      ["eyes", "assay[bot]"],
      [sign, "assay[bot]"],
    ]);
    expect(await replies(stage, pull)).toHaveLength(1);
  });

  it("that cannot be made keep nobody from an answer", async () => {
    const pull = await judged(stage);
    stage.wire.block = ({ path }) => (path.endsWith("/reactions") ? { status: 404 } : null);
    await say(stage, "sam", pull, "/assay help");
    stage.wire.block = null;
    expect(await replies(stage, pull)).toHaveLength(1);
  });
});

describe("/assay supersede", () => {
  const old = "benchmarks/results/rehearsal-1/acme__quill-0a1b2c3d/20261101t000000z-0badf00d.json";
  const digest = `sha256:${"b".repeat(64)}`;
  const replaces = {
    code: "pr-supersedes",
    severity: "warning" as const,
    message: `This document replaces ${old}; a maintainer must agree.`,
    actual: digest,
  };
  const review = (...findings: object[]) => ({
    verdict: "needs-review" as const,
    findings: findings as (typeof replaces)[],
    findings_total: findings.length,
  });
  const accepted = async (head: string) => (await checks(stage, head)).get("assay/accept");

  it.each([digest, digest.slice(7), old])(
    "by %s accepts exactly that replacement, for this head",
    async (name) => {
      const pull = await judged(stage, review(replaces));
      await say(stage, "walt", pull, `/assay supersede ${name}`);
      expect((await replies(stage, pull))[0]?.body).toContain(`it replaces \`${old}\``);
      expect((await accepted(pull.head))?.summary).toContain(old);
      expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("success");
      const head = await push(stage, pull);
      await stage.rest();
      expect(await accepted(head)).toBeUndefined();
    },
  );

  it("names a withdrawal by the path, or the digest, of what is withdrawn", async () => {
    const message = `This takes ${old} off the board; a maintainer must agree.`;
    const pull = await judged(
      stage,
      review({ code: "pr-withdraws", severity: "warning", message, actual: "wrong" }),
    );
    await say(stage, "walt", pull, `/assay supersede 0badf00d${"1".repeat(56)}`);
    expect((await replies(stage, pull))[0]?.body).toContain(`takes off the board \`${old}\``);
  });

  it.each([
    ["something else", [replaces], `sha256:${"c".repeat(64)}`, "but this head replaces or withdraws"],
    ["nothing", [], digest, "neither replaces nor withdraws"],
    [
      "more to look at",
      [replaces, { ...replaces, code: "sanity-equal" }],
      digest,
      "also needs review for `sanity-equal`",
    ],
    [
      "two at once",
      [replaces, { ...replaces, message: replaces.message.replace("0bad", "1bad") }],
      digest,
      "accepted as a whole",
    ],
  ])("with %s does nothing", async (_what, findings, name, words) => {
    const pull = await judged(stage, findings.length === 0 ? {} : review(...findings));
    await say(stage, "walt", pull, `/assay supersede ${name}`);
    expect((await replies(stage, pull))[0]?.body).toContain(words);
    expect(await accepted(pull.head)).toBeUndefined();
  });
});

describe("F04: an acceptance", () => {
  it("is none of what a later run of the same head finds, until it is given again", async () => {
    const finding = (code: string) => ({ code, severity: "warning" as const, message: "Look at this." });
    const review = (...codes: string[]) => ({
      verdict: "needs-review" as const,
      findings: codes.map(finding),
      findings_total: codes.length,
    });
    const pull = await judged(stage, review("sanity-equal"), {
      [RESULT_PATH.replace("deadbeef", "eeee0001")]: "{}\n",
    });
    await say(stage, "mia", pull, "/assay accept");
    await say(stage, "tess", pull, "/assay validate");
    const base = await tip(stage.user("mia"));
    const later = review("sanity-equal", "pr-duplicate-evidence");
    completeRun(stage, takeTrigger(stage, "workflow_dispatch"), artifact(headReport(pull, base, later)));
    await stage.rest();
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull, later);
    expect(await tip(stage.user("mia"))).toBe(base);
    await say(stage, "mia", pull, "/assay accept\n/assay merge");
    await answerMerge(stage, pull, later);
    expect(await tip(stage.user("mia"))).not.toBe(base);
  });
});

describe("/assay validate", () => {
  it("has the head recomputed, and the newer verdict replaces the older", async () => {
    const pull = await judged(stage, { verdict: "incomplete" });
    await say(stage, "tess", pull, "/assay validate");
    const trigger = takeTrigger(stage, "workflow_dispatch");
    expect(trigger.inputs).toMatchObject({
      pull_request: String(pull.number),
      head_sha: pull.head,
      merge_sha: "",
    });
    const base = await tip(stage.user("mia"));
    completeRun(stage, trigger, artifact(headReport(pull, base)));
    await stage.rest();
    expect((await sticky(stage, pull))[0]?.body).toContain("## ✅ Valid");
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("success");
  });

  it("answered for a head that moved changes nothing", async () => {
    const pull = await judged(stage);
    await say(stage, "tess", pull, "/assay validate");
    const trigger = takeTrigger(stage, "workflow_dispatch");
    const head = await push(stage, pull);
    await stage.rest();
    completeRun(stage, trigger, artifact(headReport(pull, await tip(stage.user("mia")))));
    await stage.rest();
    expect((await sticky(stage, pull))[0]?.body).toContain(`kind=waiting`);
    expect((await sticky(stage, pull))[0]?.body).toContain(head);
  });
});

describe("/assay accept", () => {
  const review = {
    verdict: "needs-review" as const,
    findings: [
      { code: "pr-supersedes", severity: "warning" as const, message: "Replaces a committed result." },
    ],
    findings_total: 1,
  };

  it("lets what needs review pass, for exactly that head", async () => {
    const pull = await judged(stage, review);
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("action_required");
    await say(stage, "walt", pull, "/assay accept");
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("success");
    expect((await checks(stage, pull.head)).get("assay/accept")?.conclusion).toBe("success");
    expect((await sticky(stage, pull))[0]?.body).toContain(
      `Accepted for head \`${pull.head.slice(0, 7)}\` by \`walt\``,
    );
    const head = await push(stage, pull);
    await stage.rest();
    const base = await tip(stage.user("mia"));
    completeRun(
      stage,
      takeTrigger(stage, "pull_request_target"),
      artifact(headReport({ ...pull, head }, base, review)),
    );
    await stage.rest();
    expect((await checks(stage, head)).get("assay/result")?.conclusion).toBe("action_required");
    expect((await sticky(stage, pull))[0]?.body).toContain("Needs review");
  });

  it("does not help an invalid result", async () => {
    const { findings, results } = tampered();
    const pull = await judged(stage, { verdict: "invalid", findings, findings_total: 1, results });
    await say(stage, "mia", pull, "/assay accept");
    expect((await replies(stage, pull))[0]?.body).toContain("which an acceptance does not change");
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("failure");
  });

  it("before there is a verdict waits for one", async () => {
    const pull = await openPull(stage);
    await stage.rest();
    await say(stage, "mia", pull, "/assay accept");
    expect((await replies(stage, pull))[0]?.body).toContain("no verdict for head");
  });
});

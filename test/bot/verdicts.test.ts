import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tampered } from "../lib/words/reports.ts";
import {
  artifact,
  checks,
  comments,
  completeRun,
  deliver,
  headReport,
  judged,
  openPull,
  push,
  repo,
  type Stage,
  say,
  startStage,
  sticky,
  takeTrigger,
  tip,
  writes,
} from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  await stage.close();
});

const lastDelivery = (event: string) => {
  const found = stage.hub.deliveries.findLast((delivery) => delivery.event === event);
  if (found === undefined) throw new Error(`no ${event} was delivered`);
  return found;
};

describe("webhooks", () => {
  it("with a bad signature are refused, and nothing is done", async () => {
    stage.taken();
    expect(await deliver(stage, "ping", {}, { secret: "wrong" })).toBe(401);
    expect(await deliver(stage, "ping", {}, { signature: "" })).toBe(401);
    expect(
      await deliver(stage, "pull_request", { action: "opened", number: 1 }, { signature: "sha256=00" }),
    ).toBe(401);
    await stage.rest();
    expect(stage.taken()).toEqual([]);
  });

  it("F44: are answered at once with 202", async () => {
    expect(await deliver(stage, "ping", { zen: "x" })).toBe(202);
    const answer = await fetch(`${stage.bot.url}/healthz`);
    expect([answer.status, await answer.text()]).toEqual([200, "alive\n"]);
  });

  it("that are no webhooks do not disturb", async () => {
    expect((await fetch(stage.bot.url)).status).toBe(404);
    expect(await deliver(stage, "pull_request", [])).toBe(400);
  });
});

describe("a result pull request", () => {
  it("gets one comment while it waits, the verdict in its place, and a check run, within 12 calls", async () => {
    // Token, app and repository are asked for once an hour, not once a push.
    await judged(stage);
    stage.taken();
    const pull = await openPull(stage);
    await stage.rest();
    const waiting = await sticky(stage, pull);
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.body).toContain("## ⏳ Recomputing");
    const base = await tip(stage.user("mia"));
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
    await stage.rest();
    const calls = stage.taken();
    expect(calls.length).toBeLessThanOrEqual(12);
    expect(writes(calls)).toHaveLength(3);
    const verdict = await sticky(stage, pull);
    expect(verdict.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
    expect(verdict[0]?.body).toContain("## ✅ Valid");
    expect((await checks(stage, pull.head)).get("assay/result")).toMatchObject({
      status: "completed",
      conclusion: "success",
      title: "Valid: composite 0.912500 recomputed, rank 2 of 4",
    });
  });

  it("with a raised score shows both numbers and annotations, and its check fails", async () => {
    const { findings, results } = tampered();
    const pull = await judged(stage, { verdict: "invalid", findings, findings_total: 1, results });
    const [comment] = await sticky(stage, pull);
    expect(comment?.body).toContain("claims 1.000000, evidence gives 0.912500");
    expect((await checks(stage, pull.head)).get("assay/result")).toMatchObject({
      conclusion: "failure",
      annotations: 1,
    });
  });

  it("F41: gets one comment however often and however concurrently its events are delivered", async () => {
    const pull = await openPull(stage);
    await stage.rest();
    const opened = lastDelivery("pull_request");
    for (let count = 0; count < 5; count += 1) stage.hub.redeliver(opened.id);
    await stage.rest();
    const base = await tip(stage.user("mia"));
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
    await stage.rest();
    stage.taken();
    const completed = lastDelivery("workflow_run");
    for (let count = 0; count < 5; count += 1) {
      stage.hub.redeliver(completed.id);
      stage.hub.redeliver(opened.id);
    }
    await stage.rest();
    expect(writes(stage.taken())).toEqual([]);
    expect(await sticky(stage, pull)).toHaveLength(1);
    // Also with a bot that remembers nothing.
    await stage.restart();
    stage.hub.redeliver(completed.id);
    stage.hub.redeliver(opened.id);
    await stage.rest();
    expect(writes(stage.taken())).toEqual([]);
    expect(await sticky(stage, pull)).toHaveLength(1);
  });

  it("after a push keeps its comment, which is then about the new head", async () => {
    const pull = await judged(stage);
    const head = await push(stage, pull);
    await stage.rest();
    const [waiting] = await sticky(stage, pull);
    expect(waiting?.body).toContain(head.slice(0, 7));
    // A late report about the old head changes nothing.
    const base = await tip(stage.user("mia"));
    const trigger = takeTrigger(stage, "pull_request_target");
    completeRun(stage, { ...trigger, headSha: pull.head }, artifact(headReport(pull, base)));
    await stage.rest();
    expect((await sticky(stage, pull))[0]?.body).toBe(waiting?.body);
    completeRun(stage, trigger, artifact(headReport({ ...pull, head }, base)));
    await stage.rest();
    const after = await sticky(stage, pull);
    expect(after).toHaveLength(1);
    expect(after[0]?.id).toBe(waiting?.id);
    expect(after[0]?.body).toContain("## ✅ Valid");
  });

  it("F43: is never overwritten by an older run", async () => {
    const pull = await openPull(stage);
    await stage.rest();
    const base = await tip(stage.user("mia"));
    const trigger = takeTrigger(stage, "pull_request_target");
    const older = stage.hub.actions.createRun({
      trigger,
      workflowPath: ".github/workflows/result-pr.yml",
      workflowName: "result-pr",
    });
    stage.hub.actions.startRun(older);
    completeRun(stage, trigger, artifact(headReport(pull, base)));
    await stage.rest();
    stage.hub.actions.completeRun(older, "cancelled");
    await stage.rest();
    expect((await sticky(stage, pull))[0]?.body).toContain("## ✅ Valid");
  });

  it("F15, F35: that touches no results gets no comment, but a check that concludes", async () => {
    const pull = await openPull(stage, { "docs/note.md": "hello\n" });
    await stage.rest();
    const base = await tip(stage.user("mia"));
    completeRun(
      stage,
      takeTrigger(stage, "pull_request_target"),
      artifact(headReport(pull, base, { results: [] })),
    );
    await stage.rest();
    expect(await comments(stage, pull)).toEqual([]);
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("neutral");
  });

  it("F16: whose run leaves no report is told that it is not the submitter's fault", async () => {
    const pull = await openPull(stage);
    await stage.rest();
    completeRun(stage, takeTrigger(stage, "pull_request_target"), {}, { conclusion: "failure" });
    await stage.rest();
    expect((await sticky(stage, pull))[0]?.body).toContain("Nothing to do for the submitter");
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("failure");
  });
});

describe("a report", () => {
  const opened = async () => {
    const pull = await openPull(stage);
    await stage.rest();
    const base = await tip(stage.user("mia"));
    return { pull, base, trigger: takeTrigger(stage, "pull_request_target") };
  };
  const untouched = async (pull: Awaited<ReturnType<typeof openPull>>) => {
    const [comment] = await sticky(stage, pull);
    expect(comment?.body).toContain("## ⏳ Recomputing");
    expect((await checks(stage, pull.head)).has("assay/result")).toBe(false);
  };

  it("of another workflow is not believed", async () => {
    const { pull, base, trigger } = await opened();
    completeRun(stage, trigger, artifact(headReport(pull, base)), {
      workflowPath: ".github/workflows/other.yml",
    });
    await stage.rest();
    await untouched(pull);
  });

  it("of an event that can run a pull request's code is not believed", async () => {
    const { pull, base, trigger } = await opened();
    for (const event of ["pull_request", "merge_group"]) {
      completeRun(stage, { ...trigger, event }, artifact(headReport(pull, base)));
    }
    await stage.rest();
    await untouched(pull);
  });

  it("dispatched on another branch is not believed", async () => {
    const { pull, base, trigger } = await opened();
    completeRun(
      stage,
      {
        ...trigger,
        event: "workflow_dispatch",
        headBranch: "evil",
        headRepository: { id: trigger.repository.id, fullName: "x/y" },
      },
      artifact(headReport(pull, base)),
    );
    await stage.rest();
    await untouched(pull);
  });

  it("of a fork's own main is not believed", async () => {
    const { pull, base, trigger } = await opened();
    completeRun(
      stage,
      { ...trigger, event: "workflow_dispatch", headBranch: "main" },
      artifact(headReport(pull, base)),
    );
    await stage.rest();
    await untouched(pull);
  });

  it("F05: dispatched by somebody who may, against a base of his own, is not believed", async () => {
    const pull = await judged(stage, { verdict: "invalid" });
    const where = { ...repo, workflow_id: "result-pr.yml", ref: "main" };
    const inputs = { pull_request: String(pull.number), base_sha: pull.head, head_sha: pull.head };
    await stage.user("walt").rest.actions.createWorkflowDispatch({ ...where, inputs });
    await stage.rest();
    completeRun(stage, takeTrigger(stage, "workflow_dispatch"), artifact(headReport(pull, pull.head)));
    await stage.rest();
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("failure");
  });

  it("F16: of a run that is made again is the newer attempt's, although somebody looked meanwhile", async () => {
    const { pull, base, trigger } = await opened();
    const id = completeRun(stage, trigger, {}, { conclusion: "failure" });
    await stage.rest();
    const again = (status: string) => (call: { path: string }, body: string) =>
      call.path.endsWith(`/actions/runs/${id}`)
        ? JSON.stringify({ ...JSON.parse(body), run_attempt: 2, status })
        : body;
    stage.wire.rewrite = again("in_progress");
    await say(stage, "mia", pull, "/assay hold\n/assay release");
    const [, files] = Object.entries(artifact(headReport(pull, base)))[0] ?? [];
    const bytes = new TextEncoder().encode(files?.["report.json"] ?? "");
    stage.hub.actions.putArtifact(id, "assay-report", zipSync({ "report.json": bytes }));
    stage.wire.rewrite = again("completed");
    await deliver(stage, "workflow_run", {
      action: "completed",
      workflow_run: { id, path: ".github/workflows/result-pr.yml" },
      repository: { id: 1, name: repo.repo, owner: { login: repo.owner }, default_branch: "main" },
    });
    await stage.rest();
    stage.wire.rewrite = null;
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("success");
  });

  it("that claims another pull request or head than the API knows is refused", async () => {
    const other = await judged(stage);
    const { pull, base, trigger } = await opened();
    const before = await sticky(stage, other);
    completeRun(stage, trigger, artifact(headReport({ ...pull, number: other.number }, base)));
    await stage.rest();
    expect(await sticky(stage, other)).toEqual(before);
    expect((await sticky(stage, pull))[0]?.body).toContain("does not belong to this head");
    expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("failure");
  });

  it.each([
    ["not JSON", { "assay-report": { "report.json": "{" } }],
    ["not the schema", { "assay-report": { "report.json": "{}" } }],
    ["another file", { "assay-report": { "other.json": "{}" } }],
    ["a file too many", { "assay-report": { "report.json": "{}", "more.json": "{}" } }],
    ["a bomb", { "assay-report": { "report.json": new Uint8Array(30 * 2 ** 20) } }],
  ])("that is %s is said to be unreadable, and nobody falls over", async (_what, artifacts) => {
    const { pull, trigger } = await opened();
    completeRun(stage, trigger, artifacts);
    await stage.rest();
    expect((await sticky(stage, pull))[0]?.body).toContain("could not be read");
  });
});

describe("the one comment", () => {
  it("F29: is never somebody else's, whatever marker that carries", async () => {
    const pull = await openPull(stage);
    const marker = `<!-- assay:result head=${pull.head} kind=verdict -->\nI am the bot.`;
    const forged = await stage
      .user("sam")
      .rest.issues.createComment({ ...repo, issue_number: pull.number, body: marker });
    await stage.rest();
    const base = await tip(stage.user("mia"));
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
    await stage.rest();
    await stage.restart();
    await stage.bot.reconcile();
    const all = await comments(stage, pull);
    expect(all.find(({ id }) => id === forged.data.id)?.body).toBe(marker);
    expect(await sticky(stage, pull)).toHaveLength(1);
  });

  it("F28: is found on page two", async () => {
    const pull = await openPull(stage);
    const sam = stage.user("sam");
    for (let count = 0; count < 105; count += 1) {
      await sam.rest.issues.createComment({ ...repo, issue_number: pull.number, body: `chatter ${count}` });
    }
    await stage.rest();
    const base = await tip(stage.user("mia"));
    await stage.restart();
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
    await stage.rest();
    await stage.restart();
    await stage.bot.reconcile();
    expect(await sticky(stage, pull)).toHaveLength(1);
  });

  it("F30: is exactly one when the answer to its POST is lost", async () => {
    await stage.restart();
    let lost = 0;
    stage.wire.fault = ({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/comments") || lost > 0) return null;
      lost += 1;
      return { status: 502 };
    };
    const pull = await openPull(stage);
    await stage.rest();
    stage.wire.fault = null;
    expect(lost).toBe(1);
    expect(await sticky(stage, pull)).toHaveLength(1);
  });

  it("F31: comes after the pause that GitHub asks for, and only once", async () => {
    let refused = 0;
    stage.taken();
    stage.wire.block = ({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/comments") || refused > 0) return null;
      refused += 1;
      return {
        status: 403,
        headers: { "retry-after": "1" },
        body: '{"message":"You have exceeded a secondary rate limit."}',
      };
    };
    const before = Date.now();
    const pull = await openPull(stage);
    await stage.rest();
    stage.wire.block = null;
    expect(Date.now() - before).toBeGreaterThanOrEqual(1000);
    expect(await sticky(stage, pull)).toHaveLength(1);
    expect(
      stage.taken().filter(({ method, path }) => method === "POST" && path.endsWith("/comments")),
    ).toHaveLength(2);
  });
});

describe("reconciling", () => {
  it("F42: finds a verdict whose webhook was lost, and writes nothing the second time", async () => {
    stage.hub.setWebhookUrl(null);
    const pull = await openPull(stage);
    const base = await tip(stage.user("mia"));
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
    await stage.rest();
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    expect(await sticky(stage, pull)).toEqual([]);
    await stage.bot.reconcile();
    expect((await sticky(stage, pull))[0]?.body).toContain("## ✅ Valid");
    stage.taken();
    await stage.bot.reconcile();
    expect(writes(stage.taken()).filter(({ path }) => !path.includes("dispatches"))).toEqual([]);
  });

  it("mends a comment that somebody edited", async () => {
    const pull = await judged(stage);
    const [comment] = await sticky(stage, pull);
    const body = comment?.body.replace("Valid", "Excellent") ?? "";
    await stage.user("mia").rest.issues.updateComment({ ...repo, comment_id: comment?.id ?? 0, body });
    await stage.bot.reconcile();
    expect((await sticky(stage, pull))[0]?.body).toBe(comment?.body);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  artifact,
  completeRun,
  deliver,
  headReport,
  judged,
  openPull,
  RESULT_PATH,
  replies,
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

const ready = async () => {
  const answer = await fetch(`${stage.bot.url}/readyz`);
  return { status: answer.status, state: (await answer.json()) as { waiting: number } };
};

describe("the server", () => {
  it("is alive at once, and ready when it has looked at everything", async () => {
    expect((await fetch(`${stage.bot.url}/healthz`)).status).toBe(200);
    expect(await ready()).toMatchObject({
      status: 503,
      state: { ready: false, authenticated: false, reconciled_at: null },
    });
    await stage.bot.reconcile();
    expect(await ready()).toMatchObject({
      status: 200,
      state: {
        ready: true,
        authenticated: true,
        reconcile_age_s: expect.any(Number),
        waiting: 0,
        failures: 0,
      },
    });
    expect((await fetch(`${stage.bot.url}/anything`)).status).toBe(404);
  });

  it("F44: answers a burst with 202 before any work is done", async () => {
    const pull = await judged(stage);
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    // GitHub does not answer at all meanwhile.
    stage.wire.delay = () => held;
    const payload = {
      action: "synchronize",
      number: pull.number,
      repository: { name: repo.repo, owner: { login: repo.owner } },
    };
    const times = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const began = performance.now();
        expect(await deliver(stage, "pull_request", payload, { id: `burst-${index}` })).toBe(202);
        return performance.now() - began;
      }),
    );
    expect((await ready()).state.waiting).toBeLessThan(5);
    stage.wire.delay = null;
    go();
    await stage.rest();
    // A machine that others use as well is given time; what matters is that GitHub's silence was not waited for.
    expect(Math.max(...times)).toBeLessThan(8_000);
    expect(await sticky(stage, pull)).toHaveLength(1);
  });

  it("F41: the same delivery five times at once has one effect", async () => {
    const pull = await judged(stage);
    stage.hub.setWebhookUrl(null);
    const id = await say(stage, "mia", pull, "/assay help");
    const payload = {
      action: "created",
      issue: { number: pull.number, pull_request: {} },
      comment: { id, body: "/assay help", user: { type: "User" } },
      repository: { name: repo.repo, owner: { login: repo.owner } },
    };
    const same = { id: "00000000-0000-0000-0000-00000000f041" };
    const five = () =>
      Promise.all(Array.from({ length: 5 }, () => deliver(stage, "issue_comment", payload, same)));
    expect(await five()).toEqual([202, 202, 202, 202, 202]);
    await stage.rest();
    await stage.restart();
    await five();
    await stage.rest();
    expect(await replies(stage, pull)).toHaveLength(1);
  });

  it("writes no text of a pull request, comment or branch into its log, whatever happens", async () => {
    const canary = "c4n4ry";
    const path = RESULT_PATH.replace("deadbeef", canary.slice(0, 6));
    stage.log.length = 0;
    let broken = 0;
    stage.wire.fault = ({ method }) => {
      broken += method === "GET" ? 0 : 1;
      return broken % 3 === 1 ? { status: 500, body: `{"message":"${canary}"}` } : null;
    };
    const pull = await openPull(
      stage,
      { [path]: `{"${canary}":1}` },
      { title: canary, branch: canary, body: canary },
    );
    await stage.rest();
    const base = await tip(stage.user("mia"));
    const trigger = takeTrigger(stage, "pull_request_target");
    const finding = { code: "pr-other", severity: "error" as const, message: canary, path: canary };
    completeRun(stage, trigger, { "assay-report": { "report.json": `{"${canary}":` } });
    await stage.rest();
    completeRun(
      stage,
      trigger,
      artifact(headReport(pull, base, { verdict: "invalid", findings: [finding], findings_total: 1 })),
    );
    await stage.rest();
    completeRun(stage, trigger, artifact({ ...headReport(pull, base), engine: canary }));
    await stage.rest();
    for (const body of [`/assay ${canary}`, `/assay merge ${canary}`, `/assay merge\n${canary}`])
      await say(stage, "mia", pull, body);
    stage.wire.fault = null;
    stage.wire.block = ({ method }) =>
      method === "GET" ? { status: 422, body: `{"message":"${canary}"}` } : null;
    await say(stage, "sam", pull, `/assay help ${canary}`);
    await stage.bot.reconcile().catch(() => undefined);
    stage.wire.block = null;
    await deliver(stage, "issue_comment", { action: "created", issue: canary, comment: canary });
    await deliver(stage, "pull_request", { action: "opened", number: canary, repository: { name: canary } });
    await stage.rest();
    expect(stage.log.length).toBeGreaterThan(10);
    const told = stage.log.filter((line) => line.includes(canary));
    expect(told).toEqual([]);
    for (const line of stage.log) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
    expect(stage.log.some((line) => JSON.parse(line).level === "error")).toBe(true);
  });
});

it("a pass over what is in order writes nothing", async () => {
  await judged(stage);
  await stage.bot.reconcile();
  stage.taken();
  await stage.bot.reconcile();
  // Nothing answers for the feed's workflow here, so it is asked for each time.
  expect(writes(stage.taken()).filter(({ path }) => !path.endsWith("/feed.yml/dispatches"))).toEqual([]);
});

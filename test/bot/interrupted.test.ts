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

/** What happens between any two calls of the bot: its end, or a push by force. One stage; a pull request a case. */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  await stage.close();
});

let serial = 0;
const ownPath = (): Record<string, string> => {
  serial += 1;
  return { [RESULT_PATH.replace("deadbeef", serial.toString(16).padStart(8, "0"))]: "{}\n" };
};
const review = {
  verdict: "needs-review" as const,
  findings: [{ code: "pr-supersedes", severity: "warning" as const, message: "Replaces a result." }],
  findings_total: 1,
};

/** From now on the bot is dead after `alive` writes: nothing it asks for is done any more. */
function endAfter(alive: number): () => boolean {
  let written = 0;
  let dead = false;
  stage.wire.block = ({ method }) => {
    if (dead) return { status: 400 };
    if (method === "GET") return null;
    dead = written >= alive;
    written += 1;
    return dead ? { status: 400 } : null;
  };
  return () => dead;
}

/** Another bot that remembers nothing takes over. */
async function another(): Promise<void> {
  stage.wire.block = null;
  await stage.restart(200_000);
  await stage.bot.reconcile();
  await stage.rest();
}

/** What is over is not looked at again. */
async function closeAll(): Promise<void> {
  const { pulls } = stage.user("mia").rest;
  for (const { number } of (await pulls.list({ ...repo, state: "open" })).data)
    await pulls.update({ ...repo, pull_number: number, state: "closed" });
  await stage.rest();
}

/** Does `work` again and again, the bot ending after 0, 1, 2, … writes, until it comes through alive. Gives the number of ends. */
async function atEveryWrite(work: (alive: number) => Promise<() => Promise<void>>): Promise<number> {
  for (let alive = 0; ; alive += 1) {
    const verify = await work(alive);
    const dead = stage.wire.block?.({ method: "GET", path: "", status: 0 }) != null;
    await another();
    await verify();
    await closeAll();
    if (!dead) return alive;
  }
}

describe("the bot's end at every write", () => {
  it("of a verdict leaves one comment and one check run, both right", async () => {
    const ends = await atEveryWrite(async (alive) => {
      endAfter(alive);
      const pull = await openPull(stage, ownPath());
      await stage.rest();
      const base = await tip(stage.user("mia"));
      completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
      await stage.rest();
      return async () => {
        const [comment, ...more] = await sticky(stage, pull);
        expect([alive, more.length, comment?.body.includes("## ✅ Valid")]).toEqual([alive, 0, true]);
        expect((await checks(stage, pull.head)).get("assay/result")?.conclusion).toBe("success");
      };
    });
    expect(ends).toBe(3);
  });

  const commands: [
    text: string,
    before: string | null,
    check: (pull: Opened) => Promise<unknown>,
    done: unknown,
  ][] = [
    [
      "accept",
      null,
      async (pull) => (await checks(stage, pull.head)).get("assay/accept")?.conclusion,
      "success",
    ],
    ["hold", null, async (pull) => (await sticky(stage, pull))[0]?.body.includes("**On hold:**"), true],
    ["release", "hold", async (pull) => (await sticky(stage, pull))[0]?.body.includes("**On hold:**"), false],
  ];

  it.each(commands)("of /assay %s leaves it done and answered once", async (text, before, check, done) => {
    const ends = await atEveryWrite(async (alive) => {
      const pull = await judged(stage, review, ownPath());
      if (before !== null) await say(stage, "walt", pull, `/assay ${before}`);
      endAfter(alive);
      await say(stage, "walt", pull, `/assay ${text}`);
      return async () => {
        expect([alive, await check(pull)]).toEqual([alive, done]);
        expect(await replies(stage, pull)).toHaveLength(before === null ? 1 : 2);
        expect(await sticky(stage, pull)).toHaveLength(1);
        // A label does not stay at odds with the check run.
        const held = text === "hold" || (text === "accept" ? false : !done);
        const { conclusion } = (await checks(stage, pull.head)).get("assay/result") ?? {};
        expect(conclusion).toBe(text === "accept" && !held ? "success" : "action_required");
      };
    });
    expect(ends).toBeGreaterThan(4);
  });
});

describe("F10 to F12: a push by force at every call", () => {
  const mia = () => stage.user("mia");
  const locked = async () =>
    (await mia().rest.git.listMatchingRefs({ ...repo, ref: "heads/assay/merge" })).data.length > 0;

  it("of a merge never merges what was not asked for and recomputed, and leaves one comment", async () => {
    let merges = 0;
    let at = 0;
    for (let hit = true; hit; at += 1) {
      const pull = await judged(stage, {}, ownPath());
      const base = await tip(mia());
      let calls = 0;
      let head = pull.head;
      hit = false;
      stage.wire.delay = () => {
        calls += 1;
        if (hit || calls <= at) return null;
        hit = true;
        return push(stage, pull).then((sha) => {
          head = sha;
        });
      };
      await say(stage, "mia", pull, "/assay merge");
      const asked = () => stage.triggers.some(({ inputs }) => inputs?.head_sha === pull.head);
      if (asked()) await answerMerge(stage, pull);
      stage.wire.delay = null;
      await stage.bot.reconcile();
      await stage.rest();
      const now = await tip(mia());
      if (now !== base) {
        merges += 1;
        const { data } = await mia().rest.git.getCommit({ ...repo, commit_sha: now });
        expect([at, data.parents.map(({ sha }) => sha)]).toEqual([at, [base, pull.head]]);
      }
      const [comment, ...more] = await sticky(stage, pull);
      expect([at, more.length]).toEqual([at, 0]);
      // A merge that is not known to be over is the old head's; nothing says anything false of the new one.
      if (hit && now === base) expect([at, comment?.body.includes(`head=${head}`)]).toEqual([at, true]);
      expect([at, (await replies(stage, pull)).length]).toEqual([at, 1]);
      expect([at, await locked()]).toEqual([at, false]);
      expect([at, (await checks(stage, pull.head)).get("assay/merge")?.status ?? "completed"]).toEqual([
        at,
        "completed",
      ]);
      expect((await checks(stage, head)).has("assay/merge")).toBe(!hit);
      stage.triggers.length = 0;
      await closeAll();
    }
    expect(at).toBeGreaterThan(30);
    expect(merges).toBeGreaterThan(0);
  }, 600_000);
});

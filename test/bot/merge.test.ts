import { App, Octokit } from "octokit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tampered } from "../lib/words/reports.ts";
import {
  answerMerge,
  artifact,
  checks,
  completeRun,
  deliver,
  headReport,
  judged,
  moveMain,
  type Opened,
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

const pullData = async (pull: Opened) =>
  (await stage.user("mia").rest.pulls.get({ ...repo, pull_number: pull.number })).data;
const main = () => tip(stage.user("mia"));
const locked = async () => {
  const { data } = await stage.user("mia").rest.git.listMatchingRefs({ ...repo, ref: "heads/assay/merge" });
  return data.length > 0;
};

describe("/assay merge", () => {
  it("recomputes exactly the merge commit, then moves main to it", async () => {
    const pull = await judged(stage);
    const base = await main();
    await say(stage, "walt", pull, "/assay merge");
    expect((await replies(stage, pull))[0]?.body).toContain("Merging head");
    expect((await sticky(stage, pull))[0]?.body).toContain("🔬 **Merge:** recomputing merge commit");
    expect((await checks(stage, pull.head)).get("assay/merge")?.status).toBe("in_progress");
    expect(await main()).toBe(base);
    expect(await locked()).toBe(true);
    await answerMerge(stage, pull);
    const merged = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: await main() });
    expect(merged.data.parents.map(({ sha }) => sha)).toEqual([base, pull.head]);
    expect(merged.data.message).toContain(`Assay-Pull-Request: ${pull.number}`);
    expect(await pullData(pull)).toMatchObject({ state: "closed", merged: true });
    expect(await locked()).toBe(false);
    const [comment] = await sticky(stage, pull);
    expect(comment?.body).toContain(`🟣 **Merged** as \`${merged.data.sha.slice(0, 7)}\``);
    expect(comment?.body).not.toContain("**Next:");
    expect((await checks(stage, pull.head)).get("assay/merge")).toMatchObject({ conclusion: "success" });
  });

  it("builds again when main moved during recomputation", async () => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge");
    const first = takeTrigger(stage, "workflow_dispatch");
    const moved = await moveMain(stage);
    await stage.rest();
    // The late report about the first merge commit decides nothing any more.
    const old = await stage
      .user("mia")
      .rest.git.getCommit({ ...repo, commit_sha: first.inputs?.merge_sha ?? "" });
    completeRun(
      stage,
      first,
      artifact(
        headReport(pull, first.inputs?.base_sha ?? "", {
          mode: "merge",
          commit_sha: old.data.sha,
          tree_sha: old.data.tree.sha,
        }),
      ),
    );
    await stage.rest();
    expect(await main()).toBe(moved);
    expect((await sticky(stage, pull))[0]?.body).toContain("try 2");
    await answerMerge(stage, pull);
    const merged = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: await main() });
    expect(merged.data.parents.map(({ sha }) => sha)).toEqual([moved, pull.head]);
    expect((await pullData(pull)).merged).toBe(true);
  });

  it("of a raised score is refused to everybody, with claimed and recomputed numbers", async () => {
    const { findings, results } = tampered();
    const pull = await judged(stage, { verdict: "invalid", findings, findings_total: 1, results });
    const base = await main();
    for (const body of ["/assay merge", `/assay merge ${pull.head}`, "/assay accept\n/assay merge"]) {
      await say(stage, "mia", pull, body);
    }
    const answers = await replies(stage, pull);
    expect(answers).toHaveLength(3);
    for (const { body } of answers) {
      expect(body).toContain("composite claimed 1.000000, recomputed **0.912500**");
      expect(body).toContain("`score-composite`");
    }
    expect(await main()).toBe(base);
    expect(await locked()).toBe(false);
    expect((await pullData(pull)).state).toBe("open");
  });

  it.each(["incomplete", "needs-review", "error"] as const)(
    "of a result that is %s is refused",
    async (verdict) => {
      const pull = await judged(stage, { verdict });
      await say(stage, "mia", pull, "/assay merge");
      expect((await replies(stage, pull))[0]?.body).toContain(`is \`${verdict}\``);
      expect(await locked()).toBe(false);
    },
  );

  it("ends when the merge commit is judged otherwise than the head", async () => {
    const pull = await judged(stage);
    const base = await main();
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull, { verdict: "invalid" });
    expect(await main()).toBe(base);
    expect(await locked()).toBe(false);
    expect((await replies(stage, pull))[0]?.body).toContain("gave `invalid`");
    expect((await sticky(stage, pull))[0]?.body).toContain("🚫 **Not merged:**");
    expect((await checks(stage, pull.head)).get("assay/merge")?.conclusion).toBe("failure");
  });

  it.each([
    ["another tree", { tree_sha: "5555555555555555555555555555555555555555" }],
    ["another base", { base_sha: "5555555555555555555555555555555555555555" }],
    ["another head", { head_sha: "5555555555555555555555555555555555555555" }],
    ["another pull request", { pull_request: 99 }],
  ])("believes no report about %s", async (_what, changes) => {
    const pull = await judged(stage);
    const base = await main();
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull, changes);
    expect(await main()).toBe(base);
    expect((await pullData(pull)).merged).toBe(false);
  });

  it("is void after a push", async () => {
    const pull = await judged(stage);
    const base = await main();
    await say(stage, "mia", pull, "/assay merge");
    const head = await push(stage, pull);
    await stage.rest();
    expect(await locked()).toBe(false);
    expect((await replies(stage, pull))[0]?.body).toContain("the head moved");
    await answerMerge(stage, pull);
    expect(await main()).toBe(base);
    expect((await checks(stage, head)).has("assay/merge")).toBe(false);
  });

  it("ends when the recomputation leaves no report", async () => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge");
    completeRun(stage, takeTrigger(stage, "workflow_dispatch"), {}, { conclusion: "failure" });
    await stage.rest();
    expect((await replies(stage, pull))[0]?.body).toContain("ended without a report");
    expect(await locked()).toBe(false);
    // And may be asked for again.
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull);
    expect((await pullData(pull)).merged).toBe(true);
  });

  it("of two at once goes one after the other, each recomputed on the other's base", async () => {
    const first = await judged(stage);
    const second = await judged(stage);
    await say(stage, "mia", first, "/assay merge");
    await say(stage, "mia", second, "/assay merge");
    expect((await replies(stage, second))[0]?.body).toContain("queued at position 2");
    expect((await sticky(stage, second))[0]?.body).toContain(
      `2nd in the queue, behind \`#${first.number}\`, being recomputed since 2`,
    );
    await answerMerge(stage, first);
    const after = await main();
    expect((await pullData(first)).merged).toBe(true);
    // Both touch the same file here: the second no longer merges cleanly, and is told so.
    const state = (await sticky(stage, second))[0]?.body ?? "";
    if (state.includes("Not merged")) {
      expect((await replies(stage, second))[0]?.body).toContain("does not merge cleanly");
    } else {
      await answerMerge(stage, second);
      expect(
        (await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: await main() })).data.parents[0]
          ?.sha,
      ).toBe(after);
    }
    expect(await locked()).toBe(false);
  });

  it("repeated while under way changes nothing", async () => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge");
    await say(stage, "mia", pull, "/assay merge");
    expect((await replies(stage, pull))[1]?.body).toContain("already under way");
    expect(stage.triggers.filter(({ event }) => event === "workflow_dispatch")).toHaveLength(1);
  });

  it("that needed review merges after acceptance, unless the merge commit has findings nobody saw", async () => {
    const warning = {
      code: "pr-supersedes",
      severity: "warning" as const,
      message: "Replaces a committed result.",
    };
    const review = { verdict: "needs-review" as const, findings: [warning], findings_total: 1 };
    const pull = await judged(stage, review);
    await say(stage, "mia", pull, "/assay accept\n/assay merge");
    await answerMerge(stage, pull, {
      ...review,
      findings: [warning, { ...warning, code: "pr-other" }],
      findings_total: 2,
    });
    expect((await pullData(pull)).merged).toBe(false);
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull, review);
    expect((await pullData(pull)).merged).toBe(true);
  });
});

describe("a crash", () => {
  /** Writes of a whole merge, from the sign at the comment to the deletion of the lock. */
  const WRITES = 13;

  it.each(Array.from({ length: WRITES + 1 }, (_, done) => ({ done })))(
    "after $done writes of a merge is made good by reconciling",
    async ({ done }) => {
      const pull = await judged(stage);
      const base = await main();
      let count = 0;
      let dead = false;
      stage.wire.block = ({ method }) => {
        if (dead) return { status: 400 };
        if (method === "GET") return null;
        count += 1;
        dead = count > done;
        return dead ? { status: 400 } : null;
      };
      await say(stage, "mia", pull, "/assay merge");
      if (!dead) await answerMerge(stage, pull);
      expect(dead).toBe(done < WRITES);
      stage.wire.block = null;
      // A dispatched run that never showed up is waited for, for minutes: let them pass.
      await stage.restart(200_000);
      await stage.bot.reconcile();
      await stage.rest();
      const asked = stage.triggers.some(({ inputs }) => inputs?.merge_sha?.length === 40);
      if (asked) await answerMerge(stage, pull);
      expect((await pullData(pull)).merged).toBe(true);
      const merged = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: await main() });
      expect(merged.data.parents.map(({ sha }) => sha)).toEqual([base, pull.head]);
      expect(await locked()).toBe(false);
      expect((await checks(stage, pull.head)).get("assay/merge")?.conclusion).toBe("success");
      expect(await replies(stage, pull)).toHaveLength(1);
      const comments = await sticky(stage, pull);
      expect(comments).toHaveLength(1);
      expect(comments[0]?.body).toContain("🟣 **Merged**");
    },
  );

  it.each([
    ["POST", "/git/refs"],
    ["POST", "/merges"],
    ["POST", "/dispatches"],
    ["POST", "/check-runs"],
    ["PATCH", "/git/refs/heads%2Fmain"],
    ["DELETE", "/git/refs/heads%2Fassay%2Fmerge"],
  ])("of the network that loses the answer to %s %s changes nothing", async (method, path) => {
    const pull = await judged(stage);
    const base = await main();
    let lost = 0;
    stage.wire.fault = (call) => {
      if (call.method !== method || !call.path.endsWith(path) || lost > 0) return null;
      lost += 1;
      return { status: 502 };
    };
    await say(stage, "mia", pull, "/assay merge");
    await answerMerge(stage, pull);
    expect(lost).toBe(1);
    expect((await pullData(pull)).merged).toBe(true);
    const merged = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: await main() });
    expect(merged.data.parents.map(({ sha }) => sha)).toEqual([base, pull.head]);
    expect(await locked()).toBe(false);
    expect(await replies(stage, pull)).toHaveLength(1);
  });
});

describe("F10: GitHub's 409 without a reason", () => {
  it("is asked again, a bounded number of times", async () => {
    const pull = await judged(stage);
    let refused = 0;
    stage.wire.block = ({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/merges") || refused >= 2) return null;
      refused += 1;
      return { status: 409, body: '{"message":"Head branch was modified. Review and try the merge again."}' };
    };
    await say(stage, "mia", pull, "/assay merge");
    expect(refused).toBe(2);
    await answerMerge(stage, pull);
    expect((await pullData(pull)).merged).toBe(true);
  });

  it("that does not end is told, and nothing is merged", async () => {
    const pull = await judged(stage);
    const base = await main();
    stage.wire.block = ({ method, path }) =>
      method === "POST" && path.endsWith("/merges") ? { status: 409 } : null;
    await say(stage, "mia", pull, "/assay merge");
    expect((await replies(stage, pull))[0]?.body).toContain("does not merge cleanly");
    expect(await main()).toBe(base);
    expect(await locked()).toBe(false);
  });

  it("with another head by now is void", async () => {
    const pull = await judged(stage);
    let pushed = 0;
    stage.wire.delay = ({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/merges") || pushed > 0) return null;
      pushed += 1;
      return push(stage, pull).then(() => undefined);
    };
    stage.wire.block = ({ method, path }) =>
      method === "POST" && path.endsWith("/merges") ? { status: 409 } : null;
    await say(stage, "mia", pull, "/assay merge");
    expect((await replies(stage, pull))[0]?.body).toContain("the head moved");
    expect(await locked()).toBe(false);
  });
});

describe("rules of the repository that forbid", () => {
  it.each([
    ["the lock", "POST", "/git/refs", "did not build the merge commit"],
    ["the merge commit", "POST", "/merges", "did not build the merge commit"],
    ["moving main", "PATCH", "/git/refs/heads%2Fmain", "did not let the base branch move"],
  ])("%s are told, and leave no lock", async (_what, method, path, words) => {
    const pull = await judged(stage);
    const base = await main();
    stage.wire.block = (call) =>
      call.method === method && call.path.endsWith(path)
        ? { status: 403, body: '{"message":"Resource not accessible by integration"}' }
        : null;
    await say(stage, "mia", pull, "/assay merge");
    if (path.includes("main")) await answerMerge(stage, pull);
    expect((await replies(stage, pull))[0]?.body).toContain(words);
    expect((await sticky(stage, pull))[0]?.body).toContain("🚫 **Not merged:**");
    expect(await main()).toBe(base);
    expect(await locked()).toBe(false);
  });
});

describe("a pull request that changes while its merge is recomputed", () => {
  it("into a draft is not merged", async () => {
    const pull = await judged(stage);
    const base = await main();
    await say(stage, "mia", pull, "/assay merge");
    stage.wire.rewrite = ({ path }, body) =>
      path.endsWith(`/pulls/${pull.number}`) ? body.replace('"draft":false', '"draft":true') : body;
    await answerMerge(stage, pull);
    expect(await main()).toBe(base);
    expect((await replies(stage, pull))[0]?.body).toContain("became a draft");
  });

  it.each([
    ["converted_to_draft", {}, '"draft":false', '"draft":true', "became a draft"],
    [
      "edited",
      { base: { ref: { from: "main" } } },
      '"ref":"main"',
      '"ref":"other"',
      "does not go to `main` any more",
    ],
  ])("is let go at once when it is %s", async (action, changes, before, after, words) => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge");
    stage.wire.rewrite = ({ path }, body) =>
      path.endsWith(`/pulls/${pull.number}`) ? body.replaceAll(before, after) : body;
    const repository = { name: repo.repo, owner: { login: repo.owner } };
    await deliver(stage, "pull_request", { action, number: pull.number, changes, repository });
    await stage.rest();
    expect((await replies(stage, pull))[0]?.body).toContain(words);
    expect(await locked()).toBe(false);
  });

  it("by a push right before main moves is not merged", async () => {
    const pull = await judged(stage);
    const base = await main();
    await say(stage, "mia", pull, "/assay merge");
    let looks = 0;
    stage.wire.delay = ({ method, path }) => {
      // The look that decides is over; the last one before main moves is under way.
      if (method !== "GET" || !path.endsWith(`/pulls/${pull.number}`) || ++looks !== 2) return null;
      return push(stage, pull).then(() => undefined);
    };
    await answerMerge(stage, pull);
    expect(looks).toBeGreaterThan(1);
    expect(await main()).toBe(base);
    expect((await replies(stage, pull))[0]?.body).toContain("the head moved");
  });

  it("after main moved is told that the push is not in", async () => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge");
    let pushed = false;
    stage.wire.delay = ({ method, path }) => {
      if (method !== "PATCH" || !path.endsWith("/git/refs/heads%2Fmain") || pushed) return null;
      pushed = true;
      return push(stage, pull).then(() => undefined);
    };
    await answerMerge(stage, pull);
    const merged = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: await main() });
    // What was asked for and recomputed is merged, never what nobody judged.
    expect(merged.data.parents[1]?.sha).toBe(pull.head);
    expect((await replies(stage, pull))[0]?.body).toContain("What was pushed after it is not in the base");
    expect(await locked()).toBe(false);
  });

  it("F13: into one that was merged by hand is not said to be recomputed", async () => {
    const pull = await judged(stage);
    await say(stage, "mia", pull, "/assay merge");
    stage.hub.setWebhookUrl(null);
    const { appId, privateKey, installationId } = stage.hub.appCredentials;
    const app = new App({ appId, privateKey, Octokit: Octokit.defaults({ baseUrl: stage.hub.url }) });
    await (await app.getInstallationOctokit(installationId)).rest.pulls.merge({
      ...repo,
      pull_number: pull.number,
    });
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    await stage.bot.reconcile();
    await stage.rest();
    expect((await replies(stage, pull))[0]?.body).toContain("merged the pull request in another way");
    expect((await checks(stage, pull.head)).get("assay/merge")?.conclusion).toBe("failure");
    expect(await locked()).toBe(false);
  });
});

it("the base branch may get another name", async () => {
  const pull = await judged(stage);
  const base = await main();
  const mia = stage.user("mia");
  await mia.rest.git.createRef({ ...repo, ref: "refs/heads/trunk", sha: base });
  // The hub renames nothing, so the wire does: every answer speaks of `trunk`, and `main` is not there any more.
  stage.wire.rewrite = (_, body) =>
    body
      .replaceAll('"default_branch":"main"', '"default_branch":"trunk"')
      .replaceAll('"ref":"main"', '"ref":"trunk"');
  stage.wire.block = ({ path }) => (path.includes("heads%2Fmain") ? { status: 404 } : null);
  await stage.bot.reconcile();
  await stage.rest();
  await say(stage, "mia", pull, "/assay merge");
  await answerMerge(stage, pull);
  const merged = await mia.rest.git.getCommit({ ...repo, commit_sha: await tip(mia, "trunk") });
  expect(merged.data.parents.map(({ sha }) => sha)).toEqual([base, pull.head]);
  expect(await main()).toBe(base);
});

it("F17: two merges asked for in the same second both end in main, each on the other's tree", async () => {
  const path = (name: string): string => RESULT_PATH.replace("deadbeef", name);
  const first = await judged(stage, {}, { [path("aaaaaaaa")]: "{}\n" });
  const second = await judged(stage, {}, { [path("bbbbbbbb")]: "{}\n" });
  const base = await main();
  await Promise.all([say(stage, "mia", first, "/assay merge"), say(stage, "walt", second, "/assay merge")]);
  for (let round = 0; round < 2; round += 1) {
    const trigger = stage.triggers.find(({ inputs }) => inputs?.merge_sha?.length === 40);
    const pull = trigger?.inputs?.pull_request === String(first.number) ? first : second;
    await answerMerge(stage, pull);
  }
  expect((await pullData(first)).merged && (await pullData(second)).merged).toBe(true);
  const mia = stage.user("mia");
  const top = await mia.rest.git.getCommit({ ...repo, commit_sha: await main() });
  const below = await mia.rest.git.getCommit({ ...repo, commit_sha: top.data.parents[0]?.sha ?? "" });
  expect(below.data.parents[0]?.sha).toBe(base);
  expect([top, below].map(({ data }) => data.parents[1]?.sha).sort()).toEqual(
    [first.head, second.head].sort(),
  );
  const { data } = await mia.rest.git.getTree({ ...repo, tree_sha: top.data.tree.sha, recursive: "1" });
  const paths = data.tree.map((entry) => entry.path);
  expect(paths).toEqual(expect.arrayContaining([path("aaaaaaaa"), path("bbbbbbbb")]));
});

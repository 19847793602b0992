import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Trigger } from "../../rehearsal/hub/contract.ts";
import type { Report } from "../../src/lib/result-pr/report-schema.ts";
import { codeReport } from "../lib/words/code-reports.ts";
import { report } from "../lib/words/reports.ts";
import {
  artifact,
  checks,
  commit,
  completeRun,
  headReport,
  judged,
  type Opened,
  OWNER,
  openPull,
  REPO,
  repo,
  type Stage,
  say,
  startStage,
  takeTrigger,
  tip,
} from "./stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await startStage({ queue: true });
});
afterEach(async () => {
  await stage.close();
});

/** Puts a pull request into GitHub's merge queue, and gives what asks for its group's checks. */
async function enqueue(pull: Opened): Promise<Trigger> {
  await stage.hub.enqueue("mia", OWNER, REPO, pull.number);
  await stage.rest();
  return takeTrigger(stage, "merge_group");
}

/** What the group's run leaves, as the workflow would. */
async function groupReport(group: Trigger, changes: Partial<Report> = {}): Promise<Report> {
  const { data } = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: group.headSha });
  return report({
    mode: "merge",
    pull_request: null,
    base_sha: data.parents[0]?.sha ?? "",
    merge_base_sha: data.parents[0]?.sha ?? "",
    head_sha: data.parents[1]?.sha ?? "",
    commit_sha: data.sha,
    tree_sha: data.tree.sha,
    ...changes,
  });
}

const merged = async (pull: Opened) =>
  (await stage.user("mia").rest.pulls.get({ ...repo, pull_number: pull.number })).data.merged;
const verdict = async (sha: string) => (await checks(stage, sha)).get("assay/result");
const none = { verdict: "valid" as const, results: [], findings: [], findings_total: 0 };

describe("F15, F16: the merge group's required check", () => {
  it("comes from the group's own run, for exactly its commit", async () => {
    const pull = await judged(stage);
    const group = await enqueue(pull);
    completeRun(stage, group, artifact(await groupReport(group)));
    await stage.rest();
    expect((await verdict(group.headSha))?.conclusion).toBe("success");
    expect(await merged(pull)).toBe(true);
    expect(await tip(stage.user("mia"))).toBe(group.headSha);
  });

  it("concludes for pull requests without results, on the head and in the queue", async () => {
    const pull = await openPull(stage, { "docs/x.md": "x\n" });
    await stage.rest();
    const base = await tip(stage.user("mia"));
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base, none)));
    await stage.rest();
    expect((await verdict(pull.head))?.conclusion).toBe("neutral");
    const group = await enqueue(pull);
    completeRun(stage, group, artifact(await groupReport(group, none)));
    await stage.rest();
    expect((await verdict(group.headSha))?.conclusion).toBe("neutral");
    expect(await merged(pull)).toBe(true);
  });

  it.each([
    ["an invalid one", { verdict: "invalid" as const }],
    ["one that nobody accepted", { verdict: "needs-review" as const }],
    ["another tree's", { tree_sha: "5".repeat(40) }],
    ["another commit's", { commit_sha: "5".repeat(40) }],
    ["another base's", { base_sha: "5".repeat(40) }],
    ["a head's", { mode: "head" as const }],
  ])("is no success with %s report", async (_what, changes) => {
    const pull = await judged(stage);
    const group = await enqueue(pull);
    completeRun(stage, group, artifact(await groupReport(group, changes)));
    await stage.rest();
    expect((await verdict(group.headSha))?.conclusion).not.toBe("success");
    expect(await merged(pull)).toBe(false);
  });

  it("is no success while the pull request is on hold, or without a report", async () => {
    const pull = await judged(stage);
    const first = await enqueue(pull);
    completeRun(stage, first, {}, { conclusion: "failure" });
    await stage.rest();
    expect((await verdict(first.headSha))?.conclusion).toBe("failure");
    const again = await enqueue(pull);
    await say(stage, "walt", pull, "/assay hold");
    completeRun(stage, again, artifact(await groupReport(again)));
    await stage.rest();
    expect((await verdict(again.headSha))?.conclusion).toBe("action_required");
    expect(await merged(pull)).toBe(false);
  });

  it("takes what needed review where exactly this head was accepted", async () => {
    const warning = { code: "pr-supersedes", severity: "warning" as const, message: "Replaces a result." };
    const review = { verdict: "needs-review" as const, findings: [warning], findings_total: 1 };
    const pull = await judged(stage, review);
    await say(stage, "walt", pull, "/assay accept");
    const group = await enqueue(pull);
    completeRun(stage, group, artifact(await groupReport(group, review)));
    await stage.rest();
    expect((await verdict(group.headSha))?.conclusion).toBe("success");
  });

  it("takes facts of the code benchmark in the same way", async () => {
    const { code, verdict: declared, findings, findings_total } = codeReport();
    const review = { results: [], code, verdict: declared, findings, findings_total };
    const pull = await judged(stage, review, { "data/runs/r.json": "{}\n" });
    await say(stage, "walt", pull, "/assay accept");
    const group = await enqueue(pull);
    completeRun(stage, group, artifact(await groupReport(group, review)));
    await stage.rest();
    expect((await verdict(group.headSha))?.conclusion).toBe("success");
    expect(await merged(pull)).toBe(true);
  });

  it("is found by a pass when its webhook was lost", async () => {
    const pull = await judged(stage);
    const group = await enqueue(pull);
    const left = await groupReport(group);
    stage.hub.setWebhookUrl(null);
    completeRun(stage, group, artifact(left));
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    await stage.bot.reconcile();
    await stage.rest();
    expect((await verdict(group.headSha))?.conclusion).toBe("success");
  });

  it("of a group that changes the workflow comes from the base's own workflow alone", async () => {
    const workflow = ".github/workflows/result-pr.yml";
    const mia = stage.user("mia");
    const base = await tip(mia);
    const head = await commit(mia, repo, base, {
      [workflow]: "name: result-pr\non: merge_group\njobs: {}\n",
    });
    await mia.rest.git.createRef({ ...repo, ref: "refs/heads/change", sha: head });
    const made = await mia.rest.pulls.create({ ...repo, title: "Change", head: "change", base: "main" });
    const pull: Opened = { number: made.data.number, head, branch: "change", owner: OWNER };
    await stage.rest();
    completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base, none)));
    await stage.rest();
    const group = await enqueue(pull);
    // Its own run says whatever its author wrote.
    completeRun(stage, group, artifact(await groupReport(group, none)));
    await stage.rest();
    expect(await verdict(group.headSha)).toMatchObject({ status: "in_progress" });
    expect(await merged(pull)).toBe(false);
    const asked = takeTrigger(
      stage,
      "workflow_dispatch",
      ({ inputs }) => inputs?.merge_sha === group.headSha,
    );
    expect(asked.sha).toBe(base);
    completeRun(stage, asked, artifact(await groupReport(group, { ...none, pull_request: pull.number })));
    await stage.rest();
    expect((await verdict(group.headSha))?.conclusion).toBe("neutral");
    expect(await merged(pull)).toBe(true);
  });
});

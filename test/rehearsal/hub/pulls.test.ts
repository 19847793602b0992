import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Trigger } from "../../../rehearsal/hub/contract.ts";
import type { Effect, LocalHub } from "../../../rehearsal/hub/index.ts";
import {
  asInstallation,
  asUser,
  type Checkout,
  clone,
  commitFiles,
  OWNER,
  REPO,
  receiver,
  refused,
  repo,
  start,
  tip,
} from "./helpers.ts";

let hub: LocalHub;
let door: Awaited<ReturnType<typeof receiver>>;
let fork: Checkout;
const triggers: Trigger[] = [];
const effects: Effect[] = [];

beforeAll(async () => {
  hub = await start();
  door = await receiver(hub.appCredentials.webhookSecret);
  hub.setWebhookUrl(door.url);
  hub.onTrigger((trigger) => triggers.push(trigger));
  hub.onEffect((effect) => effects.push(effect));
  await hub.fork(OWNER, REPO, "sam");
  fork = await clone(hub.cloneUrl("sam", "sam", REPO));
});
afterAll(async () => {
  await fork.remove();
  await hub.close();
  await door.close();
});

const events = (event: string, action?: string): (typeof door.received)[number][] =>
  door.received.filter(
    (entry) => entry.event === event && (action === undefined || entry.payload.action === action),
  );

/** Pushes one new commit to a branch of the fork. */
async function push(branch: string, file: string, text: string): Promise<string> {
  await fork.git("checkout", "--quiet", "-B", branch);
  await writeFile(join(fork.dir, file), text);
  await fork.git("add", "--all");
  await fork.git("commit", "--quiet", "-m", `Write ${file}`);
  await fork.git("push", "--quiet", "--force", "origin", branch);
  return fork.git("rev-parse", "HEAD");
}

describe("a pull request from a fork", () => {
  let number = 0;
  let head = "";

  it("opens, with its objects in the base repository, one webhook, and one pull_request_target on base code", async () => {
    head = await push("result", "result.json", "{}\n");
    const sam = asUser(hub, "sam");
    const made = await sam.rest.pulls.create({
      ...repo,
      title: "A result",
      head: "sam:result",
      base: "main",
      body: "Mine",
    });
    number = made.data.number;
    expect(made.data).toMatchObject({
      state: "open",
      merged: false,
      mergeable: true,
      commits: 1,
      changed_files: 1,
      user: { login: "sam" },
      head: { sha: head, ref: "result", label: "sam:result", repo: { full_name: "sam/assay", fork: true } },
      base: { ref: "main", repo: { full_name: "assay-office/assay" } },
    });
    const base = await clone(`${hub.url}/${OWNER}/${REPO}`);
    await base.git("fetch", "--quiet", "origin", `refs/pull/${number}/head`);
    expect(await base.git("rev-parse", "FETCH_HEAD")).toBe(head);
    await base.git("fetch", "--quiet", "origin", `refs/pull/${number}/merge`);
    expect(await base.git("rev-parse", "FETCH_HEAD^2")).toBe(head);
    await base.remove();
    await hub.settled();
    const [webhook, ...others] = events("pull_request", "opened");
    expect(others).toEqual([]);
    expect(webhook?.signed).toBe(true);
    expect(webhook?.payload).toMatchObject({
      number,
      installation: { id: hub.appCredentials.installationId },
      repository: { full_name: "assay-office/assay", default_branch: "main", owner: { login: OWNER } },
      sender: { login: "sam", type: "User" },
      pull_request: { head: { sha: head, repo: { full_name: "sam/assay" } }, base: { sha: await tip(sam) } },
    });
    const mine = triggers.filter((trigger) => trigger.event === "pull_request_target");
    expect(mine).toHaveLength(1);
    expect(mine[0]).toMatchObject({
      sha: await tip(sam),
      ref: "refs/heads/main",
      headSha: head,
      headBranch: "result",
      headRepository: { fullName: "sam/assay" },
      actor: { login: "sam" },
    });
    expect(effects).toContainEqual(expect.objectContaining({ kind: "pull-opened", number, headSha: head }));
  });

  it("is not opened twice, nor from nothing, nor without commits", async () => {
    const sam = asUser(hub, "sam");
    const again = (fields: { head: string; base?: string }): Promise<unknown> =>
      sam.rest.pulls.create({ ...repo, title: "Again", base: "main", ...fields });
    for (const fields of [
      { head: "sam:result" },
      { head: "sam:none" },
      { head: "sam:main" },
      { head: "sam:result", base: "none" },
    ]) {
      expect((await refused(again(fields))).status, JSON.stringify(fields)).toBe(422);
    }
  });

  it("is an issue too: comments, labels and the mark pull_request", async () => {
    const sam = asUser(hub, "sam");
    const tess = asUser(hub, "tess");
    await sam.rest.issues.createComment({ ...repo, issue_number: number, body: "/assay merge" });
    const issue = await sam.rest.issues.get({ ...repo, issue_number: number });
    expect(issue.data.pull_request?.url).toBe(`${hub.url}/repos/${OWNER}/${REPO}/pulls/${number}`);
    expect(
      (await sam.rest.issues.listForRepo(repo)).data.map((row) => [
        row.number,
        row.pull_request !== undefined,
      ]),
    ).toEqual([[number, true]]);
    await tess.rest.issues.addLabels({ ...repo, issue_number: number, labels: ["auto-merge"] });
    expect(
      (await refused(sam.rest.issues.addLabels({ ...repo, issue_number: number, labels: ["x"] }))).status,
    ).toBe(403);
    await hub.settled();
    expect(events("issue_comment", "created")[0]?.payload).toMatchObject({
      comment: { body: "/assay merge", user: { login: "sam", type: "User" }, performed_via_github_app: null },
      issue: { number, pull_request: { merged_at: null } },
      sender: { login: "sam" },
    });
    expect(events("pull_request", "labeled")[0]?.payload.label.name).toBe("auto-merge");
    expect(
      (await sam.rest.pulls.get({ ...repo, pull_number: number })).data.labels.map((label) => label.name),
    ).toEqual(["auto-merge"]);
    expect(events("issues")).toEqual([]);
  });

  it("follows its branch, also after a forced push", async () => {
    await fork.git("reset", "--quiet", "--hard", "origin/main");
    const before = head;
    head = await push("result", "other.json", "[]\n");
    await hub.settled();
    const [webhook, ...others] = events("pull_request", "synchronize");
    expect(others).toEqual([]);
    expect(webhook?.payload).toMatchObject({
      before,
      after: head,
      pull_request: { head: { sha: head } },
      sender: { login: "sam" },
    });
    const files = await asUser(hub, "sam").rest.pulls.listFiles({ ...repo, pull_number: number });
    expect(files.data.map((file) => [file.filename, file.status])).toEqual([["other.json", "added"]]);
    expect(triggers.filter((trigger) => trigger.event === "pull_request_target").at(-1)?.headSha).toBe(head);
    // Objects of the fork are readable through the base, as on GitHub.
    const app = await asInstallation(hub);
    expect((await app.rest.git.getCommit({ ...repo, commit_sha: head })).data.sha).toBe(head);
  });

  it("F14: shows only its own changes when main has moved on", async () => {
    const app = await asInstallation(hub);
    const main = await tip(app);
    await app.rest.git.updateRef({
      ...repo,
      ref: "heads/main",
      sha: await commitFiles(app, repo, main, { "main.txt": "1" }),
    });
    const files = await app.rest.pulls.listFiles({ ...repo, pull_number: number });
    expect(files.data.map((file) => file.filename)).toEqual(["other.json"]);
    const compared = await app.rest.repos.compareCommitsWithBasehead({
      ...repo,
      basehead: "main...sam:result",
    });
    expect(compared.data.files?.map((file) => file.filename)).toEqual(["other.json"]);
    const diff = await app.rest.pulls.get({ ...repo, pull_number: number, mediaType: { format: "diff" } });
    expect(String(diff.data)).toContain("+++ b/other.json");
  });

  it("is merged by nobody but the app, by the lock protocol, and is then marked merged", async () => {
    const app = await asInstallation(hub);
    const mia = asUser(hub, "mia");
    expect(await refused(mia.rest.pulls.merge({ ...repo, pull_number: number, sha: head }))).toMatchObject({
      status: 405,
      message: expect.stringContaining("rule violations"),
    });
    expect(
      (await refused(asUser(hub, "sam").rest.pulls.merge({ ...repo, pull_number: number }))).status,
    ).toBe(403);
    const base = await tip(app);
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/assay/merge", sha: base });
    const merged = await app.rest.repos.merge({
      ...repo,
      base: "assay/merge",
      head,
      commit_message: `Merge\n\nAssay-Pull-Request: ${number}`,
    });
    expect(merged.data.parents.map((parent) => parent.sha)).toEqual([base, head]);
    expect((await app.rest.pulls.get({ ...repo, pull_number: number })).data.state).toBe("open");
    await app.rest.git.updateRef({ ...repo, ref: "heads/main", sha: merged.data.sha, force: false });
    await app.rest.git.deleteRef({ ...repo, ref: "heads/assay/merge" });
    const after = await app.rest.pulls.get({ ...repo, pull_number: number });
    expect(after.data).toMatchObject({
      state: "closed",
      merged: true,
      merge_commit_sha: merged.data.sha,
      merged_by: { login: "assay[bot]", type: "Bot" },
    });
    expect((await app.rest.pulls.checkIfMerged({ ...repo, pull_number: number })).status).toBe(204);
    expect((await app.rest.issues.get({ ...repo, issue_number: number })).data.state).toBe("closed");
    await hub.settled();
    const [closed, ...others] = events("pull_request", "closed");
    expect(others).toEqual([]);
    expect(closed?.payload).toMatchObject({
      pull_request: { merged: true, merge_commit_sha: merged.data.sha },
      sender: { login: "assay[bot]" },
    });
    expect(events("push").at(-2)?.payload).toMatchObject({
      ref: "refs/heads/main",
      before: base,
      after: merged.data.sha,
      forced: false,
    });
    expect(triggers.filter((trigger) => trigger.event === "push").at(-1)).toMatchObject({
      ref: "refs/heads/main",
      sha: merged.data.sha,
    });
    expect(
      (await refused(app.rest.pulls.update({ ...repo, pull_number: number, state: "open" }))).status,
    ).toBe(422);
    expect(new Set(door.received.map((entry) => entry.delivery)).size).toBe(door.received.length);
    expect(door.received.every((entry) => entry.signed)).toBe(true);
  });
});

describe("merging by the pulls route", () => {
  it("F10: insists on the sha, on a clean merge, and moves the base", async () => {
    const app = await asInstallation(hub);
    const main = await tip(app);
    const good = await commitFiles(app, repo, main, { "good.txt": "1\n" });
    const clash = await commitFiles(app, repo, main, { "good.txt": "2\n" });
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/good", sha: good });
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/clash", sha: clash });
    const one = (await app.rest.pulls.create({ ...repo, title: "Good", head: "good", base: "main" })).data
      .number;
    const two = (await app.rest.pulls.create({ ...repo, title: "Clash", head: "clash", base: "main" })).data
      .number;
    expect((await refused(app.rest.pulls.merge({ ...repo, pull_number: one, sha: main }))).status).toBe(409);
    const done = await app.rest.pulls.merge({ ...repo, pull_number: one, sha: good });
    expect(done.data.merged).toBe(true);
    expect(await tip(app)).toBe(done.data.sha);
    expect((await app.rest.pulls.get({ ...repo, pull_number: two })).data).toMatchObject({
      mergeable: false,
      mergeable_state: "dirty",
    });
    expect((await refused(app.rest.pulls.merge({ ...repo, pull_number: two, sha: clash }))).status).toBe(405);
    await app.rest.git.deleteRef({ ...repo, ref: "heads/clash" });
    expect((await app.rest.pulls.get({ ...repo, pull_number: two })).data).toMatchObject({
      state: "closed",
      merged: false,
    });
    expect(
      (await app.rest.pulls.list({ ...repo, state: "all", direction: "asc" })).data.map((row) => row.title),
    ).toEqual(["A result", "Good", "Clash"]);
    expect((await app.rest.pulls.list({ ...repo, state: "all", head: "sam:result" })).data).toHaveLength(1);
  });

  it("marks a pull request merged when its head reaches the base by another way", async () => {
    const app = await asInstallation(hub);
    const main = await tip(app);
    const one = await commitFiles(app, repo, main, { "one.txt": "1\n" });
    const two = await commitFiles(app, repo, one, { "two.txt": "1\n" });
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/one", sha: one });
    const pull = (await app.rest.pulls.create({ ...repo, title: "One", head: "one", base: "main" })).data
      .number;
    await app.rest.git.updateRef({ ...repo, ref: "heads/main", sha: two });
    expect((await app.rest.pulls.get({ ...repo, pull_number: pull })).data).toMatchObject({
      merged: true,
      merge_commit_sha: one,
    });
  });
});

describe("a large pull request", () => {
  it("F45: lists 3,000 files of 3,010, a hundred at a time, and gives no diff", async () => {
    const app = await asInstallation(hub);
    const main = await tip(app);
    const files = Object.fromEntries(
      Array.from({ length: 3_010 }, (_, index) => [`many/${String(index).padStart(4, "0")}.txt`, "1\n"]),
    );
    await app.rest.git.createRef({
      ...repo,
      ref: "refs/heads/many",
      sha: await commitFiles(app, repo, main, files),
    });
    const made = await app.rest.pulls.create({ ...repo, title: "Many", head: "many", base: "main" });
    expect(made.data.changed_files).toBe(3_010);
    const last = await app.rest.pulls.listFiles({
      ...repo,
      pull_number: made.data.number,
      per_page: 500,
      page: 30,
    });
    expect(last.data).toHaveLength(100);
    const beyond = await app.rest.pulls.listFiles({
      ...repo,
      pull_number: made.data.number,
      per_page: 100,
      page: 31,
    });
    expect(beyond.data).toEqual([]);
    const diff = app.rest.pulls.get({
      ...repo,
      pull_number: made.data.number,
      mediaType: { format: "diff" },
    });
    expect((await refused(diff)).status).toBe(406);
    const compared = await app.rest.repos.compareCommitsWithBasehead({ ...repo, basehead: "main...many" });
    expect(compared.data.files).toHaveLength(300);
  });
});

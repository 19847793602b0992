import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Trigger } from "../../../rehearsal/hub/contract.ts";
import type { LocalHub } from "../../../rehearsal/hub/index.ts";
import {
  APP_PERMISSIONS,
  asInstallation,
  asUser,
  commitFiles,
  OWNER,
  REPO,
  receiver,
  refused,
  repo,
  start,
  tip,
  WORKFLOW,
} from "./helpers.ts";

const MAIN = {
  bypass: ["assay"],
  requiredChecks: [{ name: "assay/result", app: "assay" }],
};

let hub: LocalHub;
let door: Awaited<ReturnType<typeof receiver>>;
let clock: number;
const triggers: Trigger[] = [];

async function open(main: object): Promise<void> {
  triggers.length = 0;
  clock = Date.parse("2026-03-01T12:00:00Z");
  hub = await start({
    now: () => clock,
    app: { slug: "assay", account: OWNER, permissions: APP_PERMISSIONS },
    repositories: [
      {
        owner: OWNER,
        name: REPO,
        roles: { mia: { name: "release-manager", base: "write" }, tess: "triage" },
        protectedBranches: { main: { ...MAIN, ...main } },
        seed: { files: { "README.md": "# Assay\n", ".github/workflows/result-pr.yml": WORKFLOW } },
      },
    ],
  });
  door = await receiver(hub.appCredentials.webhookSecret);
  hub.setWebhookUrl(door.url);
  hub.onTrigger((trigger) => triggers.push(trigger));
}
afterEach(async () => {
  await hub.close();
  await door.close();
});

/** A pull request of mia's that adds one file, with the required check of the app as a success. */
async function pullRequest(
  name: string,
  file = name,
  text = name,
): Promise<{ number: number; head: string }> {
  const mia = asUser(hub, "mia");
  const head = await commitFiles(mia, repo, await tip(mia), { [`${file}.txt`]: text });
  await mia.rest.git.createRef({ ...repo, ref: `refs/heads/${name}`, sha: head });
  const made = await mia.rest.pulls.create({ ...repo, title: name, head: name, base: "main" });
  await check(head, "success");
  return { number: made.data.number, head };
}

type Conclusion = "success" | "failure";

/** The app's word on a commit. */
async function check(head_sha: string, conclusion: Conclusion, name = "assay/result"): Promise<void> {
  const app = await asInstallation(hub);
  await app.rest.checks.create({ ...repo, name, head_sha, conclusion });
}

/** A job of a workflow with this name, which makes a check run of another app. */
function job(sha: string, name: string, conclusion: Conclusion): void {
  const trigger = { ...(triggers.at(-1) as Trigger), headSha: sha };
  const run = hub.actions.createRun({ trigger, workflowPath: ".github/workflows/x.yml", workflowName: "X" });
  hub.actions.completeJob(run, hub.actions.createJob(run, name), conclusion, "");
}

const seen = (event: string): [string, string | undefined][] =>
  door.received
    .filter((entry) => entry.event === event)
    .map(({ payload }) => [payload.action, payload.reason]);

const state = async (number: number): Promise<string> => {
  const { data } = await asUser(hub, "mia").rest.pulls.get({ ...repo, pull_number: number });
  return data.merged ? "merged" : data.state;
};

describe("required checks", () => {
  beforeEach(() => open({}));

  it("F16: keep a pull request from merging while the named app has not said success on its head", async () => {
    const app = await asInstallation(hub);
    const mia = asUser(hub, "mia");
    const head = await commitFiles(mia, repo, await tip(mia), { "a.txt": "1" });
    await mia.rest.git.createRef({ ...repo, ref: "refs/heads/a", sha: head });
    const pull_number = (await mia.rest.pulls.create({ ...repo, title: "A", head: "a", base: "main" })).data
      .number;
    const merge = (): Promise<unknown> => app.rest.pulls.merge({ ...repo, pull_number, sha: head });
    expect(await refused(merge())).toMatchObject({
      status: 405,
      message: expect.stringContaining('Required status check "assay/result" is expected.'),
    });
    job(head, "assay/result", "success");
    expect((await refused(merge())).message).toContain("is expected");
    await check(head, "failure");
    expect((await refused(merge())).message).toContain("is failing");
    expect((await mia.rest.pulls.get({ ...repo, pull_number })).data.mergeable_state).toBe("blocked");
    await check(head, "success");
    expect((await mia.rest.pulls.get({ ...repo, pull_number })).data.mergeable_state).toBe("clean");
    await merge();
    expect(await state(pull_number)).toBe("merged");
  });

  it("F13: keep even the app from moving the branch to a commit that it has not judged", async () => {
    const app = await asInstallation(hub);
    const sha = await commitFiles(app, repo, await tip(app), { "b.txt": "1" });
    const move = (): Promise<unknown> => app.rest.git.updateRef({ ...repo, ref: "heads/main", sha });
    expect(await refused(move())).toMatchObject({
      status: 422,
      message: expect.stringContaining('Required status check "assay/result" is expected.'),
    });
    await check(sha, "success");
    await move();
    expect(await tip(app)).toBe(sha);
  });

  it("F39: role_name names a custom role, the older field the role it builds on", async () => {
    const app = await asInstallation(hub);
    const { data } = await app.rest.repos.getCollaboratorPermissionLevel({ ...repo, username: "mia" });
    expect([data.permission, data.role_name]).toEqual(["write", "release-manager"]);
  });
});

describe("a merge queue", () => {
  beforeEach(() => open({ mergeQueue: true }));

  it("F13: tests the very merge commit and moves the branch to it, and nothing else does", async () => {
    const app = await asInstallation(hub);
    const { number, head } = await pullRequest("a");
    const main = await tip(app);
    for (const call of [
      app.rest.pulls.merge({ ...repo, pull_number: number, sha: head }),
      app.rest.git.updateRef({ ...repo, ref: "heads/main", sha: head }),
    ])
      expect((await refused(call)).message).toContain("Changes must be made through the merge queue");
    await hub.enqueue("mia", OWNER, REPO, number);
    const [entry] = hub.queue(OWNER, REPO, "main");
    expect(entry).toMatchObject({
      number,
      head,
      ref: `refs/heads/gh-readonly-queue/main/pr-${number}-${main}`,
    });
    const group = entry?.sha ?? "";
    expect(
      (await app.rest.git.getCommit({ ...repo, commit_sha: group })).data.parents.map(({ sha }) => sha),
    ).toEqual([main, head]);
    expect(triggers.find(({ event }) => event === "merge_group")).toMatchObject({
      sha: group,
      ref: entry?.ref,
      payload: {
        action: "checks_requested",
        merge_group: { head_sha: group, head_ref: entry?.ref, base_sha: main, base_ref: "refs/heads/main" },
      },
    });
    expect(await tip(app)).toBe(main);
    job(group, "assay/result", "success");
    await hub.settled();
    expect(await tip(app)).toBe(main);
    await check(group, "success");
    expect(await tip(app)).toBe(group);
    expect(await state(number)).toBe("merged");
    expect(hub.queue(OWNER, REPO, "main")).toEqual([]);
    expect(
      (
        await refused(
          app.rest.git.getRef({ ...repo, ref: `heads/gh-readonly-queue/main/pr-${number}-${main}` }),
        )
      ).status,
    ).toBe(404);
    await hub.settled();
    expect(seen("merge_group")).toEqual([
      ["checks_requested", undefined],
      ["destroyed", "merged"],
    ]);
  });

  it("F10: a pull request that is pushed to leaves the queue", async () => {
    const mia = asUser(hub, "mia");
    const { number, head } = await pullRequest("a");
    await hub.enqueue("mia", OWNER, REPO, number);
    const group = hub.queue(OWNER, REPO, "main")[0]?.sha ?? "";
    const evil = await commitFiles(mia, repo, head, { "a.txt": "evil" });
    await mia.rest.git.updateRef({ ...repo, ref: "heads/a", sha: evil });
    expect(hub.queue(OWNER, REPO, "main")).toEqual([]);
    const main = await tip(mia);
    await check(group, "success");
    expect(await tip(mia)).toBe(main);
    expect(await state(number)).toBe("open");
    await hub.settled();
    expect(seen("pull_request").slice(-3)).toContainEqual(["dequeued", "MANUAL"]);
  });

  it("removes what fails, and builds those behind it anew without it", async () => {
    const app = await asInstallation(hub);
    const one = await pullRequest("one");
    const two = await pullRequest("two");
    const clash = await pullRequest("clash", "one", "another text");
    const main = await tip(app);
    for (const { number } of [one, two]) await hub.enqueue("mia", OWNER, REPO, number);
    const [first, second] = hub.queue(OWNER, REPO, "main");
    const parents = async (sha: string | undefined): Promise<string[]> =>
      (await app.rest.git.getCommit({ ...repo, commit_sha: sha ?? "" })).data.parents.map(
        ({ sha: parent }) => parent,
      );
    expect(await parents(second?.sha)).toEqual([first?.sha, two.head]);
    await hub.enqueue("mia", OWNER, REPO, clash.number);
    expect(hub.queue(OWNER, REPO, "main")).toHaveLength(2);
    await check(second?.sha ?? "", "success");
    expect(await tip(app)).toBe(main);
    await check(first?.sha ?? "", "failure");
    const [left] = hub.queue(OWNER, REPO, "main");
    expect(left?.number).toBe(two.number);
    expect(await parents(left?.sha)).toEqual([main, two.head]);
    await check(left?.sha ?? "", "success");
    expect(await tip(app)).toBe(left?.sha);
    expect([await state(one.number), await state(two.number), await state(clash.number)]).toEqual([
      "open",
      "merged",
      "open",
    ]);
    await hub.settled();
    expect(seen("pull_request").filter(([action]) => action === "dequeued")).toEqual([
      ["dequeued", "MERGE_CONFLICT"],
      ["dequeued", "CI_FAILURE"],
    ]);
  });

  it("F15: a required check that never comes takes the pull request out after an hour", async () => {
    const mia = asUser(hub, "mia");
    const { number } = await pullRequest("a");
    const main = await tip(mia);
    await hub.enqueue("mia", OWNER, REPO, number);
    clock += 3_599_000;
    await hub.settled();
    expect(hub.queue(OWNER, REPO, "main")).toHaveLength(1);
    clock += 1_000;
    await hub.settled();
    expect(hub.queue(OWNER, REPO, "main")).toEqual([]);
    expect(await tip(mia)).toBe(main);
    await hub.settled();
    expect(seen("pull_request").at(-1)).toEqual(["dequeued", "CI_TIMEOUT"]);
  });

  it("takes pull requests over GraphQL, on the expected head, from who may write", async () => {
    const { number, head } = await pullRequest("a");
    const mia = asUser(hub, "mia");
    const id = (await mia.rest.pulls.get({ ...repo, pull_number: number })).data.node_id;
    const enqueue = (octokit: typeof mia, expectedHeadOid: string): Promise<unknown> =>
      octokit.graphql(
        `mutation ($id: ID!, $head: GitObjectID) {
          enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head }) { mergeQueueEntry { id state } }
        }`,
        { id, head: expectedHeadOid },
      );
    await expect(enqueue(asUser(hub, "tess"), head)).rejects.toThrow(/write rights/);
    await expect(enqueue(mia, "1".repeat(40))).rejects.toThrow(/Head branch was modified/);
    expect(await enqueue(mia, head)).toMatchObject({
      enqueuePullRequest: { mergeQueueEntry: { state: "AWAITING_CHECKS" } },
    });
    await expect(enqueue(mia, head)).rejects.toThrow(/already in the queue/);
  });

  it("nobody pushes to the branches of the queue", async () => {
    const app = await asInstallation(hub);
    const ref = "refs/heads/gh-readonly-queue/main/pr-1-x";
    expect((await refused(app.rest.git.createRef({ ...repo, ref, sha: await tip(app) }))).status).toBe(422);
  });
});

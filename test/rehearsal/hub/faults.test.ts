import type { Octokit } from "octokit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LocalHub, RequestFault, WebhookFault } from "../../../rehearsal/hub/index.ts";
import {
  asInstallation,
  asUser,
  commitFiles,
  OWNER,
  receiver,
  refused,
  repo,
  start,
  tip,
} from "./helpers.ts";

let hub: LocalHub;
let door: Awaited<ReturnType<typeof receiver>>;
let clock: number;

beforeEach(async () => {
  clock = Date.parse("2026-03-01T12:00:00Z");
  hub = await start({ now: () => clock, seed: 7 });
  door = await receiver(hub.appCredentials.webhookSecret);
  hub.setWebhookUrl(door.url);
});
afterEach(async () => {
  await hub.close();
  await door.close();
});

const isComment = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && path.endsWith("/comments");

async function issue(title = "Here"): Promise<{ app: Octokit; issue_number: number }> {
  const app = await asInstallation(hub);
  return { app, issue_number: (await app.rest.issues.create({ ...repo, title })).data.number };
}

const bodies = async (app: Octokit, issue_number: number): Promise<(string | undefined)[]> =>
  (await app.rest.issues.listComments({ ...repo, issue_number })).data.map((comment) => comment.body);

/** Opens so many issues as mia; gives the numbers the app heard of, in the order in which it heard of them. */
async function heard(count: number): Promise<number[]> {
  const mia = asUser(hub, "mia");
  for (let made = 0; made < count; made += 1) {
    await mia.rest.issues.create({ ...repo, title: `Number ${made}` });
    await hub.settled();
  }
  return door.received.map((entry) => entry.payload.issue.number);
}

describe("faults of requests", () => {
  it.each<[string, RequestFault, number]>([
    ["F30: 502 after the write leaves the comment behind", { kind: "bad-gateway", when: "after" }, 1],
    ["502 before the write leaves nothing", { kind: "bad-gateway", when: "before" }, 0],
    ["F31: a secondary limit leaves nothing", { kind: "secondary-limit", retryAfter: 2 }, 0],
    ["a connection reset after the write leaves the comment behind", { kind: "reset", when: "after" }, 1],
    ["a connection reset before the write leaves nothing", { kind: "reset", when: "before" }, 0],
  ])("%s", async (_title, fault, left) => {
    const { app, issue_number } = await issue();
    hub.faults.onRequest({ where: isComment, fault, times: 1 });
    const call = (body: string): Promise<unknown> =>
      app.rest.issues.createComment({ ...repo, issue_number, body });
    await expect(call("first")).rejects.toThrow();
    expect(await bodies(app, issue_number)).toHaveLength(left);
    await call("second");
    expect(await bodies(app, issue_number)).toHaveLength(left + 1);
    expect(hub.faults.played.map(({ fault: seen }) => seen)).toEqual([fault]);
  });

  it("F31: a secondary limit comes as 403 or 429, with retry-after or without", async () => {
    const { app, issue_number } = await issue();
    for (const [status, retryAfter] of [
      [403, 2],
      [403, null],
      [429, 60],
      [429, null],
    ] as const) {
      const off = hub.faults.onRequest({
        where: isComment,
        fault: { kind: "secondary-limit", retryAfter, status },
      });
      const answer = await app.rest.issues
        .createComment({ ...repo, issue_number, body: "x" })
        .catch((error: { status: number; message: string; response: { headers: object } }) => error);
      expect(answer).toMatchObject({ status, message: expect.stringContaining("secondary rate limit") });
      expect(
        (answer as { response: { headers: Record<string, string> } }).response.headers["retry-after"],
      ).toBe(retryAfter === null ? undefined : String(retryAfter));
      off();
    }
  });

  it("gives no answer until the client gives up, and still closes", async () => {
    hub.faults.onRequest({ fault: { kind: "no-answer", when: "before" }, times: 1 });
    await expect(fetch(`${hub.url}/meta`, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    expect((await fetch(`${hub.url}/meta`)).status).toBe(200);
  });

  it("F10: a merge may answer 409 although the head did not move", async () => {
    const { app } = await issue();
    const head = await commitFiles(app, repo, await tip(app), { "a.txt": "1" });
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/a", sha: head });
    const pull = (await app.rest.pulls.create({ ...repo, title: "A", head: "a", base: "main" })).data.number;
    hub.faults.onRequest({
      where: ({ method, path }) => method === "PUT" && path.endsWith("/merge"),
      fault: { kind: "conflict" },
      times: 1,
    });
    const merge = (): Promise<unknown> => app.rest.pulls.merge({ ...repo, pull_number: pull, sha: head });
    expect(await refused(merge())).toMatchObject({
      status: 409,
      message: expect.stringContaining("Head branch was modified"),
    });
    expect((await app.rest.pulls.get({ ...repo, pull_number: pull })).data.head.sha).toBe(head);
    await merge();
    expect((await app.rest.pulls.get({ ...repo, pull_number: pull })).data.merged).toBe(true);
  });

  it("F10: a push by force fits exactly between two calls of the app", async () => {
    const { app } = await issue();
    const main = await tip(app);
    const good = await commitFiles(app, repo, main, { "a.txt": "good" });
    const evil = await commitFiles(app, repo, main, { "a.txt": "evil" });
    const mia = asUser(hub, "mia");
    await mia.rest.git.createRef({ ...repo, ref: "refs/heads/a", sha: good });
    const pull_number = (await mia.rest.pulls.create({ ...repo, title: "A", head: "a", base: "main" })).data
      .number;
    const off = hub.faults.beforeRequest(async ({ method, by }) => {
      if (method !== "PUT" || by !== "assay[bot]") return;
      off();
      await mia.rest.git.updateRef({ ...repo, ref: "heads/a", sha: evil, force: true });
    });
    expect((await app.rest.pulls.get({ ...repo, pull_number })).data.head.sha).toBe(good);
    expect((await refused(app.rest.pulls.merge({ ...repo, pull_number, sha: good }))).status).toBe(409);
    expect(await tip(app)).toBe(main);
  });

  it("the same seed gives the same faults, another seed others", async () => {
    const pattern = async (seed: number): Promise<string> => {
      const other = await start({ seed });
      try {
        other.faults.onRequest({ fault: { kind: "bad-gateway", when: "before" }, chance: 0.5 });
        const statuses: number[] = [];
        for (let call = 0; call < 24; call += 1) statuses.push((await fetch(`${other.url}/meta`)).status);
        return statuses.join(" ");
      } finally {
        await other.close();
      }
    };
    const first = await pattern(1);
    expect(await pattern(1)).toBe(first);
    expect(await pattern(2)).not.toBe(first);
    expect(new Set(first.split(" "))).toEqual(new Set(["200", "502"]));
  });
});

describe("faults of webhooks", () => {
  it("F43: the same seed loses and holds back the same webhooks, whatever comes between", async () => {
    const play = async (order: readonly string[]): Promise<string[]> => {
      const other = await start({ seed: 3 });
      try {
        const mia = asUser(other, "mia");
        const numbers: number[] = [];
        for (let made = 0; made < 6; made += 1)
          numbers.push((await mia.rest.issues.create({ ...repo, title: "x" })).data.number);
        other.faults.onWebhook({ fault: { kind: "lose" }, chance: 0.4 });
        for (const title of order)
          for (const issue_number of title === "up" ? numbers : [...numbers].reverse())
            await mia.rest.issues.createComment({ ...repo, issue_number, body: "x" });
        await other.settled();
        return other.deliveries
          .filter(({ error }) => error === "lost")
          .map(({ payload }) => JSON.stringify([(payload.issue as { number: number }).number]))
          .sort();
      } finally {
        await other.close();
      }
    };
    const lost = await play(["up", "down"]);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(12);
    expect(await play(["down", "up"])).toEqual(lost);
  });

  it.each<[string, WebhookFault, readonly number[], number]>([
    ["F42: a lost webhook never comes", { kind: "lose" }, [1, 3], 3],
    ["F41: a doubled webhook comes twice under one id", { kind: "double" }, [1, 2, 2, 3], 3],
    ["F43: an overtaken webhook comes after the next one", { kind: "overtaken", by: 1 }, [1, 3, 2], 3],
  ])("%s", async (_title, fault, order, ids) => {
    hub.faults.onWebhook({
      where: ({ payload }) => (payload.issue as { number: number }).number === 2,
      fault,
    });
    expect(await heard(3)).toEqual(order);
    expect(hub.deliveries).toHaveLength(ids);
    expect(new Set(door.received.map((entry) => entry.delivery)).size).toBe(new Set(order).size);
  });

  it("F43: a late webhook leaves when the hub's clock says so", async () => {
    hub.faults.onWebhook({ fault: { kind: "late", ms: 60_000 }, times: 1 });
    expect(await heard(2)).toEqual([2]);
    expect(hub.faults.held).toBe(1);
    clock += 59_999;
    await hub.settled();
    expect(door.received).toHaveLength(1);
    clock += 1;
    await hub.settled();
    expect(door.received.map((entry) => entry.payload.issue.number)).toEqual([2, 1]);
  });

  it("lets everything go that was held back", async () => {
    hub.faults.onWebhook({ fault: { kind: "overtaken", by: 100 } });
    expect(await heard(3)).toEqual([]);
    hub.faults.clear();
    await hub.faults.release();
    expect(door.received.map((entry) => entry.payload.issue.number)).toEqual([1, 2, 3]);
  });
});

describe("the hub's clock", () => {
  it("dates what the API shows", async () => {
    const { app, issue_number } = await issue();
    clock += 3_600_000;
    const comment = await app.rest.issues.createComment({ ...repo, issue_number, body: "One hour later" });
    expect(comment.data).toMatchObject({
      created_at: "2026-03-01T13:00:00Z",
      updated_at: "2026-03-01T13:00:00Z",
    });
    clock += 60_000;
    await app.rest.issues.updateComment({ ...repo, comment_id: comment.data.id, body: "Edited" });
    const [read] = (await app.rest.issues.listComments({ ...repo, issue_number })).data;
    expect(read).toMatchObject({ created_at: "2026-03-01T13:00:00Z", updated_at: "2026-03-01T13:01:00Z" });
    expect((await app.rest.issues.get({ ...repo, issue_number })).data).toMatchObject({
      created_at: "2026-03-01T12:00:00Z",
      updated_at: "2026-03-01T13:01:00Z",
    });
    const head = await commitFiles(app, repo, await tip(app), { "a.txt": "1" });
    expect((await app.rest.git.getCommit({ ...repo, commit_sha: head })).data.committer.date).toBe(
      "2026-03-01T13:01:00Z",
    );
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/a", sha: head });
    const pull = await app.rest.pulls.create({ ...repo, title: "A", head: `${OWNER}:a`, base: "main" });
    expect(pull.data.created_at).toBe("2026-03-01T13:01:00Z");
  });
});

import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CheckBook } from "../../../rehearsal/hub/check-book.ts";
import { FaultBox } from "../../../rehearsal/hub/faults.ts";
import type { LocalHub } from "../../../rehearsal/hub/index.ts";
import { GITHUB_RATES, Rates } from "../../../rehearsal/hub/rates.ts";
import { Webhooks } from "../../../rehearsal/hub/webhooks.ts";
import {
  asApp,
  asInstallation,
  asUser,
  commitFiles,
  receiver,
  refused,
  repo,
  start,
  tip,
} from "./helpers.ts";

let hub: LocalHub;
let clock: number;

beforeEach(async () => {
  clock = Date.parse("2026-03-01T12:00:00Z");
  hub = await start({ now: () => clock, webhookAnswerMs: 100 });
});
afterEach(() => hub.close());

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** Asks so many times for something that costs one read; the answers. */
async function ask(times: number, token: string | null = null): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let call = 0; call < times; call += 1) {
    const answer = await fetch(`${hub.url}/meta`, {
      headers: token === null ? {} : { authorization: `token ${token}` },
    });
    answers.push({ status: answer.status, headers: Object.fromEntries(answer.headers) });
  }
  return answers;
}

const statuses = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

async function runToken(): Promise<string> {
  let token = "";
  const off = hub.onTrigger((trigger) => {
    const run = hub.actions.createRun({
      trigger,
      workflowPath: ".github/workflows/result-pr.yml",
      workflowName: "Result",
    });
    token = hub.actions.issueToken(run, { contents: "read" });
  });
  const app = await asInstallation(hub);
  const inputs = { pull_request: "1" };
  await app.rest.actions.createWorkflowDispatch({
    ...repo,
    workflow_id: "result-pr.yml",
    ref: "main",
    inputs,
  });
  off();
  return token;
}

describe("rates", () => {
  it("lets nobody without a name ask more than 60 times an hour", async () => {
    const answers = await ask(61);
    expect(statuses(answers)).toEqual({ 200: 60, 403: 1 });
    expect(answers[0]?.headers).toMatchObject({ "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59" });
    expect(answers.at(-1)?.headers).toMatchObject({
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(clock / 1000 + 3_600),
    });
    clock += 3_600_000;
    expect(statuses(await ask(1))).toEqual({ 200: 1 });
  });

  it("gives a GITHUB_TOKEN 1,000 requests an hour, an installation 5,000", async () => {
    const token = await runToken();
    const [first] = await ask(1, token);
    expect(first?.headers).toMatchObject({ "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999" });
    await ask(899, token);
    clock += 60_000;
    expect(statuses(await ask(101, token))).toEqual({ 200: 100, 403: 1 });
    const limit = await (await asInstallation(hub)).rest.rateLimit.get();
    expect(limit.data.rate).toMatchObject({ limit: 5_000, remaining: 4_999 });
  });

  it("F31: counts 900 points a minute, five for a write, and refuses in each of GitHub's ways", async () => {
    const token = hub.userToken("mia");
    const mia = asUser(hub, "mia");
    for (const name of ["a", "b"]) await mia.rest.issues.createLabel({ ...repo, name });
    const answers = await ask(894, token);
    expect(statuses(answers)).toEqual({ 200: 890, 403: 2, 429: 2 });
    expect(answers.slice(-4).map(({ status, headers }) => [status, headers["retry-after"]])).toEqual([
      [403, "60"],
      [403, undefined],
      [429, "60"],
      [429, undefined],
    ]);
    clock += 60_000;
    expect(statuses(await ask(1, token))).toEqual({ 200: 1 });
  });

  it("F31: lets one caller make 80 things a minute", async () => {
    const app = await asInstallation(hub);
    const issue_number = (await app.rest.issues.create({ ...repo, title: "1" })).data.number;
    const comment = (): Promise<unknown> =>
      app.rest.issues.createComment({ ...repo, issue_number, body: "x" });
    for (let made = 1; made < 80; made += 1) await comment();
    expect(await refused(comment())).toMatchObject({
      status: 403,
      message: expect.stringContaining("secondary rate limit"),
    });
    expect((await app.rest.issues.listComments({ ...repo, issue_number, per_page: 100 })).data).toHaveLength(
      79,
    );
    await asUser(hub, "mia").rest.issues.createComment({ ...repo, issue_number, body: "somebody else" });
    clock += 60_000;
    await comment();
  });

  it("F31: lets one caller have 100 requests under way", () => {
    const rates = new Rates(GITHUB_RATES, () => clock);
    const admit = (): (() => void) => rates.admit({ kind: "app", token: "" }, "GET", "/app");
    const done = Array.from({ length: 100 }, admit);
    expect(admit).toThrow(/secondary rate limit/);
    done[0]?.();
    expect(admit).not.toThrow();
  });

  it("F31: lets one caller make 500 things an hour, however slowly", () => {
    const rates = new Rates(GITHUB_RATES, () => clock);
    const create = (): void =>
      rates.admit({ kind: "app", token: "" }, "POST", "/repos/a/b/issues/1/comments")();
    for (let made = 0; made < 500; made += 1) {
      create();
      clock += 5_000;
    }
    expect(create).toThrow(/secondary rate limit/);
    clock += 3_600_000 - 2_500_000;
    expect(create).not.toThrow();
  });

  it("can be switched off", async () => {
    const free = await start({ rates: false });
    try {
      for (let call = 0; call < 70; call += 1) expect((await fetch(`${free.url}/meta`)).status).toBe(200);
    } finally {
      await free.close();
    }
  });
});

describe("texts and lists", () => {
  it("F27: refuses bodies above 65,536 characters and titles above 256, wherever they are written", async () => {
    const mia = asUser(hub, "mia");
    const head = await commitFiles(mia, repo, await tip(mia), { "a.txt": "1" });
    await mia.rest.git.createRef({ ...repo, ref: "refs/heads/a", sha: head });
    const pull = (fields: { title?: string; body?: string }): Promise<{ data: { number: number } }> =>
      mia.rest.pulls.create({ ...repo, title: "A", head: "a", base: "main", ...fields });
    const long = "x".repeat(65_537);
    expect(await refused(pull({ body: long }))).toMatchObject({
      status: 422,
      message: expect.stringContaining("body is too long (maximum is 65536 characters)"),
    });
    expect((await refused(pull({ title: "x".repeat(257) }))).status).toBe(422);
    const pull_number = (await pull({ body: long.slice(1), title: "x".repeat(256) })).data.number;
    expect((await refused(mia.rest.pulls.update({ ...repo, pull_number, body: long }))).status).toBe(422);
    expect((await refused(mia.rest.issues.create({ ...repo, title: "I", body: long }))).status).toBe(422);
  });

  it("F33: keeps 1,000 check runs of one name on a commit and drops the oldest", () => {
    const book = new CheckBook();
    const run = (id: number, name: string): void =>
      book.add({ id, repositoryId: 1, sha: "a", slug: "assay", annotations: [], run: { id, name } });
    run(0, "other");
    for (let id = 1; id <= 1_001; id += 1) run(id, "assay/result");
    expect(book.at(1, "a")).toHaveLength(1_001);
    expect([book.get(0)?.id, book.get(1), book.get(2)?.id]).toEqual([0, undefined, 2]);
  });

  it("F45: gives no diff above 300 files or 20,000 lines, and rows without patch beyond 20,000 patch lines", async () => {
    const app = await asInstallation(hub);
    const main = await tip(app);
    const open = async (name: string, files: Record<string, string>): Promise<number> => {
      const sha = await commitFiles(app, repo, main, files);
      await app.rest.git.createRef({ ...repo, ref: `refs/heads/${name}`, sha });
      return (await app.rest.pulls.create({ ...repo, title: name, head: name, base: "main" })).data.number;
    };
    const diff = (pull_number: number): Promise<unknown> =>
      app.rest.pulls.get({ ...repo, pull_number, mediaType: { format: "diff" } });
    const files = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}.txt`, "1\n"]));
    await diff(await open("f300", files(300)));
    expect((await refused(diff(await open("f301", files(301))))).status).toBe(406);
    const lines = (count: number): string => "line\n".repeat(count);
    const long = await open("long", { "a.txt": lines(12_000), "b.txt": lines(12_000), "c.txt": "1\n" });
    expect((await refused(diff(long))).status).toBe(406);
    const listed = await app.rest.pulls.listFiles({ ...repo, pull_number: long });
    expect(
      listed.data.map(({ filename, changes, patch }) => [filename, changes, patch !== undefined]),
    ).toEqual([
      ["a.txt", 12_000, true],
      ["b.txt", 0, false],
      ["c.txt", 0, false],
    ]);
  });
});

describe("webhooks", () => {
  it("F44: an answer after the time allowed is a failure, and nothing is sent again", async () => {
    const door = await slowDoor(300);
    hub.setWebhookUrl(door.url);
    await asUser(hub, "mia").rest.issues.create({ ...repo, title: "Slow" });
    await hub.settled();
    expect(hub.deliveries).toMatchObject([
      { status: null, error: expect.stringMatching(/timeout|aborted/i) },
    ]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await hub.settled();
    expect(door.count()).toBe(1);
    await door.close();
  });

  it("does not deliver payloads above 25 MB", async () => {
    const target = { url: "http://127.0.0.1:9/", secret: "s", events: ["*"] };
    const webhooks = new Webhooks(target, { now: () => clock, faults: new FaultBox(1), answerMs: 100 });
    webhooks.deliver("push", null, { text: "x".repeat(25 * 1024 * 1024) });
    await webhooks.idle();
    expect(webhooks.deliveries).toMatchObject([
      { status: null, listed: false, error: expect.stringContaining("above 26214400") },
    ]);
  });

  it("F41: the app lists its deliveries and asks for one again, under the same id, for three days", async () => {
    const door = await receiver(hub.appCredentials.webhookSecret);
    hub.setWebhookUrl(door.url);
    hub.faults.onWebhook({ fault: { kind: "lose", listed: true }, times: 1 });
    hub.faults.onWebhook({ fault: { kind: "lose" }, times: 1 });
    const mia = asUser(hub, "mia");
    for (const title of ["failed", "lost", "arrived"]) await mia.rest.issues.create({ ...repo, title });
    await hub.settled();
    const app = asApp(hub).octokit;
    const list = async (fields: Record<string, string> = {}): Promise<[number, number, boolean, string][]> =>
      (await app.rest.apps.listWebhookDeliveries(fields)).data.map((row) => [
        row.id,
        row.status_code,
        row.redelivery,
        row.guid,
      ]);
    const ids = hub.deliveries.map(({ id }) => id);
    expect(await list()).toEqual([
      [3, 202, false, ids[2]],
      [1, 0, false, ids[0]],
    ]);
    expect(await list({ status: "failure" })).toHaveLength(1);
    await app.rest.apps.redeliverWebhookDelivery({ delivery_id: 1 });
    await hub.settled();
    expect(door.received.map(({ delivery }) => delivery)).toEqual([ids[2], ids[0]]);
    expect((await list())[0]).toEqual([4, 202, true, ids[0]]);
    expect((await refused(app.rest.apps.redeliverWebhookDelivery({ delivery_id: 2 }))).status).toBe(404);
    const pages = await app.request("GET /app/hook/deliveries", { per_page: 2 });
    expect(pages.headers.link).toContain("cursor=1");
    clock += 3 * 24 * 3_600_000 + 1_000;
    expect(await list()).toEqual([]);
    expect((await refused(app.rest.apps.redeliverWebhookDelivery({ delivery_id: 1 }))).status).toBe(404);
    await door.close();
  });
});

/** A door that answers after so many milliseconds. */
async function slowDoor(ms: number): Promise<{ url: string; count(): number; close(): Promise<void> }> {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    setTimeout(() => response.writeHead(202).end(), ms);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

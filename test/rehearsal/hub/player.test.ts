import { strToU8, unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LocalHub } from "../../../rehearsal/hub/index.ts";
import {
  asInstallation,
  asUser,
  clone,
  commitFiles,
  OWNER,
  REPO,
  refused,
  repo,
  start,
  tip,
} from "./helpers.ts";

let hub: LocalHub;

const lines: string[] = [];

beforeEach(async () => {
  lines.length = 0;
  hub = await start({ log: (line) => lines.push(line) });
});
afterEach(() => hub.close());

const RESULT = { path: ".github/workflows/result-pr.yml", name: "Result", events: ["pull_request_target"] };

async function openPull(name: string): Promise<{ number: number; head: string }> {
  const mia = asUser(hub, "mia");
  const head = await commitFiles(mia, repo, await tip(mia), { [`${name}.txt`]: name });
  await mia.rest.git.createRef({ ...repo, ref: `refs/heads/${name}`, sha: head });
  const made = await mia.rest.pulls.create({ ...repo, title: name, head: name, base: "main" });
  return { number: made.data.number, head };
}

describe("a workflow that a test plays", () => {
  it("runs on its events and its dispatches, with jobs and artifacts, before the hub has settled", async () => {
    const stop = hub.playWorkflow({
      ...RESULT,
      run: async (trigger) => ({
        jobs: { recompute: "success" },
        artifacts: { report: { "report.json": JSON.stringify({ head: trigger.headSha }) } },
      }),
    });
    const { head } = await openPull("a");
    const app = await asInstallation(hub);
    const inputs = { pull_request: "1" };
    await app.rest.actions.createWorkflowDispatch({
      ...repo,
      workflow_id: "result-pr.yml",
      ref: "main",
      inputs,
    });
    await hub.settled();
    const runs = (await app.rest.actions.listWorkflowRunsForRepo(repo)).data.workflow_runs;
    expect(runs.map(({ event, conclusion }) => [event, conclusion])).toEqual([
      ["workflow_dispatch", "success"],
      ["pull_request_target", "success"],
    ]);
    const [artifact] = hub.actions.listArtifacts(runs[1]?.id ?? 0);
    expect(artifact?.name).toBe("report");
    const zip = hub.actions.getArtifact(runs[1]?.id ?? 0, "report") ?? new Uint8Array();
    expect(unzipSync(zip)["report.json"]).toEqual(strToU8(JSON.stringify({ head })));
    const checks = (await app.rest.checks.listForRef({ ...repo, ref: head })).data.check_runs;
    expect(checks.map(({ name, app: made, conclusion }) => [name, made?.slug, conclusion])).toEqual([
      ["recompute", "github-actions", "success"],
    ]);
    stop();
    await openPull("b");
    await hub.settled();
    expect((await app.rest.actions.listWorkflowRunsForRepo(repo)).data.total_count).toBe(2);
  });

  it("may stay queued, or fail when the test's own code does", async () => {
    let first = true;
    hub.playWorkflow({
      ...RESULT,
      run: () => {
        if (!first) throw new Error("a test's mistake");
        first = false;
        return null;
      },
    });
    await openPull("a");
    await openPull("b");
    await hub.settled();
    const app = await asInstallation(hub);
    const runs = (await app.rest.actions.listWorkflowRunsForRepo(repo)).data.workflow_runs;
    expect(runs.map(({ status, conclusion }) => [status, conclusion])).toEqual([
      ["completed", "failure"],
      ["queued", null],
    ]);
    expect(lines).toEqual([expect.stringContaining("a test's mistake")]);
  });
});

describe("what tokens may not do", () => {
  it("F53: an app without the permission for workflows brings no workflow file to a branch", async () => {
    const mia = asUser(hub, "mia");
    const app = await asInstallation(hub);
    const main = await tip(mia);
    const head = await commitFiles(mia, repo, main, { ".github/workflows/evil.yml": "name: evil\n" });
    await mia.rest.git.createRef({ ...repo, ref: "refs/heads/evil", sha: head });
    const pull_number = (await mia.rest.pulls.create({ ...repo, title: "E", head: "evil", base: "main" }))
      .data.number;
    for (const call of [
      app.rest.pulls.merge({ ...repo, pull_number, sha: head }),
      app.rest.git.updateRef({ ...repo, ref: "heads/main", sha: head }),
      app.rest.repos.merge({ ...repo, base: "main", head }),
    ]) {
      expect(await refused(call)).toMatchObject({
        status: 403,
        message: expect.stringContaining("without `workflows` permission"),
      });
    }
    expect(await tip(mia)).toBe(main);
    const { token } = (await app.auth({ type: "installation" })) as { token: string };
    const address = hub.url.replace("http://", `http://x-access-token:${token}@`);
    const work = await clone(`${address}/${OWNER}/${REPO}.git`);
    try {
      await work.git("fetch", "--quiet", "origin", "evil");
      await expect(work.git("push", "--quiet", "origin", "FETCH_HEAD:main")).rejects.toThrow(
        /without workflows permission/,
      );
      await work.git("commit", "--quiet", "--allow-empty", "-m", "Nothing of the kind");
      await work.git("push", "--quiet", "origin", "HEAD:main");
    } finally {
      await work.remove();
    }
    expect(await tip(mia)).not.toBe(main);
    expect(
      (await refused(mia.rest.repos.getContent({ ...repo, path: ".github/workflows/evil.yml" }))).status,
    ).toBe(404);
  });

  it("F01: a fork's own workflow run reads only, and names no pull request", async () => {
    const other = await start({ triggers: ["pull_request"] });
    try {
      const sam = asUser(other, "sam");
      const fork = await other.fork(OWNER, REPO, "sam");
      const where = { owner: "sam", repo: fork.name };
      let token = "";
      let runId = 0;
      other.onTrigger((trigger) => {
        runId = other.actions.createRun({ trigger, workflowPath: RESULT.path, workflowName: "Result" });
        token = other.actions.issueToken(runId, { contents: "write", issues: "write" });
      });
      const head = await commitFiles(sam, where, await tip(sam), { "a.txt": "1" });
      await sam.rest.git.createRef({ ...where, ref: "refs/heads/a", sha: head });
      const made = await sam.rest.pulls.create({ ...repo, title: "A", head: "sam:a", base: "main" });
      const answer = await fetch(`${other.url}/repos/${OWNER}/${REPO}/issues/${made.data.number}/comments`, {
        method: "POST",
        headers: { authorization: `token ${token}` },
        body: JSON.stringify({ body: "x" }),
      });
      expect([answer.status, await answer.json()]).toMatchObject([
        403,
        { message: "Resource not accessible by integration" },
      ]);
      other.actions.completeRun(runId, "success");
      await other.settled();
      const runs = other.deliveries.filter(({ event }) => event === "workflow_run");
      expect(runs.at(-1)?.payload.workflow_run).toMatchObject({ head_sha: head, pull_requests: [] });
    } finally {
      await other.close();
    }
  });
});

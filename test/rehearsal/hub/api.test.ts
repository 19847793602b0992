import { strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Conclusion, Trigger } from "../../../rehearsal/hub/contract.ts";
import type { LocalHub } from "../../../rehearsal/hub/index.ts";
import {
  asApp,
  asInstallation,
  asToken,
  asUser,
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
const triggers: Trigger[] = [];

beforeAll(async () => {
  hub = await start();
  door = await receiver(hub.appCredentials.webhookSecret);
  hub.setWebhookUrl(door.url);
  hub.onTrigger((trigger) => triggers.push(trigger));
});
afterAll(async () => {
  await hub.close();
  await door.close();
});

const events = (event: string): (typeof door.received)[number][] =>
  door.received.filter((entry) => entry.event === event);

/** Starts a workflow on main and gives its trigger. */
async function dispatch(inputs: Record<string, string> = { pull_request: "1" }): Promise<Trigger> {
  const app = await asInstallation(hub);
  await app.rest.actions.createWorkflowDispatch({
    ...repo,
    workflow_id: "result-pr.yml",
    ref: "main",
    inputs,
  });
  return triggers.at(-1) as Trigger;
}

async function startRun(): Promise<number> {
  const trigger = await dispatch();
  return hub.actions.createRun({
    trigger,
    workflowPath: ".github/workflows/result-pr.yml",
    workflowName: "Result",
  });
}

describe("the app", () => {
  it("goes from JWT to installation token to comment", async () => {
    const app = asApp(hub);
    expect((await app.octokit.rest.apps.getAuthenticated()).data).toMatchObject({
      slug: "assay",
      permissions: { checks: "write", metadata: "read" },
    });
    const [installation] = (await app.octokit.rest.apps.listInstallations()).data;
    expect(installation).toMatchObject({
      id: hub.appCredentials.installationId,
      app_slug: "assay",
      account: { login: OWNER },
    });
    expect((await app.octokit.rest.apps.getRepoInstallation(repo)).data.id).toBe(installation?.id);
    const octokit = await app.getInstallationOctokit(hub.appCredentials.installationId);
    const listed = await octokit.rest.apps.listReposAccessibleToInstallation();
    expect(listed.data.repositories.map((row) => row.full_name)).toEqual([`${OWNER}/${REPO}`]);
    const issue = await asUser(hub, "sam").rest.issues.create({ ...repo, title: "Hello" });
    const comment = await octokit.rest.issues.createComment({
      ...repo,
      issue_number: issue.data.number,
      body: "Hi",
    });
    expect(comment.data).toMatchObject({
      user: { login: "assay[bot]", type: "Bot" },
      performed_via_github_app: { id: hub.appCredentials.appId, slug: "assay" },
    });
    const edited = await octokit.rest.issues.updateComment({
      ...repo,
      comment_id: comment.data.id,
      body: "Hi again",
    });
    expect(edited.data.body).toBe("Hi again");
    expect(
      (await octokit.rest.issues.listComments({ ...repo, issue_number: issue.data.number })).data,
    ).toHaveLength(1);
    await hub.settled();
    expect(
      events("issue_comment").map((entry) => [entry.payload.action, entry.payload.sender.login]),
    ).toEqual([
      ["created", "assay[bot]"],
      ["edited", "assay[bot]"],
    ]);
    expect(events("issue_comment")[1]?.payload.changes).toEqual({ body: { from: "Hi" } });
  });

  it("is refused with a forged JWT, an unknown token, or more than it was given", async () => {
    const forged = asToken(
      hub,
      `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify({ iss: "4001", exp: Math.floor(Date.now() / 1000) + 60 })).toString("base64url")}.AAAA`,
    );
    expect((await refused(forged.request("GET /app"))).status).toBe(401);
    expect((await refused(asToken(hub, "ghp_unknown").rest.repos.get(repo))).status).toBe(401);
    const app = asApp(hub).octokit;
    const more = app.rest.apps.createInstallationAccessToken({
      installation_id: hub.appCredentials.installationId,
      permissions: { administration: "write" },
    });
    expect((await refused(more)).status).toBe(422);
    const less = await app.rest.apps.createInstallationAccessToken({
      installation_id: hub.appCredentials.installationId,
      permissions: { contents: "read" },
    });
    const limited = asToken(hub, less.data.token);
    expect(await refused(limited.rest.issues.create({ ...repo, title: "No" }))).toMatchObject({
      status: 403,
      message: expect.stringContaining("not accessible by integration"),
    });
  });

  it("answers through the prefix of GitHub Enterprise as well", async () => {
    const answer = await fetch(`${hub.url}/api/v3/repos/${OWNER}/${REPO}`);
    expect(await answer.json()).toMatchObject({
      full_name: `${OWNER}/${REPO}`,
      clone_url: `${hub.url}/${OWNER}/${REPO}.git`,
    });
  });
});

describe("people", () => {
  it("F39: have the role they were given, in both of GitHub's fields", async () => {
    const app = await asInstallation(hub);
    const roles = await Promise.all(
      ["mia", "tess", "sam", "assay[bot]"].map(async (username) => {
        const { permission, role_name } = (
          await app.rest.repos.getCollaboratorPermissionLevel({ ...repo, username })
        ).data;
        return [permission, role_name];
      }),
    );
    expect(roles).toEqual([
      ["write", "maintain"],
      ["read", "triage"],
      ["read", "read"],
      ["none", "none"],
    ]);
    expect(
      (await refused(app.rest.repos.getCollaboratorPermissionLevel({ ...repo, username: "nobody" }))).status,
    ).toBe(404);
  });

  it("edit their own comments only, and cannot write check runs", async () => {
    const sam = asUser(hub, "sam");
    const issue = await sam.rest.issues.create({ ...repo, title: "Mine" });
    const comment = await asUser(hub, "mia").rest.issues.createComment({
      ...repo,
      issue_number: issue.data.number,
      body: "Hers",
    });
    expect(
      (await refused(sam.rest.issues.updateComment({ ...repo, comment_id: comment.data.id, body: "Forged" })))
        .status,
    ).toBe(403);
    const check = sam.rest.checks.create({
      ...repo,
      name: "assay/result",
      head_sha: await tip(sam),
      status: "queued",
    });
    expect((await refused(check)).status).toBe(403);
    expect(
      (
        await refused(
          sam.rest.actions.createWorkflowDispatch({ ...repo, workflow_id: "result-pr.yml", ref: "main" }),
        )
      ).status,
    ).toBe(403);
    const reaction = await sam.rest.reactions.createForIssueComment({
      ...repo,
      comment_id: comment.data.id,
      content: "eyes",
    });
    expect(reaction.data).toMatchObject({ content: "eyes", user: { login: "sam" } });
    expect(
      (await sam.rest.reactions.listForIssueComment({ ...repo, comment_id: comment.data.id })).data,
    ).toHaveLength(1);
  });
});

describe("limits", () => {
  it("F27: refuses comments above 65,536 characters and takes exactly so many", async () => {
    const app = await asInstallation(hub);
    const issue_number = (await app.rest.issues.create({ ...repo, title: "Limits" })).data.number;
    const call = (length: number): Promise<{ status: number }> =>
      app.rest.issues.createComment({ ...repo, issue_number, body: "x".repeat(length) });
    expect((await call(65_536)).status).toBe(201);
    expect(await refused(call(65_537))).toMatchObject({
      status: 422,
      message: expect.stringContaining("too long"),
    });
  });

  it("F32, F33: refuses check output above 65,535 characters and more than 50 annotations at once, and collects them over updates", async () => {
    const app = await asInstallation(hub);
    const head_sha = await tip(app);
    const annotations = (
      count: number,
    ): {
      path: string;
      start_line: number;
      end_line: number;
      annotation_level: "failure";
      message: string;
    }[] =>
      Array.from({ length: count }, () => ({
        path: "README.md",
        start_line: 1,
        end_line: 1,
        annotation_level: "failure",
        message: "No",
      }));
    const create = (output: object): ReturnType<typeof app.rest.checks.create> =>
      app.rest.checks.create({
        ...repo,
        name: "assay/result",
        head_sha,
        conclusion: "failure",
        output: { title: "T", summary: "S", ...output },
      });
    for (const output of [
      { summary: "x".repeat(65_536) },
      { text: "x".repeat(65_536) },
      { annotations: annotations(51) },
    ]) {
      expect((await refused(create(output))).status).toBe(422);
    }
    const made = await create({ summary: "x".repeat(65_535), annotations: annotations(50) });
    expect(made.data).toMatchObject({
      status: "completed",
      conclusion: "failure",
      app: { slug: "assay" },
      output: { annotations_count: 50 },
    });
    const more = await app.rest.checks.update({
      ...repo,
      check_run_id: made.data.id,
      output: { title: "T", summary: "S", annotations: annotations(20) },
    });
    expect(more.data.output.annotations_count).toBe(70);
    expect(
      (
        await app.paginate(app.rest.checks.listAnnotations, {
          ...repo,
          check_run_id: made.data.id,
          per_page: 100,
        })
      ).length,
    ).toBe(70);
    const found = await app.rest.checks.listForRef({
      ...repo,
      ref: "main",
      check_name: "assay/result",
      app_id: hub.appCredentials.appId,
    });
    expect(found.data.check_runs.map((run) => run.id)).toEqual([made.data.id]);
    expect(
      (await refused(app.rest.checks.create({ ...repo, name: "x", head_sha: "1".repeat(40) }))).status,
    ).toBe(422);
    await hub.settled();
    expect(events("check_run").map((entry) => entry.payload.action)).toEqual(["created", "completed"]);
  });

  it("says where the next page is", async () => {
    const app = await asInstallation(hub);
    const sha = await tip(app);
    for (const name of ["a", "b", "c", "d", "e"])
      await app.rest.git.createRef({ ...repo, ref: `refs/tags/${name}`, sha });
    const refs = "GET /repos/{owner}/{repo}/git/matching-refs/{ref}";
    const page = await app.request(refs, { ...repo, ref: "tags/", per_page: 2 });
    expect(page.data.map((row) => row.ref)).toEqual(["refs/tags/a", "refs/tags/b"]);
    expect(page.headers.link).toContain('rel="next"');
    expect(await app.paginate(refs, { ...repo, ref: "tags/", per_page: 2 })).toHaveLength(5);
  });
});

describe("actions", () => {
  it("dispatches a workflow that declares it, with checked inputs", async () => {
    const trigger = await dispatch({ pull_request: "7" });
    expect(trigger).toMatchObject({
      event: "workflow_dispatch",
      ref: "refs/heads/main",
      workflowPath: ".github/workflows/result-pr.yml",
      inputs: { pull_request: "7", mode: "check" },
      payload: { inputs: { pull_request: "7" }, sender: { login: "assay[bot]" } },
    });
    const app = await asInstallation(hub);
    const call = (fields: {
      workflow_id?: string;
      ref?: string;
      inputs?: Record<string, string>;
    }): Promise<unknown> =>
      app.rest.actions.createWorkflowDispatch({
        ...repo,
        workflow_id: "result-pr.yml",
        ref: "main",
        inputs: { pull_request: "1" },
        ...fields,
      });
    expect((await refused(call({ workflow_id: "none.yml" }))).status).toBe(404);
    expect(await refused(call({ workflow_id: "ci.yml", inputs: {} }))).toMatchObject({
      status: 422,
      message: expect.stringContaining("workflow_dispatch"),
    });
    expect((await refused(call({ ref: "none" }))).message).toContain("No ref found");
    expect((await refused(call({ inputs: {} }))).message).toContain("Required input 'pull_request'");
    expect((await refused(call({ inputs: { pull_request: "1", evil: "1" } }))).message).toContain(
      "Unexpected inputs",
    );
  });

  it("lists runs, jobs and artifacts, gives the very bytes, and tells the app of each step", async () => {
    door.received.length = 0;
    const app = await asInstallation(hub);
    const run = await startRun();
    hub.actions.startRun(run);
    const job = hub.actions.createJob(run, "plan");
    const zip = zipSync({ "report.json": strToU8("{}") });
    hub.actions.putArtifact(run, "assay-report", zip);
    expect(() => hub.actions.putArtifact(run, "assay-report", zip)).toThrow(/already exists/);
    hub.actions.completeJob(run, job, "success", "all good\n");
    hub.actions.completeRun(run, "success");
    await hub.settled();
    const seen = events("workflow_run");
    expect(seen.map((entry) => entry.payload.action)).toEqual(["requested", "in_progress", "completed"]);
    expect(seen[2]?.payload).toMatchObject({
      installation: { id: hub.appCredentials.installationId },
      workflow: { path: ".github/workflows/result-pr.yml" },
      workflow_run: {
        id: run,
        path: ".github/workflows/result-pr.yml",
        event: "workflow_dispatch",
        status: "completed",
        conclusion: "success",
        run_attempt: 1,
        head_branch: "main",
        head_sha: await tip(app),
        repository: { full_name: `${OWNER}/${REPO}` },
        head_repository: { full_name: `${OWNER}/${REPO}` },
      },
    });
    expect((await app.rest.actions.getWorkflowRun({ ...repo, run_id: run })).data).toMatchObject({
      id: run,
      conclusion: "success" as Conclusion,
    });
    expect((await app.rest.actions.listJobsForWorkflowRun({ ...repo, run_id: run })).data.jobs).toMatchObject(
      [{ name: "plan", conclusion: "success" }],
    );
    expect((await app.rest.actions.downloadJobLogsForWorkflowRun({ ...repo, job_id: job })).data).toBe(
      "all good\n",
    );
    expect(
      (
        await app.rest.actions.listWorkflowRuns({ ...repo, workflow_id: "result-pr.yml", status: "success" })
      ).data.workflow_runs.map((row) => row.id),
    ).toEqual([run]);
    const [artifact] = (
      await app.rest.actions.listWorkflowRunArtifacts({ ...repo, run_id: run, name: "assay-report" })
    ).data.artifacts;
    expect(artifact).toMatchObject({
      name: "assay-report",
      size_in_bytes: zip.length,
      workflow_run: { id: run },
    });
    const bytes = await app.rest.actions.downloadArtifact({
      ...repo,
      artifact_id: artifact?.id ?? 0,
      archive_format: "zip",
    });
    expect(unzipSync(new Uint8Array(bytes.data as ArrayBuffer))["report.json"]).toEqual(strToU8("{}"));
    expect(
      (await fetch(`${hub.url}/repos/${OWNER}/${REPO}/actions/artifacts/${artifact?.id}/zip`)).status,
    ).toBe(401);
  });

  it("gives workflows tokens that do what they may, here only, and only while the run lasts", async () => {
    const run = await startRun();
    const reader = asToken(hub, hub.actions.issueToken(run, { contents: "read" }));
    const head = await tip(reader);
    expect(
      await refused(reader.rest.issues.createComment({ ...repo, issue_number: 1, body: "x" })),
    ).toMatchObject({
      status: 403,
      message: expect.stringContaining("Resource not accessible by integration"),
    });
    for (const call of [
      reader.rest.git.createRef({ ...repo, ref: "refs/heads/x", sha: head }),
      reader.rest.checks.create({ ...repo, name: "assay/result", head_sha: head }),
      reader.rest.git.createBlob({ ...repo, content: "x" }),
      reader.rest.actions.createWorkflowDispatch({ ...repo, workflow_id: "result-pr.yml", ref: "main" }),
    ]) {
      expect((await refused(call)).status).toBe(403);
    }
    const writer = asToken(
      hub,
      hub.actions.issueToken(run, { contents: "write", checks: "write", issues: "write" }),
    );
    const comment = await writer.rest.issues.createComment({
      ...repo,
      issue_number: 1,
      body: "From a workflow",
    });
    expect(comment.data.user?.login).toBe("github-actions[bot]");
    const check = await writer.rest.checks.create({
      ...repo,
      name: "assay/result",
      head_sha: head,
      conclusion: "success",
    });
    expect(check.data.app?.slug).toBe("github-actions");
    const app = await asInstallation(hub);
    expect(
      (await refused(app.rest.checks.update({ ...repo, check_run_id: check.data.id, conclusion: "failure" })))
        .status,
    ).toBe(403);
    const pushes = triggers.length;
    await writer.rest.git.createRef({
      ...repo,
      ref: "refs/heads/by-workflow",
      sha: await commitFiles(writer, repo, head, { "w.txt": "1" }),
    });
    expect(triggers).toHaveLength(pushes);
    await hub.fork(OWNER, REPO, "sam");
    expect(
      (await refused(writer.rest.git.createRef({ owner: "sam", repo: REPO, ref: "refs/heads/x", sha: head })))
        .status,
    ).toBe(403);
    hub.actions.completeRun(run, "success");
    expect((await refused(reader.rest.repos.get(repo))).status).toBe(401);
  });
});

describe("what the hub does not hold", () => {
  it("is refused in plain words and written down", async () => {
    const before = hub.unanswered.length;
    const app = await asInstallation(hub);
    expect(await refused(app.rest.repos.createDeployment({ ...repo, ref: "main" }))).toMatchObject({
      status: 404,
      message: expect.stringContaining("The local hub does not hold this"),
    });
    expect((await refused(app.rest.repos.getCombinedStatusForRef({ ...repo, ref: "main" }))).status).toBe(
      404,
    );
    expect(hub.unanswered.slice(before)).toMatchObject([
      { method: "POST", path: `/repos/${OWNER}/${REPO}/deployments` },
      { method: "GET", path: `/repos/${OWNER}/${REPO}/commits/main/status` },
    ]);
  });
});

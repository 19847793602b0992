import { createHmac } from "node:crypto";
import { zipSync } from "fflate";
import { App, Octokit } from "octokit";
import { LOCAL_TIMING, type RunningBot, startBot } from "../../bot/server.ts";
import type { Trigger } from "../../rehearsal/hub/contract.ts";
import { type LocalHub, startHub } from "../../rehearsal/hub/index.ts";
import type { Report } from "../../src/lib/result-pr/report-schema.ts";
import { report } from "../lib/words/reports.ts";
import { type Call, startWire, type Wire } from "./wire.ts";

/** The real bot over HTTP against the local hub, with a runner that the test plays and a wire that can be cut. */

export const OWNER = "assay-office";
export const REPO = "assay";
export const repo = { owner: OWNER, repo: REPO };
export const RESULT_PATH =
  "benchmarks/results/rehearsal-1/acme__quill-0a1b2c3d/20261130t101500z-deadbeef.json";

const RESULT_WORKFLOW = `name: result-pr
on:
  pull_request_target:
  workflow_dispatch:
    inputs:
      pull_request: { required: true }
      base_sha: { required: true }
      head_sha: { required: true }
      merge_sha: { default: "" }
      arrived_at: { default: "" }
jobs: {}
`;

export type { Call, Wire };

export interface Stage {
  readonly hub: LocalHub;
  readonly wire: Wire;
  bot: RunningBot;
  /** Triggers that came, newest last, and are not answered yet. */
  readonly triggers: Trigger[];
  /** What the bot wrote into its log. */
  readonly log: string[];
  user(login: string): Octokit;
  /** Everything has come to rest. */
  rest(): Promise<void>;
  /** Calls of the bot since the last time this was asked, without those for its token. */
  taken(): Call[];
  /** A new bot that remembers nothing, its clock `ahead` milliseconds ahead. */
  restart(ahead?: number): Promise<void>;
  close(): Promise<void>;
}

/** `queue`: main is merged by GitHub's own merge queue, which asks for `assay/result`. */
export async function startStage(
  options: {
    readonly queue?: boolean;
    /** More files of main. */
    readonly files?: Readonly<Record<string, string>>;
    readonly reviewers?: Readonly<Record<string, readonly string[]>>;
  } = {},
): Promise<Stage> {
  const hub = await startHub({
    // A minute of GitHub's rates would pass in a second here: tests of rates have a clock of their own.
    rates: false,
    users: [{ login: "mia" }, { login: "tess" }, { login: "sam" }, { login: "walt" }],
    organizations: [{ login: OWNER }],
    app: {
      slug: "assay",
      account: OWNER,
      permissions: {
        contents: "write",
        issues: "write",
        pull_requests: "write",
        checks: "write",
        actions: "write",
      },
    },
    repositories: [
      {
        owner: OWNER,
        name: REPO,
        roles: { mia: "maintain", tess: "triage", walt: "write" },
        reviewers: options.reviewers ?? {},
        protectedBranches: {
          main: {
            bypass: ["assay"],
            ...(options.queue === true
              ? { mergeQueue: true, requiredChecks: [{ name: "assay/result", app: "assay" }] }
              : {}),
          },
        },
        seed: {
          files: {
            "README.md": "# Assay\n",
            ".github/workflows/result-pr.yml": RESULT_WORKFLOW,
            ".github/workflows/feed.yml": "name: feed\non:\n  push:\n  workflow_dispatch:\njobs: {}\n",
            ".github/workflows/other.yml": "name: other\non: push\njobs: {}\n",
            ...options.files,
          },
        },
      },
    ],
  });
  const wire = await startWire(hub.url);
  const triggers: Trigger[] = [];
  hub.onTrigger((trigger) => triggers.push(trigger));
  const start = (log: string[], ahead = 0): Promise<RunningBot> =>
    startBot({
      now: () => Date.now() + ahead,
      ...hub.appCredentials,
      baseUrl: wire.url,
      timing: { ...LOCAL_TIMING, backoffMs: 5 },
      logLevel: "debug",
      logTo: (line) => {
        log.push(line);
        if (process.env.BOT_LOG) process.stderr.write(line);
      },
      reconcileAtStart: false,
      reconcileMinutes: 0,
    });
  let seen = 0;
  const log: string[] = [];
  const stage: Stage = {
    hub,
    wire,
    bot: await start(log),
    triggers,
    log,
    user: (login) =>
      new Octokit({
        baseUrl: hub.url,
        auth: hub.userToken(login),
        retry: { enabled: false },
        throttle: { enabled: false },
      }),
    rest: async () => {
      for (let round = 0; round < 4; round += 1) {
        await hub.settled();
        await stage.bot.idle();
      }
    },
    taken: () => {
      const fresh = wire.calls
        .slice(seen)
        .filter(({ path }) => !/access_tokens|^\/app$|^\/users\//.test(path));
      seen = wire.calls.length;
      return fresh;
    },
    restart: async (ahead) => {
      await stage.bot.close();
      stage.bot = await start(log, ahead);
      hub.setWebhookUrl(stage.bot.webhookUrl);
    },
    close: async () => {
      await stage.bot.close();
      await wire.close();
      await hub.close();
    },
  };
  hub.setWebhookUrl(stage.bot.webhookUrl);
  return stage;
}

export const writes = (calls: readonly Call[]): Call[] => calls.filter(({ method }) => method !== "GET");

export const tip = async (octokit: Octokit, branch = "main", where = repo): Promise<string> =>
  (await octokit.rest.git.getRef({ ...where, ref: `heads/${branch}` })).data.object.sha;

/** A commit on `parent`, made over the API. */
export async function commit(
  octokit: Octokit,
  where: { owner: string; repo: string },
  parent: string,
  files: Record<string, string>,
): Promise<string> {
  const base = await octokit.rest.git.getCommit({ ...where, commit_sha: parent });
  const tree = await octokit.rest.git.createTree({
    ...where,
    base_tree: base.data.tree.sha,
    tree: Object.entries(files).map(([path, content]) => ({ path, mode: "100644", type: "blob", content })),
  });
  const made = await octokit.rest.git.createCommit({
    ...where,
    message: "Change",
    tree: tree.data.sha,
    parents: [parent],
  });
  return made.data.sha;
}

let serial = 0;

export interface Opened {
  readonly number: number;
  readonly head: string;
  readonly branch: string;
  readonly owner: string;
}

/** A pull request from a fork of sam's. */
export async function openPull(
  stage: Stage,
  files: Record<string, string> = { [RESULT_PATH]: `{"serial":${serial}}\n` },
  names: { title?: string; branch?: string; body?: string } = {},
): Promise<Opened> {
  serial += 1;
  await stage.hub.fork(OWNER, REPO, "sam");
  const sam = stage.user("sam");
  const where = { owner: "sam", repo: REPO };
  const base = await tip(stage.user("mia"));
  // The fork may be behind: its branch starts at what the fork has.
  const start = await sam.rest.git.getCommit({ ...where, commit_sha: base }).then(
    () => base,
    () => tip(sam, "main", where),
  );
  const head = await commit(sam, where, start, files);
  const branch = names.branch ?? `result-${serial}`;
  await sam.rest.git.createRef({ ...where, ref: `refs/heads/${branch}`, sha: head });
  const { data } = await sam.rest.pulls.create({
    ...repo,
    title: names.title ?? "Result",
    ...(names.body === undefined ? {} : { body: names.body }),
    head: `sam:${branch}`,
    base: "main",
  });
  return { number: data.number, head, branch, owner: "sam" };
}

/** Pushes one more commit to a pull request's branch. */
export async function push(stage: Stage, pull: Opened): Promise<string> {
  serial += 1;
  const sam = stage.user("sam");
  const where = { owner: pull.owner, repo: REPO };
  const head = await commit(sam, where, await tip(sam, pull.branch, where), {
    [RESULT_PATH]: `{"serial":${serial}}\n`,
  });
  await sam.rest.git.updateRef({ ...where, ref: `heads/${pull.branch}`, sha: head });
  return head;
}

/** Moves main, as another merge would. */
export async function moveMain(stage: Stage, files?: Record<string, string>): Promise<string> {
  serial += 1;
  const mia = stage.user("mia");
  const sha = await commit(mia, repo, await tip(mia), files ?? { [`docs/${serial}.md`]: "moved\n" });
  const { appId, privateKey, installationId } = stage.hub.appCredentials;
  const app = new App({ appId, privateKey, Octokit: Octokit.defaults({ baseUrl: stage.hub.url }) });
  // Only the app may: main is protected.
  await (await app.getInstallationOctokit(installationId)).rest.git.updateRef({
    ...repo,
    ref: "heads/main",
    sha,
  });
  return sha;
}

/** Takes the newest unanswered trigger of an event. */
export function takeTrigger(
  stage: Stage,
  event: string,
  match: (trigger: Trigger) => boolean = () => true,
): Trigger {
  const index = stage.triggers.findLastIndex((trigger) => trigger.event === event && match(trigger));
  const [trigger] = index < 0 ? [] : stage.triggers.splice(index, 1);
  if (trigger === undefined) throw new Error(`there was no ${event}`);
  return trigger;
}

/** Plays the runner: a completed run with these artifacts. */
export function completeRun(
  stage: Stage,
  trigger: Trigger,
  artifacts: Record<string, Record<string, Uint8Array | string>>,
  options: { workflowPath?: string; conclusion?: "success" | "failure" | "cancelled" } = {},
): number {
  const { actions } = stage.hub;
  const id = actions.createRun({
    trigger,
    workflowPath: options.workflowPath ?? ".github/workflows/result-pr.yml",
    workflowName: "result-pr",
  });
  actions.startRun(id);
  for (const [name, files] of Object.entries(artifacts)) {
    const bytes = Object.entries(files).map(([path, data]) => [
      path,
      typeof data === "string" ? new TextEncoder().encode(data) : data,
    ]);
    actions.putArtifact(id, name, zipSync(Object.fromEntries(bytes)));
  }
  actions.completeRun(id, options.conclusion ?? "success");
  return id;
}

/** A report on a head, as the workflow would leave it. */
export const headReport = (pull: Opened, base: string, changes: Partial<Report> = {}): Report =>
  report({
    pull_request: pull.number,
    head_sha: pull.head,
    commit_sha: pull.head,
    base_sha: base,
    merge_base_sha: base,
    // All invented results have the same evidence, which open pull requests would be told of.
    results: report().results.map((result) => ({ ...result, evidence: null })),
    ...changes,
  });

export const artifact = (value: unknown): Record<string, Record<string, string>> => ({
  "assay-report": { "report.json": JSON.stringify(value) },
});

/** Opens a pull request and gives it a verdict. */
export async function judged(
  stage: Stage,
  changes: Partial<Report> = {},
  files?: Record<string, string>,
): Promise<Opened> {
  const pull = await openPull(stage, files);
  await stage.rest();
  const base = await tip(stage.user("mia"));
  completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base, changes)));
  await stage.rest();
  return pull;
}

/** Answers a dispatched recomputation of a merge commit as the workflow would. */
export async function answerMerge(
  stage: Stage,
  pull: Opened,
  changes: Partial<Report> = {},
): Promise<number> {
  const trigger = takeTrigger(stage, "workflow_dispatch", ({ inputs }) => inputs?.merge_sha?.length === 40);
  const inputs = trigger.inputs ?? {};
  const merge = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: inputs.merge_sha ?? "" });
  const value = report({
    mode: "merge",
    pull_request: pull.number,
    head_sha: inputs.head_sha ?? "",
    base_sha: inputs.base_sha ?? "",
    merge_base_sha: inputs.base_sha ?? "",
    commit_sha: merge.data.sha,
    tree_sha: merge.data.tree.sha,
    ...changes,
  });
  const id = completeRun(stage, trigger, artifact(value));
  await stage.rest();
  return id;
}

export interface Seen {
  readonly id: number;
  readonly body: string;
  readonly by: string;
}

export async function comments(stage: Stage, pull: Opened): Promise<Seen[]> {
  const mia = stage.user("mia");
  const data = await mia.paginate(mia.rest.issues.listComments, {
    ...repo,
    issue_number: pull.number,
    per_page: 100,
  });
  return data.map(({ id, body, user }) => ({ id, body: body ?? "", by: user?.login ?? "" }));
}

export const sticky = async (stage: Stage, pull: Opened): Promise<Seen[]> =>
  (await comments(stage, pull)).filter(
    ({ by, body }) => by === "assay[bot]" && body.startsWith("<!-- assay:result"),
  );

export const replies = async (stage: Stage, pull: Opened): Promise<Seen[]> =>
  (await comments(stage, pull)).filter(
    ({ by, body }) => by === "assay[bot]" && body.startsWith("<!-- assay:reply"),
  );

export async function say(stage: Stage, login: string, pull: Opened, body: string): Promise<number> {
  const { data } = await stage
    .user(login)
    .rest.issues.createComment({ ...repo, issue_number: pull.number, body });
  await stage.rest();
  return data.id;
}

export async function checks(
  stage: Stage,
  sha: string,
): Promise<
  Map<
    string,
    { status: string; conclusion: string | null; title: string; summary: string; annotations: number }
  >
> {
  const { data } = await stage.user("mia").rest.checks.listForRef({ ...repo, ref: sha, per_page: 100 });
  return new Map(
    data.check_runs.map((run) => [
      run.name,
      {
        status: run.status,
        conclusion: run.conclusion,
        title: run.output.title ?? "",
        summary: run.output.summary ?? "",
        annotations: run.output.annotations_count,
      },
    ]),
  );
}

/** Sends a webhook of the test's own to the bot. Returns the HTTP status. */
export async function deliver(
  stage: Stage,
  event: string,
  payload: unknown,
  options: { secret?: string; id?: string; signature?: string } = {},
): Promise<number> {
  const body = JSON.stringify(payload);
  const secret = options.secret ?? stage.hub.appCredentials.webhookSecret;
  const answer = await fetch(stage.bot.webhookUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": options.id ?? "00000000-0000-0000-0000-000000000001",
      "x-hub-signature-256":
        options.signature ?? `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { App, Octokit } from "octokit";
import type { HubOptions, LocalHub } from "../../../rehearsal/hub/index.ts";
import { startHub } from "../../../rehearsal/hub/index.ts";

export const OWNER = "assay-office";
export const REPO = "assay";

export const WORKFLOW = `name: Result
on:
  pull_request_target:
  workflow_dispatch:
    inputs:
      pull_request: { required: true }
      mode: { default: check }
jobs:
  plan: { runs-on: ubuntu-latest, steps: [{ run: echo }] }
`;

export const APP_PERMISSIONS = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  actions: "write",
} as const;

/** A hub with a maintainer, a triager and a stranger, and one repository whose main only the app may move. */
export const start = (changes: Partial<HubOptions> = {}): Promise<LocalHub> =>
  startHub({
    users: [{ login: "mia" }, { login: "tess" }, { login: "sam" }],
    organizations: [{ login: OWNER }],
    app: { slug: "assay", account: OWNER, permissions: APP_PERMISSIONS },
    repositories: [
      {
        owner: OWNER,
        name: REPO,
        roles: { mia: "maintain", tess: "triage" },
        protectedBranches: { main: { bypass: ["assay"] }, "assay/held": { bypass: ["assay"] } },
        seed: {
          files: {
            "README.md": "# Assay\n",
            "docs/a/b.md": "deep\n",
            ".github/workflows/result-pr.yml": WORKFLOW,
            ".github/workflows/ci.yml": "name: CI\non: push\njobs: {}\n",
          },
        },
      },
    ],
    // Some tests ask for what the hub has not; every other line is a mistake to see.
    log: (line) => {
      if (!line.startsWith("The local hub does not hold")) console.error(line);
    },
    ...changes,
  });

/** No retries and no pauses: tests want the answer itself. */
const quick = { retry: { enabled: false }, throttle: { enabled: false } };

export const asUser = (hub: LocalHub, login: string): Octokit =>
  new Octokit({ baseUrl: hub.url, auth: hub.userToken(login), ...quick });

export const asToken = (hub: LocalHub, token: string): Octokit =>
  new Octokit({ baseUrl: hub.url, auth: token, ...quick });

export const asApp = (hub: LocalHub): App => {
  const { appId, privateKey } = hub.appCredentials;
  return new App({ appId, privateKey, Octokit: Octokit.defaults({ baseUrl: hub.url, ...quick }) });
};

export const asInstallation = (hub: LocalHub): Promise<Octokit> =>
  asApp(hub).getInstallationOctokit(hub.appCredentials.installationId);

export const repo = { owner: OWNER, repo: REPO };

/** The status and message of a refused request. */
export async function refused(call: Promise<unknown>): Promise<{ status: number; message: string }> {
  try {
    await call;
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    if (typeof status === "number") return { status, message };
    throw error;
  }
  throw new Error("The request was not refused.");
}

const run = promisify(execFile);

export interface Checkout {
  readonly dir: string;
  git(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Runs git as a person without settings of their own would. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Sam",
    GIT_AUTHOR_EMAIL: "sam@localhost",
    GIT_COMMITTER_NAME: "Sam",
    GIT_COMMITTER_EMAIL: "sam@localhost",
  };
  const { stdout, stderr } = await run("git", args, { cwd, env });
  return `${stdout}${stderr}`.trim();
}

export async function clone(url: string): Promise<Checkout> {
  const dir = await mkdtemp(join(tmpdir(), "hub-clone-"));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  await git(dir, "clone", "--quiet", url, ".").catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    dir,
    git: (...args) => git(dir, ...args),
    remove,
  };
}

export interface Received {
  readonly event: string;
  readonly delivery: string;
  readonly signed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads as GitHub documents them.
  readonly payload: any;
}

/** An app's webhook door that writes down what it got. */
export async function receiver(
  secret: string,
): Promise<{ url: string; received: Received[]; close(): Promise<void> }> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    received.push({
      event: String(request.headers["x-github-event"]),
      delivery: String(request.headers["x-github-delivery"]),
      signed: request.headers["x-hub-signature-256"] === expected,
      payload: JSON.parse(body.toString("utf8")),
    });
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A commit on `parent` with these files (null removes), made over the API. */
export async function commitFiles(
  octokit: Octokit,
  where: { owner: string; repo: string },
  parent: string,
  files: Record<string, string | null>,
  message = "Change files",
): Promise<string> {
  const base = await octokit.rest.git.getCommit({ ...where, commit_sha: parent });
  const tree = await octokit.rest.git.createTree({
    ...where,
    base_tree: base.data.tree.sha,
    tree: Object.entries(files).map(([path, content]) =>
      content === null
        ? { path, mode: "100644" as const, type: "blob" as const, sha: null }
        : { path, mode: "100644" as const, type: "blob" as const, content },
    ),
  });
  const commit = await octokit.rest.git.createCommit({
    ...where,
    message,
    tree: tree.data.sha,
    parents: [parent],
  });
  return commit.data.sha;
}

/** The tip of a branch. */
export const tip = async (octokit: Octokit, branch = "main"): Promise<string> =>
  (await octokit.rest.git.getRef({ ...repo, ref: `heads/${branch}` })).data.object.sha;

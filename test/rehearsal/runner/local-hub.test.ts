import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { startHub } from "../../../rehearsal/hub/index.ts";
import { type RunnerEvent, startRunner } from "../../../rehearsal/runner/index.ts";

const WORKFLOW = `
name: judge
on:
  pull_request_target:
  workflow_dispatch: { inputs: { note: { required: true } } }
permissions: {}
jobs:
  judge:
    runs-on: ubuntu-24.04
    permissions: { contents: read }
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
      - id: read
        if: github.event_name == 'pull_request_target'
        env: { HEAD: "\${{ github.event.pull_request.head.sha }}" }
        run: |
          git fetch --quiet origin "$HEAD"
          git cat-file -p "$HEAD:result.txt" > report.txt
          ! git push --quiet origin HEAD:refs/heads/stolen
      - run: echo "\${{ inputs.note || 'from a pull request' }}" >> report.txt
      - uses: actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a
        with: { name: report, path: report.txt }
`;

test("on the real hub: a fork's pull request is read as data, a dispatch is answered, the API shows both", async () => {
  const workDir = await mkdtemp(join(tmpdir(), "runner-hub-"));
  const hub = await startHub({
    users: [{ login: "mona" }, { login: "stranger" }],
    organizations: [{ login: "office" }],
    repositories: [
      {
        owner: "office",
        name: "results",
        seed: { files: { ".github/workflows/judge.yml": WORKFLOW, "result.txt": "of the base\n" } },
        roles: { mona: "maintain" },
      },
    ],
  });
  const events: RunnerEvent[] = [];
  const runner = await startRunner({ hub, workDir, log: (event) => events.push(event) });
  onTestFinished(async () => {
    await runner.close();
    await hub.close();
    await rm(workDir, { recursive: true, force: true });
  });
  const api = async (login: string, method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${hub.url}/repos/${path}`, {
      method,
      headers: { authorization: `token ${hub.userToken(login)}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    return response;
  };
  await hub.fork("office", "results", "stranger");
  const clone = join(workDir, "clone");
  const git = async (...args: string[]) => {
    const env = { PATH: process.env.PATH ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    await promisify(execFile)("git", args, { env });
  };
  await git("clone", "--quiet", hub.cloneUrl("stranger", "stranger", "results"), clone);
  await writeFile(join(clone, "result.txt"), "of the fork\n");
  const author = ["-c", "user.name=Stranger", "-c", "user.email=stranger@example.org"];
  await git("-C", clone, ...author, "commit", "--quiet", "--all", "--message", "Change");
  await git("-C", clone, "push", "--quiet", "origin", "HEAD:main");
  await api("stranger", "POST", "office/results/pulls", {
    title: "A result",
    head: "stranger:main",
    base: "main",
  });
  await hub.settled();
  await runner.idle();
  await api("mona", "POST", "office/results/actions/workflows/judge.yml/dispatches", {
    ref: "main",
    inputs: { note: "asked for" },
  });
  await hub.settled();
  await runner.idle();

  type Runs = { workflow_runs: { id: number; event: string; conclusion: string; name: string }[] };
  const runs = (await (await api("mona", "GET", "office/results/actions/runs")).json()) as Runs;
  const shown = runs.workflow_runs.map((run) => [run.name, run.event, run.conclusion]);
  expect(shown.sort()).toEqual([
    ["judge", "pull_request_target", "success"],
    ["judge", "workflow_dispatch", "success"],
  ]);
  const report = async (event: string) => {
    const id = runs.workflow_runs.find((run) => run.event === event)?.id;
    const list = await (await api("mona", "GET", `office/results/actions/runs/${id}/artifacts`)).json();
    const [artifact] = (list as { artifacts: { id: number; name: string }[] }).artifacts;
    const zip = await api("mona", "GET", `office/results/actions/artifacts/${artifact?.id}/zip`);
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    return Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
    );
  };
  expect(await report("pull_request_target")).toEqual({ "report.txt": "of the fork\nfrom a pull request\n" });
  expect(await report("workflow_dispatch")).toEqual({ "report.txt": "asked for\n" });
  expect(events.filter((event) => event.type === "problem")).toEqual([]);
});

const QUEUED = `
name: judge
on: [pull_request_target, merge_group]
permissions: {}
jobs:
  judge:
    runs-on: ubuntu-24.04
    permissions: { contents: read }
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
      - if: github.event_name == 'merge_group'
        run: test "$(cat result.txt)" = good
`;

test("F15: on the real hub: a merge queue runs the workflow on the merge commit and goes by its job", async () => {
  const workDir = await mkdtemp(join(tmpdir(), "runner-queue-"));
  const hub = await startHub({
    users: [{ login: "mona" }],
    repositories: [
      {
        owner: "mona",
        name: "results",
        protectedBranches: {
          main: {
            bypass: [],
            requiredChecks: [{ name: "judge", app: "github-actions" }],
            mergeQueue: true,
          },
        },
        seed: { files: { ".github/workflows/judge.yml": QUEUED } },
      },
    ],
  });
  const runner = await startRunner({ hub, workDir, log: () => undefined });
  onTestFinished(async () => {
    await runner.close();
    await hub.close();
    await rm(workDir, { recursive: true, force: true });
  });
  const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${hub.url}/repos/mona/results/${path}`, {
      method,
      headers: { authorization: `token ${hub.userToken("mona")}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    return response.json() as Promise<T>;
  };
  const main = async (): Promise<string> =>
    (await api<{ object: { sha: string } }>("GET", "git/ref/heads/main")).object.sha;
  const send = async (name: string, content: string): Promise<number> => {
    const base = await main();
    const tree = [{ path: "result.txt", mode: "100644", type: "blob", content }];
    const made = await api<{ sha: string }>("POST", "git/trees", { base_tree: base, tree });
    const commit = { message: name, tree: made.sha, parents: [base] };
    const { sha } = await api<{ sha: string }>("POST", "git/commits", commit);
    await api("POST", "git/refs", { ref: `refs/heads/${name}`, sha });
    return (await api<{ number: number }>("POST", "pulls", { title: name, head: name, base: "main" })).number;
  };
  const before = await main();
  const rest = async (): Promise<void> => {
    await hub.settled();
    await runner.idle();
    await hub.settled();
  };
  const bad = await send("bad", "bad");
  await expect(hub.enqueue("mona", "mona", "results", bad)).rejects.toThrow(/"judge" is expected/);
  await rest();
  await hub.enqueue("mona", "mona", "results", bad);
  await rest();
  expect([await main(), hub.queue("mona", "results", "main")]).toEqual([before, []]);
  const good = await send("good", "good");
  await rest();
  await hub.enqueue("mona", "mona", "results", good);
  const [entry] = hub.queue("mona", "results", "main");
  await rest();
  expect(await main()).toBe(entry?.sha);
  expect(await api("GET", `pulls/${good}`)).toMatchObject({ merged: true, merge_commit_sha: entry?.sha });
});

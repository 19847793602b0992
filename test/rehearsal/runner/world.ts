/** A repository on a fake hub with the real runner listening: commit files, fire events, look at runs. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { onTestFinished } from "vitest";
import type { Repository, Trigger } from "../../../rehearsal/hub/contract.ts";
import {
  type Runner,
  type RunnerEvent,
  type RunnerOptions,
  startRunner,
} from "../../../rehearsal/runner/index.ts";
import { FakeHub, type FakeRun } from "./fake-hub.ts";

const run = promisify(execFile);

export interface World {
  readonly hub: FakeHub;
  readonly runner: Runner;
  readonly events: RunnerEvent[];
  readonly workDir: string;
  readonly repository: Repository;
  git(...args: string[]): Promise<string>;
  /** Commits files on a branch of the bare repository and returns the commit. */
  commit(files: Readonly<Record<string, string>>, branch?: string): Promise<string>;
  /** Fires an event; by default a push to main. */
  fire(trigger: Partial<Trigger> & { readonly sha: string }): void;
  /** Commits one workflow that listens to pushes, fires one and waits. */
  push(workflow: string, files?: Readonly<Record<string, string>>): Promise<FakeRun>;
  dispatch(sha: string, path: string, inputs?: Readonly<Record<string, string>>): Promise<FakeRun>;
  last(): FakeRun;
}

export async function makeWorld(options: Partial<RunnerOptions> = {}): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), "runner-"));
  const gitDir = join(root, "hub", "assay-office", "results.git");
  const tree = join(root, "tree");
  await mkdir(gitDir, { recursive: true });
  await mkdir(tree);
  const env = {
    PATH: process.env.PATH ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Author",
    GIT_AUTHOR_EMAIL: "author@example.org",
    GIT_COMMITTER_NAME: "Author",
    GIT_COMMITTER_EMAIL: "author@example.org",
  };
  const git = async (...args: string[]) => (await run("git", ["-C", tree, ...args], { env })).stdout.trim();
  await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", gitDir], { env });
  await git("init", "--quiet", "--initial-branch=main");
  await git("remote", "add", "origin", gitDir);
  const repository: Repository = {
    id: 77,
    owner: "assay-office",
    name: "results",
    defaultBranch: "main",
    gitDir,
  };
  const hub = await FakeHub.start(join(root, "hub"), repository);
  const events: RunnerEvent[] = [];
  const workDir = join(root, "work");
  const runner = await startRunner({ hub, workDir, log: (event) => events.push(event), ...options });
  onTestFinished(async () => {
    await runner.close();
    await hub.close();
    await rm(root, { recursive: true, force: true });
  });
  const commit: World["commit"] = async (files, branch = "main") => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    }
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "-m", "Change");
    await git("push", "--quiet", "--force", "origin", `HEAD:refs/heads/${branch}`);
    return git("rev-parse", "HEAD");
  };
  const fire: World["fire"] = (trigger) => {
    hub.fire({
      event: "push",
      payload: { repository: { id: repository.id, owner: { id: 5, login: "assay-office" } } },
      repository,
      ref: "refs/heads/main",
      headSha: trigger.sha,
      headBranch: "main",
      headRepository: { id: repository.id, fullName: "assay-office/results" },
      actor: { id: 9, login: "mona" },
      ...trigger,
    });
  };
  const last = () => {
    const found = hub.runs.at(-1);
    if (!found) throw new Error("there is no run");
    return found;
  };
  return {
    hub,
    runner,
    events,
    workDir,
    repository,
    git,
    commit,
    fire,
    last,
    async push(workflow, files = {}) {
      const sha = await commit({ ".github/workflows/test.yml": workflow, ...files });
      fire({ sha });
      await runner.idle();
      return last();
    },
    async dispatch(sha, path, inputs = {}) {
      fire({ sha, event: "workflow_dispatch", workflowPath: path, inputs });
      await runner.idle();
      return last();
    },
  };
}

/** The log of a job without its times. */
export function logOf(run: FakeRun, job: string): string {
  const found = run.jobs.find((candidate) => candidate.name === job);
  if (!found)
    throw new Error(`no job ${job} among ${run.jobs.map((candidate) => candidate.name).join(", ")}`);
  return found.log.replace(/^\S+Z /gm, "");
}

export function conclusions(run: FakeRun): Record<string, string | null> {
  return Object.fromEntries(run.jobs.map((job) => [job.name, job.conclusion]));
}

/** Files of an artifact, as text. */
export function artifactFiles(run: FakeRun, name: string): Record<string, string> {
  const found = run.artifacts.find((artifact) => artifact.name === name);
  if (!found) throw new Error(`no artifact ${name}`);
  const entries = Object.entries(unzipSync(found.zip));
  return Object.fromEntries(entries.map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
}

/** `job: echo …` steps with little noise: a workflow on push with one job `main`. */
export function workflow(steps: string, more = ""): string {
  return `on: push\n${more}\njobs:\n  main:\n    runs-on: ubuntu-latest\n    steps:\n${steps.replace(/^/gm, "      ")}\n`;
}

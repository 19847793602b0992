import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Octokit } from "octokit";
import { PUBLISHED_LIMITS, unpack } from "../src/io/github/artifacts.ts";
import { REPORT_ARTIFACT } from "../src/lib/bot/trust.ts";
import type { LocalHub } from "./hub/index.ts";

const run = promisify(execFile);

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** Files to write on a branch, by repository path. */
export type Change = Readonly<Record<string, string | Uint8Array>>;

/** Somebody who works on GitHub as people do: git over HTTP with a token, and the REST API. */
export class Person {
  readonly login: string;
  readonly #hub: LocalHub;
  readonly #octokit: Octokit;

  constructor(hub: LocalHub, login: string) {
    this.login = login;
    this.#hub = hub;
    this.#octokit = new Octokit({ baseUrl: hub.url, auth: hub.userToken(login), retry: { enabled: false } });
  }

  /** Forks, clones into `folder`, commits `change` on a branch off the base's main, pushes. Returns the head sha. */
  async pushChange(
    base: RepositoryName,
    folder: string,
    branch: string,
    change: Change,
    message: string,
  ): Promise<string> {
    const fork = await this.#hub.fork(base.owner, base.name, this.login);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const git = async (...args: string[]): Promise<string> => {
      const identity = [
        "-c",
        `user.name=${this.login}`,
        "-c",
        `user.email=${this.login}@example.org`,
        "-c",
        "commit.gpgsign=false",
      ];
      const { stdout } = await run("git", [...identity, "-C", folder, ...args], {
        env: {
          ...process.env,
          GIT_TERMINAL_PROMPT: "0",
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_CONFIG_NOSYSTEM: "1",
        },
      });
      return stdout.trim();
    };
    await git("init", "--quiet");
    await git("fetch", "--quiet", this.#hub.cloneUrl(this.login, base.owner, base.name), "main");
    await git("checkout", "--quiet", "-b", branch, "FETCH_HEAD");
    for (const [path, content] of Object.entries(change)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    await git("add", "--all");
    await git("commit", "--quiet", "-m", message);
    await git(
      "push",
      "--quiet",
      this.#hub.cloneUrl(this.login, fork.owner, fork.name),
      `HEAD:refs/heads/${branch}`,
    );
    return git("rev-parse", "HEAD");
  }

  /** Opens a pull request from this person's fork; returns its number. */
  async openPullRequest(base: RepositoryName, branch: string, title: string, body: string): Promise<number> {
    const { data } = await this.#octokit.rest.pulls.create({
      owner: base.owner,
      repo: base.name,
      base: "main",
      head: `${this.login}:${branch}`,
      title,
      body,
    });
    return data.number;
  }

  async comment(base: RepositoryName, number: number, body: string): Promise<void> {
    await this.#octokit.rest.issues.createComment({
      owner: base.owner,
      repo: base.name,
      issue_number: number,
      body,
    });
  }

  /** Every comment on a pull request, oldest first. */
  async readComments(base: RepositoryName, number: number): Promise<{ author: string; body: string }[]> {
    const comments = await this.#octokit.paginate(this.#octokit.rest.issues.listComments, {
      owner: base.owner,
      repo: base.name,
      issue_number: number,
      per_page: 100,
    });
    return comments.map(({ user, body }) => ({ author: user?.login ?? "?", body: body ?? "" }));
  }

  async readPullRequest(
    base: RepositoryName,
    number: number,
  ): Promise<{ title: string; state: string; merged: boolean; headSha: string }> {
    const { data } = await this.#octokit.rest.pulls.get({
      owner: base.owner,
      repo: base.name,
      pull_number: number,
    });
    return { title: data.title, state: data.state, merged: data.merged, headSha: data.head.sha };
  }

  /** Conclusion and title of the newest check run of this name on a commit; null when there is none. */
  async readCheck(
    base: RepositoryName,
    sha: string,
    name: string,
  ): Promise<{ conclusion: string | null; title: string | null } | null> {
    const { data } = await this.#octokit.rest.checks.listForRef({
      owner: base.owner,
      repo: base.name,
      ref: sha,
      check_name: name,
    });
    const check = data.check_runs[0];
    return check === undefined ? null : { conclusion: check.conclusion, title: check.output.title };
  }

  /** The report that a run of `result-pr.yml` left for a head, as its bytes; null when there is none. */
  readReport(base: RepositoryName, sha: string): Promise<Uint8Array | null> {
    return this.readArtifact(base, sha, REPORT_ARTIFACT, "report.json");
  }

  /** A file of an artifact that the newest run of `result-pr.yml` left for a head; null when there is none. */
  async readArtifact(
    base: RepositoryName,
    sha: string,
    name: string,
    file: string,
  ): Promise<Uint8Array | null> {
    const where = { owner: base.owner, repo: base.name };
    const { data } = await this.#octokit.rest.actions.listWorkflowRuns({
      ...where,
      workflow_id: "result-pr.yml",
      event: "pull_request_target",
      head_sha: sha,
    });
    const [run] = data.workflow_runs.sort((a, b) => b.id - a.id);
    if (run === undefined) return null;
    const { data: list } = await this.#octokit.rest.actions.listWorkflowRunArtifacts({
      ...where,
      run_id: run.id,
      name,
    });
    const [artifact] = list.artifacts;
    if (artifact === undefined) return null;
    const { data: zip } = await this.#octokit.rest.actions.downloadArtifact({
      ...where,
      artifact_id: artifact.id,
      archive_format: "zip",
    });
    return unpack(new Uint8Array(zip as ArrayBuffer), PUBLISHED_LIMITS).get(file) ?? null;
  }

  /** A file's text on a branch; null when there is none. */
  async readFile(base: RepositoryName, ref: string, path: string): Promise<string | null> {
    try {
      const { data } = await this.#octokit.rest.repos.getContent({
        owner: base.owner,
        repo: base.name,
        ref,
        path,
        mediaType: { format: "raw" },
      });
      return String(data);
    } catch (error) {
      if (error instanceof Error && "status" in error && error.status === 404) return null;
      throw error;
    }
  }
}

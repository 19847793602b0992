import type { PermissionFacts } from "../../lib/bot/authorise.ts";
import type { PullFacts, RunFacts } from "../../lib/bot/trust.ts";
import { isDataPath } from "../../lib/result-pr/code-paths.ts";
import { statusOf } from "./policy.ts";
import { at, orNull, type Repository } from "./repository.ts";

/** Pull requests and the people around them. */

interface PullData {
  readonly number: number;
  readonly state: string;
  readonly merged_at: string | null;
  readonly draft?: boolean | undefined;
  readonly updated_at: string;
  readonly created_at: string;
  readonly head: {
    readonly sha: string;
    readonly ref: string;
    readonly repo: { readonly id: number | bigint } | null;
  };
  readonly base: { readonly ref: string };
  readonly mergeable?: boolean | null | undefined;
  readonly labels?: readonly { readonly name?: string | undefined }[] | undefined;
}

const pullFacts = (data: PullData): PullFacts => ({
  number: data.number,
  open: data.state === "open",
  merged: data.merged_at !== null,
  draft: data.draft === true,
  headSha: data.head.sha,
  headRepositoryId: data.head.repo === null ? null : Number(data.head.repo.id),
  headBranch: data.head.repo === null ? null : data.head.ref,
  baseRef: data.base.ref,
  createdAt: data.created_at,
  updatedAt: data.updated_at,
  mergeable: data.mergeable ?? null,
  labels: (data.labels ?? []).map(({ name }) => name ?? ""),
});

/** Null when there is no such pull request. */
export async function readPull(repository: Repository, number: number): Promise<PullFacts | null> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
      ...at(repository),
      pull_number: number,
    }),
  );
  return answer === null ? null : pullFacts(answer.data);
}

/** Open pull requests from the branch that a run names; the caller compares heads. */
export async function readPullsOfRun(repository: Repository, run: RunFacts): Promise<PullFacts[]> {
  if (run.headOwner === null || run.headBranch === null) return [];
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/pulls", {
    ...at(repository),
    state: "open",
    head: `${run.headOwner}:${run.headBranch}`,
    per_page: 100,
  });
  return data.map(pullFacts);
}

/** Every open pull request against the default branch, oldest first. */
export async function readOpenPulls(repository: Repository): Promise<PullFacts[]> {
  const data = await repository.client.paginate("GET /repos/{owner}/{repo}/pulls", {
    ...at(repository),
    state: "open",
    base: repository.defaultBranch,
    sort: "created",
    direction: "asc",
    per_page: 100,
  });
  return data.map(pullFacts);
}

/** Pull requests that were closed without being merged, last touched first: at most 50. */
export async function readClosedPulls(repository: Repository): Promise<PullFacts[]> {
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/pulls", {
    ...at(repository),
    state: "closed",
    sort: "updated",
    direction: "desc",
    per_page: 50,
  });
  return data.map(pullFacts).filter(({ merged }) => !merged);
}

const RESULTS = "benchmarks/results/";
const isJudged = (path: string | undefined): boolean =>
  path !== undefined && (path.startsWith(RESULTS) || isDataPath(path));
/** Pages of 100 files that are looked at before leaving the answer to the report, which reads the whole tree. */
const FILE_PAGES = 3;

/** Whether the first files of a pull request touch results, or facts of the code benchmark: a cheap look that the report later replaces. */
export async function seemsToTouchResults(repository: Repository, number: number): Promise<boolean> {
  for (let page = 1; page <= FILE_PAGES; page += 1) {
    const { data } = await repository.client.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", {
      ...at(repository),
      pull_number: number,
      per_page: 100,
      page,
    });
    const touches = data.some((file) => isJudged(file.filename) || isJudged(file.previous_filename));
    if (touches) return true;
    if (data.length < 100) return false;
  }
  return false;
}

/** Paths of the first files that a pull request changes, by both names of a renamed one: at most 300 files. */
export async function readChangedPaths(repository: Repository, number: number): Promise<string[]> {
  const paths: string[] = [];
  for (let page = 1; page <= FILE_PAGES; page += 1) {
    const { data } = await repository.client.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", {
      ...at(repository),
      pull_number: number,
      per_page: 100,
      page,
    });
    for (const file of data)
      paths.push(file.filename, ...(file.previous_filename === undefined ? [] : [file.previous_filename]));
    if (data.length < 100) break;
  }
  return paths;
}

/** Number of the newest pull request from a branch of this repository, in whatever state; null when there is none. */
export async function readPullOfBranch(repository: Repository, branch: string): Promise<number | null> {
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/pulls", {
    ...at(repository),
    state: "all",
    head: `${repository.owner}:${branch}`,
    per_page: 1,
  });
  return data[0]?.number ?? null;
}

/** Opens a pull request from a branch of this repository. Returns its number. Never call it without having looked for one. */
export async function postPull(
  repository: Repository,
  pull: { readonly branch: string; readonly title: string; readonly body: string },
): Promise<number> {
  const { data } = await repository.client.request("POST /repos/{owner}/{repo}/pulls", {
    ...at(repository),
    head: pull.branch,
    base: repository.defaultBranch,
    title: pull.title,
    body: pull.body,
  });
  return data.number;
}

/** What GitHub says about a person's permission; null when it says nothing, which denies. */
export async function readPermission(repository: Repository, login: string): Promise<PermissionFacts | null> {
  try {
    const { data } = await repository.client.request(
      "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
      { ...at(repository), username: login },
    );
    if (data.user === null) return null;
    return { userId: Number(data.user.id), roleName: data.role_name, permission: data.permission };
  } catch (error) {
    if (statusOf(error) !== null) return null;
    throw error;
  }
}

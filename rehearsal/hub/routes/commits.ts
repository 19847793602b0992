import { diffText, type FileChange, fileChanges } from "../git-diff.ts";
import {
  ApiError,
  type Call,
  type Json,
  NotHeldError,
  notFound,
  paged,
  type Reply,
  type Route,
  reply,
  repositoryRoute,
  wants,
} from "../http.ts";
import { COMMIT_PAGE_FILES, COMPARE_COMMITS, COMPARE_FILES, LISTED_FILES } from "../limits.ts";
import { commitObject, repositoryUrl } from "../payloads.ts";
import { reads } from "../permissions.ts";
import { pullObject } from "../pulls.ts";
import { branchTip } from "../refs.ts";
import type { HubState, RepositoryState } from "../state.ts";

export const fileObject = (
  state: HubState,
  repository: RepositoryState,
  commit: string,
  change: FileChange,
): Json => {
  const path = change.filename.split("/").map(encodeURIComponent).join("/");
  const page = `${state.url}/${repository.fullName}`;
  return {
    sha: change.sha,
    filename: change.filename,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${page}/blob/${commit}/${path}`,
    raw_url: `${repositoryUrl(state, repository)}/raw/${commit}/${path}`,
    contents_url: `${repositoryUrl(state, repository)}/contents/${path}?ref=${commit}`,
    ...(change.previousFilename === undefined ? {} : { previous_filename: change.previousFilename }),
    ...(change.patch === undefined ? {} : { patch: change.patch }),
  };
};

export const diffReply = (diff: Buffer | "too-large"): Reply => {
  if (diff === "too-large") {
    throw new ApiError(406, "Sorry, the diff exceeded the maximum number of files (300) or lines (20000).", {
      errors: [{ resource: "PullRequest", field: "diff", code: "too_large" }],
    });
  }
  return {
    status: 200,
    headers: { "content-type": "application/vnd.github.diff; charset=utf-8" },
    body: diff,
  };
};

/** Branches, commits and comparisons. */
export function commitRoutes(state: HubState): Route[] {
  const read = reads("contents");
  return [
    repositoryRoute("GET", "/branches", read, async (call, repository) => {
      const refs = await repository.git.refs("refs/heads/");
      const only = call.query.get("protected");
      const rows = refs.map((row) =>
        branchRow(state, repository, row.name.slice("refs/heads/".length), row.sha),
      );
      return paged(
        state.url,
        call,
        rows.filter((row) => only === null || String(row.protected) === only),
      );
    }),
    repositoryRoute("GET", "/branches/*branch", read, async (call, repository) => {
      const { branch = "" } = call.params;
      // Protection has routes of its own on GitHub, below every branch; the hub's protection is set at its start.
      if (/\/protection(\/|$)/.test(branch)) throw new NotHeldError("branch protection routes");
      const sha = await branchTip(repository, branch);
      const commit = commitObject(state, repository, await repository.git.commit(sha));
      return reply(200, { ...branchRow(state, repository, branch, sha), commit });
    }),
    repositoryRoute("GET", "/commits", read, async (call, repository) => {
      const start = await repository.git.commitOf(call.query.get("sha") ?? repository.defaultBranch);
      if (start === null) throw notFound();
      const args = ["--literal-pathspecs", "rev-list"];
      for (const name of ["since", "until"]) {
        const value = call.query.get(name);
        if (value !== null && !Number.isNaN(Date.parse(value)))
          args.push(`--${name}=${new Date(value).toISOString()}`);
      }
      const path = call.query.get("path");
      const out = await repository.git.line([
        ...args,
        start,
        "--",
        ...(path === null || path === "" ? [] : [path]),
      ]);
      const page = paged(state.url, call, out === "" ? [] : out.split("\n"));
      const shas: string[] = JSON.parse(String(page.body));
      return { ...page, body: JSON.stringify(await commitRows(state, repository, shas)) };
    }),
    repositoryRoute("GET", "/commits/:sha/pulls", reads("pull_requests"), async (call, repository) => {
      const sha = await commitAt(repository, call.params.sha ?? "");
      const found: Json[] = [];
      for (const pull of repository.pulls.values()) {
        const inside =
          pull.mergeCommitSha === sha ||
          ((await repository.git.isAncestor(sha, pull.head.sha)) &&
            !(await repository.git.isAncestor(sha, pull.base.sha)));
        if (inside) found.push(await pullObject(state, repository, pull, false));
      }
      return paged(state.url, call, found);
    }),
    repositoryRoute("GET", "/commits/*ref", read, async (call, repository) => {
      const { ref = "" } = call.params;
      if (/\/(status|statuses|comments|check-suites|branches-where-head)$/.test(ref))
        throw new NotHeldError(call.path);
      const sha = await commitAt(repository, ref);
      if (wants(call, "sha"))
        return { status: 200, headers: { "content-type": "application/vnd.github.sha" }, body: sha };
      const commit = await repository.git.commit(sha);
      const parent = commit.parents[0] ?? null;
      const changes = await fileChanges(repository.git, parent, sha);
      const additions = changes.reduce((sum, change) => sum + change.additions, 0);
      const deletions = changes.reduce((sum, change) => sum + change.deletions, 0);
      const files = changes
        .slice(0, LISTED_FILES)
        .map((change) => fileObject(state, repository, sha, change));
      const whole = {
        ...commitObject(state, repository, commit),
        stats: { total: additions + deletions, additions, deletions },
      };
      return paged(state.url, call, files, (page) => ({ ...whole, files: page }), COMMIT_PAGE_FILES);
    }),
    repositoryRoute("GET", "/compare/*basehead", read, (call, repository) =>
      compare(state, call, repository),
    ),
  ];
}

async function commitAt(repository: RepositoryState, name: string): Promise<string> {
  const sha = await repository.git.commitOf(name);
  if (sha === null) throw new ApiError(422, `No commit found for SHA: ${name}`);
  return sha;
}

function branchRow(state: HubState, repository: RepositoryState, name: string, sha: string): Json {
  return {
    name,
    commit: { sha, url: `${repositoryUrl(state, repository)}/commits/${sha}` },
    protected: repository.protectedBranches.has(name),
  };
}

async function commitRows(
  state: HubState,
  repository: RepositoryState,
  shas: readonly string[],
): Promise<Json[]> {
  const rows: Json[] = [];
  for (const sha of shas) rows.push(commitObject(state, repository, await repository.git.commit(sha)));
  return rows;
}

/** Both ends of `base...head`; an end may be `owner:branch` of the same network. Forks share their objects. */
async function compareEnd(state: HubState, repository: RepositoryState, name: string): Promise<string> {
  const colon = name.indexOf(":");
  if (colon === -1) {
    const sha = await repository.git.commitOf(name);
    if (sha === null) throw notFound();
    return sha;
  }
  const owner = name.slice(0, colon).toLowerCase();
  const branch = name.split(":").at(-1) ?? "";
  const source = [...state.repositories.values()].find(
    (candidate) =>
      candidate.owner.toLowerCase() === owner &&
      (candidate === repository || candidate.parent === repository || repository.parent === candidate),
  );
  const sha = await source?.git.ref(`refs/heads/${branch}`);
  if (source === undefined || sha === undefined || sha === null) throw notFound();
  return sha;
}

async function compare(state: HubState, call: Call, repository: RepositoryState): Promise<Reply> {
  const ends = (call.params.basehead ?? "").split("...");
  if (ends.length !== 2) throw notFound();
  const base = await compareEnd(state, repository, ends[0] ?? "");
  const head = await compareEnd(state, repository, ends[1] ?? "");
  const { git } = repository;
  const mergeBase = await git.mergeBase(base, head);
  if (mergeBase === null) throw new ApiError(404, `No common ancestor between ${ends[0]} and ${ends[1]}.`);
  if (wants(call, "diff")) return diffReply(await diffText(git, mergeBase, head));
  const ahead = await git.revList(head, [base], { reverse: true });
  const behind = (await git.revList(base, [head])).length;
  const status =
    ahead.length === 0 ? (behind === 0 ? "identical" : "behind") : behind === 0 ? "ahead" : "diverged";
  const changes = await fileChanges(git, mergeBase, head);
  const api = repositoryUrl(state, repository);
  const [baseCommit, commonCommit] = await commitRows(state, repository, [base, mergeBase]);
  const paging = call.query.has("page") || call.query.has("per_page");
  const page = paging ? paged(state.url, call, ahead) : null;
  const shown: string[] = page === null ? ahead.slice(0, COMPARE_COMMITS) : JSON.parse(String(page.body));
  const first = Number(call.query.get("page") ?? "1") <= 1;
  return reply(
    200,
    {
      url: `${api}/compare/${ends.join("...")}`,
      html_url: `${state.url}/${repository.fullName}/compare/${ends.join("...")}`,
      base_commit: baseCommit,
      merge_base_commit: commonCommit,
      status,
      ahead_by: ahead.length,
      behind_by: behind,
      total_commits: ahead.length,
      commits: await commitRows(state, repository, shown),
      files: first
        ? changes.slice(0, COMPARE_FILES).map((change) => fileObject(state, repository, head, change))
        : [],
    },
    page?.headers?.link === undefined ? {} : { link: page.headers.link },
  );
}

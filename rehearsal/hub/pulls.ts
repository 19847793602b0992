import type { Trigger } from "./contract.ts";
import type { Effect } from "./effects.ts";
import { countChanges } from "./git-diff.ts";
import { mergeTrees } from "./git-merge.ts";
import { ApiError, invalid, type Json, text } from "./http.ts";
import { notify, repositoryUrl, userObject } from "./payloads.ts";
import type { HubState, RepositoryState } from "./state.ts";
import type { Account, Actor } from "./tokens.ts";

/** A pull request: what GitHub adds to the issue of the same number, which the emulator holds. */
export interface Pull {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  readonly createdAt: string;
  readonly base: { ref: string; sha: string };
  readonly head: { readonly repository: RepositoryState; readonly ref: string; sha: string };
  updatedAt: string;
  draft: boolean;
  state: "open" | "closed";
  closedAt: string | null;
  mergedAt: string | null;
  mergedBy: Account | null;
  /** Test merge while open, the commit that brought it into the base once merged. */
  mergeCommitSha: string | null;
  /** The pair (base tip, head) the test merge was made for, and whether it came out clean. */
  tested: { readonly base: string; readonly head: string; readonly clean: boolean } | null;
}

/** Under what name the hub notes the times of an issue. */
export const issueKey = (repository: RepositoryState, number: number): string =>
  `issue ${repository.id} ${number}`;

/** The issue behind a pull request. */
export const issueOf = async (state: HubState, repository: RepositoryState, number: number): Promise<Json> =>
  state.dated(issueKey(repository, number), await state.emulate.issue(repository.fullName, number));

export const pullUrl = (state: HubState, repository: RepositoryState, number: number): string =>
  `${repositoryUrl(state, repository)}/pulls/${number}`;

/** `issue.pull_request`: how GitHub marks an issue that is a pull request. */
export const pullMark = (state: HubState, repository: RepositoryState, pull: Pull): Json => {
  const page = `${state.url}/${repository.fullName}/pull/${pull.number}`;
  return {
    url: pullUrl(state, repository, pull.number),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: pull.mergedAt,
  };
};

/** Corrects an issue object of the emulator when the issue is a pull request. */
export function asPullIssue(state: HubState, repository: RepositoryState, given: Json): Json {
  const pull = repository.pulls.get(Number(given.number));
  const issue = state.dated(issueKey(repository, Number(given.number)), given);
  if (pull === undefined) return issue;
  return {
    ...issue,
    html_url: `${state.url}/${repository.fullName}/pull/${pull.number}`,
    pull_request: pullMark(state, repository, pull),
    draft: pull.draft,
    closed_by:
      pull.state === "open" || pull.mergedBy === null ? issue.closed_by : userObject(state, pull.mergedBy),
  };
}

/** Makes (or finds) the test merge of head into the base's present tip, at `refs/pull/N/merge`. */
export async function testMerge(repository: RepositoryState, pull: Pull): Promise<boolean> {
  const base = await repository.git.ref(`refs/heads/${pull.base.ref}`);
  if (base === null) return false;
  const head = pull.head.sha;
  if (pull.tested?.base === base && pull.tested.head === head) return pull.tested.clean;
  const tree = await mergeTrees(repository.git, base, head);
  if (tree !== null) {
    const when = (await repository.git.commit(head)).committer.when;
    const person = { name: "GitHub", email: "noreply@localhost", when };
    const sha = await repository.git.writeCommit({
      tree,
      parents: [base, head],
      author: person,
      committer: person,
      message: `Merge ${head} into ${base}`,
    });
    await repository.git.setRef(`refs/pull/${pull.number}/merge`, sha);
    pull.mergeCommitSha = sha;
  }
  pull.tested = { base, head, clean: tree !== null };
  return tree !== null;
}

/** A pull request as the API gives it; `full` adds what only the single answer has. */
export async function pullObject(
  state: HubState,
  repository: RepositoryState,
  pull: Pull,
  full: boolean,
): Promise<Json> {
  const issue = await issueOf(state, repository, pull.number);
  const url = pullUrl(state, repository, pull.number);
  const page = `${state.url}/${repository.fullName}/pull/${pull.number}`;
  const { head, base } = pull;
  const api = repositoryUrl(state, repository);
  const side = (repo: RepositoryState, ref: string, sha: string): Json => {
    const owner = state.account(repo.owner);
    return {
      label: `${repo.owner}:${ref}`,
      ref,
      sha,
      user: owner === undefined ? null : userObject(state, owner),
      repo: repo.payload,
    };
  };
  const brief: Json = {
    url,
    id: pull.id,
    node_id: `PR_${pull.id}`,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: `${api}/issues/${pull.number}`,
    commits_url: `${url}/commits`,
    comments_url: `${api}/issues/${pull.number}/comments`,
    statuses_url: `${api}/statuses/${head.sha}`,
    number: pull.number,
    state: pull.state,
    locked: issue.locked === true,
    title: issue.title,
    user: userObject(state, pull.author),
    body: issue.body ?? null,
    labels: issue.labels ?? [],
    milestone: issue.milestone ?? null,
    assignee: issue.assignee ?? null,
    assignees: issue.assignees ?? [],
    requested_reviewers: [],
    requested_teams: [],
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    draft: pull.draft,
    head: side(head.repository, head.ref, head.sha),
    base: side(repository, base.ref, base.sha),
    author_association: issue.author_association ?? "NONE",
    auto_merge: null,
    active_lock_reason: null,
  };
  if (!full) return brief;
  const merged = pull.mergedAt !== null;
  const mergeable = merged || pull.state === "closed" ? null : await testMerge(repository, pull);
  const commits = await repository.git.revList(head.sha, [base.sha]);
  return {
    ...brief,
    merge_commit_sha: pull.mergeCommitSha,
    merged,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeableState(state, repository, pull, mergeable),
    merged_by: pull.mergedBy === null ? null : userObject(state, pull.mergedBy),
    comments: issue.comments ?? 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: commits.length,
    // A full listing is asked for at /files; counting lines here would cost a diff per answer.
    changed_files: await changedFiles(repository, pull),
  };
}

function mergeableState(
  state: HubState,
  repository: RepositoryState,
  pull: Pull,
  mergeable: boolean | null,
): string {
  if (mergeable === null) return "unknown";
  if (!mergeable) return "dirty";
  if (pull.draft) return "draft";
  const required = repository.protectedBranches.get(pull.base.ref)?.requiredChecks ?? [];
  const passed = required.every(
    (check) => state.checks.standing(repository.id, pull.head.sha, check) === "success",
  );
  return passed ? "clean" : "blocked";
}

async function changedFiles(repository: RepositoryState, pull: Pull): Promise<number> {
  const from = (await repository.git.mergeBase(pull.base.sha, pull.head.sha)) ?? pull.base.sha;
  return countChanges(repository.git, from, pull.head.sha);
}

/** Tells the app, the workflows and the onlookers what has happened to a pull request. */
export async function announcePull(
  state: HubState,
  repository: RepositoryState,
  pull: Pull,
  actor: Actor,
  action: string,
  extra: Json = {},
): Promise<void> {
  const object = await pullObject(state, repository, pull, false);
  const subject = {
    number: pull.number,
    pull_request: {
      ...object,
      merged: pull.mergedAt !== null,
      mergeable: null,
      merged_by: mergedBy(state, pull),
    },
    ...extra,
  };
  const payload = notify(state, repository, actor.account, "pull_request", action, subject);
  const shown: Record<string, Extract<Effect, { number: number; headSha: string }>["kind"]> = {
    opened: "pull-opened",
    synchronize: "pull-updated",
    edited: "pull-updated",
    reopened: "pull-reopened",
    closed: pull.mergedAt === null ? "pull-closed" : "pull-merged",
  };
  const kind = shown[action];
  if (kind !== undefined) {
    state.show({
      kind,
      repository: repository.fullName,
      by: actor.account.login,
      number: pull.number,
      title: String(object.title),
      headSha: pull.head.sha,
      mergeCommitSha: pull.mergeCommitSha,
    });
  }
  if (action === "opened" || action === "reopened" || action === "synchronize") {
    await startWorkflows(state, repository, pull, actor, payload);
  }
}

const mergedBy = (state: HubState, pull: Pull): Json | null =>
  pull.mergedBy === null ? null : userObject(state, pull.mergedBy);

async function startWorkflows(
  state: HubState,
  repository: RepositoryState,
  pull: Pull,
  actor: Actor,
  payload: Json,
): Promise<void> {
  const common: Omit<Trigger, "event" | "sha" | "ref"> = {
    payload,
    repository,
    headSha: pull.head.sha,
    headBranch: pull.head.ref,
    headRepository: { id: pull.head.repository.id, fullName: pull.head.repository.fullName },
    actor: { id: actor.account.id, login: actor.account.login },
  };
  const main = `refs/heads/${repository.defaultBranch}`;
  const tip = await repository.git.ref(main);
  if (tip !== null) state.trigger({ ...common, event: "pull_request_target", sha: tip, ref: main }, actor);
  if (
    state.triggers.has("pull_request") &&
    (await testMerge(repository, pull)) &&
    pull.mergeCommitSha !== null
  ) {
    const ref = `refs/pull/${pull.number}/merge`;
    state.trigger({ ...common, event: "pull_request", sha: pull.mergeCommitSha, ref }, actor);
  }
}

/** Points `refs/pull/N/head` of the base repository at the head; forks share its objects already. */
export async function fetchHead(repository: RepositoryState, pull: Pull): Promise<void> {
  await repository.git.setRef(`refs/pull/${pull.number}/head`, pull.head.sha);
}

/** Opens a pull request from `head` (`branch`, or `owner:branch` of a fork). @throws ApiError 422 */
export async function openPull(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  body: Json,
): Promise<Pull> {
  const title = text(body.title) ?? "";
  if (title.trim() === "") throw failed("title", "missing_field");
  const baseRef = text(body.base) ?? "";
  const baseSha = baseRef === "" ? null : await repository.git.ref(`refs/heads/${baseRef}`);
  if (baseSha === null) throw failed("base", "invalid");
  const head = await resolveHead(state, repository, body);
  const gone = [...repository.pulls.values()].find(
    (pull) =>
      pull.state === "open" &&
      pull.head.repository === head.repository &&
      pull.head.ref === head.ref &&
      pull.base.ref === baseRef,
  );
  if (gone !== undefined) {
    const message = `A pull request already exists for ${head.repository.owner}:${head.ref}.`;
    throw invalid("Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
  }
  if ((await repository.git.mergeBase(baseSha, head.sha)) === null) {
    const message = `The ${baseRef} branch has no history in common with ${head.repository.owner}:${head.ref}`;
    throw invalid("Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
  }
  if (await repository.git.isAncestor(head.sha, baseSha)) {
    const message = `No commits between ${baseRef} and ${head.ref}`;
    throw invalid("Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
  }
  const issue = await createIssue(state, repository, actor, title, text(body.body) ?? null);
  const now = state.timestamp();
  const pull: Pull = {
    id: state.id(),
    number: Number(issue.number),
    author: actor.account,
    createdAt: now,
    updatedAt: now,
    base: { ref: baseRef, sha: baseSha },
    head,
    draft: body.draft === true,
    state: "open",
    closedAt: null,
    mergedAt: null,
    mergedBy: null,
    mergeCommitSha: null,
    tested: null,
  };
  repository.pulls.set(pull.number, pull);
  await fetchHead(repository, pull);
  return pull;
}

const failed = (field: string, code: string): ApiError =>
  invalid("Validation Failed", [{ resource: "PullRequest", field, code }]);

async function resolveHead(state: HubState, repository: RepositoryState, body: Json): Promise<Pull["head"]> {
  const spec = text(body.head) ?? "";
  const colon = spec.indexOf(":");
  const owner = colon === -1 ? repository.owner : spec.slice(0, colon);
  const ref = colon === -1 ? spec : spec.slice(colon + 1);
  const network = [...state.repositories.values()].filter(
    (candidate) =>
      candidate.owner.toLowerCase() === owner.toLowerCase() &&
      (candidate === repository || candidate.parent === repository || repository.parent === candidate),
  );
  const named = text(body.head_repo);
  const source = network.find(
    (candidate) => named === undefined || candidate.name === named || candidate.fullName === named,
  );
  const sha = source === undefined || ref === "" ? null : await source.git.ref(`refs/heads/${ref}`);
  if (source === undefined || sha === null) throw failed("head", "invalid");
  return { repository: source, ref, sha };
}

/** The issue that numbers the pull request and carries its title, body, labels and comments. */
async function createIssue(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  title: string,
  body: string | null,
): Promise<Json> {
  const answer = await state.emulate.send(
    "POST",
    `/repos/${repository.fullName}/issues`,
    await state.credential(actor),
    JSON.stringify({ title, body }),
  );
  const value: unknown = JSON.parse(answer.body.toString("utf8"));
  if (answer.status !== 201)
    throw new ApiError(answer.status, `The emulator refused the pull request's issue: ${answer.body}`);
  state.touch(issueKey(repository, Number((value as Json).number)));
  return value as Json;
}

/** Closes (merged or not) or reopens a pull request, here and in the emulator, and tells everybody. */
export async function setPullState(
  state: HubState,
  repository: RepositoryState,
  pull: Pull,
  actor: Actor,
  next: { state: "open" } | { state: "closed"; mergeCommitSha?: string },
): Promise<void> {
  const now = state.timestamp();
  pull.state = next.state;
  pull.updatedAt = now;
  state.touch(issueKey(repository, pull.number));
  pull.closedAt = next.state === "closed" ? now : null;
  if (next.state === "closed" && next.mergeCommitSha !== undefined) {
    pull.mergedAt = now;
    pull.mergedBy = actor.account;
    pull.mergeCommitSha = next.mergeCommitSha;
  }
  await state.emulate.operate("PATCH", `/repos/${repository.fullName}/issues/${pull.number}`, {
    state: next.state,
  });
  await state.queues.dequeue(repository, pull, actor);
  await announcePull(state, repository, pull, actor, next.state === "closed" ? "closed" : "reopened");
}

import { changedPaths } from "./git-diff.ts";
import { EMPTY_TREE, type GitRepo, ZERO_SHA } from "./git-repo.ts";
import { ApiError, invalid, type Json, notFound } from "./http.ts";
import { headCommitObject, notify } from "./payloads.ts";
import { announcePull, fetchHead, type Pull, setPullState } from "./pulls.ts";
import type { HubState, RepositoryState } from "./state.ts";
import type { Actor } from "./tokens.ts";

export interface RefChange {
  readonly ref: string;
  /** Null: the ref is new. */
  readonly before: string | null;
  /** Null: the ref is gone. */
  readonly after: string | null;
  /** The pull request whose merge this is, when it is one. */
  readonly pull?: number;
}

/** True when a protected ref moves forward only, even for those who may move it: the default branch. */
export const forwardOnly = (repository: RepositoryState, ref: string): boolean =>
  ref === `refs/heads/${repository.defaultBranch}` &&
  repository.protectedBranches.has(repository.defaultBranch);

/** Branches under this name belong to the merge queues. */
const QUEUE_BRANCHES = "gh-readonly-queue/";

/** Which required check keeps a commit off the branch, in GitHub's words; null when none does. */
export function requiredReason(
  state: HubState,
  repository: RepositoryState,
  branch: string,
  sha: string,
): string | null {
  for (const check of repository.protectedBranches.get(branch)?.requiredChecks ?? []) {
    const standing = state.checks.standing(repository.id, sha, check);
    if (standing !== "success")
      return `Required status check "${check.name}" is ${standing === "pending" ? "expected" : "failing"}.`;
  }
  return null;
}

/**
 * Why a protected branch may not be changed so, or null. Only the apps named in the protection create, move or delete
 * it; the default branch they too neither delete nor rewrite.
 */
export async function refusal(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  change: RefChange,
): Promise<string | null> {
  const { before, after } = change;
  const branch = change.ref.startsWith("refs/heads/") ? change.ref.slice("refs/heads/".length) : null;
  const protection = branch === null ? undefined : repository.protectedBranches.get(branch);
  if (branch?.startsWith(QUEUE_BRANCHES)) return "This branch belongs to the merge queue.";
  if (branch === null || protection === undefined) return null;
  if (protection.mergeQueue && before !== null) return "Changes must be made through the merge queue";
  const bypass = actor.kind === "installation" && protection.bypass.includes(state.app?.slug ?? "");
  if (!bypass)
    return after === null ? "Cannot delete this branch" : "Changes must be made through a pull request.";
  // The merge of a pull request goes by the checks of its head, and asks about them itself.
  const missing =
    before === null || after === null || change.pull !== undefined
      ? null
      : requiredReason(state, repository, branch, after);
  if (missing !== null) return missing;
  if (!forwardOnly(repository, change.ref)) return null;
  if (after === null) return "Cannot delete this branch";
  // What a push brings is not here yet: the update hook looks again.
  if (before === null || (await repository.git.typeOf(after)) === null) return null;
  return (await repository.git.isAncestor(before, after)) ? null : "Cannot force-push to this branch";
}

const WORKFLOWS = ".github/workflows";

/** Apps need a permission of its own to bring workflow files to a branch. */
export const mayBringWorkflows = (actor: Actor): boolean =>
  actor.kind === "user" || actor.permissions.workflows === "write";

/** @throws ApiError 403 when an app without that permission brings one. */
export async function assertWorkflows(
  { git }: RepositoryState,
  actor: Actor,
  { before, after }: RefChange,
): Promise<void> {
  if (mayBringWorkflows(actor)) return;
  if (before === null || after === null) return;
  const [old, fresh] = [await git.entry(before, WORKFLOWS), await git.entry(after, WORKFLOWS)];
  if (fresh === null || old?.sha === fresh.sha) return;
  const changes = await changedPaths(git, old?.sha ?? EMPTY_TREE, fresh.sha);
  const brought = changes.find(({ after: file }) => file !== null);
  if (brought === undefined) return;
  const path = `${WORKFLOWS}/${brought.path}`;
  const message = `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`;
  throw new ApiError(403, message);
}

/** @throws ApiError 422 in the words of GitHub's rulesets, 403 for workflow files. */
export async function assertAllowed(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  change: RefChange,
): Promise<void> {
  await assertWorkflows(repository, actor, change);
  const reason = await refusal(state, repository, actor, change);
  if (reason !== null) throw invalid(`Repository rule violations found\n\n${reason}\n`);
}

/** Creates `refs/…`. @throws ApiError 422 for a bad name, a taken name, or an object that is not here. */
export async function createRef(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  ref: string,
  sha: string,
): Promise<void> {
  if (!/^refs\/[^/]+\/.+/.test(ref)) {
    throw invalid("Reference name must start with 'refs/' and contain at least one more '/'.");
  }
  if (ref.startsWith("refs/pull/") || !repository.git.validRef(ref)) {
    throw invalid(`${ref} is not a valid ref name.`);
  }
  const type = await repository.git.typeOf(sha);
  if (type === null || (ref.startsWith("refs/heads/") && type !== "commit"))
    throw invalid("Object does not exist");
  await assertAllowed(state, repository, actor, { ref, before: null, after: sha });
  if ((await repository.git.ref(ref)) !== null || !(await repository.git.moveRef(ref, null, sha))) {
    throw invalid("Reference already exists");
  }
  await refChanged(state, repository, actor, { ref, before: null, after: sha });
}

/** Moves an existing ref. @throws ApiError 422 when it is absent, or not a fast-forward without `force`. */
export async function updateRef(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  ref: string,
  sha: string,
  force: boolean,
): Promise<void> {
  const before = await repository.git.ref(ref);
  if (before === null || ref.startsWith("refs/pull/")) throw invalid("Reference does not exist");
  if ((await repository.git.typeOf(sha)) !== "commit") throw invalid("Object does not exist");
  await assertAllowed(state, repository, actor, { ref, before, after: sha });
  if (!force && !(await repository.git.isAncestor(before, sha)))
    throw invalid("Update is not a fast forward");
  if (before === sha) return;
  if (!(await repository.git.moveRef(ref, before, sha))) throw invalid("Update is not a fast forward");
  await refChanged(state, repository, actor, { ref, before, after: sha });
}

/** @throws ApiError 422 when it is absent. */
export async function deleteRef(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  ref: string,
): Promise<void> {
  const before = await repository.git.ref(ref);
  if (before === null || ref.startsWith("refs/pull/")) throw invalid("Reference does not exist");
  if (ref === `refs/heads/${repository.defaultBranch}`) throw invalid("Cannot delete the default branch");
  await assertAllowed(state, repository, actor, { ref, before, after: null });
  if (!(await repository.git.moveRef(ref, before, null))) throw invalid("Reference does not exist");
  await refChanged(state, repository, actor, { ref, before, after: null });
}

/** Everything GitHub does after a ref has moved: `push`, workflows, and the pull requests it concerns. */
export async function refChanged(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  change: RefChange,
): Promise<void> {
  state.show({ kind: "ref-updated", repository: repository.fullName, by: actor.account.login, ...change });
  const isBranch = change.ref.startsWith("refs/heads/");
  if (!isBranch && !change.ref.startsWith("refs/tags/")) return;
  const payload = notify(
    state,
    repository,
    actor.account,
    "push",
    undefined,
    await pushSubject(state, repository, actor, change),
  );
  if (change.after !== null) {
    const sha = (await repository.git.peel(change.after)) ?? change.after;
    const name = change.ref.replace(/^refs\/(?:heads|tags)\//, "");
    state.trigger(
      {
        event: "push",
        payload,
        repository,
        sha,
        ref: change.ref,
        headSha: sha,
        headBranch: name,
        headRepository: { id: repository.id, fullName: repository.fullName },
        actor: { id: actor.account.id, login: actor.account.login },
      },
      actor,
    );
  }
  if (!isBranch) return;
  const branch = change.ref.slice("refs/heads/".length);
  await updateHeads(state, repository, actor, branch, change);
  await markMerged(state, repository, actor, branch, change);
  await state.queues.baseMoved(repository, branch);
}

const openPulls = (repository: RepositoryState): Pull[] =>
  [...repository.pulls.values()].filter((pull) => pull.state === "open");

/** Pull requests from this branch follow it; when the branch is gone, they close. */
async function updateHeads(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  branch: string,
  change: RefChange,
): Promise<void> {
  for (const base of state.repositories.values()) {
    for (const pull of openPulls(base)) {
      if (pull.head.repository !== repository || pull.head.ref !== branch) continue;
      if (change.after === null) {
        await setPullState(state, base, pull, actor, { state: "closed" });
        continue;
      }
      const before = pull.head.sha;
      pull.head.sha = change.after;
      pull.base.sha = (await base.git.ref(`refs/heads/${pull.base.ref}`)) ?? pull.base.sha;
      pull.updatedAt = state.timestamp();
      await fetchHead(base, pull);
      await state.queues.dequeue(base, pull, actor);
      await announcePull(state, base, pull, actor, "synchronize", { before, after: change.after });
    }
  }
}

/** A pull request whose head has become reachable from its base is merged, whoever moved the base and however. */
async function markMerged(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  branch: string,
  change: RefChange,
): Promise<void> {
  if (change.after === null) return;
  const arrived = await repository.git.arrived(change.before, change.after);
  for (const pull of openPulls(repository)) {
    if (pull.base.ref !== branch || !arrived.has(pull.head.sha)) continue;
    const mergeCommitSha = await bringing(repository.git, change.before, change.after, pull.head.sha);
    await setPullState(state, repository, pull, actor, { state: "closed", mergeCommitSha });
  }
}

/** The first commit on the base's own line that contains `head`. */
async function bringing(git: GitRepo, before: string | null, after: string, head: string): Promise<string> {
  const line = await git.revList(after, before === null ? [] : [before], {
    firstParent: true,
    reverse: true,
  });
  for (const sha of line) if (await git.isAncestor(head, sha)) return sha;
  return after;
}

/** The newest commits of a push, at most this many, carry their files. */
const PUSH_COMMITS = 20;

async function pushSubject(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  change: RefChange,
): Promise<Json> {
  const { git } = repository;
  const { before, after } = change;
  const isCommit = after !== null && (await git.typeOf(after)) === "commit";
  const fresh =
    isCommit && before !== null
      ? await git.revList(after, [before], { max: PUSH_COMMITS, reverse: true })
      : [];
  const commits: Json[] = [];
  for (const sha of fresh)
    commits.push({ ...(await headCommitObject(git, sha)), ...(await touched(git, sha)) });
  const owner = `${state.url}/${repository.fullName}`;
  return {
    ref: change.ref,
    before: before ?? ZERO_SHA,
    after: after ?? ZERO_SHA,
    created: before === null,
    deleted: after === null,
    forced: before !== null && isCommit && !(await git.isAncestor(before, after)),
    base_ref: null,
    compare: `${owner}/compare/${(before ?? ZERO_SHA).slice(0, 12)}...${(after ?? ZERO_SHA).slice(0, 12)}`,
    commits,
    head_commit: isCommit ? await headCommitObject(git, after) : null,
    pusher: {
      name: actor.account.login,
      email: `${actor.account.id}+${actor.account.login}@users.noreply.localhost`,
    },
  };
}

async function touched(git: GitRepo, sha: string): Promise<Json> {
  const parent = (await git.commit(sha)).parents[0] ?? EMPTY_TREE;
  const lists: Record<"added" | "removed" | "modified", string[]> = { added: [], removed: [], modified: [] };
  for (const { path, before, after } of await changedPaths(git, parent, sha))
    lists[before === null ? "added" : after === null ? "removed" : "modified"].push(path);
  return lists;
}

/** The full ref that a path such as `heads/main` names. @throws ApiError 404 for an unusable name. */
export function fullRef(name: string): string {
  const ref = name.startsWith("refs/") ? name : `refs/${name}`;
  if (!/^refs\/[^/]+\/.+/.test(ref)) throw notFound();
  return ref;
}

/** The tip of a branch. @throws ApiError 404 */
export async function branchTip(repository: RepositoryState, branch: string): Promise<string> {
  const sha = await repository.git.ref(`refs/heads/${branch}`);
  if (sha === null) throw new ApiError(404, "Branch not found");
  return sha;
}

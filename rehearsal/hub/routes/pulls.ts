import { diffText, fileChanges } from "../git-diff.ts";
import { mergeTrees } from "../git-merge.ts";
import { isSha } from "../git-repo.ts";
import {
  ApiError,
  type Call,
  invalid,
  type Json,
  jsonBody,
  noContent,
  notFound,
  paged,
  type Reply,
  type Route,
  reply,
  repositoryRoute,
  required,
  text,
  wants,
} from "../http.ts";
import { HEAD_MODIFIED, LISTED_FILES, PULL_COMMITS } from "../limits.ts";
import { commitObject, signature } from "../payloads.ts";
import { reads, writes } from "../permissions.ts";
import { announcePull, issueOf, openPull, type Pull, pullObject, setPullState, testMerge } from "../pulls.ts";
import { assertAllowed, assertWorkflows, refChanged, refusal, requiredReason } from "../refs.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { actorOf } from "../tokens.ts";
import { diffReply, fileObject } from "./commits.ts";
import { assertLengths, editIssue } from "./issues.ts";

/** Pull requests, their files and their merging; and the `merges` route, which needs none. */
export function pullRoutes(state: HubState): Route[] {
  const read = reads("pull_requests");
  const write = writes("pull_requests", "read");
  return [
    repositoryRoute("GET", "/pulls", read, (call, repository) => list(state, call, repository)),
    repositoryRoute("POST", "/pulls", write, (call, repository) =>
      state.serial(async () => {
        const actor = actorOf(call.identity);
        assertLengths("PullRequest", jsonBody(call));
        const pull = await openPull(state, repository, actor, jsonBody(call));
        await announcePull(state, repository, pull, actor, "opened");
        return reply(201, await pullObject(state, repository, pull, true));
      }),
    ),
    repositoryRoute("GET", "/pulls/:number", read, async (call, repository) => {
      const pull = pullAt(repository, call);
      if (wants(call, "diff"))
        return diffReply(await diffText(repository.git, await forkPoint(repository, pull), pull.head.sha));
      return reply(200, await pullObject(state, repository, pull, true));
    }),
    repositoryRoute("PATCH", "/pulls/:number", write, (call, repository) =>
      state.serial(() => edit(state, call, repository, pullAt(repository, call))),
    ),
    repositoryRoute("GET", "/pulls/:number/commits", read, async (call, repository) => {
      const pull = pullAt(repository, call);
      const shas = await repository.git.revList(pull.head.sha, [pull.base.sha], {
        reverse: true,
        max: PULL_COMMITS,
      });
      const rows: Json[] = [];
      for (const sha of shas) rows.push(commitObject(state, repository, await repository.git.commit(sha)));
      return paged(state.url, call, rows);
    }),
    repositoryRoute("GET", "/pulls/:number/files", read, async (call, repository) => {
      const pull = pullAt(repository, call);
      const changes = await fileChanges(repository.git, await forkPoint(repository, pull), pull.head.sha);
      const rows = changes
        .slice(0, LISTED_FILES)
        .map((change) => fileObject(state, repository, pull.head.sha, change));
      return paged(state.url, call, rows);
    }),
    repositoryRoute("GET", "/pulls/:number/merge", read, (call, repository) => {
      if (pullAt(repository, call).mergedAt === null) throw notFound();
      return noContent;
    }),
    repositoryRoute("PUT", "/pulls/:number/merge", writes("contents"), (call, repository) =>
      state.serial(() => merge(state, call, repository, pullAt(repository, call))),
    ),
    repositoryRoute("POST", "/merges", writes("contents"), (call, repository) =>
      state.serial(() => mergeInto(state, call, repository)),
    ),
  ];
}

function pullAt(repository: RepositoryState, call: Call): Pull {
  const pull = repository.pulls.get(Number(call.params.number));
  if (pull === undefined) throw notFound();
  return pull;
}

/** Where the head left the base: what three-dot diffs start from. */
const forkPoint = async (repository: RepositoryState, pull: Pull): Promise<string> =>
  (await repository.git.mergeBase(pull.base.sha, pull.head.sha)) ?? pull.base.sha;

async function list(state: HubState, call: Call, repository: RepositoryState): Promise<Reply> {
  const { query } = call;
  const wanted = query.get("state") ?? "open";
  const head = query.get("head");
  const base = query.get("base");
  const field = query.get("sort") === "updated" ? "updatedAt" : "createdAt";
  const upwards = (query.get("direction") ?? "desc") === "asc";
  const found = [...repository.pulls.values()]
    .filter((pull) => wanted === "all" || pull.state === wanted)
    .filter((pull) => base === null || pull.base.ref === base)
    .filter(
      (pull) =>
        head === null ||
        `${pull.head.repository.owner}:${pull.head.ref}`.toLowerCase() === head.toLowerCase(),
    )
    .sort((left, right) => left[field].localeCompare(right[field]) || left.number - right.number);
  if (!upwards) found.reverse();
  const page = paged(state.url, call, found, (rows) => rows.map((pull) => pull.number));
  const numbers: number[] = JSON.parse(String(page.body));
  const rows: Json[] = [];
  for (const number of numbers) {
    const pull = repository.pulls.get(number);
    if (pull !== undefined) rows.push(await pullObject(state, repository, pull, false));
  }
  return { ...page, body: JSON.stringify(rows) };
}

async function edit(state: HubState, call: Call, repository: RepositoryState, pull: Pull): Promise<Reply> {
  const actor = actorOf(call.identity);
  const body = jsonBody(call);
  const base = text(body.base);
  if (base !== undefined && base !== pull.base.ref) {
    const sha = await repository.git.ref(`refs/heads/${base}`);
    if (sha === null)
      throw invalid("Validation Failed", [{ resource: "PullRequest", field: "base", code: "invalid" }]);
    await state.queues.dequeue(repository, pull, actor);
    pull.base.ref = base;
    pull.base.sha = sha;
    pull.tested = null;
  }
  await editIssue(state, repository, actor, pull.number, body);
  return reply(200, await pullObject(state, repository, pull, true));
}

async function merge(state: HubState, call: Call, repository: RepositoryState, pull: Pull): Promise<Reply> {
  const actor = actorOf(call.identity);
  const body = jsonBody(call);
  const { git } = repository;
  const method = text(body.merge_method) ?? "merge";
  if (pull.state !== "open" || pull.draft) throw new ApiError(405, "Pull Request is not mergeable");
  const expected = text(body.sha);
  if (expected !== undefined && expected !== pull.head.sha) {
    throw new ApiError(409, HEAD_MODIFIED);
  }
  if (method !== "merge" && method !== "squash")
    throw new ApiError(405, `The merge method ${method} is not allowed on this repository.`);
  const ref = `refs/heads/${pull.base.ref}`;
  const base = await git.ref(ref);
  if (base === null || !(await testMerge(repository, pull)))
    throw new ApiError(405, "Pull Request is not mergeable");
  const tree = await mergeTrees(git, base, pull.head.sha);
  if (tree === null) throw new ApiError(405, "Pull Request is not mergeable");
  const title = String((await issueOf(state, repository, pull.number)).title);
  const source = `${pull.head.repository.owner}/${pull.head.ref}`;
  const headline =
    text(body.commit_title) ??
    (method === "squash"
      ? `${title} (#${pull.number})`
      : `Merge pull request #${pull.number} from ${source}`);
  const rest = text(body.commit_message) ?? (method === "squash" ? "" : title);
  const person = signature(state, actor);
  const sha = await git.writeCommit({
    tree,
    parents: method === "squash" ? [base] : [base, pull.head.sha],
    author: person,
    committer: person,
    message: rest === "" ? headline : `${headline}\n\n${rest}`,
  });
  await assertWorkflows(repository, actor, { ref, before: base, after: sha });
  const reason =
    requiredReason(state, repository, pull.base.ref, pull.head.sha) ??
    (await refusal(state, repository, actor, { ref, before: base, after: sha, pull: pull.number }));
  if (reason !== null) throw new ApiError(405, `Repository rule violations found\n\n${reason}\n`);
  if (!(await git.moveRef(ref, base, sha))) {
    throw new ApiError(405, "Base branch was modified. Review and try the merge again.");
  }
  if (method === "squash")
    await setPullState(state, repository, pull, actor, { state: "closed", mergeCommitSha: sha });
  await refChanged(state, repository, actor, { ref, before: base, after: sha });
  return reply(200, { sha, merged: true, message: "Pull Request successfully merged" });
}

/** `POST /merges`: a merge commit of two branches (the head may be a bare sha), on the base branch. */
async function mergeInto(state: HubState, call: Call, repository: RepositoryState): Promise<Reply> {
  const actor = actorOf(call.identity);
  const body = jsonBody(call);
  const { git } = repository;
  const base = required(body, "base");
  const head = required(body, "head");
  const ref = `refs/heads/${base}`;
  const before = await git.ref(ref);
  if (before === null) throw notFound("Base does not exist");
  const branch = await git.ref(`refs/heads/${head}`);
  const theirs = branch ?? (isSha(head) && (await git.typeOf(head)) === "commit" ? head : null);
  if (theirs === null) throw notFound("Head does not exist");
  if (await git.isAncestor(theirs, before)) return noContent;
  const tree = await mergeTrees(git, before, theirs);
  if (tree === null) throw new ApiError(409, "Merge conflict");
  const person = signature(state, actor);
  const message = text(body.commit_message) ?? `Merge ${head} into ${base}`;
  const sha = await git.writeCommit({
    tree,
    parents: [before, theirs],
    author: person,
    committer: person,
    message,
  });
  const change = { ref, before, after: sha };
  await assertAllowed(state, repository, actor, change);
  if (!(await git.moveRef(ref, before, sha)))
    throw new ApiError(409, "Base branch was modified. Try the merge again.");
  await refChanged(state, repository, actor, change);
  return reply(201, commitObject(state, repository, await git.commit(sha)));
}

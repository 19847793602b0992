import {
  ApiError,
  type Call,
  invalid,
  isObject,
  type Json,
  jsonBody,
  noContent,
  notFound,
  paged,
  type Reply,
  type Route,
  reply,
  repositoryRoute,
} from "../http.ts";
import { BODY_CHARACTERS, TITLE_CHARACTERS } from "../limits.ts";
import { appOf, notify, userObject } from "../payloads.ts";
import { hasRole, reads, roleOf, writes } from "../permissions.ts";
import { announcePull, asPullIssue, issueKey, issueOf, type Pull, setPullState } from "../pulls.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { type Account, type Actor, actorOf } from "../tokens.ts";

const EITHER = ["issues", "pull_requests"];

/** Refuses texts that are too long. @throws ApiError 422 in GitHub's words. */
export function assertLengths(resource: "IssueComment" | "Issue" | "PullRequest", texts: Json): void {
  for (const [field, maximum] of [
    ["title", TITLE_CHARACTERS],
    ["body", BODY_CHARACTERS],
  ] as const) {
    const value = texts[field];
    if (typeof value !== "string" || value.length <= maximum) continue;
    const message = `${field} is too long (maximum is ${maximum} characters)`;
    throw invalid(`Validation Failed: ${message}`, [{ resource, code: "custom", field, message }]);
  }
}

/** Sends the request to the emulator as the caller. */
export async function forward(
  state: HubState,
  call: Call,
  repository: RepositoryState,
): Promise<Reply & { json: unknown }> {
  const rest = call.path.split("/").slice(4).join("/");
  const path = `/repos/${repository.fullName}${rest === "" ? "" : `/${rest}`}`;
  const { identity } = call;
  const reading = identity.kind === "anonymous" || identity.kind === "app";
  const answer = await state.emulate.forward(
    { ...call, path },
    state.url,
    reading ? undefined : await state.credential(identity),
  );
  return answer;
}

const ok = (answer: Reply): boolean => answer.status < 300;

/** Issues, comments and labels live in the emulator; here is what it does not do: pull requests, limits, payloads. */
export function issueRoutes(state: HubState): Route[] {
  return [...commentRoutes(state), ...labelRoutes(state), ...plainIssueRoutes(state)];
}

function plainIssueRoutes(state: HubState): Route[] {
  return [
    repositoryRoute("GET", "/issues", reads(...EITHER), async (call, repository) => {
      const answer = await forward(state, call, repository);
      if (!Array.isArray(answer.json)) return answer;
      return {
        ...answer,
        body: JSON.stringify(answer.json.map((issue: Json) => asPullIssue(state, repository, issue))),
      };
    }),
    repositoryRoute("POST", "/issues", writes("issues", "read"), async (call, repository) => {
      assertLengths("Issue", jsonBody(call));
      const actor = actorOf(call.identity);
      const answer = await forward(state, call, repository);
      if (!ok(answer) || !isObject(answer.json)) return answer;
      state.touch(issueKey(repository, Number(answer.json.number)));
      const issue = asPullIssue(state, repository, answer.json);
      notify(state, repository, actor.account, "issues", "opened", { issue });
      return reply(201, issue);
    }),
    repositoryRoute("GET", "/issues/:number", reads(...EITHER), async (call, repository) => {
      const answer = await forward(state, call, repository);
      if (!isObject(answer.json) || !ok(answer)) return answer;
      return reply(200, asPullIssue(state, repository, answer.json));
    }),
    repositoryRoute("PATCH", "/issues/:number", writes(EITHER, "read"), (call, repository) =>
      state.serial(async () => {
        const number = Number(call.params.number);
        const issue = await editIssue(state, repository, actorOf(call.identity), number, jsonBody(call));
        return reply(200, asPullIssue(state, repository, issue));
      }),
    ),
  ];
}

/** Who may edit a pull request's title, body and state: its author, and people from triage on. */
function assertMayEdit(repository: RepositoryState, pull: Pull, actor: Actor): void {
  if (actor.kind !== "user" || pull.author.id === actor.account.id) return;
  if (!hasRole(roleOf(repository, actor.account.login), "triage")) {
    throw new ApiError(403, "Must have triage rights to Repository.");
  }
}

/** Edits title, body, labels and state of an issue or pull request, and tells everybody what changed. */
export async function editIssue(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  number: number,
  body: Json,
): Promise<Json> {
  const pull = repository.pulls.get(number);
  assertLengths(pull === undefined ? "Issue" : "PullRequest", body);
  const path = `/repos/${repository.fullName}/issues/${number}`;
  const old = await issueOf(state, repository, number).catch(() => {
    throw notFound();
  });
  if (pull !== undefined) assertMayEdit(repository, pull, actor);
  else if (actor.kind === "user" && !hasRole(roleOf(repository, actor.account.login), "triage")) {
    if (!isObject(old.user) || old.user.login !== actor.account.login)
      throw new ApiError(403, "Must have triage rights to Repository.");
  }
  const wanted = body.state === "open" || body.state === "closed" ? body.state : undefined;
  const edits = Object.fromEntries(
    ["title", "body", "labels", "assignees", "milestone", "state_reason"]
      .filter((key) => key in body)
      .map((key) => [key, body[key]]),
  );
  if (pull === undefined) {
    const given = await state.emulate.object("PATCH", path, {
      ...edits,
      ...(wanted === undefined ? {} : { state: wanted }),
    });
    state.touch(issueKey(repository, number));
    const after = asPullIssue(state, repository, given);
    const action =
      wanted !== undefined && wanted !== old.state ? (wanted === "closed" ? "closed" : "reopened") : "edited";
    notify(state, repository, actor.account, "issues", action, { issue: after });
    return after;
  }
  if (Object.keys(edits).length > 0) {
    pull.updatedAt = state.timestamp();
    state.touch(issueKey(repository, number));
    await state.emulate.object("PATCH", path, edits);
    const changes: Json = {};
    for (const key of ["title", "body"])
      if (key in edits && edits[key] !== old[key]) changes[key] = { from: old[key] };
    if (Object.keys(changes).length > 0)
      await announcePull(state, repository, pull, actor, "edited", { changes });
  }
  if (wanted !== undefined && wanted !== pull.state) {
    if (wanted === "open" && pull.mergedAt !== null)
      throw invalid("Validation Failed", ["A merged pull request cannot be reopened."]);
    await setPullState(state, repository, pull, actor, { state: wanted });
  }
  return issueOf(state, repository, number);
}

const commentKey = (comment: Json): string => `comment ${Number(comment.id)}`;

function withApp(state: HubState, comment: Json): Json {
  const login = isObject(comment.user) ? String(comment.user.login) : "";
  return {
    ...state.dated(commentKey(comment), comment),
    performed_via_github_app: appOf(state, login),
  };
}

/** People edit their own comments, or any from the role `write` on. */
async function assertOwnComment(
  state: HubState,
  call: Call,
  repository: RepositoryState,
  actor: Actor,
): Promise<Json> {
  const answer = await state.emulate.send(
    "GET",
    `/repos/${repository.fullName}/issues/comments/${Number(call.params.comment)}`,
    await state.credential(actor),
  );
  if (answer.status !== 200) throw notFound();
  const comment: unknown = JSON.parse(answer.body.toString("utf8"));
  if (!isObject(comment)) throw notFound();
  const own = isObject(comment.user) && comment.user.login === actor.account.login;
  if (!own && actor.kind === "user" && !hasRole(roleOf(repository, actor.account.login), "write")) {
    throw new ApiError(403, "Must have write rights to Repository.");
  }
  return comment;
}

const numberOf = (comment: Json): number =>
  Number(/\/issues\/(\d+)$/.exec(String(comment.issue_url))?.[1] ?? "0");

async function tellComment(
  state: HubState,
  repository: RepositoryState,
  by: Account,
  action: "created" | "edited" | "deleted",
  comment: Json,
  extra: Json = {},
): Promise<void> {
  const number = numberOf(comment);
  const issue = asPullIssue(state, repository, await issueOf(state, repository, number));
  notify(state, repository, by, "issue_comment", action, { issue, comment, ...extra });
  state.show({
    kind: `comment-${action}`,
    repository: repository.fullName,
    by: by.login,
    number,
    commentId: Number(comment.id),
    body: String(comment.body),
  });
}

function commentRoutes(state: HubState): Route[] {
  const list = async (call: Call, repository: RepositoryState): Promise<Reply> => {
    const answer = await forward(state, call, repository);
    if (!Array.isArray(answer.json)) return answer;
    return { ...answer, body: JSON.stringify(answer.json.map((comment: Json) => withApp(state, comment))) };
  };
  return [
    repositoryRoute("GET", "/issues/comments", reads(...EITHER), list),
    repositoryRoute("GET", "/issues/:number/comments", reads(...EITHER), list),
    repositoryRoute("GET", "/issues/comments/:comment", reads(...EITHER), async (call, repository) => {
      const answer = await forward(state, call, repository);
      return ok(answer) && isObject(answer.json) ? reply(200, withApp(state, answer.json)) : answer;
    }),
    repositoryRoute("POST", "/issues/:number/comments", writes(EITHER, "read"), (call, repository) =>
      state.serial(async () => {
        assertLengths("IssueComment", jsonBody(call));
        const actor = actorOf(call.identity);
        const answer = await forward(state, call, repository);
        if (!ok(answer) || !isObject(answer.json)) return answer;
        state.touch(commentKey(answer.json));
        state.touch(issueKey(repository, numberOf(answer.json)));
        const comment = withApp(state, answer.json);
        await tellComment(state, repository, actor.account, "created", comment);
        return reply(201, comment);
      }),
    ),
    repositoryRoute("PATCH", "/issues/comments/:comment", writes(EITHER, "read"), (call, repository) =>
      state.serial(async () => {
        assertLengths("IssueComment", jsonBody(call));
        const actor = actorOf(call.identity);
        const old = await assertOwnComment(state, call, repository, actor);
        const answer = await forward(state, call, repository);
        if (!ok(answer) || !isObject(answer.json)) return answer;
        state.touch(commentKey(answer.json));
        state.touch(issueKey(repository, numberOf(answer.json)));
        const comment = withApp(state, answer.json);
        await tellComment(state, repository, actor.account, "edited", comment, {
          changes: { body: { from: old.body } },
        });
        return reply(200, comment);
      }),
    ),
    repositoryRoute("DELETE", "/issues/comments/:comment", writes(EITHER, "read"), (call, repository) =>
      state.serial(async () => {
        const actor = actorOf(call.identity);
        const old = withApp(state, await assertOwnComment(state, call, repository, actor));
        const answer = await forward(state, call, repository);
        if (!ok(answer)) return answer;
        await tellComment(state, repository, actor.account, "deleted", old);
        return noContent;
      }),
    ),
  ];
}

const names = (labels: unknown): string[] =>
  Array.isArray(labels) ? labels.map((label) => (isObject(label) ? String(label.name) : String(label))) : [];

/** One event of an issue's or pull request's history, as far as the hub keeps it: labels put on and taken off. */
interface Happened {
  readonly repository: number;
  readonly number: number;
  readonly body: Json;
}

function labelRoutes(state: HubState): Route[] {
  const history: Happened[] = [];
  const change = (call: Call, repository: RepositoryState): Promise<Reply> =>
    state.serial(async () => {
      const actor = actorOf(call.identity);
      const number = Number(call.params.number);
      const issue = await issueOf(state, repository, number).catch(() => {
        throw notFound();
      });
      const before = names(issue.labels);
      const answer = await forward(state, call, repository);
      if (!ok(answer)) return answer;
      const after = await issueOf(state, repository, number);
      for (const { action, name } of await tellLabels(state, repository, actor, after, before)) {
        const body = {
          id: state.id(),
          event: action,
          actor: userObject(state, actor.account),
          label: { name },
          created_at: state.timestamp(),
          performed_via_github_app: appOf(state, actor.account.login),
        };
        history.push({ repository: repository.id, number, body });
      }
      return answer;
    });
  const triage = writes(EITHER, "triage");
  return [
    repositoryRoute("GET", "/labels", reads(...EITHER), (call, repository) =>
      forward(state, call, repository),
    ),
    repositoryRoute("POST", "/labels", writes(EITHER), (call, repository) =>
      forward(state, call, repository),
    ),
    repositoryRoute("GET", "/labels/:label", reads(...EITHER), (call, repository) =>
      forward(state, call, repository),
    ),
    repositoryRoute("PATCH", "/labels/:label", writes(EITHER), (call, repository) =>
      forward(state, call, repository),
    ),
    repositoryRoute("DELETE", "/labels/:label", writes(EITHER), (call, repository) =>
      forward(state, call, repository),
    ),
    repositoryRoute("GET", "/issues/:number/events", reads(...EITHER), async (call, repository) => {
      const number = Number(call.params.number);
      await issueOf(state, repository, number).catch(() => {
        throw notFound();
      });
      const own = history.filter((event) => event.repository === repository.id && event.number === number);
      return paged(
        state.url,
        call,
        own.map(({ body }) => body),
      );
    }),
    repositoryRoute("GET", "/issues/:number/labels", reads(...EITHER), (call, repository) =>
      forward(state, call, repository),
    ),
    repositoryRoute("POST", "/issues/:number/labels", triage, change),
    repositoryRoute("PUT", "/issues/:number/labels", triage, change),
    repositoryRoute("DELETE", "/issues/:number/labels", triage, change),
    repositoryRoute("DELETE", "/issues/:number/labels/:label", triage, change),
  ];
}

async function tellLabels(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  issue: Json,
  before: readonly string[],
): Promise<readonly { action: string; name: string }[]> {
  const number = Number(issue.number);
  const pull = repository.pulls.get(number);
  const after = names(issue.labels);
  const changed = [
    ...after.filter((name) => !before.includes(name)).map((name) => ({ action: "labeled", name })),
    ...before.filter((name) => !after.includes(name)).map((name) => ({ action: "unlabeled", name })),
  ];
  for (const { action, name } of changed) {
    const label = { name };
    if (pull === undefined) notify(state, repository, actor.account, "issues", action, { issue, label });
    else await announcePull(state, repository, pull, actor, action, { label });
  }
  if (changed.length > 0) {
    state.show({
      kind: "labels-changed",
      repository: repository.fullName,
      by: actor.account.login,
      number,
      labels: after,
    });
  }
  return changed;
}

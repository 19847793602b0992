import {
  ApiError,
  type Call,
  isObject,
  type Json,
  jsonBody,
  NotHeldError,
  type Reply,
  type Route,
  reply,
  route,
  text,
} from "../http.ts";
import { authorise, writes } from "../permissions.ts";
import type { Pull } from "../pulls.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { actorOf } from "../tokens.ts";

const MUTATION = /\b(enqueuePullRequest|dequeuePullRequest)\b/;

/** GraphQL holds the two mutations of merge queues, which REST does not have. */
export function graphqlRoutes(state: HubState): Route[] {
  const answer = (call: Call): Promise<Reply> => state.serial(() => mutate(state, call));
  return [route("POST", "/graphql", answer), route("POST", "/api/graphql", answer)];
}

async function mutate(state: HubState, call: Call): Promise<Reply> {
  const actor = actorOf(call.identity);
  const body = jsonBody(call);
  const query = text(body.query) ?? "";
  const mutation = MUTATION.exec(query)?.[1];
  if (mutation === undefined)
    throw new NotHeldError("GraphQL beside enqueuePullRequest and dequeuePullRequest");
  const input = inputOf(query, isObject(body.variables) ? body.variables : {});
  const found = pullOf(state, text(input.pullRequestId) ?? text(input.id) ?? "");
  if (found === null) return failed("NOT_FOUND", "Could not resolve to a node with the global id");
  const { repository, pull } = found;
  try {
    authorise(state, call.identity, repository, writes("pull_requests"));
    if (mutation === "dequeuePullRequest") {
      await state.queues.dequeue(repository, pull, actor);
      return reply(200, { data: { dequeuePullRequest: { mergeQueueEntry: { id: `MQE_${pull.id}` } } } });
    }
    await state.queues.enqueue(repository, pull, actor, text(input.expectedHeadOid) ?? null);
    const entry = { id: `MQE_${pull.id}`, state: "AWAITING_CHECKS", headCommit: { oid: pull.head.sha } };
    return reply(200, { data: { enqueuePullRequest: { mergeQueueEntry: entry } } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return failed(error.status === 403 ? "FORBIDDEN" : "UNPROCESSABLE", error.message);
  }
}

/** The input, from variables or written into the query. */
function inputOf(query: string, variables: Json): Json {
  if (isObject(variables.input)) return variables.input;
  const literals: Record<string, unknown> = {};
  for (const [, name = "", value = ""] of query.matchAll(
    /\b(pullRequestId|id|expectedHeadOid)\s*:\s*"([^"]*)"/g,
  ))
    literals[name] = value;
  for (const [, name = "", variable = ""] of query.matchAll(
    /\b(pullRequestId|id|expectedHeadOid)\s*:\s*\$(\w+)/g,
  ))
    literals[name] = variables[variable];
  return literals;
}

function pullOf(state: HubState, nodeId: string): { repository: RepositoryState; pull: Pull } | null {
  for (const repository of state.repositories.values()) {
    for (const pull of repository.pulls.values()) if (`PR_${pull.id}` === nodeId) return { repository, pull };
  }
  return null;
}

/** GraphQL says no with status 200. */
const failed = (type: string, message: string): Reply =>
  reply(200, { data: null, errors: [{ type, message }] });

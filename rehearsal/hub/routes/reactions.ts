import {
  type Call,
  invalid,
  type Json,
  jsonBody,
  noContent,
  notFound,
  paged,
  type Route,
  reply,
  repositoryRoute,
  required,
  text,
} from "../http.ts";
import { userObject } from "../payloads.ts";
import { reads, writes } from "../permissions.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { type Account, actorOf } from "../tokens.ts";

const EITHER = ["issues", "pull_requests"];
const REACTIONS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"];

interface Reaction {
  readonly id: number;
  readonly user: Account;
  readonly content: string;
  readonly createdAt: string;
}

/** Reactions, which the emulator does not keep: on comments, and on issues and pull requests. */
export function reactionRoutes(state: HubState): Route[] {
  const reactions = new Map<string, Reaction[]>();
  const routes: Route[] = [];
  for (const subject of ["/issues/comments/:subject", "/issues/:subject"]) {
    const exists = async (call: Call, repository: RepositoryState): Promise<string> => {
      const path = `/repos/${repository.fullName}${subject.replace(":subject", String(Number(call.params.subject)))}`;
      const answer = await state.emulate.send("GET", path, "token operator-reactions");
      if (answer.status !== 200) throw notFound();
      return path;
    };
    const object = (reaction: Reaction): Json => ({
      id: reaction.id,
      node_id: `REA_${reaction.id}`,
      user: userObject(state, reaction.user),
      content: reaction.content,
      created_at: reaction.createdAt,
    });
    routes.push(
      repositoryRoute("GET", `${subject}/reactions`, reads(...EITHER), async (call, repository) => {
        const kept = reactions.get(await exists(call, repository)) ?? [];
        const content = call.query.get("content");
        return paged(
          state.url,
          call,
          kept.filter((reaction) => content === null || reaction.content === content).map(object),
        );
      }),
      repositoryRoute("POST", `${subject}/reactions`, writes(EITHER, "read"), async (call, repository) => {
        const content = required(jsonBody(call), "content");
        if (!REACTIONS.includes(content))
          throw invalid("Validation Failed", [{ field: "content", code: "invalid" }]);
        const key = await exists(call, repository);
        const user = actorOf(call.identity).account;
        const kept = reactions.get(key) ?? [];
        const same = kept.find((reaction) => reaction.user.id === user.id && reaction.content === content);
        if (same !== undefined) return reply(200, object(same));
        const reaction = { id: state.id(), user, content, createdAt: state.timestamp() };
        reactions.set(key, [...kept, reaction]);
        state.show({
          kind: "reaction-added",
          repository: repository.fullName,
          by: user.login,
          commentId: Number(text(call.params.subject)),
          content,
        });
        return reply(201, object(reaction));
      }),
      repositoryRoute(
        "DELETE",
        `${subject}/reactions/:reaction`,
        writes(EITHER, "read"),
        async (call, repository) => {
          const key = await exists(call, repository);
          const user = actorOf(call.identity).account;
          const kept = reactions.get(key) ?? [];
          const gone = kept.find(
            (reaction) => reaction.id === Number(call.params.reaction) && reaction.user.id === user.id,
          );
          if (gone === undefined) throw notFound();
          reactions.set(
            key,
            kept.filter((reaction) => reaction !== gone),
          );
          return noContent;
        },
      ),
    );
  }
  return routes;
}

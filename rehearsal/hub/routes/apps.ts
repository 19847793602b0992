import {
  ApiError,
  type Call,
  invalid,
  isObject,
  type Json,
  jsonBody,
  notFound,
  paged,
  type Reply,
  type Route,
  reply,
  route,
} from "../http.ts";
import type { Level, Permissions } from "../permissions.ts";
import { covers } from "../permissions.ts";
import type { AppState, HubState } from "../state.ts";

/** The furthest an app's JWT may reach into the future, plus what clocks may differ. */
const JWT_SECONDS = 600 + 60;

/** The app and its tokens: the emulator checks the JWT and keeps the installation; permissions are the hub's. */
export function appRoutes(state: HubState): Route[] {
  const app = (): AppState => {
    if (state.app === null) throw notFound("Integration not found");
    return state.app;
  };
  const withPermissions = (value: unknown): unknown =>
    isObject(value) && (value.app_id === app().id || value.id === app().id)
      ? { ...value, permissions: app().permissions, events: app().events }
      : value;
  const asApp = async (call: Call): Promise<Reply & { json: unknown }> => {
    if (call.identity.kind !== "app") throw new ApiError(401, "A JSON web token could not be decoded");
    assertLifetime(call.identity.token);
    return state.emulate.forward(call, state.url, `Bearer ${call.identity.token}`);
  };
  const passing = async (call: Call): Promise<Reply> => {
    const answer = await asApp(call);
    if (answer.status !== 200) return answer;
    return reply(
      200,
      Array.isArray(answer.json) ? answer.json.map(withPermissions) : withPermissions(answer.json),
    );
  };
  const installation = async (call: Call): Promise<Reply> => {
    if (call.identity.kind !== "app") throw new ApiError(401, "A JSON web token could not be decoded");
    const own = await asApp({ ...call, path: `/app/installations/${app().installationId}` });
    return own.status === 200 ? reply(200, withPermissions(own.json)) : own;
  };
  return [
    route("GET", "/app", passing),
    route("GET", "/app/installations", passing),
    route("GET", "/app/installations/:id", passing),
    route("POST", "/app/installations/:id/access_tokens", async (call) => {
      const body = jsonBody(call);
      const permissions = narrowed(app().permissions, body.permissions);
      const { permissions: _asked, ...rest } = body;
      const answer = await asApp({ ...call, body: Buffer.from(JSON.stringify(rest)) });
      if (answer.status !== 201 || !isObject(answer.json)) return answer;
      const repositories = selection(state, body, answer.json);
      const token = String(answer.json.token);
      state.tokens.add({
        kind: "installation",
        account: app().bot,
        token,
        installationId: Number(call.params.id),
        permissions,
        repositoryIds: repositories ?? app().repositoryIds,
        expiresAt: Date.parse(String(answer.json.expires_at)),
      });
      return reply(201, { ...answer.json, permissions });
    }),
    // The app itself sees where it is installed, in private repositories too.
    route("GET", "/repos/:owner/:repo/installation", (call) => {
      const repository = state.repository(call.params.owner ?? "", call.params.repo ?? "");
      if (repository.owner.toLowerCase() !== app().account.toLowerCase()) throw notFound();
      return installation(call);
    }),
    route("GET", "/users/:login/installation", (call) => {
      if (call.params.login?.toLowerCase() !== app().account.toLowerCase()) throw notFound();
      return installation(call);
    }),
    route("GET", "/orgs/:login/installation", (call) => {
      if (call.params.login?.toLowerCase() !== app().account.toLowerCase()) throw notFound();
      return installation(call);
    }),
    route("GET", "/installation/repositories", (call) => {
      const { identity } = call;
      if (identity.kind !== "installation")
        throw new ApiError(403, "You must authenticate with an installation access token.");
      const found = [...state.repositories.values()].filter((repository) =>
        covers(state, identity, repository),
      );
      return paged(
        state.url,
        call,
        found.map((repository) => repository.payload),
        (page, total) => ({
          total_count: total,
          repository_selection: identity.repositoryIds === null ? "all" : "selected",
          repositories: page,
        }),
      );
    }),
    route("DELETE", "/installation/token", (call) => {
      if (call.identity.kind !== "installation")
        throw new ApiError(403, "You must authenticate with an installation access token.");
      state.tokens.revoke(call.identity.token);
      return { status: 204 };
    }),
  ];
}

/** @throws ApiError 401 for a JWT that lives longer than GitHub lets it. */
function assertLifetime(token: string): void {
  const claims: unknown = (() => {
    try {
      return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    } catch {
      return null;
    }
  })();
  if (!isObject(claims) || typeof claims.exp !== "number")
    throw new ApiError(401, "A JSON web token could not be decoded");
  if (claims.exp > Date.now() / 1000 + JWT_SECONDS) {
    throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  }
}

/** @throws ApiError 422 when more is asked than the app was given. */
function narrowed(granted: Permissions, asked: unknown): Permissions {
  if (!isObject(asked)) return granted;
  const rank: Record<string, number> = { none: 0, read: 1, write: 2 };
  const chosen: Record<string, Level> = { metadata: "read" };
  for (const [name, level] of Object.entries(asked)) {
    if (level !== "read" && level !== "write") throw invalid("The permissions requested are not valid.");
    if ((rank[level] ?? 0) > (rank[granted[name] ?? "none"] ?? 0)) {
      throw invalid("The permissions requested are not granted to this installation.");
    }
    chosen[name] = level;
  }
  return chosen;
}

/** The repositories the token was limited to; null when it was not. */
function selection(state: HubState, body: Json, answer: Json): ReadonlySet<number> | null {
  if (body.repositories === undefined && body.repository_ids === undefined) return null;
  const chosen = Array.isArray(answer.repositories) ? answer.repositories.filter(isObject) : [];
  return new Set(
    chosen.map((repository) => Number(repository.id)).filter((id) => state.repositoryById(id) !== undefined),
  );
}

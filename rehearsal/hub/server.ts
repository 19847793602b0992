import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { FaultBox, RequestFault, SeenCall } from "./faults.ts";
import {
  ApiError,
  type Call,
  type Handler,
  NotHeldError,
  type Reply,
  type RepositoryHandler,
  type Route,
  reply,
} from "./http.ts";
import { HEAD_MODIFIED, SECONDARY_LIMIT } from "./limits.ts";
import { authorise } from "./permissions.ts";
import { gitRequest, type SmartHttp, serveGit } from "./smart-http.ts";
import type { HubState } from "./state.ts";

/** Larger requests are cut off: nothing here sends more, and the hub keeps a request in memory. */
const BODY_BYTES = 256 * 1024 * 1024;

export interface Application {
  readonly state: HubState;
  readonly routes: readonly Route[];
  readonly smartHttp: SmartHttp;
  readonly faults: FaultBox;
}

/** What leaves the hub: an answer, a reset connection, or nothing at all. */
type Outcome = Reply | "reset" | "no-answer";

/** A listening server whose application arrives a moment later, once its own address is known. */
export async function listen(): Promise<{
  server: Server;
  url: string;
  use(application: Application): void;
}> {
  let application: Application | null = null;
  const server = createServer((request, response) => {
    void answer(application, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    use: (given) => {
      application = given;
    },
  };
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  application: Application | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result: Outcome =
    application === null
      ? reply(503, { message: "The hub is starting." })
      : await respond(application, request);
  if (result === "no-answer") return;
  if (result === "reset") {
    request.socket.resetAndDestroy();
    return;
  }
  const body = result.body ?? "";
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  response.writeHead(result.status, {
    ...(result.status === 204 ? {} : { "content-length": String(length) }),
    "x-github-media-type": "github.v3; format=json",
    ...result.headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** A request, read but not yet understood. */
type Bare = Omit<Call, "identity">;

/** Never throws: whatever goes wrong becomes an answer. */
async function respond(application: Application, request: IncomingMessage): Promise<Outcome> {
  const { state } = application;
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
  const target = new URL(request.url ?? "/", state.url);
  // GitHub Enterprise serves the same API below this prefix; Probot uses it when told of a host.
  const path = target.pathname.replace(/^\/api\/v3(?=\/)/, "");
  try {
    const body = await readBody(request);
    await state.tick();
    const bare = { method, path, query: target.searchParams, headers: request.headers, body, params: {} };
    const fault = await application.faults.request(seenCall(application, bare));
    if (fault === null) return await perform(application, bare);
    if ("when" in fault && fault.when === "after") {
      await perform(application, bare).catch((error: unknown) => failure(state, method, path, error));
    }
    return played(fault);
  } catch (error) {
    return failure(state, method, path, error);
  }
}

function seenCall({ state }: Application, call: Bare): Omit<SeenCall, "number"> {
  const { method, path, query, body } = call;
  return { method, path, query, body, by: callerOf(state, call) };
}

function callerOf(state: HubState, { headers }: Bare): string | null {
  try {
    const identity = state.tokens.identify(headers);
    if (identity.kind === "anonymous") return null;
    return identity.kind === "app" ? "app" : identity.account.login;
  } catch {
    // Bad credentials are refused in their turn.
    return null;
  }
}

function played(fault: RequestFault): Outcome {
  switch (fault.kind) {
    case "bad-gateway":
      return reply(502, { message: "Server Error" });
    case "reset":
    case "no-answer":
      return fault.kind;
    case "secondary-limit":
      return refusal(
        new ApiError(fault.status ?? 403, SECONDARY_LIMIT, {
          headers: fault.retryAfter === null ? {} : { "retry-after": String(fault.retryAfter) },
        }),
      );
    case "conflict":
      return refusal(new ApiError(409, HEAD_MODIFIED));
  }
}

/** Does what the request asks for. @throws ApiError where GitHub refuses. */
async function perform(application: Application, bare: Bare): Promise<Reply> {
  const { state } = application;
  const isGit = gitRequest({ ...bare, identity: { kind: "anonymous" } }) !== null;
  let identity: Call["identity"];
  try {
    identity = state.tokens.identify(bare.headers);
  } catch (error) {
    if (!isGit || !(error instanceof ApiError)) throw error;
    return {
      status: 401,
      headers: { "www-authenticate": 'Basic realm="GitHub"' },
      body: "Bad credentials",
    };
  }
  const call: Call = { ...bare, identity };
  if (isGit) return serveGit(state, application.smartHttp, call);
  // Bytes of artifacts do not come from the API.
  if (call.path.startsWith("/_artifacts/")) return dispatch(application, call);
  const done = state.rates.admit(identity, call.method, call.path);
  try {
    const answer = await dispatch(application, call).catch((error: unknown) =>
      failure(state, call.method, call.path, error),
    );
    return { ...answer, headers: { ...answer.headers, ...state.rates.headers(identity) } };
  } finally {
    done();
  }
}

async function dispatch({ state, routes }: Application, call: Call): Promise<Reply> {
  for (const route of routes) {
    if (route.method !== call.method) continue;
    const match = route.pattern.exec(call.path);
    if (match === null) continue;
    const params: Record<string, string> = {};
    for (const [index, name] of route.names.entries()) params[name] = decoded(match[index + 1] ?? "");
    if (route.need === null) return (route.handle as Handler)({ ...call, params });
    const repository = state.repository(params.owner ?? "", params.repo ?? "");
    authorise(state, call.identity, repository, route.need);
    return (route.handle as RepositoryHandler)({ ...call, params }, repository);
  }
  throw new NotHeldError(`${call.method} ${call.path}`);
}

function failure(state: HubState, method: string, path: string, error: unknown): Reply {
  if (error instanceof ApiError) {
    if (error instanceof NotHeldError) {
      state.unanswered.push({ method, path, status: error.status });
      state.log(`${error.message} (${method} ${path})`);
    }
    return refusal(error);
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  state.log(`The hub failed at ${method} ${path}: ${message}`);
  return reply(500, { message: "Server Error" });
}

/** GitHub's error shape. */
const refusal = (error: ApiError): Reply =>
  reply(
    error.status,
    {
      message: error.message,
      ...(error.errors === undefined ? {} : { errors: error.errors }),
      documentation_url: "https://docs.github.com/rest",
      status: String(error.status),
    },
    { ...error.headers },
  );

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new ApiError(400, "The path is not valid percent-encoding.");
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > BODY_BYTES) throw new ApiError(413, "The request is too large.");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ZERO_SHA } from "./git-repo.ts";
import { ApiError, type Call, type Reply } from "./http.ts";
import { authorise, reads, writes } from "./permissions.ts";
import { forwardOnly, mayBringWorkflows, type RefChange, refChanged, refusal } from "./refs.ts";
import type { HubState, RepositoryState } from "./state.ts";
import type { Actor } from "./tokens.ts";

/** HUB_REFUSED has lines of `ref<TAB>reason`, HUB_FORWARD_ONLY lines of refs; git shows what a hook prints as `remote: …`. */
const UPDATE_HOOK = `#!/bin/sh
tab=$(printf '\\t')
printf '%s\\n' "$HUB_REFUSED" | while IFS="$tab" read -r ref reason; do
  if [ "$ref" = "$1" ]; then
    echo "error: GH006: Protected branch update failed for $1." >&2
    echo "error: $reason" >&2
    exit 1
  fi
done || exit 1
printf '%s\\n' "$HUB_FORWARD_ONLY" | while read -r ref; do
  if [ "$ref" = "$1" ] && ! git merge-base --is-ancestor "$2" "$3"; then
    echo "error: GH006: Protected branch update failed for $1." >&2
    echo "error: Cannot force-push to this branch" >&2
    exit 1
  fi
done || exit 1
if [ -n "$HUB_NO_WORKFLOWS" ] && [ -n "\${2##$HUB_ZERO}" ] && [ -n "\${3##$HUB_ZERO}" ]; then
  brought=$(git diff --name-only --diff-filter=d "$2" "$3" -- .github/workflows | head -n 1)
  if [ -n "$brought" ]; then
    echo "error: refusing to allow a GitHub App to create or update workflow $brought without workflows permission" >&2
    exit 1
  fi
fi
`;

const POST_RECEIVE_HOOK = `#!/bin/sh
exec cat > "$HUB_RECEIVED"
`;

/** Writes the hooks that every repository of the hub shares. */
export async function writeHooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries({ update: UPDATE_HOOK, "post-receive": POST_RECEIVE_HOOK })) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
}

export interface SmartHttp {
  /** Folder for scratch files. */
  readonly workDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The repository and service of a git request, or null when the path is none. */
export function gitRequest(call: Call): { owner: string; name: string; path: string } | null {
  const match = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(
    call.path,
  );
  if (match === null) return null;
  return { owner: match[1] ?? "", name: match[2] ?? "", path: match[3] ?? "" };
}

/** Clone, fetch and push through `git http-backend`. */
export async function serveGit(state: HubState, http: SmartHttp, call: Call): Promise<Reply> {
  const request = gitRequest(call);
  if (request === null) throw new ApiError(404, "Not Found");
  const service = call.query.get("service");
  const isPush = request.path === "git-receive-pack" || service === "git-receive-pack";
  let repository: RepositoryState;
  try {
    repository = state.repository(request.owner, request.name);
    // git asks without credentials first, and sends them once it is told to.
    if (call.identity.kind === "anonymous" && (isPush || repository.private))
      throw new ApiError(401, "Requires authentication");
    authorise(state, call.identity, repository, isPush ? writes("contents") : reads("contents"));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return gitRefusal(error);
  }
  if (request.path !== "git-receive-pack") return backend(http, repository, call, request.path, {});
  const { identity } = call;
  if (identity.kind === "anonymous" || identity.kind === "app")
    return gitRefusal(new ApiError(401, "Requires authentication"));
  return state.serial(() => receive(state, http, repository, call, identity));
}

function gitRefusal(error: ApiError): Reply {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    ...(error.status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {}),
  };
  return {
    status: error.status,
    headers,
    body: error.status === 404 ? "Repository not found." : error.message,
  };
}

/** What a push asks for, from the pkt-lines before the pack. */
export function pushCommands(body: Uint8Array): RefChange[] {
  const changes: RefChange[] = [];
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  for (let at = 0; at + 4 <= buffer.length; ) {
    const length = Number.parseInt(buffer.toString("latin1", at, at + 4), 16);
    if (!Number.isFinite(length) || length < 4) break;
    const line =
      buffer
        .toString("utf8", at + 4, at + length)
        .split("\0")[0]
        ?.trimEnd() ?? "";
    const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/.exec(line);
    if (match !== null) changes.push(refChange(match[1] ?? "", match[2] ?? "", match[3] ?? ""));
    at += length;
  }
  return changes;
}

const refChange = (before: string, after: string, ref: string): RefChange => ({
  ref,
  before: before === ZERO_SHA ? null : before,
  after: after === ZERO_SHA ? null : after,
});

async function receive(
  state: HubState,
  http: SmartHttp,
  repository: RepositoryState,
  call: Call,
  actor: Actor,
): Promise<Reply> {
  const refused: string[] = [];
  const forward: string[] = [];
  for (const change of pushCommands(unzipped(call))) {
    if (change.before !== null && change.after !== null && forwardOnly(repository, change.ref))
      forward.push(change.ref);
    const reason = await refusal(state, repository, actor, change);
    if (reason !== null) refused.push(`${change.ref}\t${reason}`);
  }
  const received = join(http.workDir, `received-${randomUUID()}`);
  try {
    const answer = await backend(http, repository, call, "git-receive-pack", {
      HUB_REFUSED: refused.join("\n"),
      HUB_FORWARD_ONLY: forward.join("\n"),
      HUB_NO_WORKFLOWS: mayBringWorkflows(actor) ? "" : "1",
      HUB_ZERO: ZERO_SHA,
      HUB_RECEIVED: received,
    });
    // The hook writes exactly the refs that moved; the client hears of success after the hub has drawn the consequences.
    const moved = await readFile(received, "utf8").catch(() => "");
    for (const line of moved.split("\n")) {
      const [before = "", after = "", ref = ""] = line.split(" ");
      if (ref !== "") await afterPush(state, repository, actor, refChange(before, after, ref));
    }
    return answer;
  } finally {
    await rm(received, { force: true });
  }
}

async function afterPush(
  state: HubState,
  repository: RepositoryState,
  actor: Actor,
  change: RefChange,
): Promise<void> {
  if (change.before === change.after) return;
  await refChanged(state, repository, actor, change);
}

const unzipped = (call: Call): Buffer =>
  call.headers["content-encoding"] === "gzip" ? gunzipSync(call.body) : call.body;

async function backend(
  http: SmartHttp,
  repository: RepositoryState,
  call: Call,
  path: string,
  extra: Readonly<Record<string, string>>,
): Promise<Reply> {
  const body = unzipped(call);
  const env: Record<string, string> = {
    ...http.env,
    ...extra,
    GIT_PROJECT_ROOT: repository.gitDir,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: `/${path}`,
    REQUEST_METHOD: call.method,
    QUERY_STRING: call.query.toString(),
    CONTENT_TYPE: String(call.headers["content-type"] ?? ""),
    CONTENT_LENGTH: String(body.length),
    REMOTE_ADDR: "127.0.0.1",
    // Only named callers come this far with a push; git itself asks for a name before it receives.
    REMOTE_USER: "hub",
  };
  const protocol = call.headers["git-protocol"];
  if (typeof protocol === "string") env.GIT_PROTOCOL = protocol;
  const output = await new Promise<Buffer>((resolve, reject) => {
    const child = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (out.length > 0) resolve(Buffer.concat(out));
      else reject(new Error(`git http-backend failed (${code}): ${Buffer.concat(err).toString("utf8")}`));
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(body);
  });
  return cgiReply(output);
}

function cgiReply(output: Buffer): Reply {
  const end = output.indexOf("\r\n\r\n");
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of output.toString("latin1", 0, Math.max(0, end)).split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "status") status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  return { status, headers, body: output.subarray(end + 4) };
}

import { type TreeChange, writeTree } from "../git-merge.ts";
import { EMPTY_TREE, isSha, type Person } from "../git-repo.ts";
import {
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
  required,
  text,
  wants,
} from "../http.ts";
import { TREE_BYTES, TREE_ENTRIES } from "../limits.ts";
import { gitCommitObject, repositoryUrl, signature } from "../payloads.ts";
import { reads, writes } from "../permissions.ts";
import { createRef, deleteRef, fullRef, updateRef } from "../refs.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { actorOf } from "../tokens.ts";

/** Blobs, trees, commits and refs, on the real repository. */
export function gitDataRoutes(state: HubState): Route[] {
  const read = reads("contents");
  const write = writes("contents");
  return [
    repositoryRoute("GET", "/git/blobs/:sha", read, async (call, repository) => {
      const { sha = "" } = call.params;
      if ((await repository.git.typeOf(sha)) !== "blob") throw notFound();
      const content = await repository.git.blob(sha);
      if (wants(call, "raw")) {
        return {
          status: 200,
          headers: { "content-type": "application/vnd.github.raw; charset=utf-8" },
          body: content,
        };
      }
      return reply(200, {
        sha,
        node_id: `B_${sha}`,
        size: content.length,
        url: `${repositoryUrl(state, repository)}/git/blobs/${sha}`,
        content: base64Lines(content),
        encoding: "base64",
      });
    }),
    repositoryRoute("POST", "/git/blobs", write, async (call, repository) => {
      const body = jsonBody(call);
      const content = text(body.content);
      if (content === undefined) throw invalid(`Invalid request.\n\n"content" wasn't supplied.`);
      const bytes = Buffer.from(content, body.encoding === "base64" ? "base64" : "utf8");
      const sha = await repository.git.writeBlob(bytes);
      return reply(201, { sha, url: `${repositoryUrl(state, repository)}/git/blobs/${sha}` });
    }),
    repositoryRoute("GET", "/git/trees/*tree", read, async (call, repository) => {
      const { tree = "" } = call.params;
      const sha = await treeSha(repository, tree);
      if (sha === null) throw notFound();
      const recursive = call.query.has("recursive");
      return reply(200, await treeObject(state, repository, sha, recursive));
    }),
    repositoryRoute("POST", "/git/trees", write, async (call, repository) => {
      const body = jsonBody(call);
      if (!Array.isArray(body.tree)) throw invalid(`Invalid request.\n\n"tree" wasn't supplied.`);
      const base = text(body.base_tree) ?? null;
      if (base !== null && (await treeSha(repository, base)) === null) throw notFound();
      const entries: unknown[] = body.tree;
      const types = await repository.git.typesOf(
        entries.map((entry) => (isObject(entry) ? (text(entry.sha) ?? "") : "")),
      );
      const changes: TreeChange[] = [];
      for (const entry of entries) changes.push(await treeChange(repository, entry, types));
      const sha = await writeTree(repository.git, base, changes);
      return reply(201, await treeObject(state, repository, sha, false));
    }),
    repositoryRoute("GET", "/git/commits/:sha", read, async (call, repository) => {
      const { sha = "" } = call.params;
      if ((await repository.git.typeOf(sha)) !== "commit") throw notFound();
      return reply(200, gitCommitObject(state, repository, await repository.git.commit(sha)));
    }),
    repositoryRoute("POST", "/git/commits", write, async (call, repository) => {
      const body = jsonBody(call);
      const message = required(body, "message");
      const tree = required(body, "tree");
      if ((await repository.git.typeOf(tree)) !== "tree") throw invalid("Tree SHA does not exist");
      const parents = Array.isArray(body.parents) ? body.parents.map(String) : [];
      for (const parent of parents) {
        if ((await repository.git.typeOf(parent)) !== "commit")
          throw invalid("Parent SHA does not exist or is not a commit object");
      }
      const author = person(body.author, signature(state, actorOf(call.identity)));
      const committer = person(body.committer, author);
      const sha = await repository.git.writeCommit({ tree, parents, author, committer, message });
      return reply(201, gitCommitObject(state, repository, await repository.git.commit(sha)));
    }),
    repositoryRoute("GET", "/git/ref/*ref", read, async (call, repository) => {
      const ref = fullRef(call.params.ref ?? "");
      const sha = await repository.git.ref(ref);
      if (sha === null) throw notFound();
      return reply(200, await refObject(state, repository, ref, sha));
    }),
    repositoryRoute("GET", "/git/matching-refs/*ref", read, async (call, repository) => {
      const prefix = `refs/${call.params.ref ?? ""}`;
      const all = await repository.git.refs("refs/");
      const found = all.filter((row) => row.name.startsWith(prefix));
      return paged(
        state.url,
        call,
        found.map((row) => refRow(state, repository, row.name, row.sha, row.type)),
      );
    }),
    repositoryRoute("POST", "/git/refs", write, (call, repository) =>
      state.serial(async () => {
        const body = jsonBody(call);
        const ref = required(body, "ref");
        const sha = required(body, "sha");
        await createRef(state, repository, actorOf(call.identity), ref, sha);
        return reply(201, await refObject(state, repository, ref, sha));
      }),
    ),
    repositoryRoute("PATCH", "/git/refs/*ref", write, (call, repository) =>
      state.serial(async () => {
        const body = jsonBody(call);
        const ref = fullRef(call.params.ref ?? "");
        const sha = required(body, "sha");
        await updateRef(state, repository, actorOf(call.identity), ref, sha, body.force === true);
        return reply(200, await refObject(state, repository, ref, sha));
      }),
    ),
    repositoryRoute("DELETE", "/git/refs/*ref", write, (call, repository) =>
      removeRef(state, call, repository),
    ),
  ];
}

function removeRef(state: HubState, call: Call, repository: RepositoryState): Promise<Reply> {
  return state.serial(async () => {
    await deleteRef(state, repository, actorOf(call.identity), fullRef(call.params.ref ?? ""));
    return noContent;
  });
}

/** Base64 in lines of 60, as GitHub sends it. */
export const base64Lines = (content: Uint8Array): string =>
  Buffer.from(content)
    .toString("base64")
    .replace(/(.{60})/g, "$1\n");

async function treeSha(repository: RepositoryState, name: string): Promise<string | null> {
  const { git } = repository;
  if (name === EMPTY_TREE) return name;
  if (isSha(name) && (await git.typeOf(name)) === "tree") return name;
  const commit = await git.commitOf(name);
  return commit === null ? null : (await git.commit(commit)).tree;
}

async function treeObject(
  state: HubState,
  repository: RepositoryState,
  sha: string,
  recursive: boolean,
): Promise<Json> {
  const api = `${repositoryUrl(state, repository)}/git`;
  const entries = await repository.git.tree(sha, recursive);
  const rows: Json[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const row = {
      path: entry.path,
      mode: entry.mode,
      type: entry.type,
      sha: entry.sha,
      ...(entry.size === null ? {} : { size: entry.size }),
      ...(entry.type === "commit" ? {} : { url: `${api}/${entry.type}s/${entry.sha}` }),
    };
    bytes += JSON.stringify(row).length;
    if (rows.length === TREE_ENTRIES || bytes > TREE_BYTES) break;
    rows.push(row);
  }
  return { sha, url: `${api}/trees/${sha}`, tree: rows, truncated: rows.length < entries.length };
}

async function treeChange(
  repository: RepositoryState,
  entry: unknown,
  types: ReadonlyMap<string, string>,
): Promise<TreeChange> {
  if (!isObject(entry)) throw invalid("Invalid tree info");
  const path = text(entry.path) ?? "";
  const mode = text(entry.mode) ?? "100644";
  // git's index drops such paths without a word.
  const bad = path.includes("\0") || path.split("/").some((part) => /^(|\.|\.\.|\.git)$/i.test(part));
  if (bad) throw invalid("tree.path contains a malformed path component");
  if (!["100644", "100755", "040000", "160000", "120000"].includes(mode))
    throw invalid("Must supply a valid tree.mode");
  const content = text(entry.content);
  if (content !== undefined) {
    return { path, mode, sha: await repository.git.writeBlob(Buffer.from(content, "utf8")) };
  }
  if (entry.sha === null) return { path, mode, sha: null };
  const sha = text(entry.sha) ?? "";
  const wanted = mode === "040000" ? "tree" : "blob";
  if (mode !== "160000" && types.get(sha) !== wanted) {
    throw invalid(`tree.sha ${sha} is not a valid ${wanted}`);
  }
  return { path, mode, sha };
}

function person(value: unknown, fallback: Person): Person {
  if (!isObject(value)) return fallback;
  const date = text(value.date);
  const seconds = date === undefined ? Number.NaN : Math.floor(Date.parse(date) / 1000);
  if (date !== undefined && Number.isNaN(seconds))
    throw invalid(`Invalid request.\n\n${date} is not a valid date-time.`);
  return {
    name: text(value.name) ?? fallback.name,
    email: text(value.email) ?? fallback.email,
    when: date === undefined ? fallback.when : `${seconds} +0000`,
  };
}

function refRow(state: HubState, repository: RepositoryState, ref: string, sha: string, type: string): Json {
  const api = `${repositoryUrl(state, repository)}/git`;
  return {
    ref,
    node_id: `REF_${ref}`,
    url: `${api}/${ref}`,
    object: { sha, type, url: `${api}/${type}s/${sha}` },
  };
}

const refObject = async (
  state: HubState,
  repository: RepositoryState,
  ref: string,
  sha: string,
): Promise<Json> => refRow(state, repository, ref, sha, (await repository.git.typeOf(sha)) ?? "commit");

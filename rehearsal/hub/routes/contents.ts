import type { TreeEntry } from "../git-repo.ts";
import {
  ApiError,
  type Json,
  notFound,
  type Reply,
  type Route,
  reply,
  repositoryRoute,
  wants,
} from "../http.ts";
import { repositoryUrl } from "../payloads.ts";
import { reads } from "../permissions.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { base64Lines } from "./git-data.ts";

const INLINE_BYTES = 1024 * 1024;
const MAXIMUM_BYTES = 100 * 1024 * 1024;
/** A folder listing ends here, as GitHub's does. */
const LISTING_ENTRIES = 1_000;

const raw = (content: Uint8Array): Reply => ({
  status: 200,
  headers: { "content-type": "application/vnd.github.raw; charset=utf-8" },
  body: content,
});

/** Files and folders at a ref, read from git. */
export function contentsRoutes(state: HubState): Route[] {
  const read = async (
    repository: RepositoryState,
    path: string,
    ref: string | null,
  ): Promise<{ commit: string; entry: TreeEntry | null }> => {
    const commit = await repository.git.commitOf(ref ?? repository.defaultBranch);
    if (commit === null)
      throw new ApiError(
        404,
        ref === null ? "This repository is empty." : `No commit found for the ref ${ref}`,
      );
    if (path === "") return { commit, entry: null };
    const entry = await repository.git.entry(commit, path);
    if (entry === null) throw notFound();
    return { commit, entry };
  };
  const listing = async (
    repository: RepositoryState,
    tree: string,
    folder: string,
    ref: string,
  ): Promise<Json[]> => {
    const entries = await repository.git.tree(tree, false);
    return entries
      .slice(0, LISTING_ENTRIES)
      .map((entry) =>
        entryObject(
          state,
          repository,
          { ...entry, path: folder === "" ? entry.path : `${folder}/${entry.path}` },
          ref,
        ),
      );
  };
  return [
    repositoryRoute("GET", "/contents", reads("contents"), async (call, repository) => {
      const ref = call.query.get("ref");
      const { commit } = await read(repository, "", ref);
      return reply(200, await listing(repository, commit, "", ref ?? repository.defaultBranch));
    }),
    repositoryRoute("GET", "/contents/*path", reads("contents"), async (call, repository) => {
      const path = (call.params.path ?? "").replace(/^\/+|\/+$/g, "");
      const ref = call.query.get("ref");
      const { commit, entry } = await read(repository, path, ref);
      if (entry === null || entry.type === "tree") {
        return reply(
          200,
          await listing(repository, entry?.sha ?? commit, path, ref ?? repository.defaultBranch),
        );
      }
      const object = entryObject(state, repository, entry, ref ?? repository.defaultBranch);
      if (entry.type === "commit") return reply(200, object);
      const size = entry.size ?? 0;
      if (size > MAXIMUM_BYTES) throw new ApiError(403, "This API returns blobs up to 100 MB in size.");
      const content = await repository.git.blob(entry.sha);
      if (wants(call, "raw")) return raw(content);
      if (entry.mode === "120000") return reply(200, { ...object, target: content.toString("utf8") });
      // Above one megabyte GitHub gives the content only as raw bytes.
      if (size > INLINE_BYTES) return reply(200, { ...object, encoding: "none", content: "" });
      return reply(200, { ...object, encoding: "base64", content: `${base64Lines(content)}\n` });
    }),
    repositoryRoute("GET", "/raw/:ref/*path", reads("contents"), async (call, repository) => {
      const { entry } = await read(repository, call.params.path ?? "", call.params.ref ?? "");
      if (entry?.type !== "blob") throw notFound();
      return raw(await repository.git.blob(entry.sha));
    }),
  ];
}

function entryObject(state: HubState, repository: RepositoryState, entry: TreeEntry, ref: string): Json {
  const api = repositoryUrl(state, repository);
  const path = entry.path.split("/").map(encodeURIComponent).join("/");
  const url = `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const kind = entry.type === "tree" ? "tree" : "blob";
  const page = `${state.url}/${repository.fullName}/${kind}/${encodeURIComponent(ref)}/${path}`;
  const git = entry.type === "commit" ? null : `${api}/git/${kind}s/${entry.sha}`;
  const types: Record<string, string> = { tree: "dir", commit: "submodule" };
  return {
    name: entry.path.split("/").at(-1) ?? "",
    path: entry.path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url,
    html_url: page,
    git_url: git,
    download_url: entry.type === "blob" ? `${api}/raw/${encodeURIComponent(ref)}/${path}` : null,
    type: entry.mode === "120000" ? "symlink" : (types[entry.type] ?? "file"),
    _links: { self: url, git, html: page },
  };
}

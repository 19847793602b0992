import { at, orNull, type Repository } from "./repository.ts";

/** Single files at a commit or branch. */

/** Git's id of a file's content; null where there is no such file. */
export async function readFileId(repository: Repository, path: string, ref: string): Promise<string | null> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/contents/{path}", { ...at(repository), path, ref }),
  );
  const data = answer?.data;
  return data === undefined || Array.isArray(data) || data.type !== "file" ? null : data.sha;
}

/** A file's text as it is; null where there is no such file. */
export async function readFileText(
  repository: Repository,
  path: string,
  ref: string,
): Promise<string | null> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/contents/{path}", {
      ...at(repository),
      path,
      ref,
      mediaType: { format: "raw" },
    }),
  );
  const data: unknown = answer?.data;
  return typeof data === "string" ? data : null;
}

/** Names of the files in a folder at a commit or branch; none where there is no such folder. */
export async function readFileNames(repository: Repository, path: string, ref: string): Promise<string[]> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/contents/{path}", { ...at(repository), path, ref }),
  );
  const data = answer?.data;
  return Array.isArray(data) ? data.filter(({ type }) => type === "file").map(({ name }) => name) : [];
}

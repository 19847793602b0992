import type { SiteInfo } from "../site/site-info.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const known = (value: string | undefined): string | null =>
  value === undefined || value === "" ? null : value;

/**
 * What a workflow's environment says of the site that is made in it.
 * @param url address the site stands at; empty means that of the repository's Pages, where that can be known
 */
export function siteInfo(
  env: Environment,
  commit: { readonly sha: string | null; readonly tree: string | null },
  url: string,
): SiteInfo {
  const repository = known(env.GITHUB_REPOSITORY);
  const server = known(env.GITHUB_SERVER_URL);
  return {
    repository,
    server,
    commit: commit.sha,
    tree: commit.tree,
    url: url === "" ? pagesAddress(server, repository) : url.endsWith("/") ? url : `${url}/`,
    preview: null,
  };
}

/** `https://owner.github.io/name/`, and the root for the repository that is named like it. */
function pagesAddress(server: string | null, repository: string | null): string | null {
  const [owner, name] = repository?.split("/") ?? [];
  if (server !== "https://github.com" || owner === undefined || name === undefined) return null;
  const host = `${owner.toLowerCase()}.github.io`;
  return name.toLowerCase() === host ? `https://${host}/` : `https://${host}/${name}/`;
}

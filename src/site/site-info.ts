/** Where the pages come from, and where they stand: given once to every page. Unknown is null, and then nothing links there. */
export interface SiteInfo {
  /** `owner/name` on the hoster. */
  readonly repository: string | null;
  /** Address of the hoster without a slash at its end. */
  readonly server: string | null;
  /** The commit of main that everything was made from. */
  readonly commit: string | null;
  /** Git's id of its tree. */
  readonly tree: string | null;
  /** Absolute address of the site's first page, with a slash at its end: pictures and the Atom feed need it. */
  readonly url: string | null;
  /** Set on pages that show what a pull request would change; `results` are the digests of what it brings. */
  readonly preview: {
    readonly pull: number;
    readonly head: string;
    readonly results: readonly string[];
  } | null;
}

/** A site made on somebody's machine from files that are in no commit. */
export const LOCAL_SITE: SiteInfo = {
  repository: null,
  server: null,
  commit: null,
  tree: null,
  url: null,
  preview: null,
};

const pathText = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The address of a file (or, with `kind` "tree", of a folder) at the commit of the site; null when it is not known. */
export function sourceAddress(
  { server, repository, commit }: SiteInfo,
  path: string,
  kind: "blob" | "tree" = "blob",
): string | null {
  if (server === null || repository === null || commit === null) return null;
  return `${server}/${repository}/${kind}/${commit}/${pathText(path)}`;
}

/** The address of a commit; null when the hoster is not known. */
export const commitAddress = ({ server, repository }: SiteInfo, commit: string): string | null =>
  server === null || repository === null ? null : `${server}/${repository}/commit/${commit}`;

/** The address of a pull request; null when the hoster is not known. */
export const pullAddress = ({ server, repository }: SiteInfo, pull: number): string | null =>
  server === null || repository === null ? null : `${server}/${repository}/pull/${pull}`;

/**
 * A relative address from one page of the site to another, so that the site works under any sub-path.
 * @param from path of the page that links, from the site's root
 * @param to path of a file of the site, with a query or fragment as it may be
 */
export function href(from: string, to: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  const up = "../".repeat(here.length - shared);
  const down = there.slice(shared).join("/");
  return `${up}${down}` || "./";
}

import { code } from "./words-text.ts";

/**
 * The only links that a comment holds: to this repository's own pages, absolute because relative ones lead nowhere in a
 * comment. Whatever a part of an address does not look like what it must be, there is no link. Pure.
 */

/** What is known of this repository on the web. */
export interface Web {
  /** `https://<host>/<owner>/<name>`, from the API; null when it is not known. */
  readonly repositoryUrl: string | null;
  /** Commit whose documents explain the findings; the default branch's when null. */
  readonly docs: string | null;
}

export const NOWHERE: Web = { repositoryUrl: null, docs: null };

const REPOSITORY_URL = /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._-]+){2,6}$/;
const SHA = /^[0-9a-f]{40}$/;
const CODE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A repository's address out of the address of one of its workflow runs, as the API gives it; null for another one. */
export function repositoryUrlOf(runUrl: string): string | null {
  const url = runUrl.replace(/\/actions\/runs\/\d+(?:\/attempts\/\d+)?$/, "");
  return url !== runUrl && REPOSITORY_URL.test(url) ? url : null;
}

const link = (web: Web, text: string, path: string): string =>
  web.repositoryUrl === null || !REPOSITORY_URL.test(web.repositoryUrl)
    ? text
    : `[${text}](${web.repositoryUrl}/${path})`;

/** A finding's code, linked to what `docs/findings.md` says of it. */
export function findingLink(finding: string, web: Web): string {
  const text = code(finding, { max: 80 });
  if (!CODE.test(finding) || finding.length > 80) return text;
  const at = web.docs !== null && SHA.test(web.docs) ? web.docs : "HEAD";
  return link(web, text, `blob/${at}/docs/findings.md#${finding}`);
}

/** `run 17`, linked to the workflow run. */
export const runLink = (run: number, web: Web): string => link(web, `run ${run}`, `actions/runs/${run}`);

/** `pull request 17`, linked to it. */
export const pullLink = (pull: number, web: Web): string => link(web, `pull request ${pull}`, `pull/${pull}`);

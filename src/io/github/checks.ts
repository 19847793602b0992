import type { Annotation, CheckConclusion } from "../../lib/result-pr/words-check.ts";
import { at, orNull, type Repository } from "./repository.ts";

/** Check runs of our own app: what it decided about one commit, writable by nobody else. */

export interface Check {
  readonly id: number;
  readonly name: string;
  readonly headSha: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly externalId: string;
  readonly title: string;
  readonly summary: string;
  readonly startedAt: string | null;
}

export interface CheckWish {
  readonly name: string;
  readonly headSha: string;
  readonly externalId: string;
  readonly title: string;
  readonly summary: string;
  /** Null while it is under way. */
  readonly conclusion: CheckConclusion | null;
  /** It is under way, and nothing of it has begun. */
  readonly queued?: boolean;
  readonly annotations?: readonly Annotation[];
  readonly detailsUrl?: string;
}

/** Our app's newest check run of each name on a commit. */
export async function readChecks(repository: Repository, sha: string): Promise<Check[]> {
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
    ...at(repository),
    ref: sha,
    app_id: repository.identity.appId,
    filter: "latest",
    per_page: 100,
  });
  return data.check_runs
    .filter((run) => run.app?.id === repository.identity.appId)
    .map((run) => checkFacts(run as CheckData));
}

/** A check run of our app by its id; null when there is none, or another app made it. */
export async function readCheck(repository: Repository, id: number): Promise<Check | null> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/check-runs/{check_run_id}", {
      ...at(repository),
      check_run_id: id,
    }),
  );
  const own = answer !== null && answer.data.app?.id === repository.identity.appId;
  return own ? checkFacts(answer.data as CheckData) : null;
}

interface CheckData {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly external_id: string | null;
  readonly output: { readonly title: string | null; readonly summary: string | null };
  readonly started_at: string | null;
}

const checkFacts = (run: CheckData): Check => ({
  id: Number(run.id),
  name: run.name,
  headSha: run.head_sha,
  status: run.status,
  conclusion: run.conclusion,
  externalId: run.external_id ?? "",
  title: run.output.title ?? "",
  summary: run.output.summary ?? "",
  startedAt: run.started_at,
});

const fields = (wish: CheckWish): Record<string, unknown> => ({
  external_id: wish.externalId,
  ...(wish.detailsUrl === undefined ? {} : { details_url: wish.detailsUrl }),
  ...(wish.conclusion === null
    ? { status: wish.queued === true ? ("queued" as const) : ("in_progress" as const) }
    : { status: "completed" as const, conclusion: wish.conclusion }),
  output: {
    title: wish.title,
    summary: wish.summary,
    ...(wish.annotations === undefined || wish.annotations.length === 0
      ? {}
      : { annotations: wish.annotations }),
  },
});

/** Returns the new check run's id. */
export async function postCheck(repository: Repository, wish: CheckWish): Promise<number> {
  const { data } = await repository.client.request("POST /repos/{owner}/{repo}/check-runs", {
    ...at(repository),
    name: wish.name,
    head_sha: wish.headSha,
    ...fields(wish),
  } as Parameters<typeof repository.client.rest.checks.create>[0] & object);
  return Number(data.id);
}

export async function patchCheck(repository: Repository, id: number, wish: CheckWish): Promise<void> {
  await repository.client.request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
    ...at(repository),
    check_run_id: id,
    ...fields(wish),
  } as Parameters<typeof repository.client.rest.checks.update>[0] & object);
}

import { z } from "zod";

/** Counting the runs of a workflow that one person started, over the plain API: an action needs no client for one call. */

const runsSchema = z.object({
  workflow_runs: z.array(
    z.object({
      event: z.string(),
      created_at: z.string(),
      actor: z.object({ id: z.number() }).nullable(),
    }),
  ),
});

export interface StartedRuns {
  /** `https://api.github.com`, or where else the API is. */
  readonly api: string;
  /** `<owner>/<name>` */
  readonly repository: string;
  /** File name of the workflow. */
  readonly workflow: string;
  /** Token that may read Actions. */
  readonly token: string;
  readonly actor: { readonly id: number; readonly login: string };
  /** ISO 8601 UTC, to the second. */
  readonly since: string;
}

const TIMEOUT_MS = 20_000;
const PAGE = 100;

/**
 * How many runs this person's pull requests started since then, up to a hundred. The API filters by name, which can change
 * hands; what counts is the number.
 * @throws Error when the API does not answer as it should.
 */
export async function countStartedRuns(
  { api, repository, workflow, token, actor, since }: StartedRuns,
  send: typeof fetch = fetch,
): Promise<number> {
  const url = new URL(`${api}/repos/${repository}/actions/workflows/${encodeURIComponent(workflow)}/runs`);
  url.searchParams.set("actor", actor.login);
  url.searchParams.set("event", "pull_request_target");
  url.searchParams.set("created", `>=${since}`);
  url.searchParams.set("per_page", String(PAGE));
  const response = await send(url, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "x-github-api-version": "2022-11-28",
    },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
  const { workflow_runs } = runsSchema.parse(await response.json());
  return workflow_runs.filter(
    (run) => run.actor?.id === actor.id && run.event === "pull_request_target" && run.created_at >= since,
  ).length;
}

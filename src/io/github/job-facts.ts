import { z } from "zod";
import type { PermissionFacts } from "../../lib/bot/authorise.ts";
import type { CheckRunFacts } from "../../lib/bot/guard.ts";

/** What the guard asks GitHub, over the plain API and with a token that only reads. Nothing is retried: the guard then refuses. */

export interface GitHubReader {
  /** `https://api.github.com`, or where else the API is. */
  readonly api: string;
  /** `<owner>/<name>` */
  readonly repository: string;
  readonly token: string;
  readonly send?: typeof fetch;
}

const TIMEOUT_MS = 20_000;

/** One answer, in the form that is expected; null for 404 (there is none, or the token may not see it). @throws Error for any other. */
async function get<T>(
  { api, repository, token, send = fetch }: GitHubReader,
  path: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const response = await send(`${api}/repos/${repository}${path}`, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "x-github-api-version": "2022-11-28",
    },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
  return schema.parse(await response.json());
}

export const readRepositoryFacts = async (
  reader: GitHubReader,
): Promise<{ id: number; defaultBranch: string } | null> => {
  const found = await get(reader, "", z.object({ id: z.number(), default_branch: z.string() }));
  return found === null ? null : { id: found.id, defaultBranch: found.default_branch };
};

const checkSchema = z.object({
  name: z.string(),
  head_sha: z.string(),
  status: z.string(),
  external_id: z.string().nullish(),
  app: z.object({ id: z.number() }).nullish(),
});

/** A check run by its id. */
export async function readCheckRun(reader: GitHubReader, id: string): Promise<CheckRunFacts | null> {
  const found = await get(reader, `/check-runs/${encodeURIComponent(id)}`, checkSchema);
  if (found === null) return null;
  const { name, head_sha, status, external_id, app } = found;
  return { name, headSha: head_sha, status, externalId: external_id ?? "", appId: app?.id ?? null };
}

export async function readPermission(reader: GitHubReader, login: string): Promise<PermissionFacts | null> {
  const found = await get(
    reader,
    `/collaborators/${encodeURIComponent(login)}/permission`,
    z.object({
      permission: z.string(),
      role_name: z.string().optional(),
      user: z.object({ id: z.number() }).nullish(),
    }),
  );
  if (found?.user == null) return null;
  return {
    userId: found.user.id,
    roleName: found.role_name ?? found.permission,
    permission: found.permission,
  };
}

export async function readPull(
  reader: GitHubReader,
  number: string,
): Promise<{ open: boolean; headSha: string; baseRef: string } | null> {
  const found = await get(
    reader,
    `/pulls/${encodeURIComponent(number)}`,
    z.object({
      state: z.string(),
      head: z.object({ sha: z.string() }),
      base: z.object({ ref: z.string() }),
    }),
  );
  return found === null
    ? null
    : { open: found.state === "open", headSha: found.head.sha, baseRef: found.base.ref };
}

/** A run of a guarded workflow. */
export interface JobRun {
  readonly id: number;
  readonly status: string;
  /** From its name, `… job <nonce>`; null when it has none. */
  readonly nonce: string | null;
}

const runsSchema = z.object({
  workflow_runs: z.array(
    z.object({
      id: z.number(),
      event: z.string(),
      status: z.string().nullable(),
      created_at: z.string(),
      display_title: z.string(),
    }),
  ),
});

/** Runs of one workflow since then (ISO 8601 UTC to the second), newest first: at most a hundred. */
export async function readJobRuns(reader: GitHubReader, workflow: string, since: string): Promise<JobRun[]> {
  const file = workflow.slice(workflow.lastIndexOf("/") + 1);
  const query = `event=workflow_dispatch&created=${encodeURIComponent(`>=${since}`)}&per_page=100`;
  const found = await get(reader, `/actions/workflows/${encodeURIComponent(file)}/runs?${query}`, runsSchema);
  return (found?.workflow_runs ?? [])
    .filter((run) => run.event === "workflow_dispatch" && run.created_at >= since)
    .map(({ id, status, display_title }) => ({
      id,
      status: status ?? "unknown",
      nonce: /, job ([1-9]\d*)$/.exec(display_title)?.[1] ?? null,
    }))
    .sort((a, b) => b.id - a.id);
}

import type { Context, Probot } from "probot";
import type { Job } from "./context.ts";
import { tick } from "./merge.ts";
import { mayHoldCommand, onIssueComment } from "./on-issue-comment.ts";
import { onHostJob, onJobRun } from "./on-job.ts";
import { onLabel, onPullRequest } from "./on-pull-request.ts";
import { onWorkflowRun } from "./on-workflow-run.ts";

/** Where a webhook came from: enough to find the repository's queue. */
export interface Origin {
  readonly owner: string;
  readonly repo: string;
  readonly installationId: number | null;
  /** As the webhook tells it: where it differs from what is known, GitHub is asked again. */
  readonly defaultBranch?: string | undefined;
}

/** What the app needs of the server around it. */
export interface Desk {
  /** Queues a job for a repository. */
  take(origin: Origin, job: Job): void;
  /** The head of a pull request right now, outside the queue; null when it cannot be told. */
  headNow(origin: Origin, pull: number): Promise<string | null>;
  /** True while a merge is under way or asked for. */
  merging(origin: Origin): boolean;
}

interface WithRepository {
  readonly repository: {
    readonly name: string;
    readonly owner: { readonly login: string };
    readonly default_branch?: string | undefined;
  };
  readonly installation?: { readonly id: number | bigint } | null | undefined;
}

const originOf = ({ repository, installation }: WithRepository): Origin => ({
  owner: repository.owner.login,
  repo: repository.name,
  installationId: installation == null ? null : Number(installation.id),
  defaultBranch: repository.default_branch,
});

/** The base moved: a merge under way has to look at that. */
const MERGE_JOB: Job = { key: "merge", run: tick };

/** The table of events. Handlers only say what to look at; the work is done from the queue, after the answer. */
export function registerEvents(app: Probot, desk: Desk): void {
  const take = (payload: WithRepository, job: Job | null): void => {
    if (job !== null) desk.take(originOf(payload), job);
  };
  app.on(
    ["pull_request.opened", "pull_request.synchronize", "pull_request.reopened", "pull_request.closed"],
    async ({ payload }) => take(payload, onPullRequest(payload)),
  );
  app.on(["pull_request.edited", "pull_request.converted_to_draft"], async ({ payload }) => {
    // Of what is edited only the base matters.
    if (payload.action === "edited" && payload.changes.base === undefined) return;
    take(payload, onPullRequest(payload));
  });
  app.on(["pull_request.labeled", "pull_request.unlabeled"], async ({ payload }) =>
    take(payload, onLabel({ number: payload.number, label: payload.label?.name ?? "" })),
  );
  app.on("pull_request.ready_for_review", async ({ payload }) => take(payload, onLabel(payload)));
  app.on("workflow_run.completed", async ({ payload }) =>
    take(
      payload,
      onWorkflowRun({
        workflow_run: { id: Number(payload.workflow_run.id), path: payload.workflow_run.path },
      }),
    ),
  );
  app.on(
    ["workflow_run.requested", "workflow_run.in_progress", "workflow_run.completed"],
    async ({ payload }) =>
      take(
        payload,
        onJobRun({ workflow_run: { id: Number(payload.workflow_run.id), path: payload.workflow_run.path } }),
      ),
  );
  app.on(["workflow_job.queued", "workflow_job.waiting", "workflow_job.in_progress"], async ({ payload }) =>
    take(
      payload,
      onHostJob({
        workflow_job: {
          run_id: Number(payload.workflow_job.run_id),
          workflow_name: payload.workflow_job.workflow_name,
        },
      }),
    ),
  );
  app.on(["issue_comment.created", "issue_comment.edited"], async ({ payload }) => comment(desk, payload));
  app.on("push", async ({ payload }) => {
    const origin = originOf(payload as WithRepository);
    if (payload.ref === `refs/heads/${payload.repository.default_branch}` && desk.merging(origin)) {
      desk.take(origin, MERGE_JOB);
    }
  });
}

type CommentPayload = Context<"issue_comment.created" | "issue_comment.edited">["payload"];

function comment(desk: Desk, payload: CommentPayload): void {
  const origin = originOf(payload);
  const seen = {
    action: payload.action,
    issue: { number: payload.issue.number, pull_request: payload.issue.pull_request },
    comment: {
      id: Number(payload.comment.id),
      body: payload.comment.body,
      user: payload.comment.user === null ? null : { type: payload.comment.user.type ?? "" },
    },
    changes: payload.action === "edited" ? (payload.changes as { body?: { from?: string } }) : undefined,
  };
  if (!mayHoldCommand(seen)) return;
  const job = onIssueComment(seen, desk.headNow(origin, seen.issue.number));
  if (job !== null) desk.take(origin, job);
}

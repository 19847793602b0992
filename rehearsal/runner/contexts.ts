/** The contexts and variables that GitHub gives a run, a job and its steps. */
import type { Trigger } from "../hub/contract.ts";
import { at } from "./events.ts";
import type { Value } from "./expressions.ts";
import type { Workflow } from "./workflow.ts";

/** What stays the same during a run. */
export interface RunInfo {
  readonly trigger: Trigger;
  readonly runId: number;
  readonly runNumber: number;
  readonly workflow: Workflow;
  readonly inputs: Readonly<Record<string, Value>>;
  /** The payload, with the dispatch inputs completed. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly hubUrl: string;
  readonly vars: Readonly<Record<string, string>>;
}

/** What a job adds. */
export interface JobInfo {
  readonly jobKey: string;
  readonly token: string;
  readonly workspace: string;
  readonly eventPath: string;
}

/** The `github` context, without what changes from step to step. */
export function githubContext(run: RunInfo, job?: JobInfo): Record<string, unknown> {
  const { trigger, event } = run;
  const { owner, name, id } = trigger.repository;
  const repository = `${owner}/${name}`;
  const ownerId = at(event, "repository", "owner", "id");
  return {
    ...(job && { token: job.token, job: job.jobKey, workspace: job.workspace, event_path: job.eventPath }),
    ref: trigger.ref,
    sha: trigger.sha,
    repository,
    repository_owner: owner,
    repository_owner_id: ownerId === undefined ? "" : String(ownerId),
    repositoryUrl: `${run.hubUrl}/${repository}.git`,
    repository_id: String(id),
    run_id: String(run.runId),
    run_number: String(run.runNumber),
    retention_days: "90",
    run_attempt: "1",
    actor_id: String(trigger.actor.id),
    actor: trigger.actor.login,
    triggering_actor: trigger.actor.login,
    workflow: run.workflow.name,
    head_ref: String(at(event, "pull_request", "head", "ref") ?? ""),
    base_ref: String(at(event, "pull_request", "base", "ref") ?? ""),
    event_name: trigger.event,
    server_url: run.hubUrl,
    api_url: run.hubUrl,
    graphql_url: `${run.hubUrl}/graphql`,
    ref_name: trigger.ref.replace(/^refs\/(heads|tags|pull)\//, ""),
    ref_protected: false,
    ref_type: trigger.ref.startsWith("refs/tags/") ? "tag" : "branch",
    secret_source: "None",
    workflow_ref: `${repository}/${run.workflow.path}@${trigger.ref}`,
    workflow_sha: trigger.sha,
    event,
  };
}

/** Members of the `github` context that become `GITHUB_…` variables, as GitHub documents them. */
const VARIABLES = [
  ...["actor", "actor_id", "api_url", "base_ref", "event_name", "event_path", "graphql_url", "head_ref"],
  ...[
    "job",
    "ref",
    "ref_name",
    "ref_protected",
    "ref_type",
    "repository",
    "repository_id",
    "repository_owner",
  ],
  ...["repository_owner_id", "retention_days", "run_attempt", "run_id", "run_number", "server_url", "sha"],
  ...["triggering_actor", "workflow", "workflow_ref", "workflow_sha", "workspace"],
  ...["action", "action_path", "action_repository", "action_ref"],
];

/** `GITHUB_…` variables of a step. */
export function githubVariables(context: Readonly<Record<string, unknown>>): Record<string, string> {
  const variables: Record<string, string> = { GITHUB_ACTIONS: "true" };
  for (const name of VARIABLES) {
    const value = context[name];
    if (value !== undefined) variables[`GITHUB_${name.toUpperCase()}`] = String(value);
  }
  return variables;
}

/** Triggers under which a workflow holds a token for the base repository while a stranger chose the input. */
export function isPrivileged(trigger: Trigger): boolean {
  return [
    "pull_request_target",
    "workflow_run",
    "issue_comment",
    "merge_group",
    "workflow_dispatch",
  ].includes(trigger.event);
}

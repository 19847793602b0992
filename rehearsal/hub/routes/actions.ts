import { randomUUID } from "node:crypto";
import { parse } from "yaml";
import {
  artifactObject,
  jobObject,
  type LocalActions,
  type Run,
  runObject,
  type Workflow,
  workflowObject,
} from "../actions-store.ts";
import {
  ApiError,
  type Call,
  invalid,
  isObject,
  type Json,
  jsonBody,
  noContent,
  notFound,
  paged,
  type Reply,
  type Route,
  reply,
  repositoryRoute,
  required,
  route,
} from "../http.ts";
import { DISPATCH_CHARACTERS, DISPATCH_INPUTS } from "../limits.ts";
import { envelope } from "../payloads.ts";
import { reads, writes } from "../permissions.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { actorOf } from "../tokens.ts";

const FOLDER = ".github/workflows";
/** A link to an artifact's bytes lives one minute, as on GitHub. */
const LINK_MS = 60_000;

/** Workflows, their dispatch, runs, jobs and artifacts. */
export function actionRoutes(state: HubState, actions: LocalActions): Route[] {
  const read = reads("actions");
  const runAt = (repository: RepositoryState, call: Call): Run => {
    const run = actions.runs(repository).find((candidate) => candidate.id === Number(call.params.run));
    if (run === undefined) throw notFound();
    return run;
  };
  const runList = async (call: Call, runs: readonly Run[]): Promise<Reply> => {
    const { query } = call;
    const match = (name: string, value: string | null): boolean =>
      query.get(name) === null || query.get(name) === value;
    const found = runs.filter(
      (run) =>
        match("event", run.trigger.event) &&
        match("branch", run.trigger.headBranch) &&
        match("head_sha", run.trigger.headSha) &&
        match("actor", run.trigger.actor.login) &&
        (match("status", run.status) || query.get("status") === run.conclusion),
    );
    const page = paged(state.url, call, found, (rows) => rows.map((run) => run.id));
    const ids: number[] = JSON.parse(String(page.body));
    const rows: Json[] = [];
    for (const id of ids) rows.push(await runObject(state, actions.run(id)));
    return { ...page, body: JSON.stringify({ total_count: found.length, workflow_runs: rows }) };
  };
  const links = new Map<string, { readonly zip: Uint8Array; readonly until: number }>();
  const artifacts = (repository: RepositoryState): { run: Run; artifact: Run["artifacts"][number] }[] =>
    actions.runs(repository).flatMap((run) => run.artifacts.map((artifact) => ({ run, artifact })));
  const artifactAt = (
    repository: RepositoryState,
    call: Call,
  ): { run: Run; artifact: Run["artifacts"][number] } => {
    const found = artifacts(repository).find(({ artifact }) => artifact.id === Number(call.params.artifact));
    if (found === undefined) throw notFound();
    return found;
  };
  const artifactList = (
    call: Call,
    rows: readonly { run: Run; artifact: Run["artifacts"][number] }[],
  ): Reply => {
    const name = call.query.get("name");
    const found = rows.filter(({ artifact }) => name === null || artifact.name === name);
    return paged(state.url, call, found, (page, total) => ({
      total_count: total,
      artifacts: page.map(({ run, artifact }) => artifactObject(state, run, artifact)),
    }));
  };
  return [
    repositoryRoute("GET", "/actions/workflows", read, async (call, repository) =>
      paged(state.url, call, await workflows(actions, repository), (page, total) => ({
        total_count: total,
        workflows: page.map((workflow) => workflowObject(state, repository, workflow)),
      })),
    ),
    repositoryRoute("GET", "/actions/workflows/:workflow", read, async (call, repository) =>
      reply(200, workflowObject(state, repository, await workflowAt(actions, repository, call))),
    ),
    repositoryRoute("GET", "/actions/workflows/:workflow/runs", read, async (call, repository) => {
      const workflow = await workflowAt(actions, repository, call);
      return runList(
        call,
        actions.runs(repository).filter((run) => run.workflow.id === workflow.id),
      );
    }),
    repositoryRoute(
      "POST",
      "/actions/workflows/:workflow/dispatches",
      writes("actions"),
      async (call, repository) => {
        const workflow = await workflowAt(actions, repository, call);
        await dispatch(state, call, repository, workflow);
        return noContent;
      },
    ),
    repositoryRoute("GET", "/actions/runs", read, (call, repository) =>
      runList(call, actions.runs(repository)),
    ),
    repositoryRoute("GET", "/actions/runs/:run", read, async (call, repository) =>
      reply(200, await runObject(state, runAt(repository, call))),
    ),
    repositoryRoute("POST", "/actions/runs/:run/cancel", writes("actions"), (call, repository) => {
      if (!actions.cancelRun(runAt(repository, call).id))
        throw new ApiError(409, "Cannot cancel a workflow run that is completed.");
      return reply(202, {});
    }),
    repositoryRoute("GET", "/actions/runs/:run/jobs", read, (call, repository) => {
      const run = runAt(repository, call);
      return paged(state.url, call, run.jobs, (page, total) => ({
        total_count: total,
        jobs: page.map((job) => jobObject(state, run, job)),
      }));
    }),
    repositoryRoute("GET", "/actions/runs/:run/artifacts", read, (call, repository) => {
      const run = runAt(repository, call);
      return artifactList(
        call,
        run.artifacts.map((artifact) => ({ run, artifact })),
      );
    }),
    repositoryRoute("GET", "/actions/jobs/:job", read, (call, repository) => {
      const { run, job } = jobAt(actions, repository, call);
      return reply(200, jobObject(state, run, job));
    }),
    repositoryRoute("GET", "/actions/jobs/:job/logs", read, (call, repository) => {
      const { job } = jobAt(actions, repository, call);
      return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: job.log };
    }),
    repositoryRoute("GET", "/actions/artifacts", read, (call, repository) =>
      artifactList(call, artifacts(repository)),
    ),
    repositoryRoute("GET", "/actions/artifacts/:artifact", read, (call, repository) => {
      const { run, artifact } = artifactAt(repository, call);
      return reply(200, artifactObject(state, run, artifact));
    }),
    repositoryRoute("GET", "/actions/artifacts/:artifact/:format", read, (call, repository) => {
      // Nobody downloads an artifact unnamed, not even from a public repository.
      actorOf(call.identity);
      const { artifact } = artifactAt(repository, call);
      if (call.params.format !== "zip") throw notFound();
      const id = randomUUID();
      links.set(id, { zip: artifact.zip, until: state.now() + LINK_MS });
      return { status: 302, headers: { location: `${state.url}/_artifacts/${id}` } };
    }),
    route("GET", "/_artifacts/:id", (call) => {
      const link = links.get(call.params.id ?? "");
      if (link === undefined || link.until < state.now()) throw notFound();
      return { status: 200, headers: { "content-type": "application/zip" }, body: link.zip };
    }),
  ];
}

function jobAt(
  actions: LocalActions,
  repository: RepositoryState,
  call: Call,
): { run: Run; job: Run["jobs"][number] } {
  for (const run of actions.runs(repository)) {
    const job = run.jobs.find((candidate) => candidate.id === Number(call.params.job));
    if (job !== undefined) return { run, job };
  }
  throw notFound();
}

/** The parsed workflow file at a commit; null when it is absent or not YAML. */
async function workflowFile(repository: RepositoryState, commit: string, path: string): Promise<Json | null> {
  const entry = await repository.git.entry(commit, path);
  if (entry?.type !== "blob") return null;
  try {
    const value: unknown = parse((await repository.git.blob(entry.sha)).toString("utf8"));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

async function workflows(actions: LocalActions, repository: RepositoryState): Promise<Workflow[]> {
  const tip = await repository.git.ref(`refs/heads/${repository.defaultBranch}`);
  const folder = tip === null ? null : await repository.git.entry(tip, FOLDER);
  if (tip === null || folder === null) return [];
  const found: Workflow[] = [];
  for (const entry of await repository.git.tree(folder.sha, false)) {
    const path = `${FOLDER}/${entry.path}`;
    const file = /\.ya?ml$/.test(entry.path) ? await workflowFile(repository, tip, path) : null;
    if (file !== null)
      found.push(actions.workflow(repository, path, typeof file.name === "string" ? file.name : path));
  }
  return found;
}

async function workflowAt(actions: LocalActions, repository: RepositoryState, call: Call): Promise<Workflow> {
  const name = call.params.workflow ?? "";
  const found = (await workflows(actions, repository)).find(
    (workflow) => workflow.path === `${FOLDER}/${name}` || String(workflow.id) === name,
  );
  if (found === undefined) throw notFound();
  return found;
}

async function dispatch(
  state: HubState,
  call: Call,
  repository: RepositoryState,
  workflow: Workflow,
): Promise<void> {
  const actor = actorOf(call.identity);
  const body = jsonBody(call);
  const name = required(body, "ref").replace(/^refs\/(?:heads|tags)\//, "");
  const { git } = repository;
  const branch = await git.ref(`refs/heads/${name}`);
  const ref = branch === null ? `refs/tags/${name}` : `refs/heads/${name}`;
  const sha = (await git.ref(ref)) === null ? null : await git.commitOf(ref);
  if (sha === null) throw invalid(`No ref found for: ${name}`);
  const file = await workflowFile(repository, sha, workflow.path);
  const declared = dispatchInputs(file);
  if (declared === null) throw invalid("Workflow does not have 'workflow_dispatch' trigger");
  const inputs = resolveInputs(declared, body.inputs);
  const payload = {
    ...envelope(state, repository, actor.account),
    ref,
    workflow: workflow.path,
    inputs,
  };
  state.trigger(
    {
      event: "workflow_dispatch",
      payload,
      repository,
      sha,
      ref,
      headSha: sha,
      headBranch: name,
      headRepository: { id: repository.id, fullName: repository.fullName },
      actor: { id: actor.account.id, login: actor.account.login },
      workflowPath: workflow.path,
      inputs,
    },
    actor,
  );
}

/** Declared inputs of `on: workflow_dispatch`, or null when the workflow has no such trigger. */
function dispatchInputs(file: Json | null): Json | null {
  const on = file?.on;
  if (on === "workflow_dispatch" || (Array.isArray(on) && on.includes("workflow_dispatch"))) return {};
  if (!isObject(on) || !("workflow_dispatch" in on)) return null;
  const own = on.workflow_dispatch;
  return isObject(own) && isObject(own.inputs) ? own.inputs : {};
}

function resolveInputs(declared: Json, given: unknown): Record<string, string> {
  const sent = given === undefined || given === null ? {} : given;
  if (!isObject(sent)) throw invalid("Invalid request.\n\ninputs is not an object.");
  if (Object.keys(sent).length > DISPATCH_INPUTS)
    throw invalid(`You may only define up to ${DISPATCH_INPUTS} inputs for a 'workflow_dispatch' event`);
  if (JSON.stringify(sent).length > DISPATCH_CHARACTERS) throw invalid("inputs are too large.");
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(declared, name));
  if (unknown.length > 0) throw invalid(`Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  const inputs: Record<string, string> = {};
  for (const [name, value] of Object.entries(declared)) {
    const rule = isObject(value) ? value : {};
    const chosen = sent[name] ?? rule.default;
    if (chosen === undefined || chosen === "") {
      if (rule.required === true) throw invalid(`Required input '${name}' not provided`);
      inputs[name] = "";
      continue;
    }
    if (Array.isArray(rule.options) && !rule.options.map(String).includes(String(chosen))) {
      throw invalid(
        `Provided value '${String(chosen)}' for input '${name}' not in the list of allowed values`,
      );
    }
    inputs[name] = String(chosen);
  }
  return inputs;
}

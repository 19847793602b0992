import type { CheckRecord } from "../check-book.ts";
import { checkRunObject } from "../check-runs.ts";
import {
  ApiError,
  type Call,
  invalid,
  isObject,
  type Json,
  jsonBody,
  notFound,
  paged,
  type Reply,
  type Route,
  reply,
  repositoryRoute,
  text,
} from "../http.ts";
import { ANNOTATIONS_PER_REQUEST, OUTPUT_CHARACTERS } from "../limits.ts";
import { notify } from "../payloads.ts";
import { type Need, reads, writes } from "../permissions.ts";
import { ACTIONS_SLUG, type HubState, type RepositoryState } from "../state.ts";
import { type Actor, actorOf } from "../tokens.ts";
import { forward } from "./issues.ts";

const LEVELS = ["notice", "warning", "failure"];

const write: Need = { ...writes("checks"), appsOnly: true };

/** Check runs: kept by the emulator; limits, annotations, apps and listings by commit are the hub's. */
export function checkRoutes(state: HubState): Route[] {
  const { checks } = state;

  const slugOf = (actor: Actor): string =>
    actor.kind === "workflow" ? ACTIONS_SLUG : (state.app?.slug ?? "");

  const tell = (repository: RepositoryState, actor: Actor, run: Json, actions: readonly string[]): void => {
    for (const action of actions)
      notify(state, repository, actor.account, "check_run", action, { check_run: run });
    const output = isObject(run.output) ? run.output : {};
    state.show({
      kind: actions.includes("created") ? "check-run-created" : "check-run-updated",
      repository: repository.fullName,
      by: actor.account.login,
      checkRunId: Number(run.id),
      name: String(run.name),
      sha: String(run.head_sha),
      status: String(run.status),
      conclusion: text(run.conclusion) ?? null,
      title: text(output.title) ?? null,
      summary: text(output.summary) ?? null,
      annotations: Number(output.annotations_count),
    });
  };

  const recordAt = (repository: RepositoryState, call: Call): CheckRecord => {
    const record = checks.get(Number(call.params.id));
    if (record === undefined || record.repositoryId !== repository.id) throw notFound();
    return record;
  };

  const remember = (
    repository: RepositoryState,
    slug: string,
    run: Json,
    annotations: readonly Json[],
  ): CheckRecord => {
    const known = checks.get(Number(run.id));
    if (known !== undefined) {
      known.run = run;
      known.annotations.push(...annotations);
      return known;
    }
    const record: CheckRecord = {
      id: Number(run.id),
      repositoryId: repository.id,
      sha: String(run.head_sha),
      slug,
      annotations: [...annotations],
      run,
    };
    checks.add(record);
    return record;
  };

  const save = async (call: Call, repository: RepositoryState, creating: boolean): Promise<Reply> => {
    const actor = actorOf(call.identity);
    const body = jsonBody(call);
    const annotations = checkedOutput(body.output);
    if (creating) {
      const sha = text(body.head_sha) ?? "";
      if ((await repository.git.typeOf(sha)) !== "commit") throw invalid(`No commit found for SHA: ${sha}`);
    } else {
      if (recordAt(repository, call).slug !== slugOf(actor)) {
        throw new ApiError(
          403,
          "Invalid app_id - check run can only be modified by the GitHub App that created it.",
        );
      }
    }
    // A conclusion completes the run, whether or not the status says so.
    const status = body.conclusion !== undefined && body.status === undefined ? { status: "completed" } : {};
    const started = creating && body.started_at === undefined ? { started_at: state.timestamp() } : {};
    const { annotations: _kept, ...output } = isObject(body.output) ? body.output : {};
    const sent = { ...body, ...status, ...started, ...(body.output === undefined ? {} : { output }) };
    const before = creating ? null : recordAt(repository, call).run;
    const answer = await forward(state, { ...call, body: Buffer.from(JSON.stringify(sent)) }, repository);
    if (answer.status >= 300 || !isObject(answer.json)) return answer;
    const record = remember(repository, slugOf(actor), answer.json, annotations);
    const run = checkRunObject(state, repository, record);
    const finished = run.status === "completed" && before?.status !== "completed";
    tell(repository, actor, run, [...(creating ? ["created"] : []), ...(finished ? ["completed"] : [])]);
    await state.queues.checked(repository, record.sha);
    return reply(creating ? 201 : 200, run);
  };

  return [
    repositoryRoute("POST", "/check-runs", write, (call, repository) =>
      state.serial(() => save(call, repository, true)),
    ),
    repositoryRoute("PATCH", "/check-runs/:id", write, (call, repository) =>
      state.serial(() => save(call, repository, false)),
    ),
    repositoryRoute("GET", "/check-runs/:id", reads("checks"), (call, repository) =>
      reply(200, checkRunObject(state, repository, recordAt(repository, call))),
    ),
    repositoryRoute("GET", "/check-runs/:id/annotations", reads("checks"), (call, repository) =>
      paged(state.url, call, recordAt(repository, call).annotations),
    ),
    // People press "Re-run"; there is no such right for them in the API itself.
    repositoryRoute("POST", "/check-runs/:id/rerequest", writes("checks"), (call, repository) =>
      state.serial(async () => {
        const record = recordAt(repository, call);
        const answer = await forward(state, call, repository);
        if (answer.status >= 300) return answer;
        const path = `/repos/${repository.fullName}/check-runs/${record.id}`;
        record.run = await state.emulate.object("GET", path);
        tell(repository, actorOf(call.identity), checkRunObject(state, repository, record), ["rerequested"]);
        return reply(201, {});
      }),
    ),
    repositoryRoute("GET", "/commits/*ref/check-runs", reads("checks"), async (call, repository) => {
      const sha = await repository.git.commitOf(call.params.ref ?? "");
      if (sha === null) throw invalid(`No commit found for SHA: ${call.params.ref}`);
      const { query } = call;
      const matches = (run: Json): boolean =>
        (query.get("check_name") === null || run.name === query.get("check_name")) &&
        (query.get("status") === null || run.status === query.get("status")) &&
        (query.get("app_id") === null || (isObject(run.app) && String(run.app.id) === query.get("app_id")));
      const seen = new Set<string>();
      const all = checks.at(repository.id, sha).map((record) => checkRunObject(state, repository, record));
      const runs = all.filter(matches).filter((run) => {
        const key = `${isObject(run.app) ? run.app.id : 0} ${run.name}`;
        const first = !seen.has(key);
        seen.add(key);
        return first || query.get("filter") === "all";
      });
      return paged(state.url, call, runs, (page, total) => ({ total_count: total, check_runs: page }));
    }),
  ];
}

/** The annotations of a request. @throws ApiError 422 where GitHub draws the line. */
function checkedOutput(output: unknown): Json[] {
  if (output === undefined || output === null) return [];
  if (!isObject(output)) throw invalid("Invalid request.\n\noutput is not an object.");
  if (text(output.summary) === undefined) throw invalid(`Invalid request.\n\n"summary" wasn't supplied.`);
  for (const field of ["summary", "text"]) {
    const value = text(output[field]) ?? "";
    if (value.length > OUTPUT_CHARACTERS) {
      throw invalid(
        `Invalid request.\n\nOnly ${OUTPUT_CHARACTERS} characters are allowed; ${value.length} were supplied.`,
        [{ field: `output.${field}`, code: "too_long" }],
      );
    }
  }
  if (output.annotations === undefined) return [];
  if (!Array.isArray(output.annotations)) throw invalid("Invalid request.\n\nannotations is not an array.");
  if (output.annotations.length > ANNOTATIONS_PER_REQUEST) {
    throw invalid(
      `Invalid request.\n\nNo more than ${ANNOTATIONS_PER_REQUEST} items are allowed; ${output.annotations.length} were supplied.`,
    );
  }
  return output.annotations.map((annotation: unknown) => {
    if (!isObject(annotation)) throw invalid("Invalid request.\n\nannotation is not an object.");
    const whole = ["start_line", "end_line"].every((field) => Number.isInteger(annotation[field]));
    const level = LEVELS.includes(String(annotation.annotation_level));
    if (!whole || !level || text(annotation.path) === undefined || text(annotation.message) === undefined) {
      throw invalid(
        "Invalid request.\n\nAn annotation needs path, start_line, end_line, annotation_level and message.",
      );
    }
    return { title: null, raw_details: null, start_column: null, end_column: null, ...annotation };
  });
}

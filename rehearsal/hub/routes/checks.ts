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
import { appObject, notify } from "../payloads.ts";
import { type Need, reads, writes } from "../permissions.ts";
import { pullMark } from "../pulls.ts";
import { ACTIONS_SLUG, type HubState, type RepositoryState } from "../state.ts";
import { type Actor, actorOf } from "../tokens.ts";
import { forward } from "./issues.ts";

const TEXT_CHARACTERS = 65_535;
const ANNOTATIONS_PER_REQUEST = 50;
const LEVELS = ["notice", "warning", "failure"];

/** What the emulator does not keep of a check run. */
interface Kept {
  readonly slug: string;
  readonly annotations: Json[];
  readonly suiteId: number;
}

const write: Need = { ...writes("checks"), appsOnly: true };

/** Check runs: kept by the emulator; limits, annotations, apps and listings by commit are the hub's. */
export function checkRoutes(state: HubState): Route[] {
  const kept = new Map<number, Kept>();
  const suites = new Map<string, Set<number>>();

  const slugOf = (actor: Actor): string =>
    actor.kind === "workflow" ? ACTIONS_SLUG : (state.app?.slug ?? "");

  const decorate = (repository: RepositoryState, run: Json): Json => {
    const extra = kept.get(Number(run.id));
    const pulls = [...repository.pulls.values()].filter(
      (pull) =>
        pull.state === "open" && pull.head.repository === repository && pull.head.sha === run.head_sha,
    );
    return {
      ...run,
      app: extra === undefined ? null : appObject(state, extra.slug),
      output: {
        ...(isObject(run.output) ? run.output : {}),
        annotations_count: extra?.annotations.length ?? 0,
      },
      pull_requests: pulls.map((pull) => ({
        ...pullMark(state, repository, pull),
        number: pull.number,
        id: pull.id,
      })),
    };
  };

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

  const save = async (call: Call, repository: RepositoryState, creating: boolean): Promise<Reply> => {
    const actor = actorOf(call.identity);
    const body = jsonBody(call);
    const annotations = checkedOutput(body.output);
    if (creating) {
      const sha = text(body.head_sha) ?? "";
      if ((await repository.git.typeOf(sha)) !== "commit") throw invalid(`No commit found for SHA: ${sha}`);
    } else {
      const extra = kept.get(Number(call.params.id));
      if (extra !== undefined && extra.slug !== slugOf(actor)) {
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
    const before = creating
      ? null
      : await state.emulate
          .object("GET", `/repos/${repository.fullName}/check-runs/${Number(call.params.id)}`)
          .catch(() => null);
    const answer = await forward(state, { ...call, body: Buffer.from(JSON.stringify(sent)) }, repository);
    if (answer.status >= 300 || !isObject(answer.json)) return answer;
    const id = Number(answer.json.id);
    const suiteId = isObject(answer.json.check_suite) ? Number(answer.json.check_suite.id) : 0;
    const old = kept.get(id);
    kept.set(id, {
      slug: old?.slug ?? slugOf(actor),
      annotations: [...(old?.annotations ?? []), ...annotations],
      suiteId,
    });
    const key = `${repository.id} ${String(answer.json.head_sha)}`;
    suites.set(key, (suites.get(key) ?? new Set<number>()).add(suiteId));
    const run = decorate(repository, answer.json);
    const finished = run.status === "completed" && before?.status !== "completed";
    tell(repository, actor, run, [...(creating ? ["created"] : []), ...(finished ? ["completed"] : [])]);
    return reply(creating ? 201 : 200, run);
  };

  const runsAt = async (repository: RepositoryState, sha: string): Promise<Json[]> => {
    const rows: Json[] = [];
    for (const suite of suites.get(`${repository.id} ${sha}`) ?? []) {
      for (let page = 1; ; page += 1) {
        const path = `/repos/${repository.fullName}/check-suites/${suite}/check-runs?per_page=100&page=${page}`;
        const { check_runs: part } = await state.emulate.object("GET", path);
        if (!Array.isArray(part)) break;
        rows.push(...part.filter(isObject));
        if (part.length < 100) break;
      }
    }
    return rows
      .map((run) => decorate(repository, run))
      .sort((left, right) => Number(right.id) - Number(left.id));
  };

  return [
    repositoryRoute("POST", "/check-runs", write, (call, repository) =>
      state.serial(() => save(call, repository, true)),
    ),
    repositoryRoute("PATCH", "/check-runs/:id", write, (call, repository) =>
      state.serial(() => save(call, repository, false)),
    ),
    repositoryRoute("GET", "/check-runs/:id", reads("checks"), async (call, repository) => {
      const answer = await forward(state, call, repository);
      return answer.status === 200 && isObject(answer.json)
        ? reply(200, decorate(repository, answer.json))
        : answer;
    }),
    repositoryRoute("GET", "/check-runs/:id/annotations", reads("checks"), async (call, repository) => {
      const answer = await forward(
        state,
        { ...call, path: call.path.replace(/\/annotations\/?$/, "") },
        repository,
      );
      if (answer.status !== 200) throw notFound();
      return paged(state.url, call, kept.get(Number(call.params.id))?.annotations ?? []);
    }),
    // People press "Re-run"; there is no such right for them in the API itself.
    repositoryRoute("POST", "/check-runs/:id/rerequest", writes("checks"), (call, repository) =>
      state.serial(async () => {
        const answer = await forward(state, call, repository);
        if (answer.status >= 300) return answer;
        const run = await state.emulate.object(
          "GET",
          `/repos/${repository.fullName}/check-runs/${Number(call.params.id)}`,
        );
        tell(repository, actorOf(call.identity), decorate(repository, run), ["rerequested"]);
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
      const runs = (await runsAt(repository, sha)).filter(matches).filter((run) => {
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
    if (value.length > TEXT_CHARACTERS) {
      throw invalid(
        `Invalid request.\n\nOnly ${TEXT_CHARACTERS} characters are allowed; ${value.length} were supplied.`,
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

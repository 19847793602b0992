import {
  ApiError,
  isObject,
  type Json,
  notFound,
  paged,
  type Route,
  reply,
  repositoryRoute,
  route,
} from "../http.ts";
import { may, reads, writes } from "../permissions.ts";
import type { HubState, RepositoryState } from "../state.ts";

/**
 * Rulesets and environments as a repository's owner set them up, to be looked at: what the hub enforces is
 * `protectedBranches`. A ruleset is the file that a person imports; its id is its place in the list.
 */
export function ruleRoutes(state: HubState): Route[] {
  const metadata = reads("metadata");
  const active = (repository: RepositoryState): { id: number; ruleset: Json }[] =>
    repository.rulesets
      .map((ruleset, index) => ({ id: index + 1, ruleset }))
      .filter(({ ruleset }) => ruleset.enforcement === "active");
  return [
    repositoryRoute("GET", "/rules/branches/*branch", metadata, (call, repository) => {
      const rows = active(repository)
        .filter(({ ruleset }) => covers(ruleset, call.params.branch ?? "", repository))
        .flatMap(({ id, ruleset }) =>
          rulesOf(ruleset).map((rule) => ({
            ...rule,
            ruleset_source_type: "Repository",
            ruleset_source: repository.fullName,
            ruleset_id: id,
          })),
        );
      return paged(state.url, call, rows);
    }),
    repositoryRoute("GET", "/rulesets/:ruleset", metadata, (call, repository) => {
      const id = Number(call.params.ruleset);
      const ruleset = repository.rulesets[id - 1];
      if (ruleset === undefined) throw notFound();
      const { bypass_actors: bypass, ...open } = ruleset;
      const actors = Array.isArray(bypass) ? bypass.filter(isObject) : [];
      const own =
        call.identity.kind === "installation" &&
        actors.some((actor) => actor.actor_type === "Integration" && actor.actor_id === state.app?.id);
      // Who else is above the rules is told to those who may change them.
      const shown = may(state, call.identity, repository, writes("administration", "admin"))
        ? { bypass_actors: bypass }
        : {};
      return reply(200, {
        id,
        source_type: "Repository",
        source: repository.fullName,
        ...open,
        ...shown,
        current_user_can_bypass: own ? "always" : "never",
      });
    }),
    repositoryRoute("GET", "/environments/:environment", reads("actions"), (call, repository) => {
      const name = call.params.environment ?? "";
      const branches = repository.environments.get(name);
      if (branches === undefined) throw notFound();
      return reply(200, {
        id: 1,
        name,
        protection_rules: branches === null ? [] : [{ id: 1, type: "branch_policy" }],
        deployment_branch_policy:
          branches === null ? null : { protected_branches: false, custom_branch_policies: true },
      });
    }),
    repositoryRoute(
      "GET",
      "/environments/:environment/deployment-branch-policies",
      reads("actions"),
      (call, repository) => {
        const branches = repository.environments.get(call.params.environment ?? "");
        if (branches === undefined || branches === null) throw notFound();
        const rows = branches.map((name, index) => ({ id: index + 1, name, type: "branch" }));
        return paged(state.url, call, rows, (page, total) => ({ total_count: total, branch_policies: page }));
      },
    ),
    route("GET", "/app/hook/config", (call) => {
      if (call.identity.kind !== "app") throw new ApiError(401, "A JSON web token could not be decoded");
      const { url } = state.webhooks.target;
      return reply(200, { content_type: "json", insecure_ssl: "0", ...(url === null ? {} : { url }) });
    }),
  ];
}

const rulesOf = (ruleset: Json): Json[] =>
  Array.isArray(ruleset.rules) ? ruleset.rules.filter(isObject) : [];

/** Whether the ruleset's patterns name the branch. `~DEFAULT_BRANCH`, `~ALL`, or full ref names without wildcards. */
function covers(ruleset: Json, branch: string, repository: RepositoryState): boolean {
  const names = isObject(ruleset.conditions) ? ruleset.conditions.ref_name : null;
  const include = isObject(names) && Array.isArray(names.include) ? names.include : [];
  return include.some(
    (pattern) =>
      pattern === "~ALL" ||
      (pattern === "~DEFAULT_BRANCH" && branch === repository.defaultBranch) ||
      pattern === `refs/heads/${branch}`,
  );
}

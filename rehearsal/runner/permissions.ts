/** What a job's `GITHUB_TOKEN` may do. */
import type { Trigger } from "../hub/contract.ts";
import { at } from "./events.ts";
import type { Level, Permissions } from "./workflow.ts";

const SCOPES = [
  ...["actions", "artifact-metadata", "attestations", "checks", "contents", "deployments", "discussions"],
  ...["issues", "models", "packages", "pages", "pull-requests", "security-events", "statuses"],
];

/** GitHub's restricted default for repositories whose workflow declares nothing. */
const UNDECLARED: Permissions = { contents: "read", packages: "read" };

/**
 * The permissions of a job's token, named as GitHub's API names them (`pull_requests`). A declaration on the job
 * replaces the workflow's; whatever a declaration leaves out is none; a pull request from a fork never gets to write
 * under `pull_request`.
 */
export function tokenPermissions(
  workflow: Permissions | undefined,
  job: Permissions | undefined,
  trigger: Trigger,
): Record<string, Level> {
  const declared = job ?? workflow ?? UNDECLARED;
  const foreign =
    trigger.event === "pull_request" &&
    at(trigger.payload, "pull_request", "head", "repo", "id") !== trigger.repository.id;
  const permissions: Record<string, Level> = {};
  const named = typeof declared === "string" ? [] : Object.keys(declared);
  for (const scope of new Set([...SCOPES, ...named])) {
    const level: Level =
      typeof declared === "string"
        ? declared === "write-all"
          ? "write"
          : "read"
        : (declared[scope] ?? "none");
    permissions[scope.replaceAll("-", "_")] = foreign && level === "write" ? "read" : level;
  }
  return permissions;
}

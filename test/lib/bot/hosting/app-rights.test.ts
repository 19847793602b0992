import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { APP_EVENTS, APP_PERMISSIONS } from "../../../../src/lib/bot/hosting/app-rights.ts";

/*
 * What the App asks for against what the bot calls. The table is GitHub's own ("Permissions required for GitHub Apps",
 * one line for each route); where several permissions serve, all of them stand there. A call that is not in it fails.
 */

const ROOT = join(import.meta.dirname, "../../../..");
type Need = readonly [level: "read" | "write", ...anyOf: string[]];
/** `jwt`: asked as the App itself, which needs no permission. */
const JWT = "jwt" as const;
const REPO = "/repos/{owner}/{repo}";
const NEEDS: Readonly<Record<string, Need | typeof JWT>> = {
  "GET /app": JWT,
  "GET /app/installations": JWT,
  [`GET ${REPO}/installation`]: JWT,
  "GET /app/hook/config": JWT,
  "GET /app/hook/deliveries": JWT,
  [`GET ${REPO}/rules/branches/{branch}`]: ["read", "metadata"],
  [`GET ${REPO}/rulesets/{ruleset_id}`]: ["read", "metadata"],
  [`GET ${REPO}/branches/{branch}`]: ["read", "contents"],
  [`GET ${REPO}/contents/{path}`]: ["read", "contents"],
  [`GET ${REPO}/actions/workflows`]: ["read", "actions"],
  [`GET ${REPO}/environments/{environment_name}`]: ["read", "actions"],
  [`GET ${REPO}/environments/{environment_name}/deployment-branch-policies`]: ["read", "actions"],
  "GET /installation/repositories": ["read", "metadata"],
  "GET /users/{username}": ["read", "metadata"],
  [`GET ${REPO}`]: ["read", "metadata"],
  [`GET ${REPO}/collaborators/{username}/permission`]: ["read", "metadata"],
  [`GET ${REPO}/pulls`]: ["read", "pull_requests"],
  [`GET ${REPO}/pulls/{pull_number}`]: ["read", "pull_requests"],
  [`GET ${REPO}/pulls/{pull_number}/files`]: ["read", "pull_requests"],
  [`POST ${REPO}/pulls`]: ["write", "pull_requests"],
  [`GET ${REPO}/issues`]: ["read", "issues"],
  [`POST ${REPO}/issues`]: ["write", "issues"],
  [`GET ${REPO}/issues/{issue_number}/comments`]: ["read", "pull_requests"],
  [`POST ${REPO}/issues/{issue_number}/comments`]: ["write", "pull_requests"],
  [`POST ${REPO}/issues/comments/{comment_id}/reactions`]: ["write", "issues"],
  [`GET ${REPO}/issues/{issue_number}/events`]: ["read", "issues"],
  [`POST ${REPO}/issues/{issue_number}/labels`]: ["write", "issues"],
  [`DELETE ${REPO}/issues/{issue_number}/labels/{name}`]: ["write", "issues"],
  [`GET ${REPO}/issues/comments/{comment_id}`]: ["read", "pull_requests"],
  [`PATCH ${REPO}/issues/comments/{comment_id}`]: ["write", "pull_requests"],
  [`GET ${REPO}/commits/{ref}/check-runs`]: ["read", "checks"],
  [`POST ${REPO}/check-runs`]: ["write", "checks"],
  [`PATCH ${REPO}/check-runs/{check_run_id}`]: ["write", "checks"],
  [`GET ${REPO}/check-runs/{check_run_id}`]: ["read", "checks"],
  [`GET ${REPO}/actions/runs/{run_id}`]: ["read", "actions"],
  [`GET ${REPO}/actions/runs/{run_id}/jobs`]: ["read", "actions"],
  [`POST ${REPO}/actions/runs/{run_id}/cancel`]: ["write", "actions"],
  [`GET ${REPO}/actions/runs/{run_id}/artifacts`]: ["read", "actions"],
  [`GET ${REPO}/actions/artifacts/{artifact_id}/{archive_format}`]: ["read", "actions"],
  [`GET ${REPO}/actions/workflows/{workflow_id}/runs`]: ["read", "actions"],
  [`POST ${REPO}/actions/workflows/{workflow_id}/dispatches`]: ["write", "actions"],
  [`GET ${REPO}/git/ref/{ref}`]: ["read", "contents"],
  [`GET ${REPO}/git/commits/{commit_sha}`]: ["read", "contents"],
  [`GET ${REPO}/git/trees/{tree_sha}`]: ["read", "contents"],
  [`GET ${REPO}/compare/{basehead}`]: ["read", "contents"],
  [`POST ${REPO}/git/blobs`]: ["write", "contents"],
  [`POST ${REPO}/git/trees`]: ["write", "contents"],
  [`POST ${REPO}/git/commits`]: ["write", "contents"],
  [`POST ${REPO}/git/refs`]: ["write", "contents"],
  [`PATCH ${REPO}/git/refs/{ref}`]: ["write", "contents"],
  [`DELETE ${REPO}/git/refs/{ref}`]: ["write", "contents"],
  [`POST ${REPO}/merges`]: ["write", "contents"],
};

const sources = ["bot", "src/io/github"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(ROOT, folder, name), "utf8")),
);
const calls = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/"((?:GET|POST|PUT|PATCH|DELETE) \/[^"]+)"/g)].map(([, call = ""]) => call),
  ),
);

describe("the App's permissions", () => {
  it("cover every call that the bot makes", () => {
    expect(
      [...calls].filter((call) => !Object.hasOwn(NEEDS, call)),
      "look it up, add it to the table",
    ).toEqual([]);
    const granted = new Map(APP_PERMISSIONS.map(({ id, level }) => [id, level]));
    for (const [call, need] of Object.entries(NEEDS)) {
      if (need === JWT) continue;
      const [level, ...anyOf] = need;
      const enough = anyOf.some((id) => granted.get(id) === "write" || granted.get(id) === level);
      expect([call, enough]).toEqual([call, true]);
    }
  });

  it("are no more than the calls need", () => {
    const used = Object.entries(NEEDS).filter(([call]) => calls.has(call));
    for (const { id, level } of APP_PERMISSIONS)
      expect([id, used.some(([, need]) => need !== JWT && need[0] === level && need.includes(id))]).toEqual([
        id,
        true,
      ]);
  });

  it("the table has no line for a call that is gone", () => {
    expect(Object.keys(NEEDS).filter((call) => !calls.has(call))).toEqual([]);
  });

  it("leave out what would let the App's key change the judges: workflow files, settings, secrets", () => {
    for (const id of ["workflows", "administration", "secrets", "environments", "members"])
      expect(APP_PERMISSIONS.map((permission) => permission.id)).not.toContain(id);
  });
});

it("the App hears of exactly the events that the bot has handlers for", () => {
  const table = readFileSync(join(ROOT, "bot/app.ts"), "utf8");
  const handled = new Set([...table.matchAll(/"([a-z_]+)\.[a-z_]+"/g)].map(([, event]) => event));
  expect([...handled].sort()).toEqual(APP_EVENTS.map(({ id }) => id).sort());
});

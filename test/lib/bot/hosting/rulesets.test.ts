import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { APP_ID_PLACEHOLDER, renderRulesets, rulesetFile } from "../../../../src/lib/bot/hosting/rulesets.ts";
import { CHECKS } from "../../../../src/lib/bot/memos.ts";
import { LOCK_BRANCH } from "../../../../src/lib/bot/merge.ts";
import { PUBLISHED_BRANCH } from "../../../../src/lib/bot/publish.ts";

const folder = join(import.meta.dirname, "../../../../docs/rulesets");
/** As a person imports it who had `setup` write it. */
const imported = (name: string) => JSON.parse(rulesetFile(renderRulesets(4_001)[name]!));
const ruleOf = (name: string, type: string) =>
  imported(name).rules.find((rule: { type: string }) => rule.type === type);
const APP = [{ actor_id: 4_001, actor_type: "Integration", bypass_mode: "always" }];

describe("the default branch", () => {
  it("requires the very check that the bot writes, from the App and nobody else, on the newest base (F15, F16)", () => {
    const { parameters } = ruleOf("default-branch.json", "required_status_checks");
    expect(parameters.required_status_checks).toEqual([{ context: CHECKS.result, integration_id: 4_001 }]);
    expect(parameters.strict_required_status_checks_policy).toBe(true);
    expect(imported("default-branch.json").conditions.ref_name.include).toEqual(["~DEFAULT_BRANCH"]);
  });

  it("changes by pull request, except for the App", () => {
    expect(ruleOf("default-branch.json", "pull_request")).toBeDefined();
    expect(imported("default-branch.json").bypass_actors).toEqual(APP);
  });

  it("is never deleted or rewritten, by the App either", () => {
    const { conditions, rules, bypass_actors } = imported("history.json");
    expect(conditions.ref_name.include).toEqual(["~DEFAULT_BRANCH", `refs/heads/${PUBLISHED_BRANCH}`]);
    expect(rules).toEqual([{ type: "deletion" }, { type: "non_fast_forward" }]);
    expect(bypass_actors).toEqual([]);
  });
});

it("the App's own branches are moved by the App alone", () => {
  const { conditions, rules, bypass_actors } = imported("app-branches.json");
  expect(conditions.ref_name.include).toEqual([
    `refs/heads/${LOCK_BRANCH}`,
    `refs/heads/${PUBLISHED_BRANCH}`,
  ]);
  expect(rules.map(({ type }: { type: string }) => type)).toEqual([
    "creation",
    "update",
    "deletion",
    "non_fast_forward",
  ]);
  expect(bypass_actors).toEqual(APP);
});

it("the committed files name no App: GitHub refuses them until setup fills it in", () => {
  for (const name of Object.keys(renderRulesets(null))) {
    const text = readFileSync(join(folder, name), "utf8");
    const { bypass_actors: actors } = JSON.parse(text);
    for (const { actor_id: id } of actors) expect(id).toBe(APP_ID_PLACEHOLDER);
    expect(text).not.toContain("4001");
  }
});

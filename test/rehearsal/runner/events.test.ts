import { describe, expect, test } from "vitest";
import type { Trigger } from "../../../rehearsal/hub/contract.ts";
import { matchTrigger } from "../../../rehearsal/runner/events.ts";
import { globExpression, passesFilter } from "../../../rehearsal/runner/patterns.ts";
import { parseWorkflow } from "../../../rehearsal/runner/workflow.ts";

const PATH = ".github/workflows/x.yml";

async function match(on: string, trigger: Partial<Trigger>) {
  const text = `on:\n${on.replace(/^/gm, "  ")}\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: "true" }] } }\n`;
  const parsed = await parseWorkflow(PATH, text);
  if (!parsed.ok) throw new Error(parsed.errors.join("\n"));
  return matchTrigger(parsed.workflow, {
    event: "push",
    payload: {},
    repository: { id: 1, owner: "o", name: "r", defaultBranch: "main", gitDir: "" },
    sha: "a".repeat(40),
    ref: "refs/heads/main",
    headSha: "a".repeat(40),
    headBranch: "main",
    headRepository: { id: 1, fullName: "o/r" },
    actor: { id: 1, login: "mona" },
    ...trigger,
  });
}

const pull = (action: string, base = "main") => ({
  event: "pull_request_target",
  payload: { action, pull_request: { base: { ref: base } } },
});

describe("which events a workflow reacts to", () => {
  test.each([
    ["push:", {}, "yes"],
    ["push:", pull("opened"), "no"],
    ["pull_request_target:", pull("opened"), "yes"],
    ["pull_request_target:", pull("synchronize"), "yes"],
    ["pull_request_target:", pull("reopened"), "yes"],
    ["pull_request_target:", pull("labeled"), "no"],
    ["pull_request_target:", pull("closed"), "no"],
    ["pull_request_target: { types: [labeled] }", pull("labeled"), "yes"],
    ["pull_request_target: { types: [labeled] }", pull("opened"), "no"],
    ["pull_request_target: { types: labeled }", pull("labeled"), "yes"],
    ["pull_request_target: { branches: [main, 'releases/**'] }", pull("opened", "releases/1/2"), "yes"],
    ["pull_request_target: { branches: [main] }", pull("opened", "dev"), "no"],
    ["pull_request_target: { branches-ignore: [dev] }", pull("opened", "dev"), "no"],
    ["issue_comment:", { event: "issue_comment", payload: { action: "deleted" } }, "yes"],
    ["merge_group:", { event: "merge_group", payload: { action: "checks_requested" } }, "yes"],
    ["push: { branches: [main] }", { ref: "refs/heads/main" }, "yes"],
    ["push: { branches: [main] }", { ref: "refs/heads/assay/merge" }, "no"],
    ["push: { branches: ['**', '!assay/**'] }", { ref: "refs/heads/assay/merge" }, "no"],
    ["push: { branches: [main] }", { ref: "refs/tags/v1" }, "no"],
    ["push: { tags: ['v*'] }", { ref: "refs/tags/v1" }, "yes"],
    ["push: { tags: ['v*'] }", { ref: "refs/heads/v1" }, "no"],
    ["push: { branches: [main], tags: ['v*'] }", { ref: "refs/tags/x1" }, "no"],
    ["workflow_run: { workflows: [result-pr], types: [completed] }", run("result-pr", "completed"), "yes"],
    ["workflow_run: { workflows: [result-pr], types: [completed] }", run("result-pr", "requested"), "no"],
    ["workflow_run: { workflows: [result-pr] }", run("feed", "completed"), "no"],
    ["workflow_run: { workflows: [result-pr], branches: [main] }", run("result-pr", "completed"), "no"],
    [
      "schedule: [{ cron: '*/10 * * * *' }]",
      { event: "schedule", payload: { schedule: "*/10 * * * *" } },
      "yes",
    ],
    ["schedule: [{ cron: '*/10 * * * *' }]", { event: "schedule", payload: { schedule: "0 0 * * *" } }, "no"],
    [
      "repository_dispatch: { types: [go] }",
      { event: "repository_dispatch", payload: { action: "stop" } },
      "no",
    ],
    ["workflow_dispatch:", { event: "workflow_dispatch", workflowPath: ".github/workflows/y.yml" }, "no"],
    ["push:", { event: "workflow_dispatch", workflowPath: PATH }, "error"],
  ] as const)("%s on %o: %s", async (on, trigger, expected) => {
    expect((await match(on, trigger)).kind).toBe(expected);
  });

  function run(name: string, action: string) {
    return { event: "workflow_run", payload: { action, workflow_run: { name, head_branch: "topic" } } };
  }
});

describe("inputs of workflow_dispatch", () => {
  const on = `workflow_dispatch:
  inputs:
    pull_request: { required: true, type: string }
    dry_run: { type: boolean, default: false }
    mode: { type: choice, options: [part, join] }
    count: { type: number, default: 3 }
    note: { required: true, default: none }`;
  const dispatch = (inputs: Record<string, string>) =>
    match(on, { event: "workflow_dispatch", workflowPath: PATH, inputs });

  test("are completed by their defaults, and booleans stay booleans", async () => {
    expect(await dispatch({ pull_request: "7", dry_run: "true" })).toEqual({
      kind: "yes",
      inputs: { pull_request: "7", dry_run: true, mode: "part", count: "3", note: "none" },
      eventInputs: { pull_request: "7", dry_run: "true", mode: "part", count: "3", note: "none" },
    });
  });

  test("are checked", async () => {
    expect(await dispatch({ dry_run: "maybe", mode: "all", count: "few", other: "x" })).toEqual({
      kind: "error",
      messages: [
        "Required input 'pull_request' not provided",
        "input 'dry_run' must be true or false, not 'maybe'",
        "input 'mode' must be one of part, join, not 'all'",
        "input 'count' must be a number, not 'few'",
        "Unexpected input 'other' for workflow_dispatch",
      ],
    });
  });
});

/** From the cheat sheet in "Workflow syntax for GitHub Actions". */
test.each([
  ["feature/*", ["feature/my-branch", "feature/your-branch"], ["feature/a/b", "feature"]],
  ["feature/**", ["feature/beta-a/my-branch", "feature/your-branch", "feature/mona/the/octocat"], ["main"]],
  ["main", ["main"], ["main2", "a/main"]],
  ["*", ["main", "releases"], ["all/the/branches"]],
  ["**", ["all/the/branches", "every/tag"], []],
  ["*feature", ["mona-feature", "feature", "ver-10-feature"], ["feature-1"]],
  ["v2*", ["v2", "v2.0", "v2.9"], ["v1"]],
  ["v[12].[0-9]+.[0-9]+", ["v1.10.1", "v2.0.0"], ["v3.0.0", "v1.0"]],
  ["*.jsx?", ["page.js", "page.jsx"], ["page.jsxx"]],
])("filter pattern %s", (pattern, matching, other) => {
  expect(matching.filter((name) => !passesFilter(name, [pattern]))).toEqual([]);
  expect(other.filter((name) => passesFilter(name, [pattern]))).toEqual([]);
});

test("the order of filter patterns counts", () => {
  const patterns = ["releases/**", "!releases/**-alpha", "releases/9-alpha"];
  expect(passesFilter("releases/10", patterns)).toBe(true);
  expect(passesFilter("releases/10-alpha", patterns)).toBe(false);
  expect(passesFilter("releases/9-alpha", patterns)).toBe(true);
});

test("globs of artifacts", () => {
  expect(globExpression("assay-part-*").test("assay-part-3")).toBe(true);
  expect(globExpression("assay-part-*").test("assay-report")).toBe(false);
  expect(globExpression("/w/**/*.json").test("/w/a.json")).toBe(true);
  expect(globExpression("/w/**/*.json").test("/w/a/b/c.json")).toBe(true);
  expect(globExpression("/w/*.json").test("/w/a/c.json")).toBe(false);
  expect(globExpression("/w/a(1)+.x").test("/w/a(1)+.x")).toBe(true);
  expect(globExpression("/w/[!a]?.txt").test("/w/bc.txt")).toBe(true);
  expect(globExpression("/w/[!a]?.txt").test("/w/ac.txt")).toBe(false);
});

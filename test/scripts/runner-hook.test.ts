import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY } from "../jobs/temp-suite.ts";

const good = {
  ASSAY_REPOSITORY: "office/board",
  GITHUB_REPOSITORY: "office/board",
  GITHUB_EVENT_NAME: "workflow_dispatch",
  GITHUB_REF: "refs/heads/main",
  GITHUB_WORKFLOW_REF: "office/board/.github/workflows/perf.yml@refs/heads/main",
};
const hook = (change: Readonly<Record<string, string>> = {}): number | null =>
  spawnSync(join(REPOSITORY, "tools/runner-hook"), { env: { PATH: process.env.PATH, ...good, ...change } })
    .status;

it("F07: a host's runner lets in the three workflows of the default branch, dispatched, and nothing else", () => {
  expect(hook()).toBe(0);
  expect(
    hook({
      ASSAY_BRANCH: "trunk",
      GITHUB_REF: "refs/heads/trunk",
      GITHUB_WORKFLOW_REF: good.GITHUB_WORKFLOW_REF.replace("main", "trunk"),
    }),
  ).toBe(0);
  for (const change of [
    { GITHUB_REPOSITORY: "evil/board" },
    { GITHUB_EVENT_NAME: "push" },
    { GITHUB_REF: "refs/heads/evil" },
    { GITHUB_WORKFLOW_REF: "office/board/.github/workflows/perf.yml@refs/heads/evil" },
    { GITHUB_WORKFLOW_REF: "office/board/.github/workflows/ci.yml@refs/heads/main" },
    { GITHUB_WORKFLOW_REF: "" },
    { ASSAY_REPOSITORY: "" },
  ])
    expect([change, hook(change)]).not.toEqual([change, 0]);
});

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseWorkflow } from "../../../rehearsal/runner/workflow.ts";
import { makeWorld, workflow } from "./world.ts";

test.each(["result-pr", "feed"])("the runner implements all that %s.yml uses", async (name) => {
  const path = `.github/workflows/${name}.yml`;
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
  const parsed = await parseWorkflow(path, text);
  if (!parsed.ok) throw new Error(parsed.errors.join("\n"));
  const { unsupported, jobs } = parsed.workflow;
  expect([...unsupported, ...jobs.flatMap((job) => job.unsupported)]).toEqual([]);
  const builtin = /^actions\/(?:checkout|setup-node|upload-artifact|download-artifact)@[0-9a-f]{40}$/;
  const uses = jobs.flatMap((job) => job.steps.flatMap((step) => step.uses ?? []));
  expect(uses.filter((used) => !used.startsWith("./actions/") && !builtin.test(used))).toEqual([]);
});

test("runs every file that listens, names those it was told to leave, and hands dispatch inputs on", async () => {
  const other = ".github/workflows/other.yml";
  const ask = ".github/workflows/ask.yml";
  const world = await makeWorld({ only: [".github/workflows/test.yml", ask], vars: { BOARD: "gold" } });
  await world.push(workflow(`- run: echo \${{ vars.BOARD }}[\${{ vars.NONE }}]`), {
    [other]: workflow("- run: exit 1"),
    [ask]: `on:
  workflow_dispatch: { inputs: { head_sha: { required: true }, dry: { type: boolean, default: true } } }
jobs:
  a:
    runs-on: ubuntu-latest
    steps: [{ run: 'echo "\${{ inputs.head_sha }} \${{ inputs.dry && 1 }} \${{ github.event.inputs.dry }} $GITHUB_EVENT_NAME"' }]
`,
  });
  expect(world.hub.runs.map((run) => [run.workflowPath, run.conclusion])).toEqual([
    [".github/workflows/test.yml", "success"],
  ]);
  expect(world.last().jobs[0]?.log).toContain("gold[]");
  expect(world.events).toContainEqual({ type: "not-run", path: other, event: "push" });

  const { sha } = world.last().trigger;
  expect((await world.dispatch(sha, ask, { head_sha: "abc" })).jobs[0]?.log).toContain(
    "abc 1 true workflow_dispatch",
  );
  const refused = await world.dispatch(sha, ask, { head: "abc" });
  expect(refused.conclusion).toBe("failure");
  expect(refused.jobs[0]?.log).toBe(
    "##[error]Required input 'head_sha' not provided\n##[error]Unexpected input 'head' for workflow_dispatch\n",
  );
  await world.dispatch(sha, ".github/workflows/nowhere.yml");
  expect(world.events.at(-1)).toEqual({
    type: "problem",
    message: expect.stringContaining("there is no .github/workflows/nowhere.yml"),
  });
});

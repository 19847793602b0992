import { expect, test } from "vitest";
import { conclusions, logOf, makeWorld } from "./world.ts";

test("hands outputs from job to job, and evaluates a matrix made by a job", async () => {
  const world = await makeWorld();
  const run = await world.push(`
name: Graph
run-name: Graph for \${{ github.actor }}
on: push
jobs:
  plan:
    runs-on: ubuntu-24.04
    outputs:
      parts: \${{ steps.plan.outputs.parts }}
      leak: \${{ github.token }}
    steps:
      - id: plan
        run: echo 'parts=["a","b"]' >> "$GITHUB_OUTPUT"
  part:
    name: part \${{ matrix.part }} of \${{ strategy.job-total }}
    needs: plan
    if: needs.plan.outputs.parts != '[]'
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        part: \${{ fromJSON(needs.plan.outputs.parts) }}
    outputs:
      last: \${{ steps.say.outputs.x }}
    steps:
      - id: say
        run: |
          echo "part \${{ matrix.part }} index \${{ strategy.job-index }} leak [\${{ needs.plan.outputs.leak }}]"
          echo "x=done" >> "$GITHUB_OUTPUT"
  empty:
    needs: plan
    if: needs.plan.outputs.parts == '[]'
    runs-on: ubuntu-24.04
    strategy: { matrix: { part: "\${{ fromJSON('[]') }}" } }
    steps: [{ run: exit 1 }]
  report:
    needs: [plan, part]
    runs-on: ubuntu-24.04
    steps:
      - run: echo '\${{ toJSON(needs) }}'
`);
  expect(run.workflowName).toBe("Graph");
  expect(conclusions(run)).toEqual({
    plan: "success",
    "part a of 2": "success",
    "part b of 2": "success",
    empty: "skipped",
    report: "success",
  });
  expect(run.conclusion).toBe("success");
  expect(logOf(run, "part b of 2")).toContain("part b index 1 leak []");
  expect(logOf(run, "plan")).toContain("Skip output 'leak' since it may contain secret.");
  expect(logOf(run, "report")).toMatch(/"part": \{\s+"result": "success",\s+"outputs": \{\s+"last": "done"/);
  expect(world.events).toContainEqual(
    expect.objectContaining({ type: "run-queued", title: "Graph for mona", workflow: "Graph" }),
  );
});

test("a skipped or failed ancestor decides, unless a job says otherwise", async () => {
  const world = await makeWorld();
  const job = (needs: string, condition: string, run = "true") =>
    `{ needs: [${needs}], ${condition === "" ? "" : `if: "${condition}", `}runs-on: ubuntu-latest, steps: [{ run: "${run}" }] }`;
  const run = await world.push(`
on: push
jobs:
  bad: { runs-on: ubuntu-latest, steps: [{ run: exit 1 }] }
  good: { runs-on: ubuntu-latest, steps: [{ run: "true" }] }
  forgiven: { continue-on-error: true, runs-on: ubuntu-latest, steps: [{ run: exit 1 }] }
  after-bad: ${job("bad", "")}
  grandchild: ${job("after-bad", "")}
  on-failure: ${job("after-bad", "failure()")}
  always: ${job("bad", "always()")}
  behind-always: ${job("always", "")}
  not-cancelled: ${job("bad, good", "!cancelled()", `echo [\${{ needs.bad.result }}]`)}
  named: ${job("bad, good", "success('good')")}
  after-forgiven: ${job("forgiven", "needs.forgiven.result == 'success'")}
`);
  expect(conclusions(run)).toEqual({
    bad: "failure",
    good: "success",
    forgiven: "failure",
    "after-bad": "skipped",
    grandchild: "skipped",
    // failure() looks at every ancestor, so does success(): the known surprise behind an always().
    "on-failure": "success",
    always: "success",
    "behind-always": "skipped",
    "not-cancelled": "success",
    named: "success",
    "after-forgiven": "success",
  });
  expect(run.conclusion).toBe("failure");
  expect(logOf(run, "not-cancelled")).toContain("[failure]");
});

test("a failing combination cancels the others, unless fail-fast is off", async () => {
  const world = await makeWorld();
  const matrix = (more: string) => `
    runs-on: ubuntu-latest
    strategy:
      ${more}
      matrix: { n: [1, 2] }
    steps:
      - run: if [ \${{ matrix.n }} = 1 ]; then sleep 0.3; exit 1; fi; sleep \${{ matrix.n == 2 && env.S }}
        env: { S: "SECONDS" }`;
  const run = await world.push(`
on: push
env: { S: "0" }
jobs:
  fast:${matrix("fail-fast: true").replace("SECONDS", "30")}
  slow:${matrix("fail-fast: false").replace("SECONDS", "0.6")}
  alone:${matrix("max-parallel: 1").replace("SECONDS", "0")}
`);
  expect(conclusions(run)).toEqual({
    "fast (1)": "failure",
    "fast (2)": "cancelled",
    "slow (1)": "failure",
    "slow (2)": "success",
    "alone (1)": "failure",
    "alone (2)": "cancelled",
  });
  expect(logOf(run, "fast (2)")).toContain("##[error]The operation was canceled.");
  expect(run.jobs.find((job) => job.name === "alone (2)")?.log).toBe("");
});

test("ends a job in its time; what is `always()` still runs", async () => {
  const world = await makeWorld();
  const run = await world.push(`
on: push
jobs:
  long:
    runs-on: ubuntu-latest
    timeout-minutes: 0.01
    steps:
      - run: sleep 40
      - run: echo skipped step
      - if: always()
        run: echo "cleaning up, \${{ job.status }}"
  after: { needs: long, runs-on: ubuntu-latest, steps: [{ run: "true" }] }
  tells: { needs: long, if: always(), runs-on: ubuntu-latest, steps: [{ run: "echo \${{ needs.long.result }}" }] }
`);
  expect(conclusions(run)).toEqual({ long: "cancelled", after: "skipped", tells: "success" });
  expect(run.conclusion).toBe("cancelled");
  const log = logOf(run, "long");
  expect(log).toContain("The job has exceeded the maximum execution time of 0.01m");
  expect(log).toContain("cleaning up, cancelled");
  expect(log).not.toContain("\nskipped step\n");
  expect(logOf(run, "tells")).toContain("\ncancelled\n");
});

test("gives each job the token it declares", async () => {
  const world = await makeWorld();
  const tokens: Record<string, string>[] = [];
  const issue = world.hub.actions.issueToken;
  Object.assign(world.hub.actions, {
    issueToken: (runId: number, permissions: Record<"contents", "read">) => {
      tokens.push(
        Object.fromEntries(Object.entries(permissions).filter(([, level]) => String(level) !== "none")),
      );
      return issue(runId, permissions);
    },
  });
  const body = "runs-on: ubuntu-latest, steps: [{ run: 'true' }]";
  await world.push(`
on: push
permissions: {}
jobs:
  a: { ${body} }
  b: { needs: a, permissions: { contents: read, pull-requests: write }, ${body} }
`);
  expect(tokens).toEqual([{}, { contents: "read", pull_requests: "write" }]);
  tokens.length = 0;
  await world.push(`
on: push
jobs:
  a: { ${body} }
  b: { needs: a, permissions: read-all, ${body} }
`);
  expect(tokens[0]).toEqual({ contents: "read", packages: "read" });
  expect(new Set(Object.values(tokens[1]!))).toEqual(new Set(["read"]));
  tokens.length = 0;
  const sha = await world.commit({
    ".github/workflows/test.yml": `
on: pull_request
permissions: { contents: write }
jobs: { a: { ${body} } }
`,
  });
  const payload = { action: "opened", pull_request: { base: { ref: "main" }, head: { repo: { id: 99 } } } };
  world.fire({ sha, event: "pull_request", payload });
  await world.runner.idle();
  expect(tokens).toEqual([{ contents: "read" }]);
});

test("a concurrency group runs one and keeps one; cancel-in-progress ends the one that runs", async () => {
  const world = await makeWorld();
  const path = ".github/workflows/test.yml";
  const text = (more: string) => `
on: workflow_dispatch
concurrency: { group: "Group \${{ github.ref }}", ${more} }
jobs: { a: { runs-on: ubuntu-latest, steps: [{ run: sleep 0.6 }] } }
`;
  const fireThree = async (more: string) => {
    world.hub.runs.length = 0;
    const sha = await world.commit({ [path]: text(more) });
    for (let count = 0; count < 3; count += 1) {
      world.fire({ sha, event: "workflow_dispatch", workflowPath: path });
    }
    await world.runner.idle();
    return world.hub.runs.map((run) => run.conclusion);
  };
  expect(await fireThree("cancel-in-progress: false")).toEqual(["success", "cancelled", "success"]);
  expect(world.hub.runs[1]?.jobs).toEqual([]);
  expect(await fireThree("cancel-in-progress: true")).toEqual(["cancelled", "cancelled", "success"]);
  expect(await fireThree("queue: max")).toEqual(["success", "success", "success"]);
  expect(world.events).toContainEqual(
    expect.objectContaining({
      type: "run-completed",
      conclusion: "cancelled",
      reason: expect.stringContaining("Group"),
    }),
  );
});

test("a job's own concurrency group keeps its jobs apart", async () => {
  const world = await makeWorld();
  const run = await world.push(`
on: push
jobs:
  a:
    strategy: { matrix: { n: [1, 2] }, fail-fast: false }
    concurrency: board
    runs-on: ubuntu-latest
    steps: [{ run: sleep 0.1 }]
`);
  expect(conclusions(run)).toEqual({ "a (1)": "success", "a (2)": "success" });
  const order = world.events.flatMap((event) =>
    event.type === "job-started" || event.type === "job-completed" ? [`${event.type} ${event.job}`] : [],
  );
  expect(order).toEqual([
    "job-started a (1)",
    "job-completed a (1)",
    "job-started a (2)",
    "job-completed a (2)",
  ]);
});

test("runs self-hosted jobs only where the labels say so", async () => {
  const workflow = `
on: push
jobs:
  hosted: { runs-on: [ubuntu-latest], steps: [{ run: 'echo "vault=[$ASSAY_VAULT]"' }] }
  vault: { runs-on: [self-hosted, vault], steps: [{ run: 'echo "vault=[$ASSAY_VAULT] $RUNNER_ENVIRONMENT"' }] }
  bench: { runs-on: [self-hosted, linux, ryzen-9950x], steps: [{ run: "true" }] }
  windows: { runs-on: windows-latest, steps: [{ run: "true" }] }
  group: { runs-on: { group: big }, steps: [{ run: "true" }] }
`;
  const world = await makeWorld({
    labels: ["self-hosted", "Linux", "vault"],
    selfHostedEnv: { ASSAY_VAULT: "/vault" },
  });
  const run = await world.push(workflow);
  expect(conclusions(run)).toEqual({
    hosted: "success",
    vault: "success",
    bench: "failure",
    windows: "failure",
    group: "failure",
  });
  expect(logOf(run, "hosted")).toContain("vault=[]");
  expect(logOf(run, "vault")).toContain("vault=[/vault] self-hosted");
  expect(logOf(run, "bench")).toBe("##[error]no runner with labels self-hosted, linux, ryzen-9950x\n");
  expect(logOf(run, "group")).toContain("runner groups (runs-on.group) are not supported");
  const plain = await makeWorld();
  expect(logOf(await plain.push(workflow), "vault")).toBe(
    "##[error]no runner with labels self-hosted, vault\n",
  );
});

test("closing kills what runs and leaves nothing behind", async () => {
  const world = await makeWorld();
  const sha = await world.commit({
    ".github/workflows/test.yml":
      "on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: sleep 50 }, { if: always(), run: sleep 51 }] } }\n",
  });
  world.fire({ sha });
  while (!world.events.some((event) => event.type === "step-started")) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const started = performance.now();
  await world.runner.close();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(world.last().conclusion).toBe("cancelled");
  const { readdir } = await import("node:fs/promises");
  expect(await readdir(world.workDir)).toEqual([]);
});

import { expect, test } from "vitest";
import { conclusions, logOf, makeWorld } from "./world.ts";

const body = "runs-on: ubuntu-latest, steps: [{ run: 'true' }]";
const job = (more: string) => `on: push\njobs: { a: { ${more}, ${body} } }\n`;
const step = (text: string) => `on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [${text}] } }\n`;

/** Everything GitHub takes and the runner does not: what the file says, and what the run says about it. */
const CASES: readonly (readonly [name: string, workflow: string, message: string])[] = [
  ["container", job("container: node:20"), "'container' is not supported by the rehearsal runner"],
  [
    "services",
    job("services: { db: { image: redis } }"),
    "'services' is not supported by the rehearsal runner",
  ],
  [
    "environment's other keys",
    job("environment: { name: production, secret: x }"),
    "Unexpected value 'secret'",
  ],
  ["snapshot", job("snapshot: my-image"), "'snapshot' is not supported by the rehearsal runner"],
  ["cancel timeout", job("cancel-timeout-minutes: 3"), "'cancel-timeout-minutes' is not supported"],
  ["OIDC", job("permissions: { id-token: write }"), "an OIDC token (id-token: write) is not supported"],
  [
    "reusable workflow",
    "on: push\njobs: { a: { uses: ./.github/workflows/other.yml } }\n",
    "'uses' is not supported by the rehearsal runner",
  ],
  [
    "paths filter",
    `on: { push: { paths: ["src/**"] } }\njobs: { a: { ${body} } }\n`,
    "'paths' of event 'push'",
  ],
  [
    "both filters",
    `on: { push: { branches: [main], branches-ignore: [dev] } }\njobs: { a: { ${body} } }\n`,
    "'branches' and 'branches-ignore' cannot be used together",
  ],
  ["hashFiles", step(`{ run: "echo \${{ hashFiles('**/*.json') }}" }`), "hashFiles() is not supported"],
  [
    "docker action",
    step("{ uses: 'docker://alpine:3' }"),
    "cannot run here: docker://alpine:3 (no containers)",
  ],
  ["other action", step("{ uses: actions/cache@v5 }"), "cannot run here: actions/cache@v5"],
  ["sub-action", step("{ uses: actions/cache/restore@v5 }"), "cannot run here: actions/cache/restore@v5"],
  [
    "unknown input",
    step("{ uses: actions/checkout@v7.0.1, with: { depth: '0' } }"),
    "actions/checkout has no input 'depth'",
  ],
  [
    "input not supported",
    step("{ uses: actions/checkout@v7.0.1, with: { submodules: recursive } }"),
    "input 'submodules' of actions/checkout: submodules are not supported",
  ],
  [
    "empty matrix",
    job(`strategy: { matrix: { n: "\${{ fromJSON('[]') }}" } }`),
    "Matrix vector 'n' does not contain",
  ],
  [
    "strategy by expression",
    job(`strategy: "\${{ fromJSON('{\\"spread\\": 2}') }}"`),
    "'spread' of strategy is not supported",
  ],
  [
    "concurrency by expression",
    job(`concurrency: "\${{ fromJSON('{\\"group\\": \\"a\\", \\"limit\\": 2}') }}"`),
    "'limit' of concurrency is not supported",
  ],
  ["unknown key", job("retries: 3"), "Unexpected value 'retries'"],
  ["background steps", step("{ run: 'true', background: true }"), "Unexpected value 'background'"],
  ["unknown function", step(`{ run: "echo \${{ now() }}" }`), "Unrecognized function: 'now'"],
  ["unknown context", step(`{ run: "echo \${{ gitlab.x }}" }`), "Unrecognized named-value: 'gitlab'"],
  ["unknown event", `on: pushed\njobs: { a: { ${body} } }\n`, "Unexpected value 'pushed'"],
  [
    "cycle",
    `on: push\njobs: { z: { ${body} }, a: { needs: b, ${body} }, b: { needs: a, ${body} } }\n`,
    "cycle",
  ],
  ["no YAML", "on: push\njobs: [\n", "Flow sequence"],
];

test("what cannot run is a failed run that says why, never a green or missing one", async () => {
  const world = await makeWorld();
  for (const [name, workflow, message] of CASES) {
    world.hub.runs.length = 0;
    const run = await world.push(workflow);
    expect(run.conclusion, name).toBe("failure");
    expect(run.jobs.map((made) => made.log).join("\n"), name).toContain(message);
  }
  expect(world.events.filter((event) => event.type === "problem")).toEqual([]);
});

test("a job that cannot run does not keep the others from running", async () => {
  const world = await makeWorld();
  const run = await world.push(`
on: push
jobs:
  good: { ${body} }
  boxed: { container: "node:20", ${body} }
  after: { needs: boxed, ${body} }
`);
  expect(conclusions(run)).toEqual({ good: "success", boxed: "failure", after: "skipped" });
  expect(logOf(run, "boxed")).toBe(
    "##[error].github/workflows/test.yml (Line: 5, Col: 12): 'container' is not supported by the rehearsal runner\n",
  );
});

test("a file that cannot be read answers pushes, but not events that its own failure causes", async () => {
  const world = await makeWorld();
  const sha = await world.commit({ ".github/workflows/broken.yml": "on: [push, workflow_run\njobs:\n" });
  world.fire({ sha });
  await world.runner.idle();
  expect(world.last().workflowName).toBe(".github/workflows/broken.yml");
  expect(world.last().conclusion).toBe("failure");
  world.fire({ sha, event: "workflow_run", payload: { action: "completed" } });
  await world.runner.idle();
  expect(world.hub.runs).toHaveLength(1);
});

test("a commit that is not there is reported, not swallowed", async () => {
  const world = await makeWorld();
  world.fire({ sha: "0123456789012345678901234567890123456789" });
  await world.runner.idle();
  expect(world.events).toEqual([
    { type: "problem", message: expect.stringContaining("event push at 0123456789") },
  ]);
});

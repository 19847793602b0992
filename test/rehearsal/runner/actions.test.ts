import { expect, test } from "vitest";
import { conclusions, logOf, makeWorld, workflow } from "./world.ts";

const CHECKOUT = "- uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1";

const GREET = `name: greet
description: Says what it was given
inputs:
  who to greet: { description: who, required: true }
  mode: { description: how, default: "\${{ github.event_name }}" }
outputs:
  said: { description: what }
runs: { using: node24, main: dist/main.js, post: dist/post.js }
`;

const MAIN = `
import { appendFileSync, readFileSync } from "node:fs";
const env = process.env;
console.log("node", process.version, process.cwd() === env.GITHUB_WORKSPACE);
console.log("who", env["INPUT_WHO_TO_GREET"], "mode", env.INPUT_MODE, "level", env.LEVEL);
console.log("event", JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")).repository.id);
console.log("action path", env.GITHUB_ACTION_PATH, "state", env.STATE_seen);
appendFileSync(env.GITHUB_OUTPUT, "said=hello " + env["INPUT_WHO_TO_GREET"] + "\\n");
appendFileSync(env.GITHUB_STATE, "seen=yes\\n");
if (env.INPUT_MODE === "crash") process.exit(7);
`;

const files = {
  "actions/greet/action.yml": GREET,
  "actions/greet/dist/main.js": MAIN,
  "actions/greet/dist/post.js":
    'console.log("post of", process.env["INPUT_WHO_TO_GREET"], process.env.STATE_seen);',
  "package.json": '{ "type": "module" }',
};

test("runs a committed bundle with its inputs, outputs, state and post step", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(`
${CHECKOUT}
- id: first
  uses: ./actions/greet
  env: { LEVEL: step }
  with: { Who To Greet: Mona, colour: red }
- run: echo "said \${{ steps.first.outputs.said }}"
- uses: ./actions/greet
  with: { who to greet: Hubot, mode: crash }
- run: echo never
`),
    files,
  );
  const log = logOf(run, "main");
  // Elsewhere there is no packaged Node 24; the runner then says what it uses instead.
  const packaged = process.platform === "linux" && process.arch === "x64";
  expect(log).toMatch(packaged ? /node v24\.\d+\.\d+ true/ : /node v\d+\.\d+\.\d+ true/);
  expect(log).toContain("who Mona mode push level step");
  expect(log).toContain("event 77");
  expect(log).toContain("action path undefined state undefined");
  expect(log).toContain("said hello Mona");
  expect(log).toContain("##[warning]Unexpected input(s) 'colour', valid inputs are ['who to greet', 'mode']");
  expect(log).toContain("##[error]Process completed with exit code 7.");
  expect(log).not.toContain("\nnever\n");
  // Post steps run in reverse, also after a failure.
  expect(log.indexOf("post of Hubot yes")).toBeGreaterThan(0);
  expect(log.indexOf("post of Mona yes")).toBeGreaterThan(log.indexOf("post of Hubot yes"));
  expect(run.conclusion).toBe("failure");
});

test("composite actions: inputs, own steps context, nested actions, outputs, failure", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(`
${CHECKOUT}
- id: outer
  uses: ./actions/outer
  env: { LEVEL: from-caller }
  with: { name: World }
- run: echo "outer said [\${{ steps.outer.outputs.said }}] [\${{ steps.inner.outputs.said }}]"
- uses: ./actions/outer
  with: { name: bad }
- if: always()
  run: echo "after \${{ job.status }}"
`),
    {
      ...files,
      "actions/outer/action.yml": `name: outer
description: Wraps
inputs:
  name: { description: n, required: true }
outputs:
  said: { description: s, value: "\${{ steps.inner.outputs.said }}" }
runs:
  using: composite
  steps:
    - id: inner
      uses: ./actions/greet
      with: { who to greet: "\${{ inputs.name }}" }
    - run: |
        echo "composite \${{ inputs.name }} $LEVEL in $(basename "$GITHUB_ACTION_PATH") [\${{ steps.outer.outputs.said }}]"
        test "\${{ inputs.name }}" != bad
      shell: bash
    - run: echo "skipped for bad"
      shell: bash
    - if: failure()
      run: echo "composite failed"
      shell: sh
`,
    },
  );
  const log = logOf(run, "main");
  expect(log).toContain("composite World from-caller in outer []");
  expect(log).toContain("outer said [hello World] []");
  expect(log.match(/^skipped for bad$/gm)).toHaveLength(1);
  expect(log.match(/^composite failed$/gm)).toHaveLength(1);
  expect(log).toContain("after failure");
  expect(run.conclusion).toBe("failure");
});

test("says what is wrong with an action", async () => {
  const world = await makeWorld();
  const action = (runs: string) => `name: x\ndescription: y\nruns: ${runs}\n`;
  const uses = (name: string) => `- { if: always(), uses: ./actions/${name} }`;
  const run = await world.push(
    `${workflow(`${CHECKOUT}
${["nothing", "docker", "old", "lost", "broken", "../../.."].map(uses).join("\n")}
`)}  early: { runs-on: ubuntu-latest, steps: [{ uses: ./actions/greet }] }
`,
    {
      ...files,
      "actions/docker/action.yml": action("{ using: docker, image: Dockerfile }"),
      "actions/old/action.yml": action("{ using: node16, main: x.js }"),
      "actions/lost/action.yml": action("{ using: node24, main: dist/lost.js }"),
      "actions/broken/action.yml": action("{ using: node24, mian: x.js }"),
    },
  );
  const log = logOf(run, "main");
  expect(log).toContain("Can't find 'action.yml' or 'action.yaml' under 'actions/nothing'");
  expect(log).toContain("actions/docker/action.yml: actions that use 'docker' cannot run here");
  expect(log).toContain("actions/old/action.yml: actions that use 'node16' cannot run here");
  expect(log).toContain("File not found: 'dist/lost.js' of action ./actions/lost");
  expect(log).toContain("actions/broken/action.yml (Line: 3, Col: 24): Unexpected value 'mian'");
  expect(log).toContain("is outside the workspace");
  expect(logOf(run, "early")).toContain(
    "Did you forget to run actions/checkout before running your local action?",
  );
  expect(conclusions(run)).toEqual({ main: "failure", early: "failure" });
});

test("says when there is no Node 24", async () => {
  const world = await makeWorld({ node24Path: process.execPath });
  const run = await world.push(
    workflow(`${CHECKOUT}\n- { uses: ./actions/greet, with: { who to greet: Mona } }`),
    files,
  );
  const version = process.versions.node;
  const warning = `##[warning]no Node 24 here: node24 actions run on Node ${version}`;
  expect(logOf(run, "main").includes(warning)).toBe(!version.startsWith("24."));
  expect(logOf(run, "main")).toContain(`node v${version} true`);
});

import { describe, expect, test } from "vitest";
import { satisfiesNode } from "../../../rehearsal/runner/builtin/node-version.ts";
import { conclusions, logOf, makeWorld, workflow } from "./world.ts";

const PIN = "actions/setup-node@48b55a011bda9f5d6aeb4c2d9c7372e8dae4041e";
const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1";
const MAJOR = process.versions.node.split(".")[0];

test("puts this machine's Node on the path, says which, and warns when another was asked for", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(`
- uses: ${CHECKOUT}
- id: own
  uses: ${PIN}
  with: { node-version: ${MAJOR}, package-manager-cache: false }
- run: node --version; echo "output \${{ steps.own.outputs.node-version }}"; which node
- uses: ${PIN}
  with: { node-version-file: package.json, package-manager-cache: false }
- uses: ${PIN}
  with: { node-version: 4, package-manager-cache: false }
- uses: ${PIN}
`),
    { "package.json": `{ "engines": { "node": ">=${MAJOR}.0" }, "packageManager": "npm@10.0.0" }` },
  );
  const log = logOf(run, "main");
  expect(run.conclusion).toBe("success");
  expect(log).toContain(`node: v${process.versions.node} (`);
  expect(log).toContain(`\nv${process.versions.node}\noutput v${process.versions.node}\n`);
  expect(log).toContain(`/_tool/node/${process.versions.node}/`);
  expect(log.match(/##\[warning\]Node '4' was asked for; this machine has/g)).toHaveLength(1);
  expect(log).toContain(
    "##[warning]automatic caching (package.json names npm as its package manager): the rehearsal",
  );
});

test("refuses caches where a stranger's pull request could poison them", async () => {
  const world = await makeWorld();
  const sha = await world.commit({
    ".github/workflows/test.yml": `
on: pull_request_target
jobs:
  asked: { runs-on: ubuntu-latest, steps: [{ uses: ${PIN}, with: { cache: npm } }] }
  automatic: { runs-on: ubuntu-latest, steps: [{ uses: ${CHECKOUT} }, { uses: ${PIN} }] }
  without:
    runs-on: ubuntu-latest
    steps: [{ uses: ${CHECKOUT} }, { uses: ${PIN}, with: { package-manager-cache: false } }]
`,
    "package.json": '{ "devEngines": { "packageManager": { "name": "npm" } } }',
  });
  const payload = { action: "opened", repository: { id: 77 }, pull_request: { base: { ref: "main" } } };
  world.fire({ sha, event: "pull_request_target", payload });
  await world.runner.idle();
  expect(conclusions(world.last())).toEqual({ asked: "failure", automatic: "failure", without: "success" });
  expect(logOf(world.last(), "asked")).toContain(
    "cache: npm would use the cache in a job under 'pull_request_target'",
  );
});

describe("version ranges", () => {
  test.each([
    ["20", true],
    ["20.x", true],
    ["v20.20.2", true],
    ["20.20", true],
    ["20.19", false],
    [">=20.20", true],
    [">= 20.21", false],
    ["^20.1", true],
    ["^18", false],
    ["~20.20.1", true],
    ["~20.19", false],
    [">=18 <21", true],
    [">18", true],
    [">20", false],
    ["<=20", true],
    ["18 || 20", true],
    ["22 || 24", false],
    ["*", true],
    ["lts/*", null],
    ["latest", null],
  ])("20.20.2 satisfies %s: %s", (range, expected) => {
    expect(satisfiesNode("20.20.2", range)).toBe(expected);
  });
});

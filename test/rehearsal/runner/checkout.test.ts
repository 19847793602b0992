import { describe, expect, test } from "vitest";
import { refuseForkHead } from "../../../rehearsal/runner/builtin/checkout.ts";
import { conclusions, logOf, makeWorld } from "./world.ts";

const PIN = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1";
const PATH = ".github/workflows/test.yml";

test("checks out the commit of the event with the job's token, and keeps or drops the token as asked", async () => {
  const world = await makeWorld();
  await world.commit({ "old.txt": "old" });
  await world.git("tag", "v1");
  await world.git("push", "--quiet", "origin", "v1");
  const run = await world.push(
    `
on: push
permissions: { contents: read }
jobs:
  plain:
    runs-on: ubuntu-latest
    steps:
      - id: out
        uses: ${PIN}
        with: { persist-credentials: false }
      - run: |
          ls; git log --oneline | wc -l; git status --short --branch
          echo "commit=\${{ steps.out.outputs.commit == github.sha }} ref=\${{ steps.out.outputs.ref }}"
          git fetch origin 2>&1 | tail -1
      - run: ls -A "$RUNNER_TEMP" | grep credentials || echo "no credentials left"
  full:
    runs-on: ubuntu-latest
    steps:
      - uses: ${PIN}
        with: { fetch-depth: 0, path: sub/repo }
      - run: git log --oneline | wc -l; git tag; git fetch origin && echo "still may fetch"; git config --get-all http.extraheader || echo "nothing in the repository itself"
        working-directory: sub/repo
  tag:
    runs-on: ubuntu-latest
    steps:
      - { uses: ${PIN}, with: { ref: v1 } }
      - run: ls; git describe --tags
  sha:
    runs-on: ubuntu-latest
    steps:
      - { uses: ${PIN}, with: { ref: "\${{ github.sha }}" } }
      - { uses: ${PIN}, with: { ref: main } }
      - run: git rev-parse --abbrev-ref HEAD; touch dirty
      - { uses: ${PIN}, with: { ref: refs/heads/main } }
      - run: test ! -e dirty && echo clean
  forbidden:
    permissions: {}
    runs-on: ubuntu-latest
    steps: [{ uses: ${PIN} }]
  missing:
    runs-on: ubuntu-latest
    steps: [{ uses: ${PIN}, with: { ref: nowhere } }]
  outside:
    runs-on: ubuntu-latest
    steps: [{ uses: ${PIN}, with: { path: ../x } }]
`,
    { "new.txt": "new" },
  );
  expect(conclusions(run)).toEqual({
    plain: "success",
    full: "success",
    tag: "success",
    sha: "success",
    forbidden: "failure",
    missing: "failure",
    outside: "failure",
  });
  const plain = logOf(run, "plain");
  expect(plain).toContain("new.txt\nold.txt\n1\n## main");
  expect(plain).toContain("commit=true ref=refs/heads/main");
  expect(plain).toContain("fatal: could not read Username");
  expect(plain).toContain("no credentials left");
  expect(plain).not.toMatch(/basic [A-Za-z0-9+/=]{8}/);
  const full = logOf(run, "full");
  expect(full).toContain("\n2\nv1\n");
  expect(full).toContain("still may fetch");
  expect(logOf(run, "tag")).toContain("\nold.txt\nv1\n");
  expect(logOf(run, "sha")).toContain("\nmain\n");
  expect(logOf(run, "sha")).toContain("\nclean\n");
  expect(logOf(run, "forbidden")).toContain("##[error]The process 'git' failed with exit code 128");
  expect(logOf(run, "missing")).toContain("##[error]The process 'git' failed with exit code 1");
  expect(logOf(run, "outside")).toContain("'../x' is outside");
});

test("under pull_request_target it runs the base branch's files and refuses a fork's head", async () => {
  const world = await makeWorld();
  const base = await world.commit({
    [PATH]: `
on: pull_request_target
permissions: { contents: read }
jobs:
  base:
    runs-on: ubuntu-latest
    steps:
      - uses: ${PIN}
      - run: ls; echo "$GITHUB_REF $GITHUB_HEAD_REF $GITHUB_BASE_REF"
  head:
    runs-on: ubuntu-latest
    steps: [{ uses: ${PIN}, with: { ref: "\${{ github.event.pull_request.head.sha }}" } }]
  merge:
    runs-on: ubuntu-latest
    steps: [{ uses: ${PIN}, with: { ref: refs/pull/1/merge } }]
  objects:
    runs-on: ubuntu-latest
    steps:
      - uses: ${PIN}
      - run: git fetch --quiet origin refs/pull/1/head && git cat-file -p FETCH_HEAD:evil.txt
`,
  });
  const head = await world.commit(
    { [PATH]: "on: pull_request_target\njobs: {}\n", "evil.txt": "evil" },
    "side",
  );
  await world.git("push", "--quiet", "origin", `${head}:refs/pull/1/head`, `${head}:refs/pull/1/merge`);
  world.fire({
    event: "pull_request_target",
    sha: base,
    headSha: head,
    payload: {
      action: "opened",
      repository: { id: 77 },
      pull_request: {
        base: { ref: "main" },
        head: { ref: "topic", sha: head, repo: { id: 99, full_name: "stranger/results" } },
      },
    },
  });
  await world.runner.idle();
  const run = world.last();
  expect(conclusions(run)).toEqual({
    base: "success",
    head: "failure",
    merge: "failure",
    objects: "success",
  });
  expect(logOf(run, "base")).toContain("refs/heads/main topic main");
  expect(logOf(run, "base")).not.toContain("evil");
  expect(logOf(run, "head")).toContain(
    "Refusing to check out fork pull request code from a 'pull_request_target'",
  );
  // The pull request as data: fetched and read, never checked out.
  expect(logOf(run, "objects")).toContain("\nevil\n");
});

describe("the guard of version 7", () => {
  const sha = "a".repeat(40);
  const target = { repository: "o/r", ref: "", commit: "" };
  const pull = (id: number) => ({
    repository: { id: 1 },
    pull_request: { head: { sha, repo: { id, full_name: "fork/r" } } },
  });
  const chained = (event: string) => ({
    repository: { id: 1 },
    workflow_run: { event, head_sha: sha, head_repository: { id: 2, full_name: "fork/r" } },
  });

  test.each([
    ["pull_request_target", pull(2), { ...target, commit: sha }, true],
    ["pull_request_target", pull(2), { ...target, repository: "Fork/R" }, true],
    ["pull_request_target", pull(2), { ...target, ref: "refs/pull/3/head" }, true],
    ["pull_request_target", pull(2), { ...target, ref: "refs/heads/main" }, false],
    ["pull_request_target", pull(1), { ...target, commit: sha }, false],
    ["pull_request", pull(2), { ...target, commit: sha }, false],
    ["workflow_run", chained("pull_request"), { ...target, commit: sha }, true],
    ["workflow_run", chained("pull_request_target"), { ...target, commit: sha }, false],
    ["workflow_run", chained("push"), { ...target, ref: "refs/pull/3/head" }, false],
  ] as const)("%s %o %o refused: %s", (event, payload, asked, refused) => {
    const attempt = () => refuseForkHead(event, payload, asked);
    if (refused) expect(attempt).toThrow("Refusing to check out fork pull request code");
    else expect(attempt).not.toThrow();
  });
});

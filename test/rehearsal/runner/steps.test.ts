import { expect, test } from "vitest";
import { conclusions, logOf, makeWorld, workflow } from "./world.ts";

test("passes environment, outputs, paths and summaries from step to step", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(
      `
- id: first
  env: { OWN: "step \${{ env.LEVEL }}" }
  run: |
    echo "own=$OWN, level=$LEVEL"
    echo "one=1" >> "$GITHUB_OUTPUT"
    printf 'many<<END\\nline 1\\nline=2\\nEND\\n' >> "$GITHUB_OUTPUT"
    echo "LATER=from env file" >> "$GITHUB_ENV"
    mkdir -p bin && printf '#!/bin/sh\\necho tool runs\\n' > bin/mytool && chmod +x bin/mytool
    echo "$PWD/bin" >> "$GITHUB_PATH"
    echo "# Hello" >> "$GITHUB_STEP_SUMMARY"
- run: |
    echo "later=$LATER one=\${{ steps.first.outputs.one }}"
    echo '\${{ toJSON(steps.first.outputs.many) }} it''s "quoted" ''twice'''
    mytool
    echo "\${OWN-unset}"
- run: pwd
  working-directory: bin
- run: echo "$0 $-"
  shell: bash
- run: echo "sh is $0"
  shell: sh
- run: cat {0}; echo custom
  shell: bash -c {0}
  if: false
`,
      'env: { LEVEL: "workflow", OTHER: "x" }',
    ),
  );
  const log = logOf(run, "main");
  expect(conclusions(run)).toEqual({ main: "success" });
  expect(log).toContain("own=step workflow, level=workflow");
  expect(log).toContain("later=from env file one=1");
  // Bash drops the doubled quotes; what the runner must not do is change the text of the script.
  expect(log).toContain(`"line 1\\nline=2" its "quoted" twice`);
  expect(log).toContain("tool runs");
  expect(log).toContain("\nunset\n");
  expect(log).toContain("/results/results/bin\n");
  expect(world.events).toContainEqual(expect.objectContaining({ type: "summary", markdown: "# Hello\n" }));
  const steps = world.events.flatMap((event) => (event.type === "step-completed" ? [event.conclusion] : []));
  expect(steps).toEqual(["success", "success", "success", "success", "success", "skipped"]);
});

test("gives a step GitHub's variables and nothing of this process", async () => {
  process.env.RUNNER_TEST_LEAK = "leaked";
  const world = await makeWorld();
  const run = await world.push(
    workflow('- run: env | sort; echo "event=$(cat "$GITHUB_EVENT_PATH" | tr -d " \\n")"; git config --list'),
  );
  delete process.env.RUNNER_TEST_LEAK;
  const lines = logOf(run, "main").split("\n");
  const variables = new Map(
    lines.flatMap((line) => (/^[A-Z_]+=/.test(line) ? [line.split("=") as [string, string]] : [])),
  );
  expect(variables.get("CI")).toBe("true");
  expect(variables.get("GITHUB_ACTIONS")).toBe("true");
  expect(variables.get("GITHUB_REPOSITORY")).toBe("assay-office/results");
  expect(variables.get("GITHUB_SHA")).toBe(run.trigger.sha);
  expect(variables.get("GITHUB_REF_NAME")).toBe("main");
  expect(variables.get("GITHUB_API_URL")).toBe(world.hub.url);
  expect(variables.get("GITHUB_WORKSPACE")).toMatch(/\/results\/results$/);
  expect(variables.get("HOME")).toContain(world.workDir);
  expect(variables.get("RUNNER_ENVIRONMENT")).toBe("github-hosted");
  const known = /^(GITHUB_|RUNNER_)|^(CI|HOME|PATH|LANG|PWD|SHLVL|OLDPWD|_|AGENT_TOOLSDIRECTORY)$/;
  expect([...variables.keys()].filter((name) => !known.test(name))).toEqual([]);
  expect(variables.has("GITHUB_TOKEN")).toBe(false);
  expect(lines.join("\n")).not.toContain("leaked");
  expect(lines.join("\n")).toContain('event={"repository":{"id":77');
});

test("a failing step skips the rest, except what asks to run anyway", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(`
- id: soft
  continue-on-error: true
  run: exit 3
- run: echo "soft \${{ steps.soft.outcome }} \${{ steps.soft.conclusion }} \${{ job.status }}"
- id: hard
  run: |
    false
    echo never
- run: echo skipped by default
- if: failure()
  run: echo on failure \${{ job.status }}
- if: failure() && steps.soft.outcome == 'success'
  run: echo wrong
- if: always()
  run: echo always \${{ steps.hard.outcome }}
- if: cancelled()
  run: echo wrong
- if: \${{ !cancelled() }}
  run: echo not cancelled
`),
  );
  const log = logOf(run, "main");
  expect(run.conclusion).toBe("failure");
  expect(log).toContain("##[error]Process completed with exit code 3.");
  expect(log).toContain("soft failure success success");
  expect(log).toContain("on failure failure");
  expect(log).toContain("always failure");
  expect(log).toContain("not cancelled");
  expect(log).not.toMatch(/^(never|skipped by default|wrong)$/m);
});

test("carries out workflow commands, masks secrets, and stops reading commands when told to", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(`
- id: talk
  run: |
    secret=hunt; secret="$secret"er2
    echo "::add-mask::$secret"
    echo "my password is $secret"
    echo "::error file=benchmarks/a.json,line=3,endLine=4,col=2,title=Wrong%2C really::not 0.5%0Abut 0.4 $secret"
    echo "::group::Details"
    echo "::endgroup::"
    echo "::stop-commands::tok-123"
    echo "::error::from the pull request"
    echo "::add-mask::visible"
    echo "::tok-123::"
    echo "::notice::back again, visible"
    echo "token \${{ github.token }} \${{ secrets.GITHUB_TOKEN }} [\${{ secrets.OTHER }}]"
    printf %s 'x-access-token:\${{ github.token }}' | base64 -w0
    echo "secret=$secret" >> "$GITHUB_OUTPUT"
- run: |
    echo "::set-env name=A::b"
- if: always()
  run: |
    echo "NODE_OPTIONS=--require ./evil.js" >> "$GITHUB_ENV"
- if: always()
  run: echo "no equals sign" >> "$GITHUB_OUTPUT"
`),
  );
  const log = logOf(run, "main");
  expect(log).not.toContain("hunter2");
  expect(log).not.toContain("ghs_");
  expect(log).toContain("my password is ***");
  expect(log).toContain("token *** *** []");
  expect(log).toContain("\n***\n");
  expect(log).toContain("##[error]not 0.5\nbut 0.4 ***");
  expect(log).toContain("##[group]Details\n##[endgroup]");
  expect(log).toContain("\n::error::from the pull request\n");
  expect(log).toContain("##[notice]back again, visible");
  expect(log).toContain("The `set-env` command is disabled");
  expect(log).toContain("Can't store NODE_OPTIONS");
  expect(log).toContain("Invalid format 'no equals sign'");
  expect(run.conclusion).toBe("failure");
  const annotations = world.events.flatMap((event) =>
    event.type === "annotation" ? [event.annotation] : [],
  );
  expect(annotations[0]).toEqual({
    level: "error",
    message: "not 0.5\nbut 0.4 ***",
    title: "Wrong, really",
    file: "benchmarks/a.json",
    line: 3,
    endLine: 4,
    column: 2,
  });
  expect(annotations.map((annotation) => annotation.message)).not.toContain("from the pull request");
});

test("ends a step in its time, with all its children, and cleans up", async () => {
  const world = await makeWorld();
  const started = performance.now();
  const run = await world.push(
    workflow(`
- timeout-minutes: 0.01
  run: |
    (sleep 61 & sleep 62)
    echo never
- if: always()
  run: |
    nohup setsid sleep 63 > /dev/null 2>&1 &
    sleep 0.2
    echo "left one behind"
`),
  );
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(logOf(run, "main")).toContain("##[error]The action has timed out.");
  expect(logOf(run, "main")).toContain("left one behind");
  expect(run.conclusion).toBe("failure");
  const { readdir, readFile } = await import("node:fs/promises");
  const left: string[] = [];
  for (const entry of await readdir("/proc").catch(() => [])) {
    const command = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    if (/^sleep\0(61|62|63)\0/.test(command)) left.push(command);
  }
  expect(left).toEqual([]);
  expect(await readdir(world.workDir)).toEqual(["_tool"]);
});

test("says which shells and folders it cannot offer", async () => {
  const world = await makeWorld();
  const run = await world.push(
    workflow(`
- run: Write-Output hi
  shell: pwsh
- if: always()
  run: ls
  working-directory: no/such/folder
- if: always()
  run: print("python", 1 + 1)
  shell: python
`),
  );
  const log = logOf(run, "main");
  expect(log).toContain("##[error]shell 'pwsh' is not supported by the rehearsal runner");
  expect(log).toContain("##[error]working-directory 'no/such/folder' does not exist");
  expect(run.conclusion).toBe("failure");
});

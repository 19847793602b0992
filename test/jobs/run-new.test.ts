import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedApi, startScriptedApi } from "../../rehearsal/contestant/scripted-api.ts";
import { untilStopped } from "../../src/io/stop-signal.ts";
import { chooseHarness } from "../../src/jobs/contestant-harness.ts";
import { contestantLimits } from "../../src/jobs/contestant-limits.ts";
import { readContestantTask } from "../../src/jobs/contestant-task.ts";
import type { ContestantOrder } from "../../src/jobs/run-contestant.ts";
import {
  checkStart,
  makeContestantFolder,
  readKnownFacts,
  runNew,
  workRoot,
} from "../../src/jobs/run-new.ts";
import { contestantRecordSchema } from "../../src/lib/code/contestant/journal-schema.ts";
import {
  type ContestantPlan,
  entryIdOf,
  nextReplicate,
  runIdOf,
} from "../../src/lib/code/contestant/plan.ts";
import { runSchema } from "../../src/lib/code/schema/run-schema.ts";
import { sumUsage } from "../../src/lib/code/schema/usage-schema.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { egressRecordSchema } from "../../src/lib/egress/log-schema.ts";
import { EGRESS_LIMITS } from "../../src/lib/egress/policy.ts";
import { recoverLines } from "../../src/lib/run/journal-lines.ts";
import type { TaskKit } from "../../src/lib/task/kit.ts";
import { findObstacle, lookAtHost, makeField, removeField } from "../io/sandbox/field.ts";
import { REPOSITORY } from "./temp-suite.ts";

/* One contestant end to end: a scripted harness in the real sandbox asks a scripted API through the real proxy. */

const obstacle = findObstacle();
const HARNESS = join(import.meta.dirname, "../../rehearsal/contestant");
const BRIEF = new TextEncoder().encode("Write main.c as SPEC.md says.\n");
const KIT: TaskKit = {
  task: "demo",
  deliverable: { required: ["main.c"], allowed: /^[a-z]+\.[ch]$/, maxFiles: 5, maxBytes: 10_000 },
  builds: {},
  examples: [],
  perf: { metrics: [] },
};

describe.skipIf(obstacle !== null)(
  `bench run new${obstacle === null ? "" : ` (${obstacle})`}`,
  { timeout: 60_000 },
  () => {
    const field = makeField();
    const root = join(field, "repository");
    const env = { HOME: field, ASSAY_API_KEY: "" };
    let api: ScriptedApi;

    beforeAll(async () => {
      const files: Record<string, string> = {
        "tasks/demo/SPEC.md": "# Contract\n",
        "tasks/demo/scaffold/main.c": "/* to do */\n",
        "tasks/demo/scaffold/check.sh": "exit 0\n",
        "tasks/demo/reference/main.c": "canary-reference\n",
        "tasks/demo/hidden/suite.ts": "canary-hidden\n",
        "data/entries/other/one/main.c": "canary-entry\n",
      };
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(root, path, ".."), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      api = await startScriptedApi(({ brief }) => ({
        "main.c": `/* ${brief.trim()} */ int main(void) { return 0; }\n`,
        "notes.txt": "not part of the deliverable\n",
        "build/main.o": "binary\n",
      }));
      env.ASSAY_API_KEY = api.key;
    });
    afterAll(async () => {
      await api.close();
      removeField(field);
    });

    const planOf = (more: Partial<ContestantPlan> = {}): ContestantPlan => {
      const plan = {
        ...{ task: "demo", configuration: "gpt-6.1-sol@high", lead: "claude-opus-5.5@xhigh", replicate: 1 },
        brief: digestOf(BRIEF),
        ...more,
      };
      return { run: runIdOf(plan), entry: entryIdOf(plan.configuration), ...plan };
    };

    const orderOf = async (plan: ContestantPlan, line: string, seconds = 30): Promise<ContestantOrder> => {
      const task = await readContestantTask(root, plan.task, [KIT]);
      const chosen = chooseHarness(
        { harness: "command", line, name: "scripted", folder: HARNESS, origin: api.origin },
        env,
      );
      const folder = await makeContestantFolder(workRoot(env), plan, root);
      if (!task.ok || !chosen.ok || !folder.ok) throw new Error("the test's order is sound");
      const bounds = { minutes: seconds / 60, memoryGib: 1, processes: 64, folderGib: 0.125 };
      return {
        ...{ ...chosen.value, ...contestantLimits(bounds), plan, task: task.value, brief: BRIEF },
        ...{ model: "gpt-6.1-sol", effort: "high", egress: EGRESS_LIMITS, folder: folder.value },
      };
    };
    const readRun = (id: string) =>
      runSchema.parse(JSON.parse(readFileSync(join(root, `data/runs/${id}.json`), "utf8")));
    const SCRIPTED = "exec node /opt/harness/scripted-harness.mjs";
    let run = "";

    it("writes deliverable, usage and run of a contestant that finished, and leaves the host as it was", async () => {
      const before = lookAtHost(field) as { mounts: unknown; processes: unknown; throwAway: unknown };
      const order = await orderOf(planOf(), SCRIPTED);
      run = order.plan.run;
      expect(await runNew(root, order)).toEqual([]);
      const document = readRun(run);
      expect(document).toMatchObject({
        task: "demo",
        lead: "claude-opus-5.5@xhigh",
        replicate: 1,
        basis: "spec",
      });
      expect(document.spec.sha256).toBe(digestOf("# Contract\n"));
      expect(document.brief.sha256).toBe(digestOf(BRIEF));
      const [entry] = document.entries;
      const main = "/* Write main.c as SPEC.md says. */ int main(void) { return 0; }\n";
      expect(entry).toMatchObject({
        id: "gpt-6.1-sol-high",
        configuration: "gpt-6.1-sol@high",
        harness: { name: "scripted", version: "scripted-1", fast_mode: false },
        deliverable: [{ path: "main.c", sha256: digestOf(main), bytes: main.length }],
      });
      expect(entry).not.toHaveProperty("dnf");
      const usage = entry?.usage;
      expect(usage?.requests).toHaveLength(1);
      expect(usage === undefined ? 0 : sumUsage(usage).output).toBeGreaterThan(20);
      expect(String(usage?.first_event_at) >= document.started_at).toBe(true);
      expect(readFileSync(join(root, "data/entries", run, "gpt-6.1-sol-high", "main.c"), "utf8")).toBe(main);
      expect(readdirSync(join(root, "data/entries", run, "gpt-6.1-sol-high"))).toEqual(["main.c"]);
      const after = lookAtHost(field) as typeof before;
      expect([after.mounts, after.processes, after.throwAway]).toEqual([
        before.mounts,
        before.processes,
        before.throwAway,
      ]);
      const journal = recoverLines(
        readFileSync(join(order.folder, "journal.jsonl")),
        "j",
        contestantRecordSchema,
      );
      expect(journal.ok && journal.value.records.map(({ type }) => type)).toEqual([
        "contestant-started",
        "contestant-ended",
        "contestant-recorded",
      ]);
      const log = readFileSync(join(order.folder, "egress.jsonl"), "utf8");
      expect(egressRecordSchema.parse(JSON.parse(log))).toMatchObject({
        status: 200,
        path: "/v1/chat/completions",
      });
    });

    it("F52: the key is nowhere where the contestant was, nor in anything that is kept", () => {
      const kept = readdirSync(field, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      expect(kept.length).toBeGreaterThan(10);
      for (const file of kept)
        expect(readFileSync(join(file.parentPath, file.name), "latin1"), file.name).not.toContain(api.key);
    });

    it("F59: a contestant finds brief, contract and scaffold, and nothing else of the repository; it reaches the API and nothing else", async () => {
      const look = [
        "ls > seen.txt",
        "env > environment.txt",
        "grep -rsl 'canary-' /job /in /opt/harness /tmp > canaries.txt",
        `node -e 'fetch("${api.origin}/v1/chat/completions").then(() => console.log("direct"), () => console.log("no way"))' > direct.txt`,
        `node -e 'fetch(process.env.OPENAI_BASE_URL + "/models").then((answer) => console.log(answer.status))' > other.txt`,
        SCRIPTED,
      ].join("\n");
      const order = await orderOf(planOf({ replicate: 2 }), look);
      const before = api.origin;
      expect(await runNew(root, order)).toEqual([]);
      const read = (name: string) => readFileSync(join(order.folder, "outcome/work", name), "utf8").trim();
      expect(read("seen.txt").split("\n")).toEqual(["BRIEF.md", "SPEC.md", "check.sh", "main.c", "seen.txt"]);
      expect(read("environment.txt")).not.toContain(api.key);
      expect(read("environment.txt")).not.toContain(before);
      expect([read("canaries.txt"), read("direct.txt"), read("other.txt")]).toEqual(["", "no way", "405"]);
      expect(readRun(order.plan.run).entries[0]?.deliverable.map(({ path }) => path)).toEqual(["main.c"]);
    });

    it.each([
      ["is not done in time", `${SCRIPTED}; sleep 60`.replace("exec ", ""), 1.5, /^Not done within/, true],
      ["leaves the scaffold as it was", "true", 30, "No deliverable: the scaffold is as it was.", false],
      ["loses a file", "rm main.c", 30, "No deliverable: main.c is missing.", false],
      ["fails", "exit 9", 30, "The harness failed with exit code 9.", false],
    ] as const)(
      "a contestant that %s did not finish: recorded with its reason, its cost and time where they are known",
      async (_, line, seconds, reason, paid) => {
        const plan = planOf({ replicate: 3, configuration: `gpt-6.1-sol@e${line.length}` });
        const findings = await runNew(root, await orderOf(plan, line, seconds));
        expect(findings.map(({ code }) => code)).toContain("code-run-dnf");
        const entry = readRun(plan.run).entries.find(({ id }) => id === plan.entry);
        expect(entry?.dnf?.reason).toMatch(reason);
        expect(entry?.deliverable).toEqual([]);
        expect(entry?.usage !== undefined).toBe(paid);
      },
    );

    it("F57: an API that refuses the key says nothing about the contestant, and nothing is written", async () => {
      const plan = planOf({ replicate: 4 });
      const order = { ...(await orderOf(plan, SCRIPTED)), key: "some-other-key" };
      const findings = await runNew(root, order);
      expect(findings.at(-1)).toMatchObject({
        code: "code-run-broke-off",
        actual: "The API answered none of 1 requests.",
      });
      expect(existsSync(join(root, `data/runs/${plan.run}.json`))).toBe(false);
      expect(readdirSync(join(root, "data/entries")).some((name) => name.endsWith("r4"))).toBe(false);
      // F68: what broke off leaves its journal, and is not started over it.
      expect(existsSync(join(order.folder, "journal.jsonl"))).toBe(true);
      expect(await makeContestantFolder(workRoot(env), plan, root)).toMatchObject({
        ok: false,
        findings: [{ code: "code-run-folder" }],
      });
    });

    it("F68: told to stop, it ends the contestant at once and writes nothing", async () => {
      const plan = planOf({ replicate: 6 });
      const order = await orderOf(plan, "sleep 60");
      const stopped = untilStopped((signal) => {
        setTimeout(() => process.emit("SIGTERM"), 300);
        return runNew(root, { ...order, signal });
      });
      expect((await stopped).at(-1)).toMatchObject({
        code: "code-run-broke-off",
        actual: "It was stopped from outside.",
      });
      expect(existsSync(join(root, `data/runs/${plan.run}.json`))).toBe(false);
    });

    it("Methodology: Repeat runs: a configuration appears at most once per replicate, and that is said before anything starts", async () => {
      const known = await readKnownFacts(root);
      if (!known.ok) throw new Error("the facts that were just written hold");
      const codes = (plan: ContestantPlan) => checkStart(plan, known.value).map(({ code }) => code);
      expect(codes(planOf())).toEqual(["code-data-replicate"]);
      expect(codes(planOf({ run: "another" }))).toEqual(["code-data-replicate"]);
      expect(codes(planOf({ replicate: 5 }))).toEqual([]);
      expect(codes(planOf({ configuration: "glm@default" }))).toEqual([]);
      expect(codes(planOf({ run, brief: digestOf("other"), configuration: "glm@default" }))).toEqual([
        "code-run-other",
        "code-data-brief",
      ]);
      expect(codes(planOf({ replicate: 5, brief: digestOf("other") }))).toEqual(["code-data-brief"]);
      expect(codes(planOf({ configuration: "glm" }))).toEqual(["code-run-configuration"]);
      expect(codes(planOf({ run: "../x" }))).toEqual(["code-run-name"]);
      expect(nextReplicate(known.value.outlines, planOf())).toBe(3);
      expect(nextReplicate(known.value.outlines, planOf({ lead: "glm@default" }))).toBe(1);
    });
  },
);

it("bench run new refuses where CI is set, before it looks at anything", () => {
  const tsx = join(REPOSITORY, "node_modules/tsx/dist/loader.mjs");
  const words = "run new --task x --configuration a@b --lead a@b --brief none --replicate 1".split(" ");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", tsx, join(REPOSITORY, "scripts/bench/main.ts"), ...words],
    { encoding: "utf8", env: { PATH: process.env.PATH ?? "", CI: "true" } },
  );
  expect(status).toBe(1);
  expect(stdout + stderr).toContain("code-run-in-ci");
});

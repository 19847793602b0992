import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findTools } from "../../src/io/task/tools.ts";
import { gradeCheck, gradeHidden, withBuilt } from "../../src/jobs/task-grade.ts";
import { type LoadedTask, loadSuite, loadTask } from "../../src/jobs/task-load.ts";
import { gradePerf } from "../../src/jobs/task-perf.ts";
import type { KitStep, TaskKit } from "../../src/lib/task/kit.ts";
import { TASKS } from "../../tasks/index.ts";
import { findObstacle, makeField, removeField } from "../io/sandbox/field.ts";
import { REPOSITORY } from "./temp-suite.ts";

/* Deliverables are read, built in the sandbox, asked and judged. */

async function load(kit: TaskKit): Promise<LoadedTask> {
  const task = await loadTask(REPOSITORY, kit.task, TASKS);
  if (!task.ok) throw new Error(JSON.stringify(task.findings));
  return task.value;
}

/** Why a task cannot be built here; null when it can. */
async function obstacleOf(kit: TaskKit): Promise<string | null> {
  const sandbox = findObstacle();
  if (sandbox !== null) return sandbox;
  const { build } = await load(kit);
  if (build === null) return "not built on this kind of machine";
  const tools = findTools(build.tools, REPOSITORY);
  return tools.ok ? null : tools.findings.map(({ message }) => message).join(" ");
}

const tasks = await Promise.all(TASKS.map(async (kit) => ({ kit, obstacle: await obstacleOf(kit) })));
const NOW = (): string => "2026-12-01T00:00:00.000Z";
const field = makeField();
afterAll(() => removeField(field));

/** A copy of a folder of a task, to be changed. */
function copyOf(task: string, folder: string, name: string): string {
  const to = join(field, name);
  cpSync(join(REPOSITORY, "tasks", task, folder), to, { recursive: true });
  rmSync(join(to, "expect.json"), { force: true });
  return to;
}

async function hidden(task: LoadedTask, entry: string) {
  const suite = await loadSuite(task, {});
  if (!suite.ok) throw new Error(JSON.stringify(suite.findings));
  return gradeHidden(task, suite.value, entry, "a seed");
}

const failedOf = ({ outcome }: Awaited<ReturnType<typeof hidden>>): string[] =>
  outcome.categories.filter(({ passed }) => !passed).map(({ id }) => id);

describe.each(tasks)("the task $kit.task", ({ kit, obstacle }) => {
  it.runIf(process.env.CI !== undefined)("can be built where CI is set", () => expect(obstacle).toBeNull());

  it.skipIf(obstacle !== null)("is passed by its reference", async () => {
    const task = await load(kit);
    const graded = await hidden(task, copyOf(kit.task, "reference", `${kit.task}-reference`));
    expect([failedOf(graded), graded.fault]).toEqual([[], null]);
    expect(graded.outcome.categories.map(({ id }) => id)).toEqual(task.about.hidden.categories);
    expect(graded.outcome.categories.length).toBeGreaterThanOrEqual(11);
    expect(graded.outcome.categories.length).toBeLessThanOrEqual(16);
  });

  it.skipIf(obstacle !== null)("fails exactly where a deliverable is wrong on purpose", async () => {
    const task = await load(kit);
    const [name = ""] = spawnSync("ls", [join(task.folder, "flawed")], { encoding: "utf8" }).stdout.split(
      "\n",
    );
    const { fails } = JSON.parse(readFileSync(join(task.folder, "flawed", name, "expect.json"), "utf8"));
    const graded = await hidden(task, copyOf(kit.task, `flawed/${name}`, `${kit.task}-flawed`));
    expect(failedOf(graded).sort()).toEqual([...fails].sort());
  });
});

const [first] = tasks;
describe.skipIf(first === undefined || first.obstacle !== null)("a deliverable", () => {
  const kit = first?.kit as TaskKit;
  let task: LoadedTask;
  beforeAll(async () => {
    task = await load(kit);
  });
  const own = (name: string): string => copyOf(kit.task, "reference", name);
  const codes = (outcome: { findings: readonly { code: string }[] }): string[] =>
    outcome.findings.map(({ code }) => code);

  it("with a link, a stranger's file, or one too few is not built, and its hidden suite fails whole", async () => {
    const linked = own("linked");
    symlinkSync("/etc/passwd", join(linked, kit.deliverable.required[0]?.replace(/(\.\w+)$/, "2$1") ?? ""));
    expect(await gradeCheck(task, linked)).toMatchObject({
      fault: "candidate",
      outcome: { built: false, findings: [{ code: "task-deliverable-file" }] },
    });
    const strange = own("strange");
    writeFileSync(join(strange, "a.out"), "x");
    expect(codes((await gradeCheck(task, strange)).outcome)).toEqual(["task-deliverable-file"]);
    const lacking = own("lacking");
    rmSync(join(lacking, kit.deliverable.required[0] ?? ""));
    const graded = await hidden(task, lacking);
    expect([codes(graded.outcome), graded.fault]).toEqual([["task-deliverable-missing"], "candidate"]);
    expect(failedOf(graded)).toEqual(task.about.hidden.categories);
  });

  it("that does not build is its own fault, and no word of the compiler leaves", async () => {
    const broken = own("broken");
    writeFileSync(join(broken, kit.deliverable.required[0] ?? ""), "#error secret-word\n");
    const { outcome, fault } = await gradeCheck(task, broken);
    expect([fault, codes(outcome), outcome.built]).toEqual(["candidate", ["task-not-built"], false]);
    expect(JSON.stringify(outcome)).not.toContain("secret-word");
  });

  it("is copied before it is built: nothing of the original is written", async () => {
    const entry = own("untouched");
    const list = (): string => spawnSync("ls", ["-laR", entry], { encoding: "utf8" }).stdout;
    const before = list();
    const built = await withBuilt(task, entry, async ({ driver }) => driver.digest);
    const again = await withBuilt(task, entry, async ({ driver }) => driver.digest);
    expect(list()).toBe(before);
    // The same files give the same program: that is how identical ones are known.
    expect(built).toEqual(again);
  });

  it("without the tools of its task is nobody's fault but the host's", async () => {
    const bare: LoadedTask = {
      ...task,
      build: task.build && { ...task.build, tools: [{ program: "no-such-tool", hint: "it" }] },
    };
    expect(await gradeCheck(bare, own("bare"))).toMatchObject({
      fault: "ours",
      outcome: { findings: [{ code: "task-tool-missing" }] },
    });
    expect(await gradeCheck(task, join(field, "no-such-folder"))).toMatchObject({
      fault: "ours",
      outcome: { deliverable: null, findings: [{ code: "task-entry-missing" }] },
    });
    expect(await gradePerf(bare, own("bare-perf"), { seed: "s", now: NOW })).toMatchObject({
      fault: "ours",
      outcome: { facts: null, raw: null },
    });
  });

  it("has no count of warnings where its linter cannot be started", async () => {
    const lint = (steps: readonly KitStep[]) =>
      withBuilt(
        { ...task, kit: { ...kit, lint: { tools: [], steps, count: () => 0 } } },
        own("lint"),
        (built) => built.lint(),
      );
    expect(await lint([{ command: ["echo", "a.c:1: warning: it"] }])).toMatchObject({
      value: "a.c:1: warning: it\n",
    });
    expect(await lint([{ command: ["/opt/no-such-linter"] }])).toMatchObject({ value: null });
  });

  it("is asked by a suite of its own task only, from the vault where that has one", async () => {
    const vault = join(field, "vault");
    const folder = join(vault, "tasks", kit.task, "hidden");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "suite.ts"), "export const suite = { categories: [] };\n");
    expect(await loadSuite(task, { ASSAY_VAULT: vault })).toMatchObject({
      ok: false,
      findings: [{ code: "task-suite-other" }],
    });
    expect(await loadSuite({ ...task, folder: field }, {})).toMatchObject({
      ok: false,
      findings: [{ code: "task-suite-missing" }],
    });
    const ids = JSON.stringify(task.about.hidden.categories.map((id) => ({ id })));
    const other = join(field, "vault-2");
    mkdirSync(join(other, "tasks", kit.task, "hidden"), { recursive: true });
    writeFileSync(
      join(other, "tasks", kit.task, "hidden/suite.ts"),
      `export const suite = { categories: ${ids} };\n`,
    );
    const [own, theirs] = [await loadSuite(task, {}), await loadSuite(task, { ASSAY_VAULT: other })];
    if (!own.ok || !theirs.ok) throw new Error("no suite");
    expect(theirs.value.digest).not.toBe(own.value.digest);
  });

  it("is graded by the three programs of its task: exit codes say whose fault it is", () => {
    const bin = (what: string, entry: string, json: string) =>
      spawnSync(join(task.folder, "bin", what), [entry, "--json", json], { encoding: "utf8" });
    const out = join(field, "out.json");
    expect(bin("check", own("by-hand"), out).status).toBe(0);
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ kind: "check", built: true });
    const empty = join(field, "empty");
    mkdirSync(empty);
    expect(bin("hidden", empty, out).status).toBe(2);
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ kind: "hidden", deliverable: null });
    expect(bin("nothing", empty, out).status).not.toBe(0);
  });
});

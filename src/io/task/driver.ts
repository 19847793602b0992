import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { canonicalJson } from "../../lib/canonical-json.ts";
import type { Finding } from "../../lib/findings.ts";
import type { SandboxInput, SandboxLimits, SandboxOrder } from "../../lib/sandbox/order.ts";
import { type KitBuild, type KitStep, PLACES } from "../../lib/task/kit.ts";
import { filesBelow } from "../files.ts";
import { runSandboxed } from "../sandbox/run.ts";

/** A driver that was built with a deliverable, ready to be started. */
export interface Driver {
  /** What the build left. */
  readonly folder: string;
  /** SHA-256 over what was built and how it is started: equal ones are the same program. */
  readonly digest: string;
  readonly start: KitBuild["start"];
  readonly inputs: readonly SandboxInput[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
}

const MIB = 2 ** 20;

/** Of a build, and of a run, unless the kit says otherwise. */
const BUILD_LIMITS: SandboxLimits = {
  wallSeconds: 120,
  cpuSeconds: 240,
  memoryBytes: 2048 * MIB,
  processes: 128,
  fileBytes: 256 * MIB,
  outputBytes: MIB,
  openFiles: 256,
};
const RUN_LIMITS: SandboxLimits = {
  wallSeconds: 60,
  cpuSeconds: 60,
  memoryBytes: 512 * MIB,
  processes: 32,
  fileBytes: 16 * MIB,
  outputBytes: 96 * MIB,
  openFiles: 64,
};
const BUILD_WORK = { bytes: 512 * MIB, files: 4000 };
const RUN_WORK = { bytes: 16 * MIB, files: 100 };

export interface BuildInput {
  readonly build: KitBuild;
  /** Absolute folders of the host: the deliverable, and the task's `driver/`. */
  readonly entry: string;
  readonly driver: string;
  /** Mounted tools. */
  readonly tools: readonly SandboxInput[];
  /** A folder that does not exist yet; receives what is built. */
  readonly to: string;
}

export type Built =
  | { readonly ok: true; readonly driver: Driver }
  /** The deliverable does not build, within its limits. What the compiler said stays here. */
  | { readonly ok: false; readonly finding: Finding };

/** Builds a deliverable in the sandbox. @throws SandboxError when nothing may be concluded about the deliverable. */
export async function buildDriver({ build, entry, driver, tools, to }: BuildInput): Promise<Built> {
  const inputs = [...tools, { from: entry, to: PLACES.entry }, { from: driver, to: PLACES.driver }];
  const ended = await runSandboxed({
    command: ["/bin/sh", "-e", "-c", scriptOf(build.steps)],
    inputs,
    work: { ...BUILD_WORK, to },
    limits: { ...BUILD_LIMITS, ...build.limits?.build },
    stdio: "pipes",
    environment: { ...build.environment },
  });
  const hasFailed = ended.outcome !== "exited" || ended.code !== 0;
  const folder = join(to, "out");
  const files = hasFailed ? null : await filesBelow(folder);
  if (files === null || files.length === 0) return { ok: false, finding: notBuilt(ended) };
  return {
    ok: true,
    driver: {
      folder,
      digest: await digestOfBuild(folder, files, build.start),
      start: build.start,
      inputs: [...tools, { from: driver, to: PLACES.driver }, { from: folder, to: PLACES.built }],
      environment: { ...build.environment },
      limits: { ...RUN_LIMITS, ...build.limits?.run },
    },
  };
}

/** An order that runs a driver, on one core where one is named. */
export function driverOrder(driver: Driver, core: number | null = null): SandboxOrder {
  const pin: readonly string[] = core === null ? [] : ["taskset", "-c", String(core)];
  const [program = "", ...args] = [...pin, ...driver.start];
  return {
    command: [program, ...args],
    inputs: driver.inputs,
    work: RUN_WORK,
    limits: driver.limits,
    stdio: "pipes",
    environment: driver.environment,
  };
}

/** Exit codes by which a shell says that a program cannot be started. */
const NOT_STARTED: readonly number[] = [126, 127];

/** The linter's words over a deliverable; null when it could not be run. @throws SandboxError */
export async function runLinter(
  steps: readonly KitStep[],
  { entry, driver, tools }: Pick<BuildInput, "entry" | "driver" | "tools">,
): Promise<string | null> {
  const ended = await runSandboxed({
    command: ["/bin/sh", "-c", `{ ${scriptOf(steps)}\n} 2>&1`],
    inputs: [...tools, { from: entry, to: PLACES.entry }, { from: driver, to: PLACES.driver }],
    work: BUILD_WORK,
    limits: BUILD_LIMITS,
    stdio: "pipes",
  });
  const hasRun = ended.outcome === "exited" && !NOT_STARTED.includes(ended.code);
  return hasRun ? ended.stdout.toString("utf8") : null;
}

/** The steps as one shell script that stops at the first that fails. */
const scriptOf = (steps: readonly KitStep[]): string =>
  steps
    .map(({ command, environment }) => {
      const set = Object.entries(environment ?? {}).map(([name, value]) => `${name}=${value}`);
      return [...(set.length === 0 ? [] : ["env", ...set]), ...command].map(quoted).join(" ");
    })
    .join("\n");

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** What a contestant may be told: how it ended. The compiler's words can hold anything. */
const notBuilt = (ended: Awaited<ReturnType<typeof runSandboxed>>): Finding => {
  const how =
    ended.outcome === "exited"
      ? ended.code === 0
        ? "it left nothing in its output folder"
        : `it ended with ${ended.code}`
      : ended.outcome === "over-limit"
        ? `it went over its bound on ${ended.bound}`
        : ended.outcome === "timed-out"
          ? "it took too long"
          : ended.outcome;
  return {
    code: "task-not-built",
    severity: "error",
    message: `The deliverable does not build: ${how}.`,
    hint: "Build it as docs/tasks.md and the task's SPEC.md say, without network and with nothing but its own files.",
  };
};

async function digestOfBuild(
  folder: string,
  files: readonly { readonly path: string }[],
  start: readonly string[],
): Promise<string> {
  const listed = await Promise.all(
    files.map(async ({ path }) => [
      relative(folder, path),
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    ]),
  );
  const text = canonicalJson([listed.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)), start]);
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, rmSync, statfsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  countStageFiles,
  deriveLaunch,
  pickStageFolder,
  type SandboxHost,
  STAGE_PAGES,
} from "../../lib/sandbox/bubblewrap.ts";
import { deriveOrderProblems, type SandboxOrder } from "../../lib/sandbox/order.ts";
import { renderSeccompFilter } from "../../lib/sandbox/seccomp.ts";
import { parseStatus } from "../../lib/sandbox/status.ts";
import { decideEnd, type SandboxResult, type SandboxStop } from "../../lib/sandbox/verdict.ts";
import { makeCgroup, type SandboxCgroup } from "./cgroup.ts";
import { SandboxError } from "./error.ts";
import { readArchitecture, readSandboxHost, resolveInput, resolveSocket, TOOL_PATH } from "./host.ts";
import { boundOutput } from "./output.ts";
import { copyIn, copyOut, type Fetched } from "./transfer.ts";
import { type Watch, watchSandbox } from "./watch.ts";

/** A run under way, for a caller that talks with the guest. */
export interface RunningSandbox {
  /** The guest's streams. They must be read (or resumed): a guest that nobody reads waits until its time is over. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Settles when nothing of the run is left. Rejects with a SandboxError when the sandbox failed: then nothing may be
   * concluded about the guest.
   */
  readonly ended: Promise<SandboxResult>;
  /** Processes of the guest that live now, by pid of this host. */
  readonly guests: () => number[];
  /** Ends the run now: its outcome is `stopped`. */
  readonly stop: () => void;
}

const SETUP_MS = 15_000;
const GONE_MS = 5_000;
let names = 0;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const seconds = (since: number): number => (performance.now() - since) / 1000;

/** The stage's process with its pipes, all of which are there. */
interface Stage {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly root: string;
  readonly said: () => string;
  /** Waits until a line of the stage makes `done` true, or the stage has ended. */
  readonly until: (done: (text: string) => boolean) => Promise<void>;
  readonly tell: (word: string) => void;
  readonly leave: () => Promise<void>;
}

function startStage(argv: readonly string[], folder: string, filter: Uint8Array): Stage {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    cwd: "/",
    env: { PATH: TOOL_PATH, LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  const [status, control, seccomp] = child.stdio.slice(3) as [Readable, Writable, Writable];
  let text = "";
  let closed = false;
  let wake = (): void => {};
  status.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    const settle = (): void => {
      closed = true;
      wake();
      resolve();
    };
    child.on("exit", settle).on("error", settle);
  });
  // A stage that ended early closes its pipes; that it ended is noticed by other means.
  for (const pipe of [child.stdin, control, seccomp]) pipe?.on("error", () => {});
  seccomp.end(filter);
  return {
    child,
    pid: child.pid ?? 0,
    root: `/proc/${child.pid}/root${folder}`,
    said: () => text,
    until: async (done) => {
      while (!done(text) && !closed)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      // What was said last may arrive after the end.
      if (!done(text)) await pause(20);
    },
    tell: (word) => void control.write(`${word}\n`),
    leave: async () => {
      control.end();
      const late = setTimeout(() => child.kill("SIGKILL"), GONE_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Checks an order against this host. @throws SandboxError when it cannot be run here. */
function prepare(order: SandboxOrder): { host: SandboxHost; order: SandboxOrder; folder: string } {
  const [problem] = deriveOrderProblems(order);
  if (problem !== undefined)
    throw new SandboxError("sandbox-order", problem, "Mend the job that ordered it.");
  const host = readSandboxHost();
  const inputs = order.inputs.map((input) => resolveInput(input, host.throwAwayUid !== null));
  const sockets = (order.sockets ?? []).map((socket) => resolveSocket(socket, host.throwAwayUid !== null));
  const resolved = { ...order, inputs, sockets };
  const folder = pickStageFolder(host, resolved);
  if (folder === null)
    throw new SandboxError(
      "sandbox-input",
      `Every folder that a stage could cover (${host.stageFolders.join(", ")}) holds an input, or there is none.`,
      "Keep inputs outside of /media.",
    );
  if (order.work.to !== undefined && existsSync(order.work.to))
    throw new SandboxError(
      "sandbox-input",
      `${order.work.to} exists already.`,
      "Name a folder that does not.",
    );
  return { host, order: resolved, folder };
}

async function setUp(stage: Stage, order: SandboxOrder, owner: number | null): Promise<void> {
  const late = setTimeout(() => stage.child.kill("SIGKILL"), SETUP_MS);
  await stage.until((text) => parseStatus(text).ready);
  clearTimeout(late);
  if (!parseStatus(stage.said()).ready) throw new Error("the stage was not built");
  if (order.work.from === undefined) return;
  try {
    await copyIn(order.work.from, `${stage.root}/work`, owner);
  } catch (error) {
    throw new SandboxError(
      "sandbox-input",
      `${order.work.from} cannot be copied into a work folder of ${order.work.bytes} bytes and ${order.work.files} files: ${(error as Error).message}`,
      "Allow it more room, or refuse what it holds.",
    );
  }
}

/** Waits until no process of the sandbox is left. @throws SandboxError when some do not go. */
async function awaitEmpty(watch: Watch): Promise<void> {
  for (const since = performance.now(); ; await pause(5)) {
    const left = watch.left();
    if (left.length === 0) return;
    watch.kill();
    if (performance.now() - since > GONE_MS)
      throw new SandboxError(
        "sandbox-left-behind",
        `${left.length} processes of a sandbox do not end.`,
        "Restart this host before anything is measured on it.",
      );
  }
}

/** How full the stage is, without what it holds of its own. */
function readWork(stage: Stage, order: SandboxOrder): { workBytes: number; workFiles: number } {
  const { blocks, bfree, bsize, files, ffree } = statfsSync(stage.root);
  // A block of a file system in memory is a page.
  const workBytes = (blocks - bfree - STAGE_PAGES) * bsize;
  return { workBytes, workFiles: files - ffree - countStageFiles(order) };
}

/**
 * Starts a guest in a sandbox and hands out its pipes.
 * @throws SandboxError when this host cannot isolate or the order cannot be carried out: nothing was run then.
 */
export async function startSandboxed(ordered: SandboxOrder): Promise<RunningSandbox> {
  const { host: bare, order, folder } = prepare(ordered);
  const cgroup = makeCgroup(order, `assay-sandbox-${process.pid}-${names++}`);
  const host = { ...bare, cgroup: cgroup?.path ?? null };
  const stage = startStage(
    deriveLaunch(host, order, folder),
    folder,
    renderSeccompFilter(readArchitecture()),
  );
  const { stdin, stdout, stderr } = stage.child;
  if (stdin === null || stdout === null || stderr === null)
    throw new Error("a pipe of the sandbox is missing");
  const output = boundOutput([stdout, stderr], order.limits.outputBytes, () => watch.stop("output"));
  const watch = watchSandbox(stage.child, order.limits);
  const fail = (cause: unknown): SandboxError =>
    cause instanceof SandboxError
      ? cause
      : new SandboxError(
          "sandbox-setup",
          `The sandbox failed: ${output.complaint() || String(cause)}`,
          "`tools/bench sandbox check` says what this host cannot do, docs/sandbox.md what to change.",
        );
  try {
    await setUp(stage, order, host.throwAwayUid);
  } catch (error) {
    stage.child.kill("SIGKILL");
    await stage.leave();
    watch.end();
    await cgroup?.close();
    throw fail(error);
  }
  const ended = finish({ stage, watch, order, cgroup, output }).catch((error: unknown) => {
    throw fail(error);
  });
  // A caller that reads the streams first must not be taken for one that ignores the failure.
  ended.catch(() => {});
  const [out, err] = output.streams;
  return { stdin, stdout: out, stderr: err, ended, guests: watch.guests, stop: () => watch.stop("stopped") };
}

interface Run {
  readonly stage: Stage;
  readonly watch: Watch;
  readonly order: SandboxOrder;
  readonly cgroup: SandboxCgroup | null;
  readonly output: ReturnType<typeof boundOutput>;
}

async function finish(run: Run): Promise<SandboxResult> {
  const { stage, watch, cgroup } = run;
  const since = performance.now();
  stage.tell("go");
  watch.begin();
  try {
    await stage.until((text) => {
      watch.see(parseStatus(text).firstPid);
      return parseStatus(text).done;
    });
    const wallSeconds = seconds(since);
    watch.end();
    await awaitEmpty(watch);
    return await report(run, wallSeconds);
  } finally {
    watch.end();
    stage.child.kill("SIGKILL");
    await stage.leave();
    await cgroup?.close();
  }
}

/** What came of a run of which no process is left. */
async function report(
  { stage, watch, order, cgroup, output }: Run,
  wallSeconds: number,
): Promise<SandboxResult> {
  const status = parseStatus(stage.said());
  // The stage itself may have been killed, when the sandbox did not go otherwise; then there is nothing to fetch.
  const work = status.done ? readWork(stage, order) : { workBytes: 0, workFiles: 0 };
  const fetched = await fetchWork(stage, order, status.done);
  await stage.leave();
  const counted = cgroup?.count();
  const late: SandboxStop | null = wallSeconds >= order.limits.wallSeconds ? "timed-out" : null;
  const stop =
    watch.reason() ?? (counted?.outOfMemory ? "memory" : null) ?? late ?? (fetched.excess ? "work" : null);
  const end = decideEnd(status, stop);
  if (end === null) throw new Error("the guest was never started");
  const { cpuSeconds, memoryBytes, processes } = watch.peaks();
  const usage = {
    wallSeconds,
    cpuSeconds: Math.max(cpuSeconds, status.cpuSeconds ?? 0),
    memoryBytes: Math.max(memoryBytes, counted?.memoryBytes ?? 0),
    processes,
    ...work,
    outputBytes: output.bytes(),
  };
  return { ...end, usage, truncated: output.truncated(), notFetched: fetched.notFetched };
}

async function fetchWork(stage: Stage, { work }: SandboxOrder, there: boolean): Promise<Fetched> {
  if (work.to === undefined || !there) return { notFetched: [], excess: false };
  const fetched = await copyOut(`${stage.root}/work`, work.to, work);
  if (fetched.excess) rmSync(work.to, { recursive: true, force: true });
  return fetched;
}

/** What a run wrote, beside how it ended. Empty where its output was discarded. */
export type SandboxedRun = SandboxResult & { readonly stdout: Buffer; readonly stderr: Buffer };

/**
 * Runs a guest in a sandbox to its end, with `input` on its standard input.
 * @throws SandboxError when this host cannot isolate, or the sandbox failed: nothing may be concluded then.
 */
export async function runSandboxed(
  order: SandboxOrder,
  input: Uint8Array = new Uint8Array(),
): Promise<SandboxedRun> {
  const running = await startSandboxed(order);
  running.stdin.end(input);
  const [stdout, stderr, result] = await Promise.all([
    buffer(running.stdout),
    buffer(running.stderr),
    running.ended,
  ]);
  return { ...result, stdout, stderr };
}

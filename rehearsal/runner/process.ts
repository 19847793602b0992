/** Child processes in a process group of their own, so that all of it can be ended. */
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Called for each line of standard output and standard error, without its end. */
  readonly onLine: (line: string) => void;
  /** Ends the group: interrupt, then terminate, then kill. */
  readonly signal?: AbortSignal;
}

export interface ProcessResult {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly aborted: boolean;
}

/** Between interrupt and terminate, and again between terminate and kill. */
const GRACE_MS = 1_000;
/** A child that left the group alone may keep the pipes open; output of the step itself is there by then. */
const DRAIN_MS = 500;

/** The longest a timer can wait; more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Minutes of a workflow file as milliseconds of a timer. */
export function timerMs(minutes: number): number {
  return Math.min(minutes * 60_000, LONGEST_MS);
}

/** Runs a program to its end. @throws when it cannot be started. */
export function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const timers: NodeJS.Timeout[] = [];
    let aborted = false;
    const onAbort = () => {
      aborted = true;
      killGroup(child.pid, "SIGINT");
      timers.push(setTimeout(() => killGroup(child.pid, "SIGTERM"), GRACE_MS));
      timers.push(setTimeout(() => killGroup(child.pid, "SIGKILL"), 2 * GRACE_MS));
    };
    const streams = [lines(child.stdout, options.onLine), lines(child.stderr, options.onLine)];
    let settled = false;
    const settle = (exitCode: number | null) => {
      if (settled) return;
      settled = true;
      for (const timer of timers) clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      for (const stream of streams) stream.end();
      if (aborted) killGroup(child.pid, "SIGKILL");
      resolve({ exitCode, aborted });
    };
    child.once("error", (error) => {
      settled = true;
      options.signal?.removeEventListener("abort", onAbort);
      reject(new Error(`cannot start ${options.command}: ${error.message}`, { cause: error }));
    });
    child.once("close", (code) => settle(code));
    child.once("exit", (code) => timers.push(setTimeout(() => settle(code), DRAIN_MS)));
    if (options.signal?.aborted) onAbort();
    else options.signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

function lines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): { end(): void } {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let ended = false;
  const take = (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) onLine(part.replace(/\r$/, ""));
  };
  stream.on("data", (chunk: Buffer) => {
    if (!ended) take(decoder.write(chunk));
  });
  return {
    end() {
      if (ended) return;
      ended = true;
      take(decoder.end());
      if (rest !== "") onLine(rest.replace(/\r$/, ""));
      stream.removeAllListeners("data");
      if ("destroy" in stream && typeof stream.destroy === "function") stream.destroy();
    },
  };
}

/**
 * Ends what a job left running: processes that carry its tracking id in their environment, as GitHub's runner does.
 * Only where `/proc` exists; elsewhere process groups are all there is.
 */
export async function killTracked(trackingId: string): Promise<void> {
  const entries = await readdir("/proc").catch(() => []);
  const mark = `RUNNER_TRACKING_ID=${trackingId}`;
  await Promise.all(
    entries
      .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
      .map(async (entry) => {
        const environment = await readFile(`/proc/${entry}/environ`, "utf8").catch(() => "");
        if (!environment.split("\0").includes(mark)) return;
        try {
          process.kill(Number(entry), "SIGKILL");
        } catch {
          // Gone between listing and now.
        }
      }),
  );
}

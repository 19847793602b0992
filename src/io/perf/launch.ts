import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type ProcessFacts, readProcessFacts } from "./process-facts.ts";

/** How a program ended other than well. */
export interface BadEnd {
  /** As the rest of a sentence about the program. */
  readonly how: string;
  /** False when it was never started. */
  readonly started: boolean;
}

/** A program that was started, and its two pipes. */
export interface Launched {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Settles when it has ended; null when it did so by itself, with exit code 0. */
  readonly ended: Promise<BadEnd | null>;
  /** Settles when it has ended and all that was written has been handed out. What it started may keep its output open. */
  readonly silent: Promise<unknown>;
  /** What the system tells of it now; null where it does not, and when it is gone. */
  facts(): ProcessFacts | null;
  /** Ends it and everything that it started. */
  stop(): Promise<void>;
}

/** Where and how a program is started. */
export interface LaunchPlace {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly core: number | null;
}

export type Launch = (argv: readonly string[], place: LaunchPlace) => Promise<Launched>;

/** Exit codes by which a shell, and taskset, say that a program cannot be started. */
const NOT_STARTED: readonly number[] = [126, 127];

/** Starts a process of this host, in a group of its own, so that nothing it starts outlives it. Its standard error is not read. */
export const launchProcess: Launch = async (argv, { cwd, env, core }) => {
  const pinned = core === null ? argv : ["taskset", "-c", String(core), ...argv];
  const [program = "", ...rest] = pinned;
  const child = spawn(program, rest, { cwd, env, stdio: ["pipe", "pipe", "ignore"], detached: true });
  const ended = new Promise<BadEnd | null>((resolve) => {
    child.on("error", (error) =>
      resolve({ how: `it could not be started: ${error.message}`, started: false }),
    );
    child.on("exit", (code, signal) => {
      const end = (): void => {
        if (code === 0) {
          resolve(null);
          return;
        }
        const how = `it ended with ${signal === null ? `exit code ${code}` : `signal ${signal}`}`;
        resolve({ how, started: code === null || !NOT_STARTED.includes(code) });
      };
      // What it wrote last is read before its end is looked at.
      setImmediate(end);
    });
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    silent: new Promise((resolve) => child.on("close", resolve)),
    facts: () => (child.pid === undefined ? null : readProcessFacts(child.pid)),
    stop: async () => {
      child.stdin.destroy();
      child.stdout.destroy();
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nobody of the group is left.
      }
    },
  };
};

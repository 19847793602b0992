import type { ChildProcess } from "node:child_process";
import type { SandboxLimits } from "../../lib/sandbox/order.ts";
import type { SandboxStop } from "../../lib/sandbox/verdict.ts";
import {
  emptySample,
  findBrokenBound,
  makeCpuLedger,
  mergePeaks,
  type SandboxSample,
} from "../../lib/sandbox/watch.ts";
import { isAlive, listNamespace, listTree, readPidNamespace, readSample } from "./processes.ts";

/** Milliseconds between two looks: what a bound that only the sampler keeps can be overrun by. */
const LOOK_MS = 20;
/** How long a sandbox may take to fall apart before its stage is killed too. */
const STUBBORN_MS = 2_000;

/** Keeps time and looks at a sandbox; ends it when a bound is broken. */
export interface Watch {
  /** The time of the run begins. */
  readonly begin: () => void;
  /** Tells the watch the first process of the sandbox, once it is known. */
  readonly see: (firstPid: number | null) => void;
  /** The guest's own processes, by pid of this host: all but the first, which is the sandbox's. */
  readonly guests: () => number[];
  /** What still lives of the sandbox, by pid. */
  readonly left: () => number[];
  /** Ends the run for a reason; the first reason stays. */
  readonly stop: (reason: SandboxStop) => void;
  /** Kills the first process of the sandbox, and with it all others. */
  readonly kill: () => void;
  readonly reason: () => SandboxStop | null;
  readonly peaks: () => SandboxSample;
  readonly end: () => void;
}

export function watchSandbox(stage: ChildProcess, limits: SandboxLimits): Watch {
  let first: { pid: number; namespace: string } | null = null;
  let reason: SandboxStop | null = null;
  let peaks = emptySample;
  const ledger = makeCpuLedger();
  let fallen: readonly number[] = [];
  const timers: NodeJS.Timeout[] = [];
  const kill = (): void => {
    // A pid is only a number: it may have gone to somebody else by now.
    if (first === null || readPidNamespace(first.pid) !== first.namespace) return;
    try {
      process.kill(first.pid, "SIGKILL");
    } catch {
      // It went between the question and the signal.
    }
  };
  const killStage = (): void => {
    // Each of these dies of its parent's death; that takes a moment.
    fallen = listTree(stage.pid ?? 0);
    stage.kill("SIGKILL");
  };
  const stop = (why: SandboxStop): void => {
    if (reason !== null) return;
    reason = why;
    // What has no first process yet is killed as soon as it has one.
    kill();
    timers.push(setTimeout(killStage, STUBBORN_MS));
  };
  const look = (): void => {
    if (first === null || reason !== null || readPidNamespace(first.pid) !== first.namespace) return;
    const sample = readSample(first.pid, limits.memoryBytes, ledger);
    peaks = mergePeaks(peaks, sample);
    const broken = findBrokenBound(sample, limits);
    if (broken !== null) stop(broken);
  };
  return {
    begin() {
      timers.push(
        setTimeout(() => stop("timed-out"), limits.wallSeconds * 1000),
        setInterval(look, LOOK_MS),
      );
    },
    see(pid) {
      if (pid === null || first !== null) return;
      const namespace = readPidNamespace(pid);
      if (namespace === null || namespace === readPidNamespace(process.pid)) return;
      first = { pid, namespace };
      // Stopped before there was anything to kill.
      if (reason !== null) kill();
    },
    guests: () => (first === null ? [] : listTree(first.pid).slice(1)),
    left: () => [
      ...(first === null ? [] : listNamespace(first.namespace)),
      ...fallen.filter((pid) => pid !== stage.pid && isAlive(pid)),
    ],
    stop,
    kill,
    reason: () => reason,
    peaks: () => peaks,
    end() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

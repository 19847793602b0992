import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import {
  type CpuLedger,
  emptySample,
  type ProcessTimes,
  parseProcessTimes,
  parseProportionalBytes,
  type SandboxSample,
} from "../../lib/sandbox/watch.ts";

/** Looking at the processes of a sandbox from outside. Processes come and go while one looks; what is gone is skipped. */

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Bytes of a page, which `/proc/<pid>/stat` counts in: 4, 16 or 64 KiB. */
let pageBytes: number | null = null;
function readPageBytes(): number {
  if (pageBytes !== null) return pageBytes;
  const [, kilobytes] = /^KernelPageSize: +(\d+) kB$/m.exec(readFileSync("/proc/self/smaps", "utf8")) ?? [];
  pageBytes = 1024 * Number(kilobytes ?? 4);
  return pageBytes;
}

/** Names the pid namespace that a process is in, as `pid:[4026531836]`; null when there is no such process any more. */
export const readPidNamespace = (pid: number): string | null =>
  attempt(() => readlinkSync(`/proc/${pid}/ns/pid`));

/** Whether a process runs, or could: one that has ended keeps its number until its parent asks how. */
export const isAlive = (pid: number): boolean =>
  /^[^ZX]/.test(attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)) ?? "X");

/** Every living process of a pid namespace. */
export function listNamespace(namespace: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readPidNamespace(pid) === namespace && isAlive(pid));
}

function listChildren(pid: number): number[] {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.flatMap((thread) =>
    (attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")) ?? "")
      .split(" ")
      .filter((word) => word !== "")
      .map(Number),
  );
}

/** A process and all its descendants. */
export function listTree(root: number): number[] {
  const found = [root];
  // The list grows while it is walked.
  for (const pid of found) found.push(...listChildren(pid));
  return found;
}

/**
 * What a process and all its descendants use at this moment. Resident sizes count shared pages once for every user of
 * them, so only when their sum is beyond `memoryBound` is the exact share of each process asked for, which is slow.
 */
export function readSample(root: number, memoryBound: number, ledger: CpuLedger): SandboxSample {
  const times = new Map<number, ProcessTimes>();
  for (const pid of listTree(root)) {
    const found = attempt(() => parseProcessTimes(readFileSync(`/proc/${pid}/stat`, "utf8")));
    if (found !== null) times.set(pid, found);
  }
  if (times.size === 0) return emptySample;
  const all = [...times.values()];
  const resident = all.reduce((sum, { residentPages }) => sum + residentPages, 0) * readPageBytes();
  return {
    cpuSeconds: ledger.add(times),
    memoryBytes: resident <= memoryBound ? resident : readShares([...times.keys()]),
    processes: all.reduce((sum, { threads }) => sum + threads, 0),
  };
}

/** Memory of processes, each shared page counted once. */
function readShares(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) =>
      sum + (attempt(() => parseProportionalBytes(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))) ?? 0),
    0,
  );
}

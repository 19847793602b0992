import type { SandboxLimits } from "./order.ts";

/** What one look at the processes of a sandbox found. */
export interface SandboxSample {
  /** Of the processes that live, and of those that these have waited for. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly processes: number;
}

/** Bounds that end a run; those of files end a system call instead, and the guest sees the error. */
export type SandboxBound = "cpu" | "memory" | "output" | "processes" | "work";

/** Units of time in /proc, per second: the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface ProcessTimes {
  readonly ownSeconds: number;
  /** Of the children that it has waited for, and theirs. */
  readonly childrenSeconds: number;
  readonly threads: number;
  readonly residentPages: number;
}

/** Reads `/proc/<pid>/stat`; the name of a program may hold spaces and brackets. Null when it is no such text. */
export function parseProcessTimes(stat: string): ProcessTimes | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Counted from the state, which is field 3 of proc(5): utime 14, stime 15, cutime 16, cstime 17, threads 20, rss 24.
  const [user, system, childrenUser, childrenSystem, threads, pages] = [11, 12, 13, 14, 17, 21].map((index) =>
    Number(fields[index]),
  );
  const own = (user ?? 0) + (system ?? 0);
  const children = (childrenUser ?? 0) + (childrenSystem ?? 0);
  if (!Number.isFinite(own + children) || !Number.isFinite(pages)) return null;
  return {
    ownSeconds: own / TICKS_PER_SECOND,
    childrenSeconds: children / TICKS_PER_SECOND,
    threads: threads ?? 1,
    residentPages: pages ?? 0,
  };
}

/** Reads the proportional size (each shared page counted once over all its users) of `/proc/<pid>/smaps_rollup`. */
export function parseProportionalBytes(rollup: string): number | null {
  const [, kilobytes] = /^Pss: +(\d+) kB$/m.exec(rollup) ?? [];
  return kilobytes === undefined ? null : 1024 * Number(kilobytes);
}

/** The bound that a sample breaks, if any. */
export function findBrokenBound(sample: SandboxSample, limits: SandboxLimits): SandboxBound | null {
  if (sample.memoryBytes > limits.memoryBytes) return "memory";
  if (sample.cpuSeconds > limits.cpuSeconds) return "cpu";
  // The kernel keeps this one; a look is the second lock. bubblewrap's first process is not the guest's.
  if (sample.processes > limits.processes + 1) return "processes";
  return null;
}

/**
 * Adds up processor time over looks. The kernel forgets the time of a child whose parent does not wait for it, so what each
 * process was last seen with is kept; the larger of both sums counts.
 */
export interface CpuLedger {
  readonly add: (processes: ReadonlyMap<number, ProcessTimes>) => number;
}

export function makeCpuLedger(): CpuLedger {
  const seen = new Map<number, number>();
  return {
    add(processes) {
      let told = 0;
      for (const [pid, { ownSeconds, childrenSeconds }] of processes) {
        told += ownSeconds + childrenSeconds;
        // A number that was given out again begins at zero: it must not take away what was counted.
        seen.set(pid, Math.max(seen.get(pid) ?? 0, ownSeconds));
      }
      return Math.max(
        told,
        [...seen.values()].reduce((sum, seconds) => sum + seconds, 0),
      );
    },
  };
}

export const emptySample: SandboxSample = { cpuSeconds: 0, memoryBytes: 0, processes: 0 };

/** The larger of each: what a run used at most, as far as samples saw it. */
export const mergePeaks = (left: SandboxSample, right: SandboxSample): SandboxSample => ({
  cpuSeconds: Math.max(left.cpuSeconds, right.cpuSeconds),
  memoryBytes: Math.max(left.memoryBytes, right.memoryBytes),
  processes: Math.max(left.processes, right.processes),
});

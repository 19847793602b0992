import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** What Linux tells of a process and its threads while it lives; null elsewhere, and when it is gone. */
export interface ProcessFacts {
  /** Times that its threads were taken off a core while they could have gone on. */
  readonly switches: number;
  /** Most memory that it had at once, in bytes. */
  readonly peakBytes: number;
  /** Cores that its threads may use, each list as Linux writes it. */
  readonly cores: readonly string[];
}

/** Reads them at once, without waiting: between two of these readings lies what is timed. */
export function readProcessFacts(pid: number): ProcessFacts | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
      fieldsOf(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")),
    );
    const number = (fields: ReadonlyMap<string, string>, name: string): number =>
      Number.parseInt(fields.get(name) ?? "0", 10);
    return {
      switches: threads.reduce((sum, fields) => sum + number(fields, "nonvoluntary_ctxt_switches"), 0),
      peakBytes: 1024 * Math.max(0, ...threads.map((fields) => number(fields, "VmHWM"))),
      cores: [...new Set(threads.map((fields) => fields.get("Cpus_allowed_list") ?? ""))],
    };
  } catch {
    return null;
  }
}

const fieldsOf = (status: string): Map<string, string> =>
  new Map([...status.matchAll(/^(\w+):\s*(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));

/** The core that samples run on; or why they run on any. */
export type Pinning =
  | { readonly core: number; readonly reason: null }
  | { readonly core: null; readonly reason: string };

/**
 * The core to pin samples to: the one asked for, else the last that this process may use (the first ones get most interrupts). Needs
 * Linux and `taskset` of util-linux.
 */
export function choosePinning(wanted?: number): Pinning {
  if (process.platform !== "linux")
    return { core: null, reason: `${process.platform} does not let a process choose its core` };
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  const core = wanted ?? Number(/\d+$/.exec(allowed)?.[0]);
  const { status, error } = spawnSync("taskset", ["-c", String(core), "true"], { stdio: "ignore" });
  if (error !== undefined) return { core: null, reason: "there is no taskset here (util-linux)" };
  return status === 0
    ? { core, reason: null }
    : { core: null, reason: `core ${core} is not among those that may be used (${allowed})` };
}

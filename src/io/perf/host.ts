import { readdir, readFile } from "node:fs/promises";
import { cpus, loadavg, release, totalmem } from "node:os";

/** Settings of the host that must not change while it measures, by name; what cannot be read is not there. */
export type HostSettings = ReadonlyMap<string, string>;

const CPU = "/sys/devices/system/cpu";

/** Reads governors, boost, SMT, cores that are switched on and counts of throttling. */
export async function readHostSettings(): Promise<HostSettings> {
  const cores = (await readdir(CPU).catch(() => [])).filter((name) => /^cpu\d+$/.test(name));
  const paths = [
    `${CPU}/online`,
    `${CPU}/smt/active`,
    `${CPU}/cpufreq/boost`,
    `${CPU}/intel_pstate/no_turbo`,
    ...cores.flatMap((core) => [
      `${CPU}/${core}/cpufreq/scaling_governor`,
      `${CPU}/${core}/thermal_throttle/core_throttle_count`,
    ]),
  ];
  const settings = new Map<string, string>();
  for (const path of paths) {
    const text = await readFile(path, "utf8").catch(() => null);
    if (text !== null) settings.set(path.slice(CPU.length + 1), text.trim());
  }
  return settings;
}

/** What a report says of the host. Not the fingerprint that a board's host is recognised by. */
export interface HostNote {
  readonly cpu: string;
  readonly threads: number;
  readonly memory_bytes: number;
  readonly kernel: string;
  readonly clock: string | null;
  readonly node: string;
  readonly load: number;
}

export async function readHostNote(): Promise<HostNote> {
  const clock = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    threads: cpus().length,
    memory_bytes: totalmem(),
    kernel: `${process.platform} ${release()}`,
    clock: (await readFile(clock, "utf8").catch(() => null))?.trim() ?? null,
    node: process.version,
    load: loadavg()[0] ?? 0,
  };
}

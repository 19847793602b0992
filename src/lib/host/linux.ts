import { median } from "../stats/describe.ts";
import {
  ABSENT,
  commonOf,
  fieldsOf,
  type HostTexts,
  numberIn,
  type ReadHost,
  type Sensor,
  sensorOf,
  UNREADABLE,
} from "./reading.ts";

const CPU = "sys/devices/system/cpu";
const GIB_KIB = 1024 * 1024;

/** What is read besides what `perCore` names, by path from the root. A slash at the end: the names in a folder. */
export const LINUX_FILES = [
  "proc/cpuinfo",
  "proc/meminfo",
  "proc/loadavg",
  "proc/vmstat",
  "proc/pressure/cpu",
  "proc/sys/kernel/osrelease",
  "sys/fs/cgroup/cpu.max",
  `${CPU}/online`,
  `${CPU}/isolated`,
  `${CPU}/smt/active`,
  `${CPU}/cpufreq/boost`,
  `${CPU}/intel_pstate/no_turbo`,
  `${CPU}/amd_pstate/status`,
  "sys/devices/system/clocksource/clocksource0/current_clocksource",
  "sys/class/power_supply/",
] as const;

/** Files of each folder `cpu<n>`. */
export const LINUX_CORE_FILES = [
  "cpufreq/scaling_governor",
  "cpufreq/scaling_driver",
  "cpufreq/energy_performance_preference",
  "cpufreq/scaling_cur_freq",
  "thermal_throttle/core_throttle_count",
] as const;

/** Folders of which each subfolder's files are read. */
export const LINUX_DEVICES: Readonly<Record<string, readonly string[]>> = {
  "sys/class/hwmon": ["name", "temp1_input"],
  "sys/class/power_supply": ["type", "online"],
};

/** Drivers whose first temperature is the processor's: AMD's and Intel's. */
const CPU_THERMOMETERS = new Set(["k10temp", "zenpower", "coretemp"]);

/**
 * Reads a Linux host out of its files (kernel documentation: cpufreq, hwmon, power_supply, PSI). `arch`: as Node names it. What a
 * container or a virtual machine hides is not there, and so it cannot pass for quiet.
 */
export function parseLinuxHost(texts: HostTexts, arch: string): ReadHost {
  const cpu = cpuOf(texts.get("proc/cpuinfo"));
  const memory = memoryOf(texts.get("proc/meminfo"));
  const governor = commonOf(perCore(texts, "cpufreq/scaling_governor"));
  const boost = boostOf(texts);
  const smt = numberIn(texts.get(`${CPU}/smt/active`));
  const line = (path: string): string | null => texts.get(path)?.trim() ?? null;
  return {
    fingerprint: {
      cpu: cpu?.model ?? null,
      cores: cpu?.cores ?? null,
      threads: cpu?.threads ?? null,
      arch,
      os: "linux",
      virtual: cpu === null ? null : cpu.virtual,
      microcode: cpu?.microcode ?? null,
      kernel: line("proc/sys/kernel/osrelease"),
      memory_gib: memory === null ? null : Math.round(memory.total / GIB_KIB),
      governor: governor ?? null,
      frequency_driver: commonOf(perCore(texts, "cpufreq/scaling_driver")) ?? null,
      amd_pstate: line(`${CPU}/amd_pstate/status`),
      boost: boost ?? null,
      smt: smt ?? null,
      isolated: line(`${CPU}/isolated`),
    },
    sensors: {
      governor: sensorOf(governor),
      energy_preference: sensorOf(commonOf(perCore(texts, "cpufreq/energy_performance_preference"))),
      boost: sensorOf(boost),
      smt: sensorOf(smt),
      temperature_c: temperatureOf(texts),
      throttle_count: sumOf(perCore(texts, "thermal_throttle/core_throttle_count")),
      frequency_mhz: frequencyOf(texts),
      load_1m: sensorOf(numberIn(texts.get("proc/loadavg"))),
      cpu_pressure: sensorOf(pressureOf(texts.get("proc/pressure/cpu"))),
      cpu_quota: sensorOf(texts.get("sys/fs/cgroup/cpu.max")?.split(" ", 1)[0]?.trim()),
      free_memory_gib: sensorOf(memory === null ? memory : memory.available / GIB_KIB),
      swapped_pages: sensorOf(swappedOf(texts.get("proc/vmstat"))),
      mains: mainsOf(texts),
      clock_source: sensorOf(
        texts.get("sys/devices/system/clocksource/clocksource0/current_clocksource")?.trim(),
      ),
    },
  };
}

const CORE_PATH = new RegExp(`^${CPU}/cpu\\d+/(.+)$`);

const perCore = (texts: HostTexts, file: string): (string | null)[] =>
  [...texts].filter(([path]) => CORE_PATH.exec(path)?.[1] === file).map(([, text]) => text);

interface Cpu {
  readonly model: string | null;
  readonly microcode: string | null;
  readonly cores: number;
  readonly threads: number;
  readonly virtual: boolean;
}

/** One block a thread; a core is a pair of package and core id. Null when there is nothing to read. */
function cpuOf(text: string | null | undefined): Cpu | null {
  if (text === null || text === undefined) return null;
  const blocks = text
    .split(/\n\s*\n/)
    .map((block) => fieldsOf(block))
    .filter((fields) => fields.has("processor"));
  const [first] = blocks;
  if (first === undefined) return null;
  const places = blocks.map((fields) => `${fields.get("physical id")} ${fields.get("core id")}`);
  return {
    model: first.get("model name") ?? null,
    microcode: first.get("microcode") ?? null,
    cores: new Set(places).size,
    threads: blocks.length,
    virtual: (first.get("flags") ?? "").split(" ").includes("hypervisor"),
  };
}

/** In KiB. */
function memoryOf(text: string | null | undefined): { total: number; available: number } | null {
  const fields = fieldsOf(text ?? "");
  const [total, available] = ["MemTotal", "MemAvailable"].map((name) => numberIn(fields.get(name)));
  return typeof total === "number" && typeof available === "number" ? { total, available } : null;
}

/** 1: may clock above its base. Intel says the opposite of what others say. */
function boostOf(texts: HostTexts): number | null | undefined {
  const own = texts.get(`${CPU}/cpufreq/boost`);
  if (own !== undefined) return numberIn(own);
  const off = numberIn(texts.get(`${CPU}/intel_pstate/no_turbo`));
  return typeof off === "number" ? 1 - off : off;
}

/** The hottest of the processor's own thermometers. */
function temperatureOf(texts: HostTexts): Sensor {
  const names = [...texts].filter(
    ([path, text]) =>
      /^sys\/class\/hwmon\/[^/]+\/name$/.test(path) && CPU_THERMOMETERS.has(text?.trim() ?? ""),
  );
  if (names.length === 0) return ABSENT;
  const shown = names.map(([path]) => numberIn(texts.get(path.replace(/name$/, "temp1_input"))));
  if (shown.some((value) => typeof value !== "number")) return UNREADABLE;
  return { state: "value", value: Math.max(...(shown as number[])) / 1000 };
}

function sumOf(texts: readonly (string | null)[]): Sensor {
  if (texts.length === 0) return ABSENT;
  const values = texts.map(numberIn);
  if (values.some((value) => typeof value !== "number")) return UNREADABLE;
  return { state: "value", value: (values as number[]).reduce((sum, value) => sum + value, 0) };
}

/** Median over the cores, from kHz. */
function frequencyOf(texts: HostTexts): Sensor {
  const values = perCore(texts, "cpufreq/scaling_cur_freq").map(numberIn);
  if (values.length === 0) return ABSENT;
  if (values.some((value) => typeof value !== "number")) return UNREADABLE;
  return sensorOf((median(values as number[]) ?? Number.NaN) / 1000);
}

const pressureOf = (text: string | null | undefined): number | null | undefined =>
  typeof text === "string" ? numberIn(/^some avg10=(\S+)/m.exec(text)?.[1] ?? null) : text;

/** Pages that went to the swap and came back since the start. */
function swappedOf(text: string | null | undefined): number | null | undefined {
  if (typeof text !== "string") return text;
  const fields = fieldsOf(text, " ");
  const [came, went] = ["pswpin", "pswpout"].map((name) => numberIn(fields.get(name)));
  return typeof came === "number" && typeof went === "number" ? came + went : null;
}

/** 1: on mains. A machine that lists no battery at all runs on nothing else. */
function mainsOf(texts: HostTexts): Sensor {
  const listing = texts.get("sys/class/power_supply/");
  if (listing === undefined) return ABSENT;
  if (listing === null) return UNREADABLE;
  const names = listing.split("\n").filter((name) => name !== "");
  const types = names.map((name) => texts.get(`sys/class/power_supply/${name}/type`)?.trim());
  if (types.some((type) => type === undefined)) return UNREADABLE;
  const supplies = names.filter((_, index) => types[index] === "Mains" || types[index]?.startsWith("USB"));
  const online = supplies.map((name) => numberIn(texts.get(`sys/class/power_supply/${name}/online`)));
  if (online.includes(1)) return { state: "value", value: 1 };
  if (!types.includes("Battery")) return { state: "value", value: 1 };
  return online.some((value) => typeof value !== "number") ? UNREADABLE : { state: "value", value: 0 };
}

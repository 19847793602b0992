import {
  fieldsOf,
  type HostTexts,
  numberIn,
  type ReadHost,
  type Sensor,
  sensorOf,
  UNREADABLE,
} from "./reading.ts";

const SYSCTLS = [
  "machdep.cpu.brand_string",
  "hw.physicalcpu",
  "hw.logicalcpu",
  "hw.perflevel0.physicalcpu",
  "hw.perflevel1.physicalcpu",
  "hw.memsize",
  "hw.model",
  "kern.osrelease",
  "kern.hv_vmm_present",
  "vm.loadavg",
  "sysctl.proc_translated",
] as const;

/** What is asked, by its name in the texts. None of it needs an administrator. */
export const MACOS_COMMANDS = {
  sysctl: ["/usr/sbin/sysctl", ...SYSCTLS],
  version: ["/usr/bin/sw_vers", "-productVersion"],
  thermal: ["/usr/bin/notifyutil", "-g", "com.apple.system.thermalpressurelevel"],
  power: ["/usr/bin/pmset", "-g", "batt"],
  settings: ["/usr/bin/pmset", "-g"],
  memory: ["/usr/bin/vm_stat"],
  processes: ["/bin/ps", "-axco", "command"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What macOS does by itself and what disturbs a measurement: indexing and backup. */
const CHORES = /^(?:mdworker\w*|mds_stores|backupd|photoanalysisd)$/;
const GIB = 1024 ** 3;

/**
 * Reads a Mac out of what its own tools print. Written to their manuals; no Mac has run it here. A command that failed leaves its sensors
 * unreadable: on Apple's chips a missing thermal reading says nothing, so it is never taken for a cool host (F65).
 */
export function parseMacosHost(texts: HostTexts, arch: string): ReadHost {
  const sysctl = fieldsOf(texts.get("sysctl") ?? "");
  const number = (name: string): number | null => numberIn(sysctl.get(name)) ?? null;
  const memory = number("hw.memsize");
  const virtual = number("kern.hv_vmm_present");
  return {
    fingerprint: {
      cpu: sysctl.get("machdep.cpu.brand_string") ?? null,
      cores: number("hw.physicalcpu"),
      threads: number("hw.logicalcpu"),
      arch,
      os: "macos",
      virtual: virtual === null ? null : virtual !== 0,
      os_version: texts.get("version")?.trim() ?? null,
      kernel: sysctl.get("kern.osrelease") ?? null,
      memory_gib: memory === null ? null : Math.round(memory / GIB),
      model: sysctl.get("hw.model") ?? null,
      performance_cores: number("hw.perflevel0.physicalcpu"),
      efficiency_cores: number("hw.perflevel1.physicalcpu"),
    },
    sensors: {
      thermal_pressure: found(texts.get("thermal"), /thermalpressurelevel\s+(\d+)/),
      low_power_mode: found(texts.get("settings"), /^\s*lowpowermode\s+(\d)/m),
      mains: mainsOf(texts.get("power")),
      // `{ 1.20 1.10 1.00 }`
      load_1m: sensorOf(numberIn(sysctl.get("vm.loadavg")?.replace(/^\{\s*/, "") ?? null)),
      free_memory_gib: sensorOf(freeOf(texts.get("memory"))),
      translated: sensorOf(number("sysctl.proc_translated")),
      chores: sensorOf(choresOf(texts.get("processes"))),
    },
  };
}

function found(text: string | null | undefined, pattern: RegExp): Sensor {
  const value = pattern.exec(text ?? "")?.[1];
  return value === undefined ? UNREADABLE : { state: "value", value: Number(value) };
}

const mainsOf = (text: string | null | undefined): Sensor => {
  const source = /drawing from '([^']+)'/.exec(text ?? "")?.[1];
  return source === undefined ? UNREADABLE : { state: "value", value: source === "AC Power" ? 1 : 0 };
};

/** Pages that can be had at once: free, speculative and inactive ones. */
function freeOf(text: string | null | undefined): number | null {
  const size = Number(/page size of (\d+) bytes/.exec(text ?? "")?.[1] ?? Number.NaN);
  const fields = fieldsOf(text ?? "");
  const pages = ["Pages free", "Pages speculative", "Pages inactive"].map((name) =>
    numberIn(fields.get(name)),
  );
  if (!Number.isFinite(size) || pages.some((value) => typeof value !== "number")) return null;
  return ((pages as number[]).reduce((sum, value) => sum + value, 0) * size) / GIB;
}

const choresOf = (text: string | null | undefined): number | null =>
  typeof text === "string" && text.trim() !== ""
    ? text.split("\n").filter((name) => CHORES.test(name.trim())).length
    : null;

import { parseLinuxHost } from "../../../src/lib/host/linux.ts";
import { parseMacosHost } from "../../../src/lib/host/macos.ts";
import type { HostTexts, ReadHost } from "../../../src/lib/host/reading.ts";

/** Texts as Linux and macOS write them: a quiet Ryzen 9950X, a quiet M1, and a virtual machine without sensors. */

const CPU = "sys/devices/system/cpu";

const ryzenThread = (thread: number): string =>
  [
    `processor\t: ${thread}`,
    "vendor_id\t: AuthenticAMD",
    "model name\t: AMD Ryzen 9 9950X 16-Core Processor",
    "microcode\t: 0xb404023",
    "physical id\t: 0",
    `core id\t\t: ${thread % 16}`,
    "flags\t\t: fpu vme de pse tsc avx512f",
  ].join("\n");

export function ryzenTexts(changes: Readonly<Record<string, string | null | undefined>> = {}): HostTexts {
  const texts: Record<string, string | null> = {
    "proc/cpuinfo": `${Array.from({ length: 32 }, (_, thread) => ryzenThread(thread)).join("\n\n")}\n\n`,
    "proc/meminfo": "MemTotal:       65536000 kB\nMemFree:        60000000 kB\nMemAvailable:   62000000 kB\n",
    "proc/loadavg": "0.02 0.10 0.15 1/900 4242\n",
    "proc/vmstat": "nr_free_pages 1\npswpin 3\npswpout 4\n",
    "proc/pressure/cpu":
      "some avg10=0.00 avg60=0.10 avg300=0.20 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    "proc/sys/kernel/osrelease": "6.12.48-generic\n",
    "sys/fs/cgroup/cpu.max": "max 100000\n",
    [`${CPU}/online`]: "0-31\n",
    [`${CPU}/isolated`]: "14-15\n",
    [`${CPU}/smt/active`]: "0\n",
    [`${CPU}/cpufreq/boost`]: "0\n",
    [`${CPU}/amd_pstate/status`]: "active\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
    "sys/class/power_supply/": "",
    "sys/class/hwmon/hwmon0/name": "nvme\n",
    "sys/class/hwmon/hwmon0/temp1_input": "71850\n",
    "sys/class/hwmon/hwmon2/name": "k10temp\n",
    "sys/class/hwmon/hwmon2/temp1_input": "41250\n",
  };
  for (const core of [0, 1]) {
    texts[`${CPU}/cpu${core}/cpufreq/scaling_governor`] = "performance\n";
    texts[`${CPU}/cpu${core}/cpufreq/scaling_driver`] = "amd-pstate-epp\n";
    texts[`${CPU}/cpu${core}/cpufreq/energy_performance_preference`] = "performance\n";
    texts[`${CPU}/cpu${core}/cpufreq/scaling_cur_freq`] = "4300000\n";
  }
  const all = new Map(Object.entries(texts));
  for (const [path, text] of Object.entries(changes))
    if (text === undefined) all.delete(path);
    else all.set(path, text);
  return all;
}

export const ryzen = (changes: Parameters<typeof ryzenTexts>[0] = {}): ReadHost =>
  parseLinuxHost(ryzenTexts(changes), "x64");

export function macTexts(changes: Readonly<Record<string, string | null>> = {}): HostTexts {
  const texts = {
    sysctl: [
      "machdep.cpu.brand_string: Apple M1",
      "hw.physicalcpu: 8",
      "hw.logicalcpu: 8",
      "hw.perflevel0.physicalcpu: 4",
      "hw.perflevel1.physicalcpu: 4",
      "hw.memsize: 17179869184",
      "hw.model: Macmini9,1",
      "kern.osrelease: 25.1.0",
      "kern.hv_vmm_present: 0",
      "vm.loadavg: { 0.42 0.50 0.61 }",
      "sysctl.proc_translated: 0",
    ].join("\n"),
    version: "26.1\n",
    thermal: "com.apple.system.thermalpressurelevel 0\n",
    power: "Now drawing from 'AC Power'\n -InternalBattery-0\t100%; charged;\n",
    settings:
      "System-wide power settings:\nCurrently in use:\n standby              1\n lowpowermode         0\n",
    memory:
      "Mach Virtual Memory Statistics: (page size of 16384 bytes)\nPages free:                              300000.\nPages active: 1.\nPages inactive:                          100000.\nPages speculative:                        10000.\n",
    processes: "COMMAND\nlaunchd\nWindowServer\nnode\n",
  };
  return new Map(Object.entries({ ...texts, ...changes }));
}

export const mac = (changes: Parameters<typeof macTexts>[0] = {}): ReadHost =>
  parseMacosHost(macTexts(changes), "arm64");

/** A small virtual machine: no frequencies, no thermometers. */
export const virtualTexts = (): HostTexts =>
  new Map([
    [
      "proc/cpuinfo",
      "processor\t: 0\nmodel name\t: AMD EPYC\nmicrocode\t: 0x1\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu hypervisor tsc\n",
    ],
    ["proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 7000000 kB\n"],
    ["proc/loadavg", "3.10 2.00 1.00 4/99 7\n"],
    ["proc/sys/kernel/osrelease", "6.18.44\n"],
    ["sys/class/power_supply/", ""],
  ]);

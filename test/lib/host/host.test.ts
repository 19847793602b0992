import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Host, hostsSchema } from "../../../src/lib/code/schema/hosts-schema.ts";
import { hostChanges, judgeHost } from "../../../src/lib/host/compare.ts";
import { parseLinuxHost } from "../../../src/lib/host/linux.ts";
import { fingerprintDigest, type ReadHost, reportReading, shownBy } from "../../../src/lib/host/reading.ts";
import { deriveHostEntry, withHost } from "../../../src/lib/host/register.ts";
import { mac, ryzen, virtualTexts } from "./samples.ts";

const committed = hostsSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, "../../../data/hosts.json"), "utf8")),
);
const record = (id: string): Host => {
  const host = committed.hosts.find((each) => each.id === id);
  if (host === undefined) throw new Error(`no host ${id}`);
  return host;
};
const virtual = (): ReadHost => parseLinuxHost(virtualTexts(), "x64");
const codes = (host: Host, read: ReadHost): string[] => judgeHost(host, read).map(({ code }) => code);
const shown = (read: ReadHost, name: string) => shownBy(read.sensors[name]);

describe("what a Linux host says of itself", () => {
  it("is read out of /proc and /sys", () => {
    const read = ryzen();
    expect(read.fingerprint).toMatchObject({
      cpu: "AMD Ryzen 9 9950X 16-Core Processor",
      cores: 16,
      threads: 32,
      arch: "x64",
      os: "linux",
      virtual: false,
      microcode: "0xb404023",
      kernel: "6.12.48-generic",
      memory_gib: 63,
      governor: "performance",
      boost: 0,
      smt: 0,
      isolated: "14-15",
    });
    expect(reportReading(read, "2026-12-01T10:00:00.000Z")).toEqual({
      at: "2026-12-01T10:00:00.000Z",
      values: {
        governor: "performance",
        energy_preference: "performance",
        boost: 0,
        smt: 0,
        temperature_c: 41.25,
        throttle_count: null,
        frequency_mhz: 4300,
        load_1m: 0.02,
        cpu_pressure: 0,
        cpu_quota: "max",
        free_memory_gib: 62_000_000 / 1024 / 1024,
        swapped_pages: 7,
        mains: 1,
        clock_source: "tsc",
      },
    });
  });

  it("has every core's governor, and boost as Intel's driver says it", () => {
    const path = "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor";
    expect(shown(ryzen({ [path]: "powersave\n" }), "governor")).toBe("performance,powersave");
    const boost = "sys/devices/system/cpu/cpufreq/boost";
    const turbo = "sys/devices/system/cpu/intel_pstate/no_turbo";
    expect(shown(ryzen({ [boost]: undefined, [turbo]: "0\n" }), "boost")).toBe(1);
  });

  it("is on mains when a supply says so, or when it has no battery", () => {
    const supplies = (online: string, type = "Battery") => ({
      "sys/class/power_supply/": "AC\nBAT0",
      "sys/class/power_supply/AC/type": "Mains\n",
      "sys/class/power_supply/AC/online": `${online}\n`,
      "sys/class/power_supply/BAT0/type": `${type}\n`,
    });
    expect(shown(ryzen(supplies("1")), "mains")).toBe(1);
    expect(shown(ryzen(supplies("0")), "mains")).toBe(0);
    expect(ryzen({ "sys/class/power_supply/": undefined }).sensors.mains).toEqual({ state: "absent" });
    expect(ryzen({ "sys/class/power_supply/": "BAT0" }).sensors.mains).toEqual({ state: "unreadable" });
  });

  it("tells what is not there from what cannot be read", () => {
    const pressure = "proc/pressure/cpu";
    expect(ryzen({ [pressure]: undefined }).sensors.cpu_pressure).toEqual({ state: "absent" });
    expect(ryzen({ [pressure]: null }).sensors.cpu_pressure).toEqual({ state: "unreadable" });
    expect(ryzen({ [pressure]: "nothing\n" }).sensors.cpu_pressure).toEqual({ state: "unreadable" });
    expect(reportReading(ryzen({ [pressure]: null }), "2026-12-01T10:00:00.000Z").unreadable).toEqual([
      "cpu_pressure",
    ]);
    expect(virtual().sensors.temperature_c).toEqual({ state: "absent" });
  });
});

describe("what a Mac says of itself", () => {
  it("is read out of its tools' output", () => {
    const read = mac();
    expect(read.fingerprint).toEqual({
      cpu: "Apple M1",
      cores: 8,
      threads: 8,
      arch: "arm64",
      os: "macos",
      virtual: false,
      os_version: "26.1",
      kernel: "25.1.0",
      memory_gib: 16,
      model: "Macmini9,1",
      performance_cores: 4,
      efficiency_cores: 4,
    });
    expect(shown(read, "free_memory_gib")).toBeCloseTo(6.256, 3);
    expect(
      ["thermal_pressure", "low_power_mode", "mains", "load_1m", "translated", "chores"].map((name) =>
        shown(read, name),
      ),
    ).toEqual([0, 0, 1, 0.42, 0, 0]);
  });

  it("counts indexing and backup, and sees the battery", () => {
    expect(shown(mac({ processes: "COMMAND\nmdworker_shared\nbackupd\nzsh\n" }), "chores")).toBe(2);
    expect(shown(mac({ power: "Now drawing from 'Battery Power'\n" }), "mains")).toBe(0);
  });

  it("F65: a thermal level that is missing is unknown, never cool", () => {
    for (const thermal of [null, "", "Note: No thermal warning level has been recorded\n"]) {
      const read = mac({ thermal });
      expect(read.sensors.thermal_pressure).toEqual({ state: "unreadable" });
      expect(codes(record("m1"), read)).toEqual(["host-unreadable"]);
    }
  });
});

describe("a host of the board", () => {
  it("may measure when it is the recorded one, and quiet, cool and on mains", () => {
    expect(judgeHost(record("ryzen-9950x"), ryzen())).toEqual([]);
    expect(judgeHost(record("m1"), mac())).toEqual([]);
  });

  it.each([
    ["another processor", ["proc/cpuinfo", "AMD EPYC"], "host-wrong"],
    ["fewer cores", ["proc/cpuinfo", null], "host-unreadable"],
    ["a machine that is hot", ["sys/class/hwmon/hwmon2/temp1_input", "60500\n"], "host-hot"],
    ["a busy one", ["proc/loadavg", "0.70 0.1 0.1 1/2 3\n"], "host-loaded"],
    [
      "one whose work waits",
      ["proc/pressure/cpu", "some avg10=0.51 avg60=0 avg300=0 total=1\n"],
      "host-loaded",
    ],
    [
      "one without memory",
      ["proc/meminfo", "MemTotal: 65536000 kB\nMemAvailable: 1000000 kB\n"],
      "host-memory",
    ],
    [
      "one that clocks as it likes",
      ["sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "schedutil\n"],
      "host-governor",
    ],
  ] as const)("F62, F64: %s is refused", (_, [path, text], code) => {
    const value = path === "proc/cpuinfo" && text !== null ? ryzenAs(text) : text;
    expect(codes(record("ryzen-9950x"), ryzen({ [path]: value }))).toContain(code);
  });

  it("F66: is refused when anything that is guarded cannot be read", () => {
    for (const path of [
      "proc/loadavg",
      "proc/pressure/cpu",
      "proc/meminfo",
      "sys/class/hwmon/hwmon2/temp1_input",
      "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
      "sys/class/power_supply/",
      "sys/devices/system/clocksource/clocksource0/current_clocksource",
    ])
      expect([path, codes(record("ryzen-9950x"), ryzen({ [path]: null }))]).toEqual([
        path,
        ["host-unreadable"],
      ]);
  });

  it("F66: is refused when it loses a sensor, or what its record pins", () => {
    expect(codes(record("ryzen-9950x"), ryzen({ "sys/class/hwmon/hwmon2/name": undefined }))).toEqual([
      "host-unreadable",
    ]);
    const host = record("ryzen-9950x");
    const pinned = {
      ...host,
      fingerprint: { ...host.fingerprint, boost: 0, smt: 0, microcode: "0xb404023" },
    };
    expect(codes(pinned, ryzen())).toEqual([]);
    const boost = "sys/devices/system/cpu/cpufreq/boost";
    expect(codes(pinned, ryzen({ [boost]: "1\n" }))).toEqual(["host-wrong"]);
    expect(codes(pinned, ryzen({ [boost]: undefined }))).toEqual(["host-unreadable"]);
  });

  it("is no virtual machine", () => {
    expect(
      codes(
        record("ryzen-9950x"),
        ryzen({ "proc/cpuinfo": ryzenAs("AMD Ryzen 9 9950X 16-Core Processor", " hypervisor") }),
      ),
    ).toContain("host-virtual");
    expect(codes(record("m1"), mac({ power: "Now drawing from 'Battery Power'\n" }))).toEqual([
      "host-battery",
    ]);
    expect(codes(record("m1"), mac({ settings: " lowpowermode         1\n" }))).toEqual(["host-low-power"]);
  });

  it("guards nothing that no sensor shows", () => {
    const host = record("m1");
    expect(codes({ ...host, guards: { ...host.guards, temprature: { at_most: 1 } } }, mac())).toEqual([
      "host-guard-unknown",
    ]);
  });
});

const ryzenAs = (model: string, flags = ""): string =>
  Array.from(
    { length: 32 },
    (_, thread) =>
      `processor\t: ${thread}\nmodel name\t: ${model}\nmicrocode\t: 0xb404023\nphysical id\t: 0\ncore id\t\t: ${thread % 16}\nflags\t\t: fpu${flags}\n`,
  ).join("\n");

describe("a fingerprint", () => {
  it("F63: is another one with another kernel, microcode, governor, boost or memory", () => {
    const digest = fingerprintDigest(ryzen().fingerprint);
    expect(fingerprintDigest(ryzen().fingerprint)).toBe(digest);
    for (const change of [
      { "proc/sys/kernel/osrelease": "6.12.49-generic\n" },
      { "proc/cpuinfo": ryzenAs("AMD Ryzen 9 9950X 16-Core Processor").replaceAll("0xb404023", "0xb404024") },
      { "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n" },
      { "sys/devices/system/cpu/cpufreq/boost": "1\n" },
      { "proc/meminfo": "MemTotal: 33554432 kB\nMemAvailable: 1 kB\n" },
    ])
      expect(fingerprintDigest(ryzen(change).fingerprint)).not.toBe(digest);
    // What it does is no part of what it is.
    expect(fingerprintDigest(ryzen({ "proc/loadavg": "9.00 1 1 1/1 1\n" }).fingerprint)).toBe(digest);
  });
});

describe("between two looks", () => {
  const changes = (change: Parameters<typeof ryzen>[0]): string[] => hostChanges(ryzen(), ryzen(change));

  it("a host that stays as it is has not changed, however much it worked", () => {
    expect(
      changes({ "proc/loadavg": "1.00 1 1 1/1 1\n", "sys/class/hwmon/hwmon2/temp1_input": "78000\n" }),
    ).toEqual([]);
  });

  it("F64: heat, throttling, swap, a governor or an unplugged cable disturb what was measured", () => {
    expect(changes({ "sys/class/hwmon/hwmon2/temp1_input": "90000\n" })).toEqual([
      "the processor reached 90 degrees",
    ]);
    expect(changes({ "proc/vmstat": "pswpin 9\npswpout 4\n" })).toEqual([
      "swapped_pages changed from 7 to 13",
    ]);
    expect(changes({ "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "powersave\n" })).toEqual([
      "the host's fingerprint changed",
      "governor changed from performance to performance,powersave",
    ]);
    expect(hostChanges(mac(), mac({ thermal: "com.apple.system.thermalpressurelevel 1\n" }))).toEqual([
      "thermal_pressure changed from 0 to 1",
    ]);
    expect(hostChanges(mac(), mac({ power: "Now drawing from 'Battery Power'\n" }))).toHaveLength(1);
  });

  it("F65: the control kernel may not take longer than before", () => {
    const timed = (control_ms: number): ReadHost => ({
      ...mac(),
      sensors: { ...mac().sensors, control_ms: { state: "value", value: control_ms } },
    });
    expect(hostChanges(timed(20), timed(20.9))).toEqual([]);
    expect(hostChanges(timed(20), timed(60))).toEqual([
      "the control kernel took 20 ms before and 60 ms after",
    ]);
    const host = record("m1");
    const guarded = { ...host, guards: { ...host.guards, control_ms: { at_most: 22 } } };
    expect(codes(guarded, timed(21))).toEqual([]);
    expect(codes(guarded, timed(60))).toEqual(["host-slow"]);
  });
});

describe("registering", () => {
  const registration = { name: "Any machine", labels: ["self-hosted", "rehearsal"], keys: [] };

  it("a rehearsal host takes any machine, and holds it to having no sensors", () => {
    const entry = deriveHostEntry({ ...registration, id: "rehearsal", class: "rehearsal" }, virtual());
    expect(entry.guards).toMatchObject({ governor: "absent", temperature_c: "absent" });
    expect(entry.guards).not.toHaveProperty("load_1m");
    expect(judgeHost(entry, virtual())).toEqual([]);
    // The same record does not pass for a machine that has them, nor for another one.
    expect(codes(entry, ryzen())).toEqual(
      expect.arrayContaining(["host-wrong", "host-virtual", "host-sensor-there"]),
    );
    const blind = new Map(virtualTexts());
    blind.set("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", null);
    expect(codes(entry, parseLinuxHost(blind, "x64"))).toEqual(["host-unreadable"]);
  });

  it("a host of the board gets the whole table of its system, and its settings pinned", () => {
    const control = {
      ...ryzen(),
      sensors: { ...ryzen().sensors, control_ms: { state: "value", value: 20 } as const },
    };
    const entry = deriveHostEntry({ ...registration, id: "ryzen-9950x", class: "board" }, control);
    expect(entry.fingerprint).toMatchObject({ microcode: "0xb404023", boost: 0, smt: 0, memory_gib: 63 });
    expect(entry.guards).toMatchObject({ ...record("ryzen-9950x").guards, control_ms: { at_most: 22 } });
    expect(judgeHost(entry, control)).toEqual([]);
    expect(() =>
      deriveHostEntry({ ...registration, id: "x", class: "board" }, parseLinuxHost(new Map(), "x64")),
    ).toThrow(/cpu/);
  });

  it("replaces a host's record and keeps its keys", () => {
    const key = { id: "k1", ed25519: "a".repeat(64), valid_from: "2026-12-01T00:00:00.000Z" };
    const entry = deriveHostEntry(
      { ...registration, id: "rehearsal", class: "rehearsal", keys: [key] },
      virtual(),
    );
    const once = withHost(committed, entry);
    expect(once.hosts.map(({ id }) => id)).toEqual(["ryzen-9950x", "m1", "rehearsal"]);
    const later = { ...entry, keys: [{ ...key, id: "k2", ed25519: "b".repeat(64) }] };
    expect(
      withHost(once, later)
        .hosts.at(-1)
        ?.keys.map(({ id }) => id),
    ).toEqual(["k1", "k2"]);
  });
});

import { describe, expect, it } from "vitest";
import {
  canBound,
  deriveCgroupSettings,
  findCgroupMount,
  listCgroupParents,
  parseOomKills,
} from "../../../src/lib/sandbox/cgroup.ts";
import { findHoles, selfTestOrder } from "../../../src/lib/sandbox/self-test.ts";
import { parseStatus } from "../../../src/lib/sandbox/status.ts";
import { decideEnd } from "../../../src/lib/sandbox/verdict.ts";
import {
  findBrokenBound,
  makeCpuLedger,
  mergePeaks,
  parseProcessTimes,
  parseProportionalBytes,
} from "../../../src/lib/sandbox/watch.ts";

const said = [
  "ready",
  '{ "child-pid": 4711, "pid-namespace": 4026532571 }',
  '{ "exit-code": 139 }',
  "done 139",
  "0m0.001s 0m0.002s",
  "1m2.500s 0m0.250s",
  "end",
  "",
].join("\n");

describe("what the stage says", () => {
  it("is read line by line, and only whole lines", () => {
    expect(parseStatus(said)).toEqual({
      ready: true,
      firstPid: 4711,
      exitCode: 139,
      done: true,
      cpuSeconds: 62.75,
    });
    for (let length = 0; length < said.length; length++)
      expect(parseStatus(said.slice(0, length)).done).toBe(false);
    expect(parseStatus('ready\n{ "child-pid": 47')).toMatchObject({ ready: true, firstPid: null });
  });
});

describe("the end of a run", () => {
  const ended = (exitCode: number | null) => ({ ...parseStatus(said), exitCode });

  it("is the guest's own when nobody stopped it", () => {
    expect(decideEnd(ended(0), null)).toEqual({ outcome: "exited", code: 0 });
    expect(decideEnd(ended(128), null)).toEqual({ outcome: "exited", code: 128 });
    expect(decideEnd(ended(139), null)).toEqual({ outcome: "signalled", signal: 11 });
    expect(decideEnd(ended(255), null)).toEqual({ outcome: "exited", code: 255 });
  });

  it("is why it was stopped, whatever it said then", () => {
    expect(decideEnd(ended(0), "timed-out")).toEqual({ outcome: "timed-out" });
    expect(decideEnd(ended(null), "memory")).toEqual({ outcome: "over-limit", bound: "memory" });
    expect(decideEnd(ended(0), "stopped")).toEqual({ outcome: "stopped" });
  });

  it("is nothing that could be held against the guest when it never started", () => {
    expect(decideEnd(ended(null), null)).toBeNull();
  });
});

describe("a look at the processes", () => {
  it("reads times, threads and pages, whatever a program calls itself", () => {
    const fields = Array.from({ length: 49 }, (_, index) => String(index + 4));
    const stat = `7 (evil) R 1 2) S ${fields.join(" ")}`;
    // Fields 14 to 17 of proc(5) hold their own numbers here; 20 is the threads, 24 the pages.
    expect(parseProcessTimes(stat)).toEqual({
      ownSeconds: 0.29,
      childrenSeconds: 0.33,
      threads: 20,
      residentPages: 24,
    });
    expect(parseProcessTimes("")).toBeNull();
  });

  it("keeps the time of processes that nobody waited for, and counts none twice", () => {
    const times = (ownSeconds: number, childrenSeconds = 0) => ({
      ownSeconds,
      childrenSeconds,
      threads: 1,
      residentPages: 1,
    });
    const ledger = makeCpuLedger();
    expect(
      ledger.add(
        new Map([
          [1, times(1)],
          [2, times(2)],
        ]),
      ),
    ).toBe(3);
    // Process 2 has ended and was waited for: its time is told as that of a child.
    expect(ledger.add(new Map([[1, times(1, 2)]]))).toBe(3);
    // Process 3 ends and nobody waits; its number comes again with less.
    expect(
      ledger.add(
        new Map([
          [1, times(1, 2)],
          [3, times(4)],
        ]),
      ),
    ).toBe(7);
    expect(
      ledger.add(
        new Map([
          [1, times(1, 2)],
          [3, times(0.5)],
        ]),
      ),
    ).toBe(7);
  });

  it("reads shares of memory", () => {
    expect(parseProportionalBytes("Rss:  100 kB\nPss:                12 kB\nPss_Dirty: 3 kB\n")).toBe(12_288);
    expect(parseProportionalBytes("")).toBeNull();
  });

  it("finds the bound that is broken, and only beyond it", () => {
    const { limits } = selfTestOrder;
    const full = {
      cpuSeconds: limits.cpuSeconds,
      memoryBytes: limits.memoryBytes,
      processes: limits.processes + 1,
    };
    expect(findBrokenBound(full, limits)).toBeNull();
    expect(findBrokenBound({ ...full, memoryBytes: full.memoryBytes + 1 }, limits)).toBe("memory");
    expect(findBrokenBound({ ...full, cpuSeconds: full.cpuSeconds + 0.01 }, limits)).toBe("cpu");
    expect(findBrokenBound({ ...full, processes: full.processes + 1 }, limits)).toBe("processes");
    const peak = { cpuSeconds: 1, memoryBytes: 9, processes: 1 };
    expect(mergePeaks(peak, { cpuSeconds: 2, memoryBytes: 3, processes: 1 })).toEqual({
      ...peak,
      cpuSeconds: 2,
    });
  });
});

describe("cgroups", () => {
  it("are looked for in the unified hierarchy only", () => {
    const old = "30 23 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
    const unified = "31 23 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw";
    expect(findCgroupMount(old)).toBeNull();
    expect(findCgroupMount(`${old}\n${unified}\n`)).toBe("/sys/fs/cgroup");
  });

  it("are made beside our own group, never in it", () => {
    expect(listCgroupParents("/sys/fs/cgroup", "0::/system.slice/runner.service\n")).toEqual([
      "/sys/fs/cgroup/system.slice",
      "/sys/fs/cgroup",
    ]);
    expect(listCgroupParents("/sys/fs/cgroup", "0::/\n")).toEqual(["/sys/fs/cgroup"]);
    expect(listCgroupParents("/sys/fs/cgroup", "1:memory:/x\n")).toEqual([]);
  });

  it("bound memory with the files in it, processes, and no swap", () => {
    expect(canBound("cpu memory pids\n")).toBe(true);
    expect(canBound("hugetlb")).toBe(false);
    const { limits, work } = selfTestOrder;
    expect(deriveCgroupSettings(selfTestOrder)).toEqual([
      { file: "memory.max", value: `${limits.memoryBytes + work.bytes}` },
      { file: "memory.swap.max", value: "0", optional: true },
      { file: "memory.oom.group", value: "1", optional: true },
      { file: "pids.max", value: "20" },
    ]);
    expect(parseOomKills("low 0\noom 1\noom_kill 3\n")).toBe(3);
    expect(parseOomKills("")).toBe(0);
  });
});

describe("the self-test", () => {
  const sound = [
    "uid=1000",
    "capabilities=0000000000000000",
    "privileges=1",
    "filter=2",
    "interfaces=lo ",
    "init=bwrap",
    "variables=HOME LANG PATH PWD TMPDIR ",
    "root=bin dev etc lib proc tmp usr job ",
    ...["usr", "root", "dev"].map((name) => `writes-${name}=no`),
    ...["mounts", "namespaces", "raises", "sets-clock"].map((name) => `${name}=no`),
    "writes-work=yes",
  ];

  it("finds nothing in a sound sandbox", () => expect(findHoles(sound.join("\n"))).toEqual([]));

  it.each([
    ["uid=0"],
    ["capabilities=0000000000000001"],
    ["privileges=0"],
    ["filter=0"],
    ["interfaces=lo eth0 "],
    ["init=/sbin/init"],
    ["variables=HOME GITHUB_TOKEN "],
    ["root=bin root usr "],
    ["writes-usr=yes"],
    ["mounts=yes"],
    ["writes-work=no"],
  ])("finds a hole: %s", (line) => {
    const name = line.slice(0, line.indexOf("=") + 1);
    const holed = sound.map((each) => (each.startsWith(name) ? line : each));
    expect(findHoles(holed.join("\n"))).toHaveLength(1);
  });

  it("takes what was not said for a hole", () => {
    expect(findHoles("")).toHaveLength(sound.length);
    expect(findHoles(sound.slice(1).join("\n"))).toHaveLength(1);
  });
});

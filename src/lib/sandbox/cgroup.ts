import type { SandboxOrder } from "./order.ts";

/** One small file of a cgroup and what is written to it. */
export interface CgroupSetting {
  readonly file: string;
  readonly value: string;
  /** Kernels without this file do without it. */
  readonly optional?: boolean;
}

/** The mount point of the unified hierarchy (version 2) in the text of `/proc/self/mountinfo`; null when there is none. */
export function findCgroupMount(mountinfo: string): string | null {
  for (const line of mountinfo.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const point = before.split(" ")[4];
    if (point !== undefined && after.startsWith("cgroup2 ")) return point;
  }
  return null;
}

/**
 * Where a cgroup for a run might be made, best first: beside our own group, then beside each group above it.
 * Never in our own, since a group that holds processes may not hand controllers on.
 */
export function listCgroupParents(mount: string, ownGroups: string): string[] {
  const [, own] = /^0::(\/.*)$/m.exec(ownGroups) ?? [];
  if (own === undefined) return [];
  const words = own.split("/").filter((word) => word !== "" && word !== "..");
  return words.length === 0
    ? [mount]
    : words.map((_, index) => [mount, ...words.slice(0, words.length - 1 - index)].join("/"));
}

/** Whether a group hands on what we need: the text of its `cgroup.subtree_control`. */
export const canBound = (subtreeControl: string): boolean =>
  ["memory", "pids"].every((controller) => subtreeControl.trim().split(/\s+/).includes(controller));

/** Bounds of one run. Files in memory are charged to whoever writes them, so the work folder's size is on top. */
export function deriveCgroupSettings({ limits, work }: SandboxOrder): CgroupSetting[] {
  return [
    { file: "memory.max", value: `${limits.memoryBytes + work.bytes}` },
    { file: "memory.swap.max", value: "0", optional: true },
    { file: "memory.oom.group", value: "1", optional: true },
    // bubblewrap and its first process are in the group too.
    { file: "pids.max", value: `${limits.processes + 4}` },
  ];
}

/** How many processes the kernel killed for want of memory: the text of `memory.events`. */
export const parseOomKills = (events: string): number => Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0);

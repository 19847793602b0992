import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  canBound,
  deriveCgroupSettings,
  findCgroupMount,
  listCgroupParents,
  parseOomKills,
} from "../../lib/sandbox/cgroup.ts";
import type { SandboxOrder } from "../../lib/sandbox/order.ts";

/** A cgroup of version 2 around one run. */
export interface SandboxCgroup {
  readonly path: string;
  /** What the kernel counted so far; memory includes the files in memory. */
  readonly count: () => { readonly memoryBytes: number | null; readonly outOfMemory: boolean };
  /** Kills what is left in it and removes it. */
  readonly close: () => Promise<void>;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Whether we may move a process of ours from below `parent` to another group below it. */
function mayMove(parent: string): boolean {
  try {
    accessSync(join(parent, "cgroup.procs"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Groups in which this process may make one with bounds on memory and processes. */
export function findCgroupParents(): string[] {
  const mount = findCgroupMount(read("/proc/self/mountinfo"));
  if (mount === null) return [];
  return listCgroupParents(mount, read("/proc/self/cgroup")).filter(
    (parent) => canBound(read(join(parent, "cgroup.subtree_control"))) && mayMove(parent),
  );
}

async function remove(path: string): Promise<void> {
  if (existsSync(join(path, "cgroup.kill"))) writeFileSync(join(path, "cgroup.kill"), "1");
  for (let attempts = 200; ; attempts -= 1) {
    try {
      rmdirSync(path);
      return;
    } catch (error) {
      if (attempts === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Makes a cgroup with the order's bounds; null where this host lets us make none, which the sampler makes up for. */
export function makeCgroup(
  order: SandboxOrder,
  name: string,
  parents: readonly string[] = findCgroupParents(),
): SandboxCgroup | null {
  for (const parent of parents) {
    const path = join(parent, name);
    try {
      mkdirSync(path);
    } catch {
      continue;
    }
    try {
      for (const { file, value, optional } of deriveCgroupSettings(order))
        if (optional !== true || existsSync(join(path, file))) writeFileSync(join(path, file), value);
    } catch {
      rmdirSync(path);
      continue;
    }
    return {
      path,
      count() {
        const peak = Number.parseInt(read(join(path, "memory.peak")), 10);
        const outOfMemory = parseOomKills(read(join(path, "memory.events"))) > 0;
        return { memoryBytes: Number.isNaN(peak) ? null : peak, outOfMemory };
      },
      close: () => remove(path),
    };
  }
  return null;
}

import type { SandboxLimits } from "../lib/sandbox/order.ts";

/** How much a contestant may have, as people say it. */
export interface ContestantBounds {
  readonly minutes: number;
  /** Memory of all its processes together. */
  readonly memoryGib: number;
  readonly processes: number;
  /** Its folder, in memory as well, on top of `memoryGib`. */
  readonly folderGib: number;
}

export const CONTESTANT_BOUNDS: ContestantBounds = {
  minutes: 60,
  memoryGib: 8,
  processes: 512,
  folderGib: 2,
};

const GIB = 1024 ** 3;
const CORES = 8;

export function contestantLimits(bounds: ContestantBounds): {
  limits: SandboxLimits;
  work: { bytes: number; files: number };
} {
  const wallSeconds = Math.ceil(bounds.minutes * 60);
  return {
    limits: {
      wallSeconds,
      cpuSeconds: wallSeconds * CORES,
      memoryBytes: Math.ceil(bounds.memoryGib * GIB),
      processes: bounds.processes,
      fileBytes: GIB / 2,
      outputBytes: GIB / 4,
      openFiles: 4096,
    },
    work: { bytes: Math.ceil(bounds.folderGib * GIB), files: 200_000 },
  };
}

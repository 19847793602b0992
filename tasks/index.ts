import type { TaskKit } from "../src/lib/task/kit.ts";

/** Every task, one line each. */
export const TASKS: readonly TaskKit[] = [];

import type { TaskKit } from "../src/lib/task/kit.ts";
import { kit as inflate } from "./inflate/kit.ts";
import { kit as jsonStream } from "./json-stream/kit.ts";
import { kit as leaseServer } from "./lease-server/kit.ts";
import { kit as neonKernels } from "./neon-kernels/kit.ts";
import { kit as rangeCoder } from "./range-coder/kit.ts";

/** Every task, one line each. */
export const TASKS: readonly TaskKit[] = [inflate, jsonStream, leaseServer, neonKernels, rangeCoder];

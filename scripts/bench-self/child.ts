import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { REPOSITORY } from "../benchmarks/root.ts";

/** Whether processes can be held to a core here. */
export const CAN_PIN = process.platform === "linux";

/**
 * Runs a measuring script in a fresh process and gives what it prints as JSON. `core` pins it to that core, collector
 * and compiler threads included; only Linux can.
 */
export function runChild<T>(script: string, input: unknown, core: number | null = null): Promise<T> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const words = [process.execPath, "--import", "tsx", file, JSON.stringify(input)];
  const [program = "", ...rest] =
    core === null || !CAN_PIN ? words : ["taskset", "-c", String(core), ...words];
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { cwd: REPOSITORY, stdio: ["ignore", "pipe", "inherit"] });
    const out: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(out).toString("utf8")) as T);
      else reject(new Error(`${script} ended with ${code}`));
    });
  });
}

/** What the parent of this process gave it. */
export const childInput = <T>(): T => JSON.parse(process.argv[2] ?? "null") as T;

export const report = (value: unknown): void => {
  process.stdout.write(JSON.stringify(value));
};

const STATUS = "/proc/self/status";

/** The most memory that this process ever held, in MB. On Linux `maxRSS` would also count its parent's, before exec. */
export function peakMegabytes(): number {
  if (!existsSync(STATUS)) return (process.resourceUsage().maxRSS * 1024) / 1e6;
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, "utf8"))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

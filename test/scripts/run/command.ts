import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { REPOSITORY } from "./suite-root.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A person's environment: no CI, no keys but the given ones. */
export const cleanEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  ...more,
});

/** Starts the real command. `npm: true` goes through `npm run`, in a process group of its own. */
export function startRun(
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly npm?: boolean } = {},
): Running {
  const [command, before] = options.npm
    ? ["npm", ["run", "bench:run", "--"]]
    : [process.execPath, ["--import", "tsx", "scripts/benchmarks/run.ts"]];
  const child = spawn(command, [...before, ...args], {
    cwd: REPOSITORY,
    env: cleanEnvironment(options.env),
    stdio: ["ignore", "pipe", "pipe"],
    detached: options.npm === true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

export const run = (
  args: readonly string[],
  options?: { readonly env?: Readonly<Record<string, string>>; readonly npm?: boolean },
): Promise<Ended> => startRun(args, options).ended;

/** Every file below a folder: path to content. */
export async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, string>();
  for (const entry of entries)
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      files.set(path, await readFile(path, "utf8"));
    }
  return files;
}

/** The one result document below a root. */
export async function onlyResult(folder: string): Promise<{ path: string; text: string }> {
  const found = [...(await filesBelow(join(folder, "benchmarks/.runs")))].filter(([path]) =>
    path.endsWith("/result.json"),
  );
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} result documents`);
  return { path: first[0], text: first[1] };
}

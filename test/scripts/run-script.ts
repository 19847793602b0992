import { spawn } from "node:child_process";
import { join } from "node:path";
import { REPOSITORY } from "../jobs/temp-suite.ts";

export interface ScriptRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `scripts/benchmarks/<name>.ts` as npm would: in the repository, with the caller's folder in INIT_CWD. */
export function runScript(name: string, args: readonly string[], cwd: string): Promise<ScriptRun> {
  return new Promise((resolve, reject) => {
    const tsx = join(REPOSITORY, "node_modules/tsx/dist/loader.mjs");
    const child = spawn(
      process.execPath,
      ["--import", tsx, join(REPOSITORY, "scripts/benchmarks", `${name}.ts`), ...args],
      {
        cwd: REPOSITORY,
        env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", INIT_CWD: cwd },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, out: Buffer.concat(out).toString("utf8"), err: Buffer.concat(err).toString("utf8") }),
    );
  });
}

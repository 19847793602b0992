import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The fixture compiled: the program, a copy with other bytes that does the same, and one that does 3% and 50% more work. */
export interface Shims {
  readonly folder: string;
  readonly program: string;
  readonly copy: string;
  readonly slower: string;
}

/** Compiles the fixture with gcc; null when there is none, which a test skips by `whenMissing`. */
export function compileShims(): Shims | null {
  const folder = mkdtempSync(join(tmpdir(), "assay-perf-"));
  const source = fileURLToPath(new URL("../../fixtures/perf/shim.c", import.meta.url));
  const compile = (name: string, extra: number): string | null => {
    const out = join(folder, name);
    const { status, error, stderr } = spawnSync(
      "gcc",
      ["-O2", "-Wall", "-Wextra", "-Werror", `-DEXTRA=${extra}`, source, "-o", out],
      { encoding: "utf8" },
    );
    if (error !== undefined) return null;
    if (status !== 0) throw new Error(stderr);
    return out;
  };
  const program = compile("shim-a", 0);
  const slower = compile("shim-c", 500);
  if (program === null || slower === null) return null;
  const copy = join(folder, "shim-b");
  copyFileSync(program, copy);
  // Behind the end of what is loaded.
  appendFileSync(copy, "another digest");
  return { folder, program, copy, slower };
}

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Finding } from "../../lib/findings.ts";
import type { SandboxInput } from "../../lib/sandbox/order.ts";
import type { ToolNeed } from "../../lib/task/kit.ts";

/** Folders that a guest's PATH names. */
const SYSTEM = ["/usr/local/bin", "/usr/bin", "/bin"];

/** What the guest gets to see of the tools, or which are missing here. */
export type Tools =
  | { readonly ok: true; readonly inputs: readonly SandboxInput[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Finds what a kit needs. Packages of npm lie in the folder that `ASSAY_NODE_MODULES` names (a host gets this repository's code without
 * them), else in the repository's `node_modules`.
 */
export function findTools(needs: readonly ToolNeed[], repository: string): Tools {
  const inputs: SandboxInput[] = [];
  const findings: Finding[] = [];
  for (const need of needs) {
    const from = need.mount === undefined ? null : rootOf(need.mount.rootOf, repository);
    const isThere = need.mount === undefined ? findProgram(need.program, SYSTEM) : from !== null;
    if (!isThere)
      findings.push({
        code: "task-tool-missing",
        severity: "error",
        message: `This host has no ${need.program}, which the task is built with.`,
        hint: `Install ${need.hint}.`,
      });
    else if (need.mount !== undefined && from !== null) inputs.push({ from, to: need.mount.to });
  }
  return findings.length === 0 ? { ok: true, inputs } : { ok: false, findings };
}

/** Whether one of the folders holds the program. */
function findProgram(program: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Where an installation lies; null when it is not there. */
function rootOf(kind: NonNullable<ToolNeed["mount"]>["rootOf"], repository: string): string | null {
  if (kind === "node-modules") {
    const named = process.env.ASSAY_NODE_MODULES ?? "";
    const folder = named === "" ? join(repository, "node_modules") : named;
    return existsSync(folder) ? folder : null;
  }
  if (!findProgram("rustc", [...(process.env.PATH ?? "").split(delimiter), ...SYSTEM])) return null;
  try {
    return execFileSync("rustc", ["--print", "sysroot"], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

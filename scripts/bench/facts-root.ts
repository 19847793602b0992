import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../src/lib/findings.ts";

/** What is wrong with a folder in which neither `data/` nor `tasks/` is: a slip in `--root` must not pass as "all holds". */
export async function noFacts(root: string): Promise<Finding | null> {
  for (const name of ["data", "tasks"]) {
    const found = await stat(join(root, name)).catch(() => null);
    if (found?.isDirectory() === true) return null;
  }
  return {
    code: "code-data-root",
    severity: "error",
    message: "There are no facts in this folder.",
    path: root,
    expected: "a folder that holds data/ or tasks/",
    hint: "Name the repository, or the folder that data synthetic wrote, with --root.",
  };
}

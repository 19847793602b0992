import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Outcome } from "../../lib/findings.ts";

/**
 * Writes files as they come into a folder that is new or empty, so that nothing of anybody's is replaced. Gives their
 * number.
 */
export async function writeNewTree(
  folder: string,
  files: Iterable<{ readonly path: string; readonly text: string }>,
): Promise<Outcome<number>> {
  await mkdir(folder, { recursive: true });
  const [there] = await readdir(folder);
  if (there !== undefined)
    return {
      ok: false,
      findings: [
        {
          code: "code-synthetic-folder",
          severity: "error",
          message: "The folder is not empty.",
          path: folder,
          actual: there,
          hint: "Name a new folder.",
        },
      ],
    };
  let count = 0;
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    count += 1;
  }
  return { ok: true, value: count, findings: [] };
}

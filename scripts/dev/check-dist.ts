// tsx scripts/dev/check-dist.ts   fails unless dist/ is, byte for byte, what the sources give
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { BUNDLES, SITE } from "../../rolldown.config.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files below a folder with their bytes, by relative path. */
function filesOf(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path)];
    }),
  );
}

/** Names of files that differ between what is committed and what the sources give now. */
export async function findDrift(committed: string): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), "assay-dist-"));
  try {
    for (const { output, ...input } of [BUNDLES, SITE]) {
      const bundle = await rolldown({ ...input, cwd: root });
      await bundle.write({ ...output, dir: join(scratch, output.dir.slice("dist".length)) });
      await bundle.close();
    }
    const [now, was] = [filesOf(scratch), filesOf(committed)];
    return [...new Set([...now.keys(), ...was.keys()])]
      .filter((name) => !now.get(name)?.equals(was.get(name) ?? Buffer.alloc(0)))
      .sort();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const drift = await findDrift(join(root, "dist"));
  for (const name of drift) console.error(`dist/${name} is not what the sources give: npm run build`);
  if (drift.length > 0) process.exitCode = 1;
}

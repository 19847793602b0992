import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SUITE } from "../../scripts/bench-self/documents.ts";
import { type Burst, type BurstOptions, playBurst } from "./burst.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** A burst in a repository with one suite and this project's own workflows. */
export async function measureBurst(options: Omit<BurstOptions, "root">): Promise<Burst> {
  const root = await mkdtemp(join(tmpdir(), "assay-burst-"));
  try {
    const suite = `benchmarks/suites/${SUITE}.json`;
    const { members } = JSON.parse(await readFile(join(REPOSITORY, suite), "utf8")) as {
      members: { id: string }[];
    };
    const folders = ["benchmarks/vocabulary", "benchmarks/registry", ".github/workflows"];
    for (const path of [...folders, suite, ...members.map(({ id }) => `benchmarks/members/${id}`)])
      await cp(join(REPOSITORY, path), join(root, path), { recursive: true });
    return await playBurst({ ...options, root });
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = JSON.parse(process.argv[2] ?? "{}") as Omit<BurstOptions, "root">;
  process.stdout.write(JSON.stringify(await measureBurst(options)));
  // Bots that died in the course of it may still hold timers.
  process.exit(0);
}

import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { canonicalJson } from "../lib/canonical-json.ts";
import { digestOf } from "../lib/digest.ts";

/** Which scorer made a number: a version to read and a digest to compare. */
export interface Engine {
  readonly version: string;
  readonly digest: string;
}

/** Sources that decide a score, and nothing else: a change of wording elsewhere leaves the digest as it is. */
const SOURCES = [
  "src/lib/canonical-json.ts",
  "src/lib/digest.ts",
  "src/lib/strict-json",
  "src/lib/sheet",
  "src/lib/benchmarks",
  "src/io/git-ids.ts",
  "src/io/xlsx",
  "src/jobs/load-suite.ts",
  "src/jobs/score.ts",
];
/** Packages that decide a score, by their exact versions. */
const PACKAGES = ["@noble/hashes", "canonicalize", "numfmt", "re2js", "zod"];

const packageSchema = z.object({
  name: z.literal("assay"),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** The folder of this project: the nearest one above this code (source or bundle) with our package.json. */
export async function projectRoot(): Promise<string> {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
    if (text !== null && packageSchema.safeParse(JSON.parse(text)).success) return folder;
    if (folder === dirname(folder)) throw new Error("this code does not lie in a checkout of its project");
  }
}

/**
 * The engine of this checkout: the package's version, and the SHA-256 over the digests of every source file that
 * decides a score and the versions of the packages it uses. Bundles are made from these very sources (the drift check
 * holds them to it), so both name the same engine.
 */
export async function readEngine(root?: string): Promise<Engine> {
  const folder = root ?? (await projectRoot());
  const manifest = packageSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  const files = (await Promise.all(SOURCES.map((source) => filesOf(folder, source)))).flat().sort();
  const digests = await Promise.all(
    files.map(async (file) => [file, digestOf(new Uint8Array(await readFile(join(folder, file))))]),
  );
  const packages = PACKAGES.map((name) => [name, manifest.dependencies[name] ?? "absent"]);
  return {
    version: manifest.version,
    digest: digestOf(
      canonicalJson({ files: Object.fromEntries(digests), packages: Object.fromEntries(packages) }),
    ),
  };
}

async function filesOf(root: string, source: string): Promise<string[]> {
  if (source.endsWith(".ts")) return [source];
  const entries = await readdir(join(root, source), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

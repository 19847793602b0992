import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseResult } from "../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../src/lib/benchmarks/result-schema.ts";

/** Made by `npm run bench:run -- --suite rehearsal-1 --model baseline/heuristic`; stands in where that command refuses. */
const FIXTURE = "rehearsal/fixtures/honest-result.json";

export interface HonestOptions {
  readonly root: string;
  readonly scratch: string;
  /** Whether `CI` is set: `bench:run` refuses there. */
  readonly ci: boolean;
  readonly say: (line: string) => void;
}

/**
 * The baseline's result over `rehearsal-1`: produced now by the real command, or, under `CI`, the committed one.
 * @throws Error when the command fails or its document is not valid.
 */
export async function honestResult({ root, scratch, ci, say }: HonestOptions): Promise<ResultDocument> {
  let file = join(root, FIXTURE);
  if (ci) say(`CI is set and bench:run refuses there, so this is the committed result ${FIXTURE}`);
  else {
    file = join(scratch, "honest-result.json");
    const words = [
      "scripts/benchmarks/run.ts",
      "--suite",
      "rehearsal-1",
      "--model",
      "baseline/heuristic",
      "--fresh",
      "--out",
      file,
    ];
    await runTool(root, words, say);
  }
  return readDocument(file);
}

async function readDocument(file: string): Promise<ResultDocument> {
  const parsed = parseResult(await readFile(file), null, file);
  if (!parsed.ok) throw new Error(`${file}: ${parsed.findings[0]?.message ?? "not a valid result document"}`);
  return parsed.value;
}

function runTool(root: string, words: readonly string[], say: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", ...words], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", say);
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${words.join(" ")} ended with ${code}.`)),
    );
  });
}

// npx tsx scripts/bench-self/perf-binaries.ts [--comparisons N] [--wrap COMMAND] [--json FILE]: compiles the C fixture, and compares with real
// programs what cannot differ (two copies) and what does (3% more work), each by the perf protocol and by hyperfine beside it.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { launchProcess } from "../../src/io/perf/launch.ts";
import { measure } from "../../src/io/perf/measure.ts";
import { choosePinning } from "../../src/io/perf/process-facts.ts";
import { userPath, writeUserFile } from "../../src/io/user-files.ts";
import { seedCase } from "../../src/lib/perf/cases.ts";
import { splitCommand } from "../../src/lib/perf/command-line.ts";
import { mean, sampleSd } from "../../src/lib/stats/describe.ts";
import { REPOSITORY } from "../benchmarks/root.ts";

const options = new Command("binaries")
  .allowExcessArguments(false)
  .option("--comparisons <n>", "of each kind", Number, 20)
  .option("--wrap <command>", "what starts the programs, for both tools: chrt --fifo 1", "")
  .option("--json <file>", "write each comparison as it is done")
  .parse()
  .opts<{ comparisons: number; wrap: string; json?: string }>();

const folder = mkdtempSync(join(tmpdir(), "assay-perf-binaries-"));
const pinning = choosePinning();
const wrap = splitCommand(options.wrap) ?? [];

function compile(name: string, extra: number): string {
  const out = join(folder, name);
  const source = join(REPOSITORY, "test/fixtures/perf/shim.c");
  const { status, stderr } = spawnSync("gcc", ["-O2", `-DEXTRA=${extra}`, source, "-o", out], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`gcc: ${stderr}`);
  return out;
}

interface Compared {
  readonly kind: "copy" | "slower";
  readonly load: number;
  readonly verdict: string;
  readonly flags: readonly string[];
  readonly ratio: number;
  readonly attempts: number;
  readonly pairs: number;
  readonly seconds: number;
  readonly hyperfine: {
    readonly ratio: number;
    readonly sd: number;
    readonly se: number;
    readonly seconds: number;
  };
}

const seconds = (since: bigint): number => Number(process.hrtime.bigint() - since) / 1e9;

/** One comparison by the protocol; digests are left out, so that nothing is decided by them. */
async function byProtocol(candidate: string, reference: string) {
  const start = process.hrtime.bigint();
  const program = (path: string) => ({ argv: [...wrap, path], digest: null });
  const measured = await measure({
    metrics: [{ id: "time", caseOf: seedCase, candidate: program(candidate), reference: program(reference) }],
    seed: randomBytes(16).toString("hex"),
    surroundings: {
      launch: launchProcess,
      cwd: folder,
      env: { PATH: process.env.PATH ?? "" },
      core: pinning.core,
      limits: { timeoutMs: 60_000, maxOutputBytes: 1024, maxMemoryBytes: 2 ** 28 },
    },
    readChanges: async () => [],
  });
  const { analysis, attempts, iterations } = measured;
  if (analysis === null) throw new Error(measured.failure?.message ?? "no analysis");
  return { analysis, attempts, iterations: iterations.time ?? 1, seconds: seconds(start) };
}

/** The same work as whole processes, by hyperfine as it comes, with warm-up and without a shell. */
function byHyperfine(candidate: string, reference: string, iterations: number): Compared["hyperfine"] {
  const start = process.hrtime.bigint();
  const out = join(folder, "hyperfine.json");
  const pin = pinning.core === null ? [] : ["taskset", "-c", String(pinning.core)];
  const [program = "", ...args] = [...pin, "hyperfine", "-N", "--warmup", "3", "--export-json", out];
  const commands = [reference, candidate].map((path) => [...wrap, path, "once", iterations].join(" "));
  const { status, stderr } = spawnSync(program, [...args, ...commands], { encoding: "utf8" });
  if (status !== 0) throw new Error(`hyperfine: ${stderr}`);
  const { results } = JSON.parse(readFileSync(out, "utf8")) as { results: { times: number[] }[] };
  const [ours, theirs] = results.map(({ times }) => {
    const [centre, sd] = [mean(times) ?? Number.NaN, sampleSd(times) ?? Number.NaN];
    return { centre, sd: sd / centre, se: sd / centre / Math.sqrt(times.length) };
  });
  const ratio = (ours?.centre ?? 0) / (theirs?.centre ?? 0);
  return {
    ratio,
    sd: ratio * Math.hypot(ours?.sd ?? 0, theirs?.sd ?? 0),
    se: ratio * Math.hypot(ours?.se ?? 0, theirs?.se ?? 0),
    seconds: seconds(start),
  };
}

/** How many of the comparisons say that the candidate differs. */
function show(kind: Compared["kind"], all: readonly Compared[]): string {
  const own = all.filter((each) => each.kind === kind);
  const count = (is: (each: Compared) => boolean): string => `${own.filter(is).length} of ${own.length}`;
  const differs = ({ hyperfine: { ratio } }: Compared, by: number): boolean => Math.abs(ratio - 1) > by;
  const time = (of: (each: Compared) => number): string => `${(mean(own.map(of)) ?? 0).toFixed(1)} s`;
  return [
    `${kind}: protocol slower ${count(({ verdict }) => verdict === "slower")}, faster ${count(({ verdict }) => verdict === "faster")},`,
    ` same ${count(({ verdict }) => verdict === "same")}, inconclusive ${count(({ verdict }) => verdict === "inconclusive")}`,
    ` (noisy ${count(({ flags }) => flags.includes("noisy"))}, disturbed ${count(({ flags }) => flags.includes("disturbed"))}), ${time((each) => each.seconds)};`,
    ` hyperfine differs by its own ±: ${count((each) => differs(each, each.hyperfine.sd))},`,
    ` by 1.96 standard errors: ${count((each) => differs(each, 1.96 * each.hyperfine.se))}, ${time((each) => each.hyperfine.seconds)}\n`,
  ].join("");
}

try {
  const reference = compile("shim-a", 0);
  const candidates = { copy: join(folder, "shim-b"), slower: compile("shim-c", 30) } as const;
  copyFileSync(reference, candidates.copy);
  appendFileSync(candidates.copy, "another digest");
  const all: Compared[] = [];
  for (let index = 0; index < options.comparisons; index += 1)
    for (const kind of ["copy", "slower"] as const) {
      const load = loadavg()[0] ?? 0;
      const own = await byProtocol(candidates[kind], reference);
      const { verdict, flags, speed, pairs } = own.analysis;
      const hyperfine = byHyperfine(candidates[kind], reference, own.iterations);
      const base = { kind, load, verdict, flags, ratio: speed.ratio, pairs, attempts: own.attempts.length };
      all.push({ ...base, seconds: own.seconds, hyperfine });
      process.stderr.write(`${JSON.stringify(all.at(-1))}\n`);
      if (options.json !== undefined)
        await writeUserFile(userPath(options.json), `${JSON.stringify(all, null, 1)}\n`);
    }
  process.stdout.write(show("copy", all) + show("slower", all));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

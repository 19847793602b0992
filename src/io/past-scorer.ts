import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEngine } from "./engine.ts";
import { assertSha, type GitRepository } from "./git.ts";
import { runGit } from "./git-process.ts";

/** The scorer of a past commit: its own committed bundles, run as a workflow of that commit would run them. */
export interface PastScorer {
  readonly commit: string;
  /** Digest of the sources that decide a score, as today's list of them takes it. */
  readonly engine: string;
  /**
   * What that scorer's report says of a document as the only file of a pull request on an empty board: the text of
   * its `report.json`. @throws PastScorerError when it does not come to a report.
   */
  judge(path: string, bytes: Uint8Array, arrivedAt: string): Promise<string>;
  close(): Promise<void>;
}

/** A past scorer could not be made to work here. */
export class PastScorerError extends Error {
  override readonly name = "PastScorerError";
}

const RESULTS = "benchmarks/results";
const BUNDLES = ["dist/validate-results.js", "dist/recompute-scores.js"];
const TIMEOUT_MS = 15 * 60_000;

/**
 * Unpacks a commit and prepares its scorer. `bank`: the folder that holds `bank/workbooks/`.
 * @throws PastScorerError when the commit has no bundles.
 */
export async function openPastScorer(
  repository: GitRepository,
  commit: string,
  bank: string,
): Promise<PastScorer> {
  const folder = await mkdtemp(join(tmpdir(), "assay-scorer-"));
  const close = () => rm(folder, { recursive: true, force: true });
  const checkout = join(folder, "checkout");
  const gitDir = join(folder, "objects.git");
  const index = join(folder, "index");
  const git = async (args: readonly string[], input: string | Uint8Array = ""): Promise<string> =>
    (await runGit(["--git-dir", gitDir, ...args], { index, input })).output.toString("utf8").trim();
  try {
    await mkdir(checkout);
    await runGit(["init", "--quiet", "--bare", "--template=", gitDir]);
    const objects = await runGit(["--git-dir", repository.gitDir, "rev-parse", "--git-path", "objects"]);
    await mkdir(join(gitDir, "objects/info"), { recursive: true });
    await writeFile(join(gitDir, "objects/info/alternates"), objects.output.toString("utf8"));
    await git(["read-tree", assertSha(commit)]);
    await git(["--work-tree", checkout, "checkout-index", "--all", `--prefix=${checkout}/`]);
    await git(["rm", "-r", "--cached", "--quiet", "--ignore-unmatch", RESULTS]);
    const base = await git([...IDENTITY, "commit-tree", await git(["write-tree"]), "-m", "base"]);
    for (const bundle of BUNDLES)
      if ((await readFile(join(checkout, bundle)).catch(() => null)) === null)
        throw new PastScorerError(`commit ${commit.slice(0, 12)} has no ${bundle}`);
    const { digest } = await readEngine(checkout);
    let count = 0;
    return {
      commit,
      engine: digest,
      close,
      async judge(path, bytes, arrivedAt) {
        count += 1;
        const work = join(folder, `work-${count}`);
        await git(["read-tree", base]);
        const blob = await git(["hash-object", "-w", "--stdin"], bytes);
        await git(["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`]);
        const head = await git([
          ...IDENTITY,
          "commit-tree",
          await git(["write-tree"]),
          "-p",
          base,
          "-m",
          "result",
        ]);
        const run = (action: string, inputs: Readonly<Record<string, string>>) =>
          runBundle({ checkout, work, bank }, action, inputs);
        const commits = { "base-sha": base, "head-sha": head };
        const planned = await run("validate-results", {
          ...commits,
          "arrived-at": arrivedAt,
          repository: gitDir,
        });
        const shards = Number(planned.get("shards") ?? 0);
        for (let shard = 1; shard <= shards; shard += 1)
          await run("recompute-scores", { ...commits, mode: "part", shard: `${shard}/${shards}` });
        const joined = await run("recompute-scores", { ...commits, mode: "join" });
        return readFile(joined.get("report") ?? "", "utf8");
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const IDENTITY = ["-c", "user.name=assay", "-c", "user.email=assay@localhost"];

interface Places {
  readonly checkout: string;
  readonly work: string;
  readonly bank: string;
}

/** Runs one bundle under the environment that a runner gives an action; gives its outputs. */
async function runBundle(
  { checkout, work, bank }: Places,
  action: string,
  inputs: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  await mkdir(work, { recursive: true });
  const output = join(work, `output-${action}`);
  await writeFile(output, "");
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const child = spawn(process.execPath, [join(checkout, "dist", `${action}.js`)], {
    cwd: checkout,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
    env: {
      PATH: process.env.PATH,
      HOME: work,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_OUTPUT: output,
      GITHUB_WORKSPACE: checkout,
      RUNNER_TEMP: work,
      ASSAY_VAULT: bank,
      ...Object.fromEntries(given),
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString("utf8")}`.slice(-2000);
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0)
    throw new PastScorerError(
      `${action} of that commit ended with ${code}: ${said.trim().split("\n").at(-1) ?? ""}`,
    );
  return parseOutputs(await readFile(output, "utf8"));
}

/** `<name><<delimiter`, value lines, delimiter: as the runner reads a step's output file. */
function parseOutputs(text: string): Map<string, string> {
  const outputs = new Map<string, string>();
  for (const [, name = "", , value = ""] of text.matchAll(
    /^([^<\n]+)<<(ghadelimiter_\S+)\n([\s\S]*?)\n\2$/gm,
  ))
    outputs.set(name, value);
  return outputs;
}

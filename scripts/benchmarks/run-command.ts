import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { startBaselineServer } from "../../src/io/run/baseline-server.ts";
import { openChatClient } from "../../src/io/run/chat-client.ts";
import { printFindings } from "../../src/io/terminal.ts";
import { userPath, writeUserFile } from "../../src/io/user-files.ts";
import {
  type FinishedRun,
  RUNS_FOLDER,
  type RunEnd,
  type RunOptions,
  runBenchmark,
} from "../../src/jobs/run-benchmark.ts";
import { hasErrors } from "../../src/lib/findings.ts";
import {
  type RunSettings,
  readKey,
  readSettings,
  type TypedOptions,
  transportOf,
} from "../../src/lib/run/settings.ts";
import { summaryText } from "../../src/lib/run/summary.ts";
import { refusalCode } from "./end-usage.ts";
import { RunDisplay } from "./run-display.ts";
import { measureCommand } from "./run-measure.ts";
import { spotCheckCommand } from "./run-spot-check.ts";
import { listenForStop, sleep } from "./run-stop.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

interface Typed extends TypedOptions {
  readonly out?: string;
  readonly root?: string;
  readonly measure?: boolean;
  readonly spotCheck?: string;
  readonly sample?: string;
  readonly seed?: string;
  readonly json?: boolean;
}

const command = new Command("bench:run")
  .description(
    "Runs a model over a suite and writes the canonical result document. State lives in benchmarks/.runs/: the same command goes on where an interrupted one stopped. Nothing is committed.",
  )
  .option("--suite <id>", "suite to run, a file in benchmarks/suites/")
  .option("--model <provider/model>", "model to ask; baseline/heuristic needs neither key nor network")
  .option("--base-url <url>", "OpenAI-compatible address (default https://openrouter.ai/api/v1)")
  .option("--max-calls <n>", "cap on transport calls (default: attempts times members)")
  .option("--max-attempts <n>", "attempts per member: one initial and revisions (default 3, at most 3)")
  .option("--min-interval-ms <n>", "least time between the starts of two calls (default 0)")
  .option("--timeout-s <n>", "time for one call (default 240, at most 290)")
  .option("--temperature <n>", "temperature to send, or none (default 0)")
  .option("--max-tokens <n>", "completion tokens to allow, or none (default 16384)")
  .option("--response-format <form>", "json_schema (default), json_object or none")
  .option(
    "--prompt-mode <mode>",
    "listing-1 (every cell), digest-1 (structure of large sheets) or auto (default: listing while it fits, else digest)",
  )
  .option("--out <file>", "write the result document here too")
  .option("--fresh", "start a new run although an unfinished one could go on")
  .option("--measure", "print what the suite's prompts take in each mode; asks nobody and needs no model")
  .option(
    "--spot-check <result.json>",
    "ask a sample of a result's members again, as it records, and compare",
  )
  .option("--sample <k>", "with --spot-check: how many members (default 5)")
  .option("--seed <text>", "with --spot-check: what decides which ones (default: random, printed)")
  .option("--json", "with --spot-check: print the comparison as JSON")
  .option("--root <folder>", "folder that holds benchmarks/ (default: this repository)")
  .addHelpText(
    "after",
    "\nThe key comes from the environment: OPENROUTER_API_KEY, or OPENAI_API_KEY for other addresses.\nThe command refuses to run where CI is set.",
  )
  .allowExcessArguments(false)
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });

/** `bench:run` without its CI check: parses the arguments, runs, prints. Returns the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let typed: Typed;
  try {
    typed = command.parse([...argv], { from: "user" }).opts<Typed>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    return refuse([
      {
        code: "run-option",
        severity: "error",
        message: error.message.replace(/^error: /, ""),
        hint: "npm run bench:run -- --help lists the options.",
      },
    ]);
  }
  if (typed.spotCheck !== undefined)
    return await spotCheckCommand({ ...typed, file: typed.spotCheck }, rootOf(typed));
  const lonely = (["sample", "seed", "json"] as const).filter((option) => typed[option] !== undefined);
  if (lonely.length > 0)
    return refuse([
      {
        code: "run-option",
        severity: "error",
        message: `--${lonely.join(" and --")} ${lonely.length > 1 ? "go" : "goes"} with --spot-check.`,
      },
    ]);
  if (typed.measure === true) return await measureCommand(typed, rootOf(typed));
  const settings = readSettings(typed);
  if (!settings.ok) return refuse(settings.findings);
  const key = readKey(settings.value.address, process.env);
  if (!key.ok) return refuse(key.findings);
  return await runWith(settings.value, key.value, typed);
}

const rootOf = (typed: Typed): string => (typed.root === undefined ? REPOSITORY : userPath(typed.root));

function refuse(findings: Parameters<typeof printFindings>[0]): number {
  printFindings(findings);
  return refusalCode(findings);
}

async function runWith(settings: RunSettings, key: string | null, typed: Typed): Promise<number> {
  const { address } = settings;
  const server = address === null ? await startBaselineServer() : null;
  const display = new RunDisplay(process.stderr);
  const stop = listenForStop(display);
  try {
    const options: RunOptions = {
      root: rootOf(typed),
      suiteId: settings.suite,
      model: settings.model,
      promptMode: settings.promptMode,
      format: settings.format,
      temperature: settings.temperature,
      maxTokens: settings.maxTokens,
      maxCalls: settings.maxCalls,
      attemptsPerMember: settings.maxAttempts,
      minIntervalMs: settings.minIntervalMs,
      transport: transportOf(address),
      client: openChatClient({
        baseUrl: address?.baseUrl ?? server?.url ?? "",
        apiKey: key,
        timeoutMs: settings.timeoutS * 1000,
        includeUsage: address?.isOpenRouter ?? false,
        fetch,
      }),
      invocation: settings.invocation,
      runner: {
        name: "assay bench:run",
        version: await projectVersion(),
        environment: `node ${process.version} ${process.platform} ${process.arch}`,
      },
      fresh: settings.fresh,
    };
    const end = await runBenchmark(options, {
      now: () => new Date().toISOString(),
      elapsed: () => performance.now(),
      sleep,
      stop: stop.asked,
      abandon: stop.insisted,
      onEvent(event) {
        display.show(event);
        if (event.type === "finished") process.stdout.write(finishedText(event.result, options.root));
      },
    });
    return await conclude(end, typed, stop.exitCode());
  } catch (error) {
    // What the system refuses (a full disk, a read-only folder) is explained; our own mistakes stay loud.
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return refuse([
      {
        code: "run-state-unwritable",
        severity: "error",
        message: `The run's state cannot be kept: ${error.message}.`,
        hint: "Mend this and give the same command again: what was recorded is kept.",
      },
    ]);
  } finally {
    stop.end();
    await server?.close();
  }
}

async function conclude(end: RunEnd, typed: Typed, signalCode: number): Promise<number> {
  if (end.kind === "refused") return refuse(end.findings);
  if (end.kind === "stopped") {
    if (end.findings.length > 0) printFindings(end.findings);
    process.stderr.write(
      `Stopped; what was done is kept in ${RUNS_FOLDER}/${end.run}.\nTo go on, give the same command again; to start anew, add --fresh.\n`,
    );
    return end.why === "asked" ? signalCode : 1;
  }
  const { text, document } = end.result;
  if (document.totals.skipped === document.totals.members)
    printFindings([
      {
        code: "run-asked-nothing",
        severity: "warning",
        message: "No member could be asked: the result holds only skipped members.",
        hint: "Stage the bank's workbooks: npm run bench:bank -- stage <folder>.",
      },
    ]);
  if (typed.out === undefined) return 0;
  const findings = await writeUserFile(typed.out, text);
  if (hasErrors(findings)) return refuse(findings);
  process.stdout.write(`Also written to ${typed.out}\n`);
  return 0;
}

function finishedText({ document, file: below, committedPath }: FinishedRun, root: string): string {
  const file = root === REPOSITORY ? below : join(root, below);
  return [
    "",
    summaryText(document),
    "",
    `Result document: ${file}`,
    `Its place when you submit it: ${committedPath}`,
    "",
    "Next:",
    `  npm run bench:validate -- ${file}`,
    `  npm run rehearse -- ${file}`,
    `  npm run submit -- ${file}`,
    "",
  ].join("\n");
}

async function projectVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const version = (manifest as { version?: unknown }).version;
  return typeof version === "string" ? version : "0.0.0";
}

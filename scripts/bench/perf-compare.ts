import { randomBytes } from "node:crypto";
import { InvalidArgumentError } from "commander";
import { readHostNote, readHostSettings } from "../../src/io/perf/host.ts";
import { launchProcess } from "../../src/io/perf/launch.ts";
import { type Measurement, type MeasureOptions, measure, type Program } from "../../src/io/perf/measure.ts";
import { choosePinning, type Pinning } from "../../src/io/perf/process-facts.ts";
import { readProgram } from "../../src/io/perf/program.ts";
import { userPath, writeUserFile } from "../../src/io/user-files.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { seedCase } from "../../src/lib/perf/cases.ts";
import { splitCommand } from "../../src/lib/perf/command-line.ts";
import { failureFinding, perfExit } from "../../src/lib/perf/failure.ts";
import { changesBetween } from "../../src/lib/perf/host-changes.ts";
import { toPerfFacts } from "../../src/lib/perf/perf-facts.ts";
import { type PerfReport, perfReportSchema } from "../../src/lib/perf/report-schema.ts";
import { showAnalysis } from "../../src/lib/perf/show.ts";
import { type Door, register } from "./command.ts";

interface CompareOptions {
  candidate: readonly string[];
  reference: readonly string[];
  cases?: string;
  json?: string;
  core?: number;
  timeout: number;
  memory: number;
}

/** Times one program against another by the protocol of docs/perf.md. */
export const perfCompare = register<CompareOptions>({
  words: ["perf", "compare"],
  summary: "time a candidate against a reference; both speak the protocol of docs/perf.md",
  declare: (command) =>
    command
      .requiredOption("--candidate <command>", "what is judged; no shell, quotes keep words together", words)
      .requiredOption("--reference <command>", "what it is judged by", words)
      .option("--cases <seed>", "what the cases are drawn by (default: drawn anew)", seedText)
      .option("--json <file>", "write every raw sample, and what follows from them")
      .option("--core <n>", "the core to run on (default: the last one that may be used)", number)
      .option("--timeout <seconds>", "for each answer of a program", number, 60)
      .option("--memory <MiB>", "that a program may use", number, 1024),
  action: compare,
  exitOf: perfExit,
});

async function compare(options: CompareOptions, { stdout, stderr }: Door): Promise<Finding[]> {
  const started = new Date().toISOString();
  const pinning = choosePinning(options.core);
  if (pinning.core === null) stderr.write(`not pinned: ${pinning.reason}\n`);
  const settings = await measureOptions(options, pinning);
  const before = await readHostNote();
  const measured = await measure(settings);
  const { load: after } = await readHostNote();
  const { failure, analysis } = measured;
  const report: PerfReport = {
    schema_version: 1,
    started_at: started,
    finished_at: new Date().toISOString(),
    seed: settings.seed,
    ...sidesOf(settings),
    host: { ...before, load: { before: before.load, after }, core: pinning.core, not_pinned: pinning.reason },
    iterations: { ...measured.iterations },
    attempts: structuredClone(measured.attempts) as PerfReport["attempts"],
    failure,
    perf: factsOf(measured, settings.seed),
  };
  const written =
    options.json === undefined
      ? []
      : await writeUserFile(options.json, `${JSON.stringify(perfReportSchema.parse(report), null, 1)}\n`);
  if (analysis !== null) stdout.write(showAnalysis(analysis));
  return [...(failure === null ? [] : [failureFinding(failure)]), ...written];
}

/** Wrong output is a measurement too: of a candidate that has no speed. */
function factsOf({ metrics, analysis, failure }: Measurement, seed: string): PerfReport["perf"] {
  if (analysis !== null) return toPerfFacts(metrics, analysis, { seed, outputOk: true });
  if (failure?.whose !== "candidate" || failure.kind !== "output") return null;
  return toPerfFacts(metrics, { flags: [], reasons: [failure.message] }, { seed, outputOk: false });
}

async function measureOptions(
  { candidate, reference, cases, timeout, memory }: CompareOptions,
  { core }: Pinning,
): Promise<MeasureOptions> {
  const cwd = userPath(".");
  const path = process.env.PATH ?? "/usr/bin:/bin";
  const before = await readHostSettings();
  return {
    metrics: [
      {
        id: "time",
        caseOf: seedCase,
        candidate: await readProgram(candidate, cwd, path),
        reference: await readProgram(reference, cwd, path),
      },
    ],
    seed: cases ?? randomBytes(16).toString("hex"),
    surroundings: {
      launch: launchProcess,
      cwd,
      env: { PATH: path, LC_ALL: "C", TZ: "UTC" },
      core,
      limits: { timeoutMs: 1000 * timeout, maxOutputBytes: MAX_OUTPUT, maxMemoryBytes: memory * 2 ** 20 },
    },
    readChanges: async () => changesBetween(before, await readHostSettings()),
  };
}

const MAX_OUTPUT = 64 * 2 ** 20;

const sidesOf = ({ metrics: [metric] }: MeasureOptions): Pick<PerfReport, "candidate" | "reference"> => {
  const side = (program: Program | undefined): PerfReport["candidate"] => ({
    argv: [...(program?.argv ?? [])],
    digest: program?.digest ?? null,
  });
  return { candidate: side(metric?.candidate), reference: side(metric?.reference) };
};

function words(text: string): readonly string[] {
  const split = splitCommand(text);
  if (split === null) throw new InvalidArgumentError("a program and its arguments, every quote closed");
  return split;
}

function seedText(text: string): string {
  if (!/^[\x20-\x7e]{1,64}$/.test(text)) throw new InvalidArgumentError("1 to 64 printable characters");
  return text;
}

function number(text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new InvalidArgumentError("a whole number");
  return Number(text);
}

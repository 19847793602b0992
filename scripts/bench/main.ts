import { Command, CommanderError } from "commander";
import { printFindings } from "../../src/io/terminal.ts";
import { type Finding, hasErrors } from "../../src/lib/findings.ts";
import { audit } from "./audit.ts";
import type { RegisteredCommand } from "./command.ts";
import { councilCalibrate } from "./council-calibrate.ts";
import { councilImport } from "./council-import.ts";
import { councilImportLegacy } from "./council-import-legacy.ts";
import { councilPack } from "./council-pack.ts";
import { councilReview } from "./council-review.ts";
import { dataBuild } from "./data-build.ts";
import { dataCheck } from "./data-check.ts";
import { dataSynthetic } from "./data-synthetic.ts";
import { dataView } from "./data-view.ts";
import { explain } from "./explain.ts";
import { formula } from "./formula.ts";
import { formulaList } from "./formula-list.ts";
import { mutate } from "./mutate.ts";
import { perfCompare } from "./perf-compare.ts";
import { perfSimulate } from "./perf-simulate.ts";
import { pricesShow } from "./prices-show.ts";
import { pricesUpdate } from "./prices-update.ts";
import { publish } from "./publish.ts";
import { recipeCheck } from "./recipe-check.ts";
import { recipeRun } from "./recipe-run.ts";
import { recipeShow } from "./recipe-show.ts";
import { resultWithdraw } from "./result-withdraw.ts";
import { runImportUsage } from "./run-import-usage.ts";
import { runQuality } from "./run-quality.ts";
import { sandboxCheck } from "./sandbox-check.ts";
import { sandboxProfile } from "./sandbox-profile.ts";
import { sheetList } from "./sheet-list.ts";
import { verify } from "./verify.ts";

/** Every verb of `bench`: one file and one line each. */
const COMMANDS: readonly RegisteredCommand[] = [
  recipeRun,
  recipeCheck,
  recipeShow,
  sheetList,
  runQuality,
  runImportUsage,
  resultWithdraw,
  explain,
  mutate,
  verify,
  audit,
  dataCheck,
  dataBuild,
  dataView,
  dataSynthetic,
  councilPack,
  councilReview,
  councilImport,
  councilImportLegacy,
  councilCalibrate,
  publish,
  perfCompare,
  perfSimulate,
  pricesUpdate,
  pricesShow,
  formulaList,
  formula,
  sandboxCheck,
  sandboxProfile,
];

const GROUPS: Readonly<Record<string, string>> = {
  recipe: "run, check and look at recipes",
  sheet: "look into workbooks",
  data: "check the code benchmark's facts, derive data.json from them, and view it",
  run: "fill in the facts of a run",
  council: "make packs for judges, have them reviewed, import sessions, calibrate (docs/COUNCIL.md)",
  perf: "time programs against each other, and show how far the protocol can be trusted (docs/perf.md)",
  prices: "keep the price cards of the code benchmark",
  result: "take committed results back",
  sandbox: "the place where hostile code is built and run (docs/sandbox.md)",
  formula: "check any number of the code benchmark by its formula",
};

/** Runs the command line; gives the exit code: 0 fine, 1 findings (or what the verb says), 2 wrong usage. */
async function main(argv: readonly string[]): Promise<number> {
  let findings: Finding[] = [];
  let exitOf = exitByErrors;
  const program = new Command("bench")
    .description("Assay's workbench: the parts of the office, one command each.")
    .showHelpAfterError("(--help shows how it is used)")
    .exitOverride();
  const groups = new Map<string, Command>();
  for (const command of COMMANDS) {
    const [word] = command.words;
    const door = { stdout: process.stdout, stderr: process.stderr };
    const done = (found: Finding[], exit = exitByErrors): void => {
      findings = found;
      exitOf = exit;
    };
    if (command.words.length === 1) {
      command.attach(program, door, done);
      continue;
    }
    const group =
      groups.get(word) ??
      program
        .command(word)
        .description(GROUPS[word] ?? "")
        .exitOverride();
    groups.set(word, group);
    command.attach(group, door, done);
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    findings = [
      {
        code: "bench-internal",
        severity: "error",
        message: `Assay itself failed: ${error instanceof Error ? error.message : String(error)}`,
        hint: "This is our mistake, not yours; please report it with the command you gave. ASSAY_DEBUG=1 shows where.",
      },
    ];
    if (process.env.ASSAY_DEBUG !== undefined && error instanceof Error)
      process.stderr.write(`${error.stack}\n`);
  }
  printFindings(findings);
  return exitOf(findings);
}

const exitByErrors = (findings: readonly Finding[]): number => (hasErrors(findings) ? 1 : 0);

// A reader that closes the pipe early (`| head`) has seen what it wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

process.exitCode = await main(process.argv.slice(2));

import { Command, CommanderError } from "commander";
import { printFindings } from "../../src/io/terminal.ts";
import { type Finding, hasErrors } from "../../src/lib/findings.ts";
import type { RegisteredCommand, Words } from "./command.ts";

/** A verb that is loaded when it is asked for: most of the time that a command takes to start goes into loading. */
interface ListedCommand {
  readonly words: Words;
  readonly load: () => Promise<RegisteredCommand>;
}

const verb = (words: Words, load: ListedCommand["load"]): ListedCommand => ({ words, load });

/** Every verb of `bench`: one file and one line each. */
const COMMANDS: readonly ListedCommand[] = [
  verb(["recipe", "run"], async () => (await import("./recipe-run.ts")).recipeRun),
  verb(["recipe", "check"], async () => (await import("./recipe-check.ts")).recipeCheck),
  verb(["recipe", "show"], async () => (await import("./recipe-show.ts")).recipeShow),
  verb(["sheet", "list"], async () => (await import("./sheet-list.ts")).sheetList),
  verb(["run", "new"], async () => (await import("./run-new.ts")).runNew),
  verb(["run", "quality"], async () => (await import("./run-quality.ts")).runQuality),
  verb(["run", "import-usage"], async () => (await import("./run-import-usage.ts")).runImportUsage),
  verb(["result", "withdraw"], async () => (await import("./result-withdraw.ts")).resultWithdraw),
  verb(["explain"], async () => (await import("./explain.ts")).explain),
  verb(["mutate"], async () => (await import("./mutate.ts")).mutate),
  verb(["verify"], async () => (await import("./verify.ts")).verify),
  verb(["audit"], async () => (await import("./audit.ts")).audit),
  verb(["data", "check"], async () => (await import("./data-check.ts")).dataCheck),
  verb(["data", "build"], async () => (await import("./data-build.ts")).dataBuild),
  verb(["data", "view"], async () => (await import("./data-view.ts")).dataView),
  verb(["data", "synthetic"], async () => (await import("./data-synthetic.ts")).dataSynthetic),
  verb(["defects", "verify"], async () => (await import("./defects-verify.ts")).defectsVerify),
  verb(["defects", "probe"], async () => (await import("./defects-probe.ts")).defectsProbe),
  verb(["council", "pack"], async () => (await import("./council-pack.ts")).councilPack),
  verb(["council", "review"], async () => (await import("./council-review.ts")).councilReview),
  verb(["council", "import"], async () => (await import("./council-import.ts")).councilImport),
  verb(
    ["council", "import-legacy"],
    async () => (await import("./council-import-legacy.ts")).councilImportLegacy,
  ),
  verb(["council", "calibrate"], async () => (await import("./council-calibrate.ts")).councilCalibrate),
  verb(["publish"], async () => (await import("./publish.ts")).publish),
  verb(["perf", "compare"], async () => (await import("./perf-compare.ts")).perfCompare),
  verb(["perf", "simulate"], async () => (await import("./perf-simulate.ts")).perfSimulate),
  verb(["prices", "update"], async () => (await import("./prices-update.ts")).pricesUpdate),
  verb(["prices", "show"], async () => (await import("./prices-show.ts")).pricesShow),
  verb(["formula", "list"], async () => (await import("./formula-list.ts")).formulaList),
  verb(["formula", "work"], async () => (await import("./formula.ts")).formula),
  verb(["run", "import-job"], async () => (await import("./run-import-job.ts")).runImportJob),
  verb(["host", "check"], async () => (await import("./host-check.ts")).hostCheck),
  verb(["host", "register"], async () => (await import("./host-register.ts")).hostRegister),
  verb(["verify-job"], async () => (await import("./verify-job.ts")).verifyJob),
  verb(["sandbox", "check"], async () => (await import("./sandbox-check.ts")).sandboxCheck),
  verb(["sandbox", "profile"], async () => (await import("./sandbox-profile.ts")).sandboxProfile),
  verb(["task", "check"], async () => (await import("./task-check.ts")).taskCheck),
  verb(["task", "grade"], async () => (await import("./task-grade.ts")).taskGrade),
];

const GROUPS: Readonly<Record<string, string>> = {
  recipe: "run, check and look at recipes",
  sheet: "look into workbooks",
  data: "check the code benchmark's facts, derive data.json from them, and view it",
  run: "run contestants, and fill in the facts of a run",
  council: "make packs for judges, have them reviewed, import sessions, calibrate (docs/COUNCIL.md)",
  defects: "look for verified defects in the entries that are said to have them (docs/defects.md)",
  perf: "time programs against each other, and show how far the protocol can be trusted (docs/perf.md)",
  prices: "keep the price cards of the code benchmark",
  result: "take committed results back",
  host: "whether this machine may measure, and how it is known (docs/runners.md)",
  sandbox: "the place where hostile code is built and run (docs/sandbox.md)",
  task: "grade a deliverable, and prove that a task holds (docs/tasks.md)",
  formula: "check any number of the code benchmark by its formula",
};

/** The verbs that the command line can mean: one that it names, else those of its group, else (for help, and for words that are none) all. */
async function loadMeant([first, second]: readonly string[]): Promise<RegisteredCommand[]> {
  const group = COMMANDS.filter(({ words }) => words[0] === first);
  const named = group.filter(({ words }) => words.length === 1 || words[1] === second);
  const meant = [named, group, COMMANDS].find((list) => list.length > 0) ?? [];
  return Promise.all(meant.map(({ load }) => load()));
}

/** Runs the command line; gives the exit code: 0 fine, 1 findings (or what the verb says), 2 wrong usage. */
async function main(argv: readonly string[]): Promise<number> {
  let findings: Finding[] = [];
  let exitOf = exitByErrors;
  const program = new Command("bench")
    .description("Assay's workbench: the parts of the office, one command each.")
    .showHelpAfterError("(--help shows how it is used)")
    .exitOverride();
  const groups = new Map<string, Command>();
  for (const command of await loadMeant(argv)) {
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

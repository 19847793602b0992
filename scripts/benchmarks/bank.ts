// npm run bench:bank -- stage <folder> | status: puts the bank's workbooks, matched by digest, where members look for them.
import { Command } from "commander";
import { printFindings } from "../../src/io/terminal.ts";
import { userPath } from "../../src/io/user-files.ts";
import { type BankEntry, bankStatus, stageBank } from "../../src/jobs/bank.ts";
import { rootOf } from "./root.ts";

const program = new Command("bench:bank")
  .description(
    "Stages the bank's workbooks. They are matched by SHA-256, whatever they are called, and never committed.",
  )
  .option("--root <folder>", "the repository to stage in (default: this one)");
const root = (): string => rootOf(program.opts<{ root?: string }>().root);

program
  .command("stage")
  .argument("<folder>", "the folder that holds the workbooks; subfolders are searched too")
  .description("copy the workbooks that the records pin out of a folder")
  .action(async (folder: string) => {
    const staged = await stageBank(root(), userPath(folder));
    printFindings(staged.findings);
    if (!staged.ok) process.exitCode = 1;
    else {
      for (const id of staged.value.copied) console.log(`staged   ${id}`);
      summarise(staged.value.entries);
    }
  });

program
  .command("status")
  .description("say which workbooks are staged here; exit code 1 unless all are")
  .action(async () => {
    const status = await bankStatus(root());
    printFindings(status.findings);
    if (!status.ok) process.exitCode = 1;
    else {
      for (const { record, state } of status.value) console.log(`${state.padEnd(8)} ${record.id}`);
      summarise(status.value);
    }
  });

function summarise(entries: readonly BankEntry[]): void {
  const staged = entries.filter(({ state }) => state === "staged").length;
  console.log(`${staged} of ${entries.length} workbooks are staged.`);
  if (staged === entries.length) return;
  const missing = entries.filter(({ state }) => state !== "staged").map(({ record }) => record.id);
  console.log(`Not staged: ${missing.join(", ")}`);
  process.exitCode = 1;
}

await program.parseAsync();

// npm run bench:bank -- stage <folder> | status | lock: puts the bank's workbooks, matched by digest, where members look for them.
import { Command } from "commander";
import { printFindings } from "../../src/io/terminal.ts";
import { userPath } from "../../src/io/user-files.ts";
import { type BankEntry, bankStatus, lockFindings, lockVault, stageBank } from "../../src/jobs/bank.ts";
import { VAULT_LOCK_PATH } from "../../src/lib/benchmarks/vault-lock.ts";
import { endUsage } from "./end-usage.ts";
import { rootOf } from "./root.ts";

const program = new Command("bench:bank")
  .exitOverride(endUsage)
  .description(
    "Stages the bank's workbooks: in the folder that ASSAY_VAULT names, or without it in one that git ignores. They are matched by SHA-256, whatever they are called, and never committed.",
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
  .description(
    "say which workbooks are staged here, and whether vault.lock.json lists them; exit code 1 unless all is well",
  )
  .action(async () => {
    const status = await bankStatus(root());
    printFindings(status.findings);
    if (!status.ok) process.exitCode = 1;
    else {
      for (const { record, state } of status.value) console.log(`${state.padEnd(8)} ${record.id}`);
      summarise(status.value);
      const findings = await lockFindings(
        root(),
        status.value.map(({ record }) => record),
      );
      printFindings(findings);
      if (findings.length > 0) process.exitCode = 1;
    }
  });

program
  .command("lock")
  .description("write vault.lock.json, the committed list of what the vault must hold")
  .action(async () => {
    const locked = await lockVault(root());
    printFindings(locked.findings);
    if (!locked.ok) process.exitCode = 1;
    else console.log(`${VAULT_LOCK_PATH} lists ${locked.value.files.length} workbooks.`);
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

// npm run bench:suite -- freeze <draft> | verify [id…] | describe <id>
import { Command } from "commander";
import { printFindings } from "../../src/io/terminal.ts";
import { readUserFile } from "../../src/io/user-files.ts";
import { loadSuite } from "../../src/jobs/load-suite.ts";
import { freezeSuite, listSuites, verifySuite } from "../../src/jobs/suite.ts";
import { renderSuite } from "../../src/lib/benchmarks/describe-suite.ts";
import { suitePath } from "../../src/lib/benchmarks/suite.ts";
import { hasErrors } from "../../src/lib/findings.ts";
import { endUsage } from "./end-usage.ts";
import { wishedOpenBank } from "./open-bank.ts";
import { rootOf } from "./root.ts";

const program = new Command("bench:suite")
  .exitOverride(endUsage)
  .description("Freezes, proves and describes suites.")
  .option("--root <folder>", "the repository (default: this one)")
  .option("--open-bank", "let findings quote the bank's workbooks, for owners of them")
  .option("--no-open-bank", "let them quote nothing, whatever the repository's policy says");
const root = (): string => rootOf(program.opts<{ root?: string }>().root);
const openBank = () => wishedOpenBank(program.opts<{ openBank?: boolean }>().openBank);

program
  .command("freeze")
  .argument("<draft>", "the draft: a suite without digests")
  .option("--frozen-at <instant>", "when it counts as frozen (default: now)", (text) => text)
  .option("--write-references", "write reference tables that do not exist yet")
  .description("pin every file of a draft by digest; refuses to touch a suite that exists")
  .action(async (path: string, options: { frozenAt?: string; writeReferences?: boolean }) => {
    const draft = await readUserFile(path);
    const frozen = draft.ok
      ? await freezeSuite({
          root: root(),
          draft: draft.value,
          draftPath: path,
          frozenAt: options.frozenAt ?? new Date().toISOString(),
          writeReferences: options.writeReferences === true,
          ...openBank(),
        })
      : draft;
    printFindings(frozen.findings);
    if (!frozen.ok) process.exitCode = 1;
    else console.log(`Froze ${frozen.value.id} in ${suitePath(frozen.value.id)}: ${frozen.value.digest}`);
  });

program
  .command("verify")
  .argument("[id...]", "suites to prove (default: all)")
  .description("prove every digest, and that each reference recipe gives its reference table")
  .action(async (ids: string[]) => {
    const shown = openBank();
    for (const id of ids.length > 0 ? ids : await listSuites(root())) {
      const { suite, members, findings } = await verifySuite(root(), id, shown);
      printFindings(findings);
      for (const member of members)
        console.log(
          `${member.state.padEnd(11)} ${member.id}${member.reason === null ? "" : `: ${member.reason}`}`,
        );
      const held = !hasErrors(findings);
      const away = members.filter(({ state }) => state === "unavailable").length;
      const open = away === 0 ? "" : `, as far as can be seen here: ${away} bank workbooks are not staged`;
      console.log(held && suite !== null ? `${id} holds${open}. ${suite.digest}` : `${id} does NOT hold.`);
      if (!held) process.exitCode = 1;
    }
  });

program
  .command("describe")
  .argument("<id>", "the suite")
  .description("print the composition tables of the methodology")
  .action(async (id: string) => {
    const loaded = await loadSuite(root(), id);
    printFindings(loaded.findings);
    if (!loaded.ok) process.exitCode = 1;
    else console.log(renderSuite(loaded.value.suite, loaded.value.vocabulary));
  });

await program.parseAsync();

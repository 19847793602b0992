import { userPath, whenWritten } from "../../src/io/user-files.ts";
import { importSession } from "../../src/jobs/code-council-import.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { rootOf } from "../benchmarks/root.ts";
import { sleep } from "../benchmarks/run-stop.ts";
import { register } from "./command.ts";

interface ImportOptions {
  file: string;
  run: string;
  letters?: string;
  root?: string;
}

/** Puts a session into its run's file. */
export const councilImport = register<ImportOptions>({
  words: ["council", "import"],
  summary: "put a session into its run: from council review, or from a judge that was run by hand",
  declare: (command) =>
    command
      .argument("<file>", "the session file (docs/COUNCIL.md has its form)")
      .requiredOption("--run <id>", "the run: data/runs/<run>.json")
      .option("--letters <file>", "the pack's letters map (default: .council/letters/<pack>.json)")
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)"),
  async action({ file, run, letters, root }, { stdout }) {
    let findings: Finding[] = [];
    const folder = rootOf(root);
    const refused = await whenWritten(folder, async () => {
      const added = await importSession(
        {
          root: folder,
          run,
          file: userPath(file),
          letters: letters === undefined ? null : userPath(letters),
        },
        { sleep },
      );
      findings = added.findings;
      if (added.ok)
        stdout.write(
          `data/runs/${run}.json: session ${added.value.id}, ${added.value.reviews.length} of ${added.value.order.length} letters reviewed\n`,
        );
    });
    return [...findings, ...refused];
  },
});

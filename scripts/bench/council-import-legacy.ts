import { readUserFile, userPath, whenWritten } from "../../src/io/user-files.ts";
import { importLegacy } from "../../src/jobs/code-council-legacy.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { rootOf } from "../benchmarks/root.ts";
import { sleep } from "../benchmarks/run-stop.ts";
import { register } from "./command.ts";

interface LegacyOptions {
  file: string;
  run: string;
  overrides?: string;
  root?: string;
}

/** Puts reviews of the time before categories into their run. */
export const councilImportLegacy = register<LegacyOptions>({
  words: ["council", "import-legacy"],
  summary: "import reviews without categories: sorted by keyword rules and recorded overrides",
  declare: (command) =>
    command
      .argument("<file>", "the reviews: JSON, or Markdown when its name ends with .md (docs/COUNCIL.md)")
      .requiredOption("--run <id>", "the run: data/runs/<run>.json")
      .option("--overrides <file>", "categories that a person gave, each with a reason")
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)"),
  async action({ file, run, overrides, root }, { stdout }) {
    const reviews = await readUserFile(file);
    if (!reviews.ok) return reviews.findings;
    const given = overrides === undefined ? null : await readUserFile(overrides);
    if (given !== null && !given.ok) return given.findings;
    const folder = rootOf(root);
    let findings: Finding[] = [];
    const refused = await whenWritten(userPath(folder), async () => {
      const added = await importLegacy(
        {
          ...{ root: folder, run },
          reviews: { path: file, bytes: reviews.value },
          overrides:
            given === null || overrides === undefined ? null : { path: overrides, bytes: given.value },
        },
        { sleep },
      );
      findings = added.findings;
      if (added.ok)
        for (const { id, reviews: each } of added.value)
          stdout.write(`data/runs/${run}.json: session ${id}, ${each.length} reviews\n`);
    });
    return [...findings, ...refused];
  },
});

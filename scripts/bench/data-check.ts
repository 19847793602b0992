import { folderData } from "../../src/io/code/data-source.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { judgeWorkingData } from "../../src/jobs/code-pr-local.ts";
import { type Finding, hasErrors } from "../../src/lib/findings.ts";
import { codeWords } from "../../src/lib/result-pr/words-code.ts";
import { rootOf } from "../benchmarks/root.ts";
import { verdictLine } from "../benchmarks/validate-output.ts";
import { type Door, register } from "./command.ts";
import { noFacts } from "./facts-root.ts";

interface CheckOptions {
  root?: string;
  base?: string;
  synthetic?: boolean;
}

/** Every rule over the facts of the code benchmark, deliverables included; with a base, what a pull request would be told. */
export const dataCheck = register<CheckOptions>({
  words: ["data", "check"],
  summary: "check the facts of the code benchmark: data/ and every tasks/<task>/task.json",
  declare: (command) =>
    command
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)")
      .option(
        "--base <ref>",
        "judge HEAD with data/ as it lies here as a pull request against this commit would be (origin/main, say)",
      )
      .option("--synthetic", "accept runs that a generator made"),
  async action({ root, base, synthetic = false }, door) {
    const folder = rootOf(root);
    const missing = await noFacts(folder);
    if (missing !== null) return [missing];
    if (base !== undefined) return judgeAgainst(base, folder, synthetic, door);
    const { runs, findings } = await readCodeData(folderData(folder), {
      synthetic,
      deliverables: true,
    });
    if (!hasErrors(findings))
      door.stdout.write(runs === 0 ? "No run is committed; the rest holds.\n" : `${runs} runs hold.\n`);
    return [...findings];
  },
});

/** The verdict and what moves, as the comment on the pull request would say it. */
async function judgeAgainst(
  base: string,
  root: string,
  synthetic: boolean,
  { stdout }: Door,
): Promise<Finding[]> {
  const judged = await judgeWorkingData({ root, base, now: new Date().toISOString(), synthetic });
  if (!judged.ok) return judged.findings;
  const report = judged.value;
  const words = report.code === undefined ? "Nothing under data/ differs." : codeWords(report.code, report);
  const tried = synthetic
    ? "Runs that a generator made are accepted here; a pull request with them is refused.\n\n"
    : "";
  stdout.write(`${verdictLine(report)}\n\n${tried}${words}\n`);
  return [...report.findings];
}

import { InvalidArgumentError } from "commander";
import { writeNewTree } from "../../src/io/code/write-tree.ts";
import { userPath } from "../../src/io/user-files.ts";
import { instantMs } from "../../src/lib/benchmarks/instant.ts";
import { syntheticFiles } from "../../src/lib/code/synthetic/round.ts";
import { register } from "./command.ts";

interface SyntheticOptions {
  out: string;
  seed: number;
  rounds: number;
  start: string;
  deliverables: boolean;
}

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]{1,10}$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`a whole number from ${least} to ${most}`);
    return value;
  };

function instantOf(text: string): string {
  if (instantMs(text) === null)
    throw new InvalidArgumentError("a moment in UTC with milliseconds, such as 2026-11-02T09:00:00.000Z");
  return text;
}

/** Writes a round of invented results, to look at and to measure with. */
export const dataSynthetic = register<SyntheticOptions>({
  words: ["data", "synthetic"],
  summary: "write a round of invented results, marked as synthetic, into a folder of its own",
  declare: (command) =>
    command
      .requiredOption("--out <folder>", "a new or empty folder")
      .option("--seed <n>", "what the numbers are drawn by", wholeNumber(0, 4_294_967_295), 1)
      .option("--rounds <n>", "rounds, each with tasks of its own", wholeNumber(1, 200), 1)
      .option("--start <instant>", "when the first run began", instantOf, "2026-11-02T09:00:00.000Z")
      .option("--no-deliverables", "leave out the files of deliverables"),
  async action({ out, seed, rounds, start, deliverables }, { stdout }) {
    const written = await writeNewTree(userPath(out), syntheticFiles({ seed, rounds, start, deliverables }));
    if (!written.ok) return written.findings;
    stdout.write(`${written.value} files of invented results: ${out}\n`);
    return [];
  },
});

import { findSeatbeltProblems, renderSeatbeltProfile } from "../../src/lib/sandbox/seatbelt.ts";
import { register } from "./command.ts";

interface Options {
  readonly work: string;
  readonly input?: string[];
}

/** Prints the profile for macOS, so that whoever has a Mac can try it. */
export const sandboxProfile = register<Options>({
  words: ["sandbox", "profile"],
  summary: "print the profile for sandbox-exec of macOS (not proved yet)",
  declare: (command) =>
    command
      .requiredOption("--work <folder>", "the folder that may be written: its real path")
      .option("--input <path...>", "what may be read"),
  async action({ work, input = [] }, { stdout }) {
    const problems = findSeatbeltProblems({ inputs: input, work });
    if (problems.length > 0)
      return problems.map((message) => ({ code: "sandbox-order", severity: "error", message }));
    stdout.write(renderSeatbeltProfile({ inputs: input, work }));
    return [];
  },
});

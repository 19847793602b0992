import { folderSource } from "../../src/io/files.ts";
import { GitError } from "../../src/io/git.ts";
import { printable } from "../../src/io/terminal.ts";
import { userPath } from "../../src/io/user-files.ts";
import { verifyRow } from "../../src/jobs/verify.ts";
import type { Step } from "../../src/lib/verify/steps.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface VerifyOptions {
  row: string;
  suite?: string;
  published?: string;
  root?: string;
}

const SIGNS: Readonly<Record<Step["state"], string>> = { holds: "ok  ", fails: "FAIL", open: "?   " };

/** From a row of the board back to its evidence, offline, one line a step. */
export const verify = register<VerifyOptions>({
  words: ["verify"],
  summary: "follow a row of the board back to its evidence, offline, one line a step",
  declare: (command) =>
    command
      .argument("<row>", "a result's digest, its first eight hex digits or more, or a model's id")
      .option("--suite <id>", "the suite, where a model is on several boards")
      .option("--published <folder>", "what was published (default: the branch `published`)")
      .option("--root <folder>", "a checkout of the repository with its history (default: this one)"),
  async action({ row, suite, published, root }, { stdout }) {
    try {
      const verified = await verifyRow({
        root: rootOf(root),
        row,
        ...(suite === undefined ? {} : { suite }),
        ...(published === undefined ? {} : { published: folderSource(userPath(published)) }),
      });
      if (!verified.ok) return verified.findings;
      for (const { id, state, text } of verified.value)
        stdout.write(`${SIGNS[state]}  ${id.padEnd(10)}  ${printable(text)}\n`);
      return verified.value.flatMap(({ findings }) => [...findings]);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return [
        {
          code: "verify-checkout",
          severity: "error",
          message: "The folder is no checkout that git can read.",
          actual: error.message,
          hint: "Run this in a clone of the repository, or name one with --root.",
        },
      ];
    }
  },
});

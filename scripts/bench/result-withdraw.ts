import { readUserFile, writeUserFile } from "../../src/io/user-files.ts";
import { readResult } from "../../src/lib/benchmarks/result.ts";
import { resultPath } from "../../src/lib/benchmarks/result-path.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { type WithdrawalDocument, withdrawalPath } from "../../src/lib/feed/withdrawal.ts";
import { LIMITS } from "../../src/lib/result-pr/facts.ts";
import { register } from "./command.ts";

interface WithdrawOptions {
  result: string;
  reason: string;
  out?: string;
}

const MAX_REASON = 500;

/** Writes the document that takes a committed result off the board. */
export const resultWithdraw = register<WithdrawOptions>({
  words: ["result", "withdraw"],
  summary: "write the document that takes a committed result off the board",
  declare: (command) =>
    command
      .argument("<result>", "the committed result document")
      .requiredOption("--reason <text>", `why, in one sentence of at most ${MAX_REASON} characters`)
      .option("--out <file>", "where to write (default: where it has to be committed, from the folder here)"),
  async action({ result, reason, out }, { stdout }) {
    const bytes = await readUserFile(result, LIMITS.documentBytes);
    if (!bytes.ok) return bytes.findings;
    const read = readResult(bytes.value, null, result);
    if (!read.ok) return read.findings;
    if (reason.trim() === "" || reason.length > MAX_REASON)
      return [
        {
          code: "withdrawal-reason",
          severity: "error",
          message: `A withdrawal gives its reason in 1 to ${MAX_REASON} characters.`,
          actual: `${reason.length} characters`,
        },
      ];
    const { document } = read.value;
    const digest = digestOf(bytes.value);
    const place = resultPath(document);
    // Elsewhere nobody can know what is committed; here a withdrawal of nothing would only break the next feed.
    const committed = out === undefined ? await readUserFile(place, LIMITS.documentBytes) : bytes;
    if (!committed.ok || digestOf(committed.value) !== digest)
      return [
        {
          code: "withdrawal-unknown",
          severity: "error",
          message: "The result that is withdrawn is not committed here.",
          expected: place,
          hint: "Run this in a checkout that has it, or say with --out where to write.",
        },
      ];
    const withdrawal: WithdrawalDocument = {
      schema_version: 1,
      kind: "withdrawal",
      suite: document.suite,
      model: document.model.id,
      withdraws: { digest, reason: reason.trim() },
      withdrawn_at: new Date().toISOString(),
    };
    const path = withdrawalPath(withdrawal);
    const failed = await writeUserFile(out ?? path, canonicalDocument(withdrawal));
    if (failed.length > 0) return failed;
    stdout.write(`Wrote ${out ?? path}.\nCommit it alone, as ${path}, and open a pull request.\n`);
    return [];
  },
});

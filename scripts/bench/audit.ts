import { GitError } from "../../src/io/git.ts";
import { readUserFile } from "../../src/io/user-files.ts";
import { audit as auditResults } from "../../src/jobs/audit.ts";
import { renderAudit } from "../../src/lib/audit/compare.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { LIMITS } from "../../src/lib/result-pr/facts.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface AuditOptions {
  files: string[];
  against?: string;
  root?: string;
}

/** Replays results under the scorer of their time and the one of now. */
export const audit = register<AuditOptions>({
  words: ["audit"],
  summary: "replay results under the scorer of their time and the one of now, side by side",
  declare: (command) =>
    command
      .argument("[files...]", "result documents (default: every committed result)")
      .option("--against <commit>", "compare with the scorer of this commit instead")
      .option("--root <folder>", "a checkout of the repository with its history (default: this one)"),
  async action({ files, against, root }, { stdout }) {
    const given: { label: string; bytes: Uint8Array }[] = [];
    const findings: Finding[] = [];
    for (const label of files) {
      const read = await readUserFile(label, LIMITS.documentBytes);
      if (read.ok) given.push({ label, bytes: read.value });
      else findings.push(...read.findings);
    }
    if (findings.length > 0) return findings;
    try {
      const done = await auditResults({
        root: rootOf(root),
        ...(files.length === 0 ? {} : { files: given }),
        ...(against === undefined ? {} : { against }),
      });
      if (!done.ok) return done.findings;
      const rows = done.value;
      if (rows.length === 0) stdout.write("No result is committed: there is nothing to replay.\n");
      else
        stdout.write(
          `${renderAudit(rows).join("\n")}\n${rows.length} results, ${moved(rows)} with numbers that moved.\n`,
        );
      return [...done.findings];
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return [
        {
          code: "audit-checkout",
          severity: "error",
          message: "The folder is no checkout that git can read, or a commit id is not written in full.",
          actual: error.message,
          hint: "Run this in a clone of the repository with its history.",
        },
      ];
    }
  },
});

const moved = (rows: readonly { readonly moved: readonly string[] }[]): number =>
  rows.filter((row) => row.moved.length > 0).length;

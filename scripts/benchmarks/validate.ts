// npm run bench:validate [-- [--report FILE] [--json] FILE…]: the verdict a pull request would get, on this machine.
import { Command } from "commander";
import { printFindings } from "../../src/io/terminal.ts";
import { readUserFile, userPath, writeUserFile } from "../../src/io/user-files.ts";
import { judgeLocal } from "../../src/jobs/result-pr.ts";
import { checkCommitted, intendedPath } from "../../src/jobs/validate.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import type { Report } from "../../src/lib/result-pr/report-schema.ts";
import { rootOf } from "./root.ts";
import { describeCommitted, describeResult, verdictLine } from "./validate-output.ts";

interface ValidateOptions {
  report?: string;
  json?: boolean;
  root?: string;
  openBank?: boolean;
}

const program = new Command("bench:validate")
  .description(
    "Judges result documents as a pull request would: rules, then every number recomputed. Without files, all committed results. Exit code 0 when valid, 1 when not.",
  )
  .argument("[files...]", "result documents; they need not lie in benchmarks/results/ yet")
  .option("--report <file>", "write the report (one file only)")
  .option("--json", "print the report instead of text (one file only)")
  .option("--root <folder>", "the repository with suites and results (default: this one)")
  .option("--open-bank", "show details of bank members, for owners of the workbooks");

const options = program.parse().opts<ValidateOptions>();
const root = rootOf(options.root);
const files = program.args;
if ((options.report !== undefined || options.json === true) && files.length !== 1)
  program.error("--report and --json take exactly one file.", { exitCode: 2 });

if (files.length === 0) {
  const checks = await checkCommitted(root);
  printFindings(checks.flatMap(({ findings }) => findings));
  for (const line of describeCommitted(checks)) console.log(line);
  if (checks.some(({ state }) => state === "invalid")) process.exitCode = 1;
}
for (const file of files) if (!(await validateFile(file))) process.exitCode = 1;

/** Judges one file as if it were the only one of a pull request; true when it is valid. */
async function validateFile(file: string): Promise<boolean> {
  const read = await readUserFile(file);
  if (!read.ok) {
    printFindings(read.findings);
    return false;
  }
  const path = await intendedPath(root, userPath(file), read.value);
  const report = await judgeLocal({
    root,
    files: [{ path, bytes: read.value }],
    arrivedAt: new Date().toISOString(),
    ...(options.openBank === undefined ? {} : { openBank: options.openBank }),
  });
  const text = canonicalDocument(report);
  if (options.report !== undefined) {
    const failed = await writeUserFile(options.report, text);
    printFindings(failed);
    if (failed.length > 0) return false;
  }
  if (options.json === true) process.stdout.write(text);
  else show(report, file, path);
  return report.verdict === "valid";
}

function show(report: Report, file: string, path: string): void {
  // Positions are those of the file that was given, wherever it will lie later.
  printFindings(
    report.findings.map((finding) => (finding.path === path ? { ...finding, path: file } : finding)),
  );
  if (report.findings_total > report.findings.length)
    console.log(`${report.findings_total - report.findings.length} more findings are not shown.`);
  for (const result of report.results) for (const line of describeResult(result)) console.log(line);
  console.log(verdictLine(report));
  if (report.results.length > 0) console.log(`Its place in the repository: ${path}`);
}

// npm run bench:validate [-- [--report FILE] [--json] FILE…]: the verdict a pull request would get, on this machine.
// Several machines can share one document: --shard I/N --part FILE on each, then --join FILE….
import { Command, InvalidArgumentError } from "commander";
import { pathInside } from "../../src/io/files.ts";
import { GitError, openRepository } from "../../src/io/git.ts";
import { BASES, readFirstRef } from "../../src/io/git-commit.ts";
import { printFindings } from "../../src/io/terminal.ts";
import { readUserFile, userPath, writeUserFile } from "../../src/io/user-files.ts";
import { judgeCommits, judgeLocal } from "../../src/jobs/result-pr.ts";
import type { Shard } from "../../src/jobs/result-pr-recompute.ts";
import { checkCommitted, intendedPath } from "../../src/jobs/validate.ts";
import { joinShards, judgeShard, parseLocalPart } from "../../src/jobs/validate-shards.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { isDataPath } from "../../src/lib/result-pr/code-paths.ts";
import { type LocalPart, MAX_LOCAL_SHARDS, parseShard } from "../../src/lib/result-pr/local-part.ts";
import type { Report } from "../../src/lib/result-pr/report-schema.ts";
import { endUsage } from "./end-usage.ts";
import { wishedOpenBank } from "./open-bank.ts";
import { rootOf } from "./root.ts";
import { describeCommitted, describeResult, verdictLine } from "./validate-output.ts";

interface ValidateOptions {
  report?: string;
  json?: boolean;
  root?: string;
  openBank?: boolean;
  shard?: string;
  part?: string;
  join?: string[];
  head?: string;
  base?: string;
  pullRequest?: number;
}

const program = new Command("bench:validate")
  .description(
    "Judges result documents as a pull request would: rules, then every number recomputed. Without files, all committed results. Exit code 0 when valid, 1 when not, 2 for wrong options.",
  )
  .argument("[files...]", "result documents; they need not lie in benchmarks/results/ yet")
  .option("--report <file>", "write the report (one file only)")
  .option("--json", "print the report instead of text (one file only)")
  .option("--root <folder>", "the repository with suites and results (default: this one)")
  .option("--open-bank", "show details of bank members, for owners of the workbooks")
  .option("--no-open-bank", "show none, whatever the repository's policy says")
  .option("--shard <i/n>", "recompute this share of one file's members only; needs --part")
  .option("--part <file>", "where to write the share")
  .option("--join <parts...>", "put all shares together: the same report as recomputing in one piece")
  .option(
    "--head <commit>",
    "judge a commit of this repository as its pull request is judged, instead of files",
  )
  .option("--base <commit>", "what it is to be merged into (default: main)")
  .option("--pull-request <number>", "number of the pull request, which its report names", wholeNumber)
  .exitOverride(endUsage);

const options = program.parse().opts<ValidateOptions>();
const root = rootOf(options.root);
const openBank = wishedOpenBank(options.openBank);
const files = program.args;
if (
  (options.report !== undefined || options.json === true) &&
  files.length !== 1 &&
  options.join === undefined &&
  options.head === undefined
)
  program.error("--report and --json take exactly one file.", { exitCode: 2 });

for (const file of files)
  if (await liesInData(file))
    program.error(
      "Facts of the code benchmark are judged together: npm run bench -- data check --base origin/main.",
      { exitCode: 2 },
    );

const { shard, part, join, head } = options;
if (head !== undefined && (files.length > 0 || shard !== undefined || join !== undefined))
  program.error("--head judges a commit: it takes no files and no shares.", { exitCode: 2 });
if (head === undefined && (options.base !== undefined || options.pullRequest !== undefined))
  program.error("--base and --pull-request go with --head.", { exitCode: 2 });
if ((shard === undefined) !== (part === undefined))
  program.error("--shard and --part go together.", { exitCode: 2 });
if (join !== undefined && (shard !== undefined || files.length > 0 || options.openBank !== undefined))
  program.error("--join takes the parts alone: they carry the document and its options.", { exitCode: 2 });
if (shard !== undefined && part !== undefined) {
  const parsed = parseShard(shard);
  const [file = ""] = files;
  if (parsed === null)
    program.error(`--shard takes i/n with i from 1 to n, and n at most ${MAX_LOCAL_SHARDS}.`, {
      exitCode: 2,
    });
  else if (files.length !== 1) program.error("--shard takes exactly one file.", { exitCode: 2 });
  else if (!(await writeShard(file, parsed, part))) process.exitCode = 1;
} else if (join !== undefined) {
  if (!(await joinFiles(join))) process.exitCode = 1;
} else if (head !== undefined) {
  if (!(await validateCommit(head))) process.exitCode = 1;
} else if (files.length === 0) {
  const checks = await checkCommitted(root, openBank);
  printFindings(checks.flatMap(({ findings }) => findings));
  for (const line of describeCommitted(checks)) console.log(line);
  if (checks.some(({ state }) => state === "invalid")) process.exitCode = 1;
}
if (shard === undefined) for (const file of files) if (!(await validateFile(file))) process.exitCode = 1;

/** True for a file under `data/` of the repository. */
async function liesInData(file: string): Promise<boolean> {
  const inside = await pathInside(root, userPath(file)).catch(() => null);
  return inside !== null && isDataPath(inside);
}

/** Recomputes one share and writes it; true when it is written. Its verdict comes with the others. */
async function writeShard(file: string, which: Shard, to: string): Promise<boolean> {
  const read = await readUserFile(file);
  if (!read.ok) {
    printFindings(read.findings);
    return false;
  }
  const path = await intendedPath(root, userPath(file), read.value);
  const made = await judgeShard(
    {
      root,
      file: { path, bytes: read.value },
      ...openBank,
    },
    which,
  );
  const failed = await writeUserFile(to, canonicalDocument(made));
  printFindings(failed);
  if (failed.length > 0) return false;
  const members = made.part.submissions.reduce((sum, submission) => sum + submission.members.length, 0);
  console.log(`Part ${which.index} of ${which.of}: ${members} members recomputed, written to ${to}`);
  return true;
}

/** Joins parts and prints what a straight recomputation prints; true when the document is valid. */
async function joinFiles(names: readonly string[]): Promise<boolean> {
  const parts: { name: string; part: LocalPart }[] = [];
  const findings: Finding[] = [];
  for (const name of names) {
    const read = await readUserFile(name);
    const parsed = read.ok ? parseLocalPart(read.value, name) : read;
    if (parsed.ok) parts.push({ name, part: parsed.value });
    else findings.push(...parsed.findings);
  }
  const joined =
    findings.length > 0
      ? ({ ok: false, findings } as const)
      : await joinShards({ root, arrivedAt: new Date().toISOString(), parts });
  if (!joined.ok) {
    printFindings(joined.findings);
    return false;
  }
  return conclude(joined.value.report, joined.value.path, joined.value.path);
}

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
    ...openBank,
  });
  return conclude(report, file, path);
}

/** Judges a commit as the workflow judges it; true when it is valid. */
async function validateCommit(name: string): Promise<boolean> {
  try {
    const repository = await openRepository(root);
    const judged = await readFirstRef(repository, [name]);
    const base = await readFirstRef(repository, options.base === undefined ? BASES : [options.base]);
    if (judged === null || base === null) {
      const actual = judged === null ? name : (options.base ?? BASES.join(", "));
      printFindings([
        {
          code: "bench-no-such-commit",
          severity: "error",
          message: "The repository has no such commit.",
          actual,
        },
      ]);
      return false;
    }
    const report = await judgeCommits({
      root,
      base: base.sha,
      head: judged.sha,
      pullRequest: options.pullRequest ?? null,
      arrivedAt: new Date().toISOString(),
    });
    return conclude(report, name, report.results[0]?.path ?? name);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const message = "The folder is no repository that git can read.";
    printFindings([{ code: "bench-no-checkout", severity: "error", message, actual: error.message }]);
    return false;
  }
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("expected a whole number from 1");
  return number;
}

/** Writes and prints a report; true when it says that the document is valid. */
async function conclude(report: Report, file: string, path: string): Promise<boolean> {
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

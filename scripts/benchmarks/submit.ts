// npm run submit -- <result.json>: prepares the branch and the words of a result pull request; sends nothing.
import { join } from "node:path";
import { Command } from "commander";
import { GitError } from "../../src/io/git.ts";
import { printable, printFindings } from "../../src/io/terminal.ts";
import { readUserFile, userPath, writeUserFile } from "../../src/io/user-files.ts";
import { prepareSubmission, type Submission } from "../../src/jobs/submit.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { type Finding, hasErrors } from "../../src/lib/findings.ts";
import { LIMITS } from "../../src/lib/result-pr/facts.ts";
import { renderComment } from "../../src/lib/result-pr/words.ts";
import { endUsage } from "./end-usage.ts";
import { rootOf } from "./root.ts";
import { verdictLine } from "./validate-output.ts";

interface SubmitOptions {
  base?: string;
  remote: string;
  root?: string;
}

const program = new Command("submit")
  .description(
    "Prepares a result pull request: a branch with the document and nothing else, the pull request's words, and what the bot will say. Sends nothing; working files stay as they are.",
  )
  .argument("<result.json>", "the document, wherever it lies")
  .option("--base <ref>", "start from this commit (default: main of upstream, of origin, or the local one)")
  .option("--remote <name>", "the remote that you will push to", "origin")
  .option("--root <folder>", "a clone of the repository (default: this one)")
  .allowExcessArguments(false)
  .exitOverride(endUsage)
  .parse();

const [file = ""] = program.args;
const options = program.opts<SubmitOptions>();
const findings = await submit(file, options);
printFindings(findings);
if (hasErrors(findings)) process.exitCode = 1;

async function submit(label: string, { base, remote, root }: SubmitOptions): Promise<readonly Finding[]> {
  const read = await readUserFile(label, LIMITS.documentBytes);
  if (!read.ok) return read.findings;
  const folder = rootOf(root);
  try {
    const prepared = await prepareSubmission({
      root: folder,
      file: userPath(label),
      bytes: read.value,
      remote,
      now: Date.now(),
      ...(base === undefined ? {} : { base }),
    });
    if (!prepared.ok) return prepared.findings;
    const failed = await writeWords(prepared.value, folder);
    if (failed.length > 0) return failed;
    tell(prepared.value, folder, remote);
    // Positions are those of the file that was given, wherever it will lie later.
    const { path } = prepared.value;
    return prepared.findings.map((finding) =>
      finding.path === path ? { ...finding, path: label } : finding,
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return [
      {
        code: "submit-checkout",
        severity: "error",
        message: "The folder is no clone in which git can make a commit.",
        actual: error.message,
        hint: "Run this in a clone of the repository, or name one with --root.",
      },
    ];
  }
}

/** In a folder that git ignores. */
function wordsFolder(root: string, { head }: Submission): string {
  return join(root, "benchmarks/.runs/submit", head.slice(0, 12));
}

async function writeWords(submission: Submission, root: string): Promise<Finding[]> {
  const folder = wordsFolder(root, submission);
  const { report, head, body, repositoryUrl } = submission;
  const comment = renderComment(report, { head, merge: null, acceptedBy: null, repositoryUrl });
  return [
    ...(await writeUserFile(join(folder, "pull-request.md"), body)),
    ...(await writeUserFile(join(folder, "comment.md"), comment)),
    ...(await writeUserFile(join(folder, "report.json"), canonicalDocument(report))),
  ];
}

function tell(submission: Submission, root: string, remote: string): void {
  const folder = wordsFolder(root, submission);
  const { report, ready, branch, title, page } = submission;
  const say = (line: string): void => console.log(printable(line));
  say(verdictLine(report));
  say(`What the bot will say:   ${join(folder, "comment.md")}`);
  say(`Its report:              ${join(folder, "report.json")}`);
  if (!ready) {
    say("No branch was made: mend what is found first.");
    return;
  }
  say(`The pull request's text: ${join(folder, "pull-request.md")}`);
  say(`The branch:              ${branch}`);
  say("");
  say(`git push ${remote} ${branch}`);
  say(page === null ? `then open a pull request called "${title}"` : page);
}

import { InvalidArgumentError } from "commander";
import { styleFor } from "../../src/io/terminal.ts";
import { readUserFile, userPath, writeUserFile } from "../../src/io/user-files.ts";
import { explainDocument } from "../../src/jobs/explain.ts";
import { renderHtml } from "../../src/lib/explain/html.ts";
import { renderMember, renderOverview } from "../../src/lib/explain/terminal.ts";
import { LIMITS } from "../../src/lib/result-pr/facts.ts";
import { wishedOpenBank } from "../benchmarks/open-bank.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface ExplainOptions {
  result: string;
  member?: string;
  html?: string;
  rows: number;
  root?: string;
  openBank?: boolean;
}

const MAX_ROWS = 200;

/** Shows why a score is what it is: what the recipes give beside what the references give. */
export const explain = register<ExplainOptions>({
  words: ["explain"],
  summary: "show why a score is what it is: produced against reference",
  declare: (command) =>
    command
      .argument("<result>", "the result document")
      .argument("[member]", "one member; without it, where the composite was lost")
      .option("--html <file>", "write one HTML page instead (- is standard output)")
      .option("--rows <number>", "differences shown of each member", countOf, 10)
      .option("--root <folder>", "the repository with suites and staged workbooks (default: this one)")
      .option("--open-bank", "show details of bank members, for owners of the workbooks")
      .option("--no-open-bank", "show none, whatever the repository's policy says"),
  async action(options, { stdout }) {
    const bytes = await readUserFile(options.result, LIMITS.documentBytes);
    if (!bytes.ok) return bytes.findings;
    const explained = await explainDocument({
      root: rootOf(options.root),
      bytes: bytes.value,
      label: options.result,
      rows: options.rows,
      pictures: options.html !== undefined,
      ...(options.member === undefined ? {} : { member: options.member }),
      ...wishedOpenBank(options.openBank),
    });
    if (!explained.ok) return explained.findings;
    const explanation = explained.value;
    if (options.html !== undefined) {
      const page = renderHtml(explanation);
      if (options.html === "-") {
        stdout.write(page);
        return [];
      }
      const failed = await writeUserFile(options.html, page);
      if (failed.length === 0) stdout.write(`Wrote ${userPath(options.html)}\n`);
      return failed;
    }
    const style = { colour: styleFor(stdout).colour, width: process.stdout.columns ?? 120 };
    if (options.member === undefined) stdout.write(renderOverview(explanation, style));
    for (const member of options.member === undefined ? [] : explanation.members)
      stdout.write(renderMember(member, style));
    return options.member === undefined ? [] : explanation.members.flatMap(({ findings }) => [...findings]);
  },
});

function countOf(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > MAX_ROWS)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_ROWS}`);
  return number;
}

import { InvalidArgumentError } from "commander";
import { styleFor } from "../../src/io/terminal.ts";
import { readUserFile } from "../../src/io/user-files.ts";
import { mutateDocument } from "../../src/jobs/mutate.ts";
import { type FieldRow, standingOf } from "../../src/lib/mutate/table.ts";
import { LIMITS } from "../../src/lib/result-pr/facts.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface MutateOptions {
  result: string;
  root?: string;
  json?: boolean;
  places?: number;
}

/** Changes every field of an honest result and says which changes are noticed. */
export const mutate = register<MutateOptions>({
  words: ["mutate"],
  summary: "change every field of an honest result, one at a time, and say which changes are caught",
  declare: (command) =>
    command
      .argument("<result>", "the result document")
      .option("--places <number>", "change at most so many places of each field (default: all)", wholeNumber)
      .option("--json", "print the table as JSON")
      .option("--root <folder>", "the repository with suites and staged workbooks (default: this one)"),
  async action({ result, root, json, places }, { stdout, stderr }) {
    const bytes = await readUserFile(result, LIMITS.documentBytes);
    if (!bytes.ok) return bytes.findings;
    const live = styleFor(stderr).colour;
    const onTried = (count: number): void => {
      if (live && count % 25 === 0) stderr.write(`\r${count} changes tried`);
    };
    const done = await mutateDocument({
      root: rootOf(root),
      bytes: bytes.value,
      label: result,
      onTried,
      ...(places === undefined ? {} : { places }),
    });
    if (live) stderr.write("\r\u001b[K");
    if (!done.ok) return done.findings;
    stdout.write(json === true ? `${JSON.stringify(done.value, null, 2)}\n` : renderRows(done.value));
    return [];
  },
});

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("expected a whole number from 1");
  return number;
}

function renderRows(rows: readonly FieldRow[]): string {
  const width = Math.max(...rows.map(({ field }) => field.length), 1);
  const lines = rows.map((row) => {
    const { field, caught, tried, codes, missed } = row;
    const standing = standingOf(row);
    const why = standing === "recomputed" ? codes.slice(0, 3).join(" ") : `not noticed: ${missed.join(", ")}`;
    return `${(field || "/").padEnd(width)}  ${`${caught}/${tried}`.padStart(9)}  ${standing.padEnd(10)}  ${why}`;
  });
  const sum = (key: "tried" | "caught"): number => rows.reduce((total, row) => total + row[key], 0);
  return `${lines.join("\n")}\n${sum("caught")} of ${sum("tried")} changes are caught.\n`;
}

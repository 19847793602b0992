import { writeUserFile } from "../../src/io/user-files.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { cutText, padText, safeText, textWidth } from "../../src/lib/picture/text.ts";
import { canonicalCsv } from "../../src/lib/sheet/csv.ts";
import type { Execution } from "../../src/lib/sheet/output.ts";
import { register } from "./command.ts";
import { execute } from "./recipe-inputs.ts";

const PREVIEW_ROWS = 10;
const PREVIEW_WIDTH = 28;

/** Executes a recipe: a preview and the digest, the CSV and the traces on request. */
export const recipeRun = register<{ workbook: string; recipe: string; csv?: string; trace?: string }>({
  words: ["recipe", "run"],
  summary: "execute a recipe on a workbook",
  declare: (command) =>
    command
      .requiredOption("--workbook <file>", "the .xlsx workbook")
      .requiredOption("--recipe <file>", "the recipe (JSON)")
      .option("--csv <file>", "write the canonical CSV there (- is standard output)")
      .option("--trace <file>", "write the value and header trace there, as JSON (- is standard output)"),
  async action(options, { stdout, stderr }) {
    if (options.csv === "-" && options.trace === "-") {
      return [
        {
          code: "bench-two-outputs",
          severity: "error",
          message: "Only one of --csv and --trace can go to standard output.",
        },
      ];
    }
    const outcome = await execute(options);
    if (!outcome.ok) return outcome.findings;
    const { execution } = outcome.value;
    const csv = canonicalCsv(execution.table);
    const digest = digestOf(csv);
    const findings = [...outcome.findings];
    // Data on standard output stays alone there, so that it can be piped.
    const words = options.csv === "-" || options.trace === "-" ? stderr : stdout;
    words.write(preview(execution));
    words.write(
      `\n${execution.table.rows.length} rows, ${execution.table.columns.length} columns\n${digest}\n`,
    );
    if (options.csv === "-") stdout.write(csv);
    else if (options.csv !== undefined) findings.push(...(await writeUserFile(options.csv, csv)));
    if (options.trace !== undefined) {
      const trace = canonicalDocument(traceDocument(execution, digest));
      if (options.trace === "-") stdout.write(trace);
      else findings.push(...(await writeUserFile(options.trace, trace)));
    }
    return findings;
  },
});

/** The first rows as an aligned table, long texts cut. */
function preview({ table }: Execution): string {
  const rows = [table.columns, ...table.rows.slice(0, PREVIEW_ROWS)].map((row) =>
    row.map((text) => cutText(safeText(text), PREVIEW_WIDTH)),
  );
  const widths = table.columns.map((_, column) =>
    Math.max(...rows.map((row) => textWidth(row[column] ?? ""))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => padText(text, widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  const [head, ...body] = rows.map(line);
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const more = table.rows.length - PREVIEW_ROWS;
  return `${[head, rule, ...body, ...(more > 0 ? [`… ${more} more rows`] : [])].join("\n")}\n`;
}

/** Both traces in one document: for each row of the table, where its value and its headers come from. */
const traceDocument = ({ table, valueTrace, headerTrace }: Execution, digest: string) => ({
  columns: table.columns,
  digest,
  rows: table.rows.map((_, row) => ({ value: valueTrace[row], headers: headerTrace[row] })),
});

// npm run bench:self [-- --full] [--json FILE]: measures what Assay itself costs, against its budgets. It does not judge:
// a missed budget is shown, and ends with 0 all the same.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { userPath } from "../../src/io/user-files.ts";
import { endUsage } from "../benchmarks/end-usage.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { burstRow } from "./burst-row.ts";
import { codeDataRow } from "./code-data-row.ts";
import { committedRows } from "./committed-rows.ts";
import { siteRow } from "./site-row.ts";
import { suiteRow } from "./suite-row.ts";
import { renderTable } from "./table.ts";

interface Options {
  json?: string;
  documents?: number;
  full?: boolean;
  quick?: boolean;
}

const atLeastTwenty = (text: string): number => {
  if (!/^\d{2,6}$/.test(text) || Number(text) < 20)
    throw new InvalidArgumentError("a number from 20 to 999999");
  return Number(text);
};

const options = new Command("bench:self")
  .allowExcessArguments(false)
  .exitOverride(endUsage)
  .description(
    "Measures Assay against its own budgets: prints a table, writes JSON. A missed budget is no failure.",
  )
  .option("--json <file>", "where the numbers go (default: .bench-self.json of the repository)")
  .option("--documents <n>", "committed results to generate (default 5000)", atLeastTwenty)
  .option(
    "--full",
    "100,000 committed results and 1,000 events, as the budgets have it; takes minutes and gigabytes of disk",
  )
  .option("--quick", "as little as possible: tells whether it runs, not how fast anything is")
  .parse()
  .opts<Options>();
const quick = options.quick === true;
const count = options.full === true ? 100_000 : (options.documents ?? (quick ? 20 : 5000));
const folder = await mkdtemp(join(tmpdir(), "assay-bench-self-"));
const stop = (): void => {
  void rm(folder, { recursive: true, force: true, maxRetries: 3 }).finally(() => process.exit(130));
};
process.once("SIGINT", stop).once("SIGTERM", stop);
try {
  const suite = await suiteRow(quick);
  const [validate, coldStart, feed] = await committedRows(folder, count, quick);
  const codeData = await codeDataRow(folder, options.full === true);
  const site = await siteRow(folder, quick);
  const burst = await burstRow(quick || options.full !== true);
  const rows = [validate, suite, coldStart, feed, codeData, site, burst].filter((row) => row !== undefined);
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length };
  const mode = quick ? "quick" : count === 100_000 ? "full" : "reduced";
  const json = options.json === undefined ? join(REPOSITORY, ".bench-self.json") : userPath(options.json);
  await writeFile(
    json,
    `${JSON.stringify({ schema_version: 1, mode, documents: count, machine, rows }, null, 2)}\n`,
  );
  console.log(renderTable(rows));
  console.log(
    `\n${mode} run with ${count} documents on ${machine.cores} cores (${machine.cpu}), ${machine.node}: ${json}`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

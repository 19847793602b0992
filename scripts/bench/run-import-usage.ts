import { basename, dirname } from "node:path";
import { Option } from "commander";
import { readLogFiles } from "../../src/io/code/usage-files.ts";
import { writeFilesWhole } from "../../src/io/files.ts";
import { printable } from "../../src/io/terminal.ts";
import { readUserFile, userPath, whenWritten, writeUserFile } from "../../src/io/user-files.ts";
import type { Usage } from "../../src/lib/code/schema/usage-schema.ts";
import {
  importUsage,
  READABLE_HARNESSES,
  type ReadableHarness,
} from "../../src/lib/code/usage/import-usage.ts";
import { insertUsage, type UsageTarget } from "../../src/lib/code/usage/insert-usage.ts";
import { renderUsageTable } from "../../src/lib/code/usage/table.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { register } from "./command.ts";

interface ImportUsageOptions {
  logs: string[];
  harness?: ReadableHarness;
  logSession?: string[];
  run?: string;
  entry?: string;
  session?: string;
  brief?: boolean;
  out?: string;
}

/** Reads tokens and times of one agent run out of its harness's logs. */
export const runImportUsage = register<ImportUsageOptions>({
  words: ["run", "import-usage"],
  summary: "read tokens and times of one agent run out of its harness's logs",
  declare: (command) =>
    command
      .argument(
        "<logs...>",
        "all logs of the run, or folders of them: sub-agents, resumed and forked sessions too",
      )
      .addOption(
        new Option("--harness <name>", "how to read them (default: told from their content)").choices(
          READABLE_HARNESSES,
        ),
      )
      .option("--log-session <id...>", "only these sessions of the logs, with their sub-agents")
      .option("--run <file>", "put it into data/runs/<run>.json, for one of the next three")
      .option("--entry <id>", "… the usage of this entry")
      .option("--session <id>", "… the usage of this session of a judge")
      .option("--brief", "… the usage of the lead that wrote the brief")
      .option("--out <file>", "write it as a document of its own"),
  async action(options, { stdout }) {
    const target = targetOf(options);
    if ((options.run === undefined) !== (target === null)) return [TARGET];
    const files = await readLogFiles(options.logs);
    if (!files.ok) return files.findings;
    const read = importUsage(files.value, {
      ...(options.harness === undefined ? {} : { harness: options.harness }),
      sessions: options.logSession ?? [],
    });
    const findings = [...files.findings, ...read.findings];
    if (!read.ok) return findings;
    // Names of models come out of the log.
    stdout.write(renderUsageTable(read.value).split("\n").map(printable).join("\n"));
    const document = `${JSON.stringify(read.value)}\n`;
    if (options.out !== undefined) findings.push(...(await writeUserFile(options.out, document)));
    if (options.run !== undefined && target !== null)
      findings.push(...(await putIntoRun(options.run, target, read.value)));
    if (options.out === undefined && options.run === undefined) stdout.write(document);
    return findings;
  },
});

async function putIntoRun(path: string, target: UsageTarget, usage: Usage): Promise<Finding[]> {
  const bytes = await readUserFile(path);
  if (!bytes.ok) return bytes.findings;
  const text = insertUsage(bytes.value, target, usage, path);
  if (!text.ok) return text.findings;
  const place = userPath(path);
  const written = await whenWritten(path, () =>
    writeFilesWhole(dirname(place), [{ path: basename(place), data: text.value }]),
  );
  return [...text.findings, ...written];
}

/** Null when none is named, or several are. */
function targetOf({ entry, session, brief }: ImportUsageOptions): UsageTarget | null {
  const targets: UsageTarget[] = [];
  if (entry !== undefined) targets.push({ kind: "entry", id: entry });
  if (session !== undefined) targets.push({ kind: "session", id: session });
  if (brief === true) targets.push({ kind: "brief" });
  return targets.length === 1 ? (targets[0] ?? null) : null;
}

const TARGET: Finding = {
  code: "code-usage-target",
  severity: "error",
  message: "--run goes with exactly one of --entry, --session and --brief.",
  hint: "tools/bench run import-usage <logs> --run data/runs/<run>.json --entry <id>",
};

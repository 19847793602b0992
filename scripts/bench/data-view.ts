import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { printable, type TextSink } from "../../src/io/terminal.ts";
import { readUserFile } from "../../src/io/user-files.ts";
import { indexData } from "../../src/lib/code/aggregate/index-data.ts";
import { deriveRanks, RANK_SEED } from "../../src/lib/code/aggregate/ranks.ts";
import {
  EFFORT_VIEWS,
  FIRST_SELECTION,
  SCORE_COLUMNS,
  type Selection,
} from "../../src/lib/code/aggregate/selection.ts";
import { deriveView, type View } from "../../src/lib/code/aggregate/view.ts";
import { viewText } from "../../src/lib/code/aggregate/view-text.ts";
import { type Data, dataSchema } from "../../src/lib/code/derive/data-schema.ts";
import { entryFormulas } from "../../src/lib/code/formula/entry-inputs.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { parseLocated } from "../../src/lib/strict-json/schema.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { register } from "./command.ts";

const MAX_BYTES = 256 * 1024 * 1024;

interface ViewOptions {
  dataJson?: string;
  lead?: string;
  task?: string;
  efforts: Selection["efforts"];
  replicate: number | null;
  column: Selection["column"];
  entry?: string;
  json?: boolean;
}

/** What the page shows of a selection, in a terminal: by the same module. */
export const dataView = register<ViewOptions>({
  words: ["data", "view"],
  summary: "show ranking, picks, leads and judges of a selection",
  declare: (command) =>
    command
      .option("--data-json <file>", "the derived data (default: published/data.json of this repository)")
      .option("--lead <configuration>", "only this lead's runs (default: all leads)")
      .option("--task <id>", "only this task (default: overall)")
      .addOption(
        new Option("--efforts <which>", "effort levels to show")
          .choices(EFFORT_VIEWS)
          .default(FIRST_SELECTION.efforts),
      )
      .addOption(
        new Option("--replicate <which>", "a run's number, or combined")
          .argParser(replicateOf)
          .default(FIRST_SELECTION.replicate, "combined"),
      )
      .addOption(
        new Option("--column <score>", "the score that ranks")
          .choices(SCORE_COLUMNS)
          .default(FIRST_SELECTION.column),
      )
      .option(
        "--entry <place>",
        "instead of a selection one entry, as run/id or run/configuration: its numbers, each with the input of its formula",
      )
      .option("--json", "the whole view as JSON"),
  async action(options, { stdout }) {
    const { lead = null, task = null, efforts, replicate, column } = options;
    const path = options.dataJson ?? join(REPOSITORY, "published", "data.json");
    const file = await readUserFile(path, MAX_BYTES);
    if (!file.ok) return file.findings.map(derivedFirst);
    const parsed = parseLocated(file.value, dataSchema, { path, code: "code-data", maxBytes: MAX_BYTES });
    if (!parsed.ok) return parsed.findings;
    if (options.entry !== undefined)
      return showEntry(parsed.value.value, options.entry, options.json === true, stdout);
    const index = indexData(parsed.value.value);
    const view = deriveView(index, { lead, task, efforts, replicate, column });
    if (view.empty !== null) return [nothingToShow(view.empty, view)];
    const ranks = deriveRanks(index, view, { seed: RANK_SEED });
    stdout.write(
      options.json === true ? `${JSON.stringify({ ...view, ranks }, null, 2)}\n` : viewText(view, ranks),
    );
    return [];
  },
});

/** The entries of the run that was named, or runs. */
function offeredFor(place: string, { runs, entries }: Data): string {
  const named = place.split("/")[0];
  const within = entries.filter(({ run }) => run === named);
  const ids = within.length > 0 ? within.map(({ id }) => id) : runs.map(({ id }) => id);
  const shown = ids.slice(0, 30).join(", ");
  return `${within.length > 0 ? `Its entries are` : "Runs are"} ${shown}${ids.length > 30 ? " …" : "."}`;
}

/** The numbers of one entry, and with each what `bench formula` takes to give it. */
function showEntry(data: Data, place: string, json: boolean, stdout: TextSink): Finding[] {
  const entry = data.entries.find(
    ({ run, id, configuration }) => place === `${run}/${id}` || place === `${run}/${configuration}`,
  );
  const run = data.runs.find(({ id }) => id === entry?.run);
  if (entry === undefined || run === undefined)
    return [
      {
        code: "code-view-entry",
        severity: "error",
        message: "There is no such entry.",
        expected: "a run's id, a slash, and the entry's id or configuration",
        actual: place,
        hint: offeredFor(place, data),
      },
    ];
  const numbers = entryFormulas(entry, run);
  if (json) {
    stdout.write(`${JSON.stringify({ run: entry.run, entry: entry.id, numbers }, null, 2)}\n`);
    return [];
  }
  const { task, lead, replicate } = run;
  stdout.write(
    `${printable(`${entry.run}/${entry.id}: ${entry.configuration}, ${task}, lead ${lead}, run ${replicate}`)}\n`,
  );
  for (const { formula, input, value } of numbers)
    stdout.write(`\n${formula} ${value}\n${printable(JSON.stringify(input))}\n`);
  if (numbers.length === 0)
    stdout.write(`\nNo scores: ${printable(entry.dnf ?? "nothing was judged yet")}.\n`);
  return [];
}

/** Who has no derived data yet is told what makes them. */
const derivedFirst = (finding: Finding): Finding =>
  finding.code === "file-missing"
    ? { ...finding, hint: `${finding.hint ?? ""} bench data build derives it.`.trim() }
    : finding;

function replicateOf(text: string): number | null {
  if (text === "combined") return null;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("a run's number, or combined.");
  return Number(text);
}

function nothingToShow(why: string, { switchers: { leads, tasks, replicates } }: View): Finding {
  const offered = [
    leads === null ? [] : `leads: ${leads.join(", ")}`,
    tasks === null ? [] : `tasks: ${tasks.map(({ id }) => id).join(", ")}`,
    replicates === null ? [] : `runs: ${replicates.join(", ")}`,
  ].flat();
  return {
    code: "code-view-empty",
    severity: "error",
    message: `There is nothing to show: ${why}.`,
    ...(offered.length === 0 ? {} : { hint: `There are ${offered.join("; ")}.` }),
  };
}

import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { folderData } from "../io/code/data-source.ts";
import { readWhole, writeFilesWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { acquireRunLock } from "../io/run/lock.ts";
import { segmentSchema } from "../lib/benchmarks/suite-schema.ts";
import { outlineOf, type RunOutline } from "../lib/code/check/across-rules.ts";
import { checkConfiguration } from "../lib/code/check/catalogue.ts";
import { addEntry, entryOf, newRun, renderRun } from "../lib/code/contestant/facts.ts";
import { type ContestantPlan, checkPlan } from "../lib/code/contestant/plan.ts";
import { type Models, modelsSchema } from "../lib/code/schema/models-schema.ts";
import { configurationSchema, parseConfiguration } from "../lib/code/schema/names.ts";
import { type Entry, runSchema } from "../lib/code/schema/run-schema.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { DocumentReader, singlePath, sortPaths } from "./code-data-files.ts";
import { type ContestantOrder, type ContestantOutcome, runContestant } from "./run-contestant.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `~/.cache/code-bench/work`, where contestants' folders are; `XDG_CACHE_HOME` is respected. */
export function workRoot(env: Environment): string {
  const { XDG_CACHE_HOME: cache = "", HOME: home = homedir() } = env;
  return join(cache.startsWith("/") ? cache : join(home, ".cache"), "code-bench/work");
}

/** What the facts say of other runs, and of models. */
export interface KnownFacts {
  readonly outlines: readonly RunOutline[];
  readonly models: Models | null;
}

/** Reads all runs of a data folder, and the models when they are there. */
export async function readKnownFacts(root: string): Promise<Outcome<KnownFacts>> {
  const source = folderData(root);
  const reader = new DocumentReader(source);
  const { runs, singles } = sortPaths(await source.list());
  const outlines: RunOutline[] = [];
  for (const id of runs) {
    const run = await reader.read(`data/runs/${id}.json`, runSchema, () => []);
    if (run !== null) outlines.push(outlineOf(run, new Set()));
  }
  const models = singles.has("models")
    ? await reader.read(singlePath("models"), modelsSchema, () => [])
    : null;
  const { findings } = reader;
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: { outlines, models }, findings };
}

/** Every reason not to start, found before anything is paid for. */
export function checkStart(plan: ContestantPlan, { outlines, models }: KnownFacts): Finding[] {
  for (const id of [plan.run, plan.entry])
    if (!segmentSchema.safeParse(id).success)
      return refuse("code-run-name", "This is no name of a run or an entry.", {
        expected: "lower-case letters, digits, dots, dashes and underscores, at most 100",
        actual: id.slice(0, 200),
      }).findings;
  const listed = new Map((models?.models ?? []).map((model) => [model.id, model]));
  const unknown = [plan.configuration, plan.lead].flatMap((configuration): Finding[] => {
    if (!configurationSchema.safeParse(configuration).success)
      return [
        {
          code: "code-run-configuration",
          severity: "error",
          message: "This is no configuration.",
          expected: "model@effort",
          actual: configuration.slice(0, 200),
        },
      ];
    return models === null
      ? []
      : checkConfiguration(configuration, listed, "").map(({ pointer: _, ...rest }) => rest);
  });
  return unknown.length > 0 ? unknown : checkPlan(outlines, plan);
}

/** How the harness and the vendor call a configuration's model. */
export function modelNameOf(configuration: string, models: Models | null): string {
  const { model } = parseConfiguration(configuration);
  return models?.models.find(({ id }) => id === model)?.log_names[0] ?? model;
}

/** Makes a contestant's own folder. One that is there already belongs to a run that is under way, or broke off. */
export async function makeContestantFolder(
  work: string,
  { run, entry }: ContestantPlan,
  repository: string,
): Promise<Outcome<string>> {
  const folder = join(work, run, entry);
  const inside = relative(repository, folder);
  if (!inside.startsWith(".."))
    return refuse("code-run-place", "A contestant's folder must not lie in the repository.", {
      hint: "Set XDG_CACHE_HOME to a folder outside of it.",
    });
  await mkdir(join(work, run), { recursive: true });
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return refuse("code-run-folder", "This contestant was started before: its folder is there.", {
      actual: `code-bench/work/${run}/${entry}`,
      hint: "Its journal.jsonl says how far it came. When nothing is at it any more, move the folder away and start again.",
    });
  }
  return { ok: true, value: folder, findings: [] };
}

const refuse = (
  code: string,
  message: string,
  more: Partial<Finding>,
): { ok: false; findings: Finding[] } => ({
  ok: false,
  findings: [{ code, severity: "error", message, ...more }],
});

/** Facts of a contestant that finished or did not, as files of `data/`. */
export interface ContestantFacts {
  readonly entry: Entry;
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[];
}

export function factsOf(order: ContestantOrder, outcome: ContestantOutcome): Outcome<ContestantFacts> {
  const { plan, harness } = order;
  if (outcome.end.kind === "ours")
    return refuse(
      "code-run-broke-off",
      "The run says nothing about the contestant, and nothing was written.",
      {
        actual: outcome.end.reason,
        hint: "Mend the host or the API; then move the contestant's folder away and start again.",
      },
    );
  const entry = entryOf(plan, { name: harness.name, version: null }, outcome.usage, outcome.end);
  const files = outcome.files.map(({ path, data }) => ({
    path: `data/entries/${plan.run}/${plan.entry}/${path}`,
    data,
  }));
  return { ok: true, value: { entry, files }, findings: [] };
}

/** The run's document with the entry: a new one, or the one that is there with one more entry. */
export function runText(
  order: ContestantOrder,
  outcome: ContestantOutcome,
  entry: Entry,
  there: Uint8Array | null,
): Outcome<string> {
  const path = `data/runs/${order.plan.run}.json`;
  if (there !== null) return addEntry(there, entry, path);
  const run = newRun(order.plan, fastDigest(order.task.spec), outcome.startedAt, entry);
  return { ok: true, value: renderRun(runSchema.parse(run)), findings: [] };
}

/**
 * Runs a contestant and writes its facts into a data folder: the deliverable, and then the run that lists it. Whatever goes wrong before leaves
 * the contestant's folder with its journal, and nothing in the data folder.
 */
export async function runNew(root: string, order: ContestantOrder): Promise<Finding[]> {
  const outcome = await runContestant(order);
  try {
    const facts = factsOf(order, outcome);
    if (!facts.ok) return [...outcome.findings, ...facts.findings];
    const written = await writeFacts(root, order, outcome, facts.value);
    return [...outcome.findings, ...notFinished(outcome), ...written];
  } finally {
    await outcome.close();
  }
}

/** Says that a contestant did not finish; nothing when it did. */
export const notFinished = ({ end }: ContestantOutcome): Finding[] =>
  end.kind !== "dnf"
    ? []
    : [
        {
          code: "code-run-dnf",
          severity: "notice",
          message: "The contestant did not finish; that is recorded as a fact.",
          actual: end.reason,
        },
      ];

/** Tries for the lock of a run's file: whoever holds it writes for some milliseconds. */
const LOCK_TRIES = 20;

async function writeFacts(
  root: string,
  order: ContestantOrder,
  outcome: ContestantOutcome,
  { entry, files }: ContestantFacts,
): Promise<Finding[]> {
  const { plan } = order;
  const folder = join(order.folder, "..");
  const lock = async () =>
    acquireRunLock(folder, "write", { sleep: (ms) => pause(ms) }, `code-bench/work/${plan.run}`);
  let held = await lock();
  for (let tries = 0; !held.ok && tries < LOCK_TRIES; tries++) held = await lock();
  if (!held.ok) return held.findings;
  try {
    // Another one of the same run may have been written meanwhile.
    const known = await readKnownFacts(root);
    if (!known.ok) return known.findings;
    const taken = checkPlan(known.value.outlines, plan);
    if (taken.length > 0) return taken;
    const path = `data/runs/${plan.run}.json`;
    const there = known.value.outlines.some(({ id }) => id === plan.run)
      ? await readWhole(join(root, path))
      : null;
    const text = runText(order, outcome, entry, there);
    if (!text.ok) return text.findings;
    await writeFilesWhole(root, [...files, { path, data: text.value }]);
    await outcome.record({
      type: "contestant-recorded",
      at: new Date().toISOString(),
      files: [...files.map((file) => file.path), path],
    });
    return [];
  } finally {
    await held.value.release();
  }
}

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runSandboxed } from "../io/sandbox/run.ts";
import { askDriver } from "../io/task/ask.ts";
import type { Defect } from "../lib/code/schema/defects-schema.ts";
import {
  inspectionFinding,
  noEntryFiles,
  noSuchCategory,
  noSuchProbe,
  wrongProbe,
} from "../lib/defects/findings.ts";
import {
  isProbe,
  type Probe,
  type ProbeState,
  probeForm,
  type Sight,
  stateOfExit,
  stateOfSight,
} from "../lib/defects/probe.ts";
import type { Finding } from "../lib/findings.ts";
import type { SandboxLimits } from "../lib/sandbox/order.ts";
import { type Answer, PLACES, type TaskKit } from "../lib/task/kit.ts";
import { type BuiltEntry, gradeHidden, withBuilt } from "./task-grade.ts";
import { type LoadedTask, loadSuite, loadTask } from "./task-load.ts";

/** What was found of one deliverable. */
export interface Seen {
  readonly state: ProbeState;
  /** Of `not-built`: the codes that say why. */
  readonly why: readonly string[];
  /** Why our side failed, and then nothing may be concluded from anything; empty when it did not. */
  readonly ours: readonly Finding[];
}

/** Builds the deliverable in a folder and looks for the defect in it. */
export type Prober = (folder: string) => Promise<Seen>;

export type Opened =
  | { readonly ok: true; readonly prober: Prober }
  | { readonly ok: false; readonly outcome: "refused" | "ours"; readonly findings: readonly Finding[] };

export interface ProberOptions {
  /** The repository whose `tasks/` hold, and the kits of these. */
  readonly root: string;
  readonly kits: readonly TaskKit[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly task: string;
  /** For the random choices of a hidden suite: each entry is asked the same. */
  readonly seed: string;
}

/** Makes ready what a defect's method needs; a method that nothing can run, and a probe that is none, are refused. */
export async function openProber(defect: Defect, options: ProberOptions): Promise<Opened> {
  if (defect.method === "inspection")
    return { ok: false, outcome: "refused", findings: [inspectionFinding(defect)] };
  return defect.method === "probe"
    ? openProbe(defect.probe ?? "", options)
    : openHidden(defect.hidden_category ?? "", options);
}

const ours = (findings: readonly Finding[]): Opened => ({ ok: false, outcome: "ours", findings });

/** A prober for one file of a task's `probes/`. */
export async function openProbe(file: string, { root, kits, task: id }: ProberOptions): Promise<Opened> {
  const task = await loadTask(root, id, kits);
  if (!task.ok) return ours(task.findings);
  const shown = `tasks/${id}/probes/${file}`;
  const found = await stat(join(root, shown)).catch(() => null);
  if (found?.isFile() !== true) return ours([noSuchProbe(shown)]);
  const form = probeForm(file);
  if (form === null) return ours([wrongProbe(shown, "its name ends with neither .ts nor .sh")]);
  if (form === "script") return opened(task.value, (built) => runScript(task.value, built, file));
  const probe = await importProbe(join(root, shown));
  if (probe === null) return ours([wrongProbe(shown, "it cannot be loaded, or exports no probe")]);
  return opened(task.value, (built) => askProbe(probe, built));
}

/** A prober that looks with a built deliverable. */
function opened(task: LoadedTask, look: (built: BuiltEntry) => Promise<ProbeState>): Opened {
  return {
    ok: true,
    prober: whereThere(async (folder) => {
      const built = await withBuilt(task, folder, look);
      return built.ok ? { state: built.value, why: [], ours: [] } : notBuilt(built.fault, built.findings);
    }),
  };
}

/** A category that an entry fails shows the defect. */
async function openHidden(category: string, options: ProberOptions): Promise<Opened> {
  const { root, kits, env, task: id, seed } = options;
  const task = await loadTask(root, id, kits);
  const suite = task.ok ? await loadSuite(task.value, env) : task;
  if (!task.ok || !suite.ok) return ours(suite.findings);
  const categories = suite.value.suite.categories.filter((each) => each.id === category);
  if (categories.length === 0) return ours([noSuchCategory(id, category)]);
  const one = { suite: { categories }, digest: suite.value.digest };
  return {
    ok: true,
    prober: whereThere(async (folder) => {
      const { outcome, fault } = await gradeHidden(task.value, one, folder, seed);
      if (fault !== null) return notBuilt(fault, outcome.findings);
      const state = outcome.categories.every(({ passed }) => passed) ? "absent" : "present";
      return { state, why: [], ours: [] };
    }),
  };
}

const notBuilt = (fault: "candidate" | "ours", findings: readonly Finding[]): Seen =>
  fault === "candidate"
    ? { state: "not-built", why: [...new Set(findings.map(({ code }) => code))], ours: [] }
    : failed(findings);
const failed = (findings: readonly Finding[]): Seen => ({ state: "failed", why: [], ours: findings });

/** A folder that is not there is our affair: the deliverables come with the order. */
const whereThere =
  (look: Prober): Prober =>
  async (folder) => {
    const found = await stat(folder).catch(() => null);
    return found?.isDirectory() === true ? look(folder) : failed([noEntryFiles(folder)]);
  };

async function importProbe(path: string): Promise<Probe | null> {
  try {
    const { probe } = (await import(pathToFileURL(path).href)) as { probe?: unknown };
    return isProbe(probe) ? probe : null;
  } catch {
    return null;
  }
}

async function askProbe(probe: Probe, { driver }: BuiltEntry): Promise<ProbeState> {
  const answers: Answer[] = [];
  for (const each of probe.cases) answers.push(await askDriver(driver, each));
  return stateOfSight(sightOf(probe, answers));
}

/** A probe that trips over an answer cannot tell. */
function sightOf(probe: Probe, answers: readonly Answer[]): Sight {
  try {
    return probe.look(answers);
  } catch {
    return "unclear";
  }
}

const MIB = 2 ** 20;
/** Of a script, which may compile. */
const LIMITS: SandboxLimits = {
  wallSeconds: 120,
  cpuSeconds: 120,
  memoryBytes: 2048 * MIB,
  processes: 128,
  fileBytes: 256 * MIB,
  outputBytes: MIB,
  openFiles: 256,
};

async function runScript(
  task: LoadedTask,
  { deliverable, driver }: BuiltEntry,
  file: string,
): Promise<ProbeState> {
  const ended = await runSandboxed({
    command: ["/bin/sh", `/in/probes/${file}`],
    inputs: [
      ...driver.inputs,
      { from: deliverable.folder, to: PLACES.entry },
      { from: join(task.folder, "probes"), to: "/in/probes" },
    ],
    work: { bytes: 256 * MIB, files: 4000 },
    limits: { ...LIMITS, ...task.build?.limits?.build },
    stdio: "discard",
    environment: driver.environment,
  });
  return stateOfExit(ended.outcome === "exited" ? ended.code : null);
}

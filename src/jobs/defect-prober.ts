import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SandboxError } from "../io/sandbox/error.ts";
import type { Defect } from "../lib/code/schema/defects-schema.ts";
import {
  inspectionFinding,
  noEntryFiles,
  noSuchCategory,
  noSuchProbe,
  noTask,
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
import { randomFrom } from "../lib/stats/random.ts";
import type { Answer, SuiteRandom } from "../lib/task/kit.ts";
import { type BuiltEntry, buildEntry, loadKit, loadSuite } from "./probe-bench.ts";

/** What was found of one deliverable. */
export interface Seen {
  readonly state: ProbeState;
  /** Of the build, where it failed. */
  readonly findings: readonly Finding[];
  /** Our side failed: nothing may be concluded from anything. */
  readonly ours: boolean;
}

/** Builds the deliverable in a folder and looks for the defect in it. */
export type Prober = (folder: string) => Promise<Seen>;

export type Opened =
  | { readonly ok: true; readonly prober: Prober }
  | { readonly ok: false; readonly outcome: "refused" | "ours"; readonly findings: readonly Finding[] };

export interface ProberOptions {
  /** The repository whose `tasks/` hold. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly task: string;
  /** For the random choices of a hidden suite. */
  readonly seed: string;
}

/** How a built deliverable is looked at. */
type Look = (built: BuiltEntry) => Promise<ProbeState>;

/** Makes ready what a defect's method needs; a method that nothing can run, and a probe that is none, are refused. */
export async function openProber(defect: Defect, options: ProberOptions): Promise<Opened> {
  const look = await lookOf(defect, options);
  if (typeof look !== "function") return look;
  return openFor(look, options);
}

/** A prober for one file of a task's `probes/`, without a defect that names it. */
export async function openProbe(file: string, options: ProberOptions): Promise<Opened> {
  const look = await probeLook(file, options);
  return typeof look === "function" ? openFor(look, options) : look;
}

async function openFor(look: Look, { root, task }: ProberOptions): Promise<Opened> {
  const kit = await loadKit(root, task).catch(() => null);
  if (kit === null) return ours(noTask(task, "kit.ts"));
  return {
    ok: true,
    async prober(folder) {
      const found = await stat(folder).catch(() => null);
      if (found?.isDirectory() !== true) return failed(noEntryFiles(folder));
      try {
        return await probed(await buildEntry(root, kit, folder), look);
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error;
        return failed({ code: error.code, severity: "error", message: error.message, hint: error.hint });
      }
    },
  };
}

/** Our side failed. */
const failed = (finding: Finding): Seen => ({ state: "failed", findings: [finding], ours: true });

async function probed(built: BuiltEntry | null, look: Look): Promise<Seen> {
  if (built === null) return { state: "not-built", findings: [], ours: false };
  try {
    return { state: await look(built), findings: [], ours: false };
  } finally {
    await built.close();
  }
}

type Refused = Extract<Opened, { ok: false }>;
const ours = (finding: Finding): Refused => ({ ok: false, outcome: "ours", findings: [finding] });

function lookOf(defect: Defect, options: ProberOptions): Promise<Look | Refused> | Refused {
  if (defect.method === "inspection")
    return { ok: false, outcome: "refused", findings: [inspectionFinding(defect)] };
  return defect.method === "probe"
    ? probeLook(defect.probe ?? "", options)
    : hiddenLook(defect.hidden_category ?? "", options);
}

async function probeLook(file: string, { root, task }: ProberOptions): Promise<Look | Refused> {
  const shown = `tasks/${task}/probes/${file}`;
  const path = join(root, shown);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) return ours(noSuchProbe(shown));
  const form = probeForm(file);
  if (form === null) return ours(wrongProbe(shown, "its name ends with neither .ts nor .sh"));
  if (form === "script") return async (built) => stateOfExit(await built.script(file));
  const probe = await importProbe(path);
  if (probe === null) return ours(wrongProbe(shown, "it cannot be loaded, or exports no probe"));
  return async (built) => {
    const answers: Answer[] = [];
    for (const each of probe.cases) answers.push(await built.ask(each));
    return stateOfSight(sightOf(probe, answers));
  };
}

/** A probe that trips over an answer cannot tell. */
function sightOf(probe: Probe, answers: readonly Answer[]): Sight {
  try {
    return probe.look(answers);
  } catch {
    return "unclear";
  }
}

async function importProbe(path: string): Promise<Probe | null> {
  try {
    const { probe } = (await import(pathToFileURL(path).href)) as { probe?: unknown };
    return isProbe(probe) ? probe : null;
  } catch {
    return null;
  }
}

/** A category that an entry fails shows the defect. */
async function hiddenLook(id: string, { root, env, task, seed }: ProberOptions): Promise<Look | Refused> {
  const suite = await loadSuite(root, task, env).catch(() => null);
  if (suite === null) return ours(noTask(task, "hidden/suite.ts"));
  const category = suite.categories.find((each) => each.id === id);
  if (category === undefined) return ours(noSuchCategory(task, id));
  return async (built) => {
    for (const each of category.cases(suiteRandom(seed)))
      if (!each.accepts(await built.ask(each))) return "present";
    return "absent";
  };
}

function suiteRandom(seed: string): SuiteRandom {
  const { below, float, shuffled, uint32 } = randomFrom(seed);
  return { below, float, shuffled, bytes: (length) => Uint8Array.from({ length }, () => uint32() >>> 24) };
}

import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "../io/task/scratch.ts";
import type { Finding } from "../lib/findings.ts";
import { parseStrictJson } from "../lib/strict-json/parse.ts";
import {
  flawedSchema,
  type Proof,
  proofFindings,
  proveFlawed,
  proveReference,
  proveScaffold,
  proveSpeed,
} from "../lib/task/proof.ts";
import { gradeCheck, gradeHidden } from "./task-grade.ts";
import { type LoadedTask, loadSuite } from "./task-load.ts";
import { gradePerf, type PerfOptions } from "./task-perf.ts";

export interface TaskProof {
  readonly proofs: readonly Proof[];
  readonly findings: readonly Finding[];
}

export interface TaskCheckOptions extends PerfOptions {
  /** Leaves speed out. */
  readonly quick: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told each proof as soon as it is there. */
  readonly tell: (proof: Proof) => void;
}

/** Grading stopped before there was anything to prove. */
class Stopped extends Error {
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    super("stopped");
    this.findings = findings;
  }
}

/**
 * Proves what a task promises of itself: its reference passes everything, its scaffold fails, every deliverable under `flawed/` fails
 * exactly what its `expect.json` says, and the reference is as fast as itself.
 */
export async function checkTask(task: LoadedTask, options: TaskCheckOptions): Promise<TaskProof> {
  const proofs: Proof[] = [];
  const add = (proof: Proof): void => {
    proofs.push(proof);
    options.tell(proof);
  };
  try {
    const reference = join(task.folder, "reference");
    const checked = await gradeCheck(task, reference);
    if (checked.fault !== null) throw new Stopped(checked.outcome.findings);
    add(proveReference(checked.outcome.examples, await hiddenOf(task, reference, options)));
    add(proveScaffold(await hiddenOf(task, join(task.folder, "scaffold"), options)));
    for (const flawed of await readFlawed(task))
      add(proveFlawed(flawed.name, flawed.fails, await hiddenOf(task, flawed.folder, options)));
    if (!options.quick) add(await speedOf(task, reference, options));
  } catch (error) {
    if (error instanceof Stopped) return { proofs, findings: error.findings };
    throw error;
  }
  return { proofs, findings: proofFindings(task.id, proofs) };
}

async function hiddenOf(task: LoadedTask, folder: string, { env, seed }: TaskCheckOptions) {
  const suite = await loadSuite(task, env);
  if (!suite.ok) throw new Stopped(suite.findings);
  const scratch = await makeScratch();
  try {
    // What is expected of a flawed deliverable is no part of it.
    const entry = join(scratch.folder, "entry");
    await cp(folder, entry, { recursive: true, filter: (path) => path !== join(folder, "expect.json") });
    const { outcome, fault } = await gradeHidden(task, suite.value, entry, seed);
    // One that does not build fails everything, which is an answer.
    if (fault === "ours") throw new Stopped(outcome.findings);
    return outcome.categories;
  } finally {
    await scratch.remove();
  }
}

async function readFlawed(
  task: LoadedTask,
): Promise<{ name: string; folder: string; fails: readonly string[] }[]> {
  const root = join(task.folder, "flawed");
  const names = (await readdir(root).catch(() => [])).sort();
  const broken = (message: string): Stopped =>
    new Stopped([
      {
        code: "task-flawed",
        severity: "error",
        path: `tasks/${task.id}/flawed`,
        message,
        hint: 'Each folder there has an expect.json: {"fails": ["h03"], "why": "…"}.',
      },
    ]);
  if (names.length === 0) throw broken("There is no deliverable that is wrong on purpose.");
  return Promise.all(
    names.map(async (name) => {
      const folder = join(root, name);
      const bytes = await readFile(join(folder, "expect.json")).catch(() => null);
      const parsed = bytes === null ? null : parseStrictJson(bytes);
      const expected = flawedSchema.safeParse(parsed?.ok === true ? parsed.value.value : null);
      if (!expected.success) throw broken(`${name}/expect.json cannot be used.`);
      return { name, folder, fails: expected.data.fails };
    }),
  );
}

async function speedOf(task: LoadedTask, reference: string, options: TaskCheckOptions): Promise<Proof> {
  const { outcome, fault } = await gradePerf(task, reference, options);
  const { facts, raw } = outcome;
  if (fault !== null || facts === null) throw new Stopped(outcome.findings);
  const analysis = raw?.attempts.at(-1)?.analysis ?? null;
  return proveSpeed({
    proxy: facts.proxy,
    ratio: analysis?.speed.ratio ?? countedRatio(facts.metrics),
    floor: analysis?.floor.interval ?? null,
    flags: facts.flags,
  });
}

/** Of instruction counts, which are the same each time: the first of each side. */
const countedRatio = (
  metrics: readonly { readonly candidate: readonly number[]; readonly reference: readonly number[] }[],
): number =>
  Math.exp(
    metrics.reduce(
      (sum, { candidate, reference }) => sum + Math.log((reference[0] ?? 0) / (candidate[0] ?? 0)),
      0,
    ) / metrics.length,
  );

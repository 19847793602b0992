import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../io/sandbox/error.ts";
import { askDriver } from "../io/task/ask.ts";
import { type Deliverable, readDeliverable } from "../io/task/deliverable.ts";
import { buildDriver, type Driver, runLinter } from "../io/task/driver.ts";
import { makeScratch } from "../io/task/scratch.ts";
import { findTools } from "../io/task/tools.ts";
import type { Finding } from "../lib/findings.ts";
import { randomFrom } from "../lib/stats/random.ts";
import { type Fault, faultOf } from "../lib/task/fault.ts";
import type { Answer, Case, SuiteCategory, SuiteRandom } from "../lib/task/kit.ts";
import type { CheckOutcome, HiddenOutcome } from "../lib/task/outcome-schema.ts";
import { copyDriver, type LoadedSuite, type LoadedTask } from "./task-load.ts";

/** A deliverable that was read and built, while `use` lasts. */
export interface BuiltEntry {
  readonly deliverable: Deliverable;
  readonly driver: Driver;
  /** A folder that is removed afterwards. */
  readonly scratch: string;
  /** The linter's words; null where the task has none or it could not be run. */
  readonly lint: () => Promise<string | null>;
}

export interface NotBuilt {
  readonly fault: "candidate" | "ours";
  readonly findings: readonly Finding[];
  /** Digest of the deliverable; null when it could not be read. */
  readonly deliverable: string | null;
}

/**
 * Reads and builds a deliverable, and hands it to `use`. Everything of it is gone afterwards.
 * @param entry folder of the deliverable
 */
export async function withBuilt<T>(
  task: LoadedTask,
  entry: string,
  use: (built: BuiltEntry) => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | ({ readonly ok: false } & NotBuilt)> {
  const scratch = await makeScratch();
  let digest: string | null = null;
  const no = (fault: "candidate" | "ours", findings: readonly Finding[]) =>
    ({ ok: false, fault, findings, deliverable: digest }) as const;
  try {
    if (task.build === null) return no("ours", [noBuild(task)]);
    const deliverable = await readDeliverable(entry, task.kit.deliverable, join(scratch.folder, "entry"));
    if (!deliverable.ok) return no(faultOf(deliverable.findings) ?? "ours", deliverable.findings);
    digest = deliverable.value.digest;
    const tools = findTools(task.build.tools, task.root);
    if (!tools.ok) return no("ours", tools.findings);
    const driver = join(scratch.folder, "driver");
    await copyDriver(task, driver);
    await chmod(driver, 0o755);
    const places = { entry: deliverable.value.folder, driver, tools: tools.inputs };
    const built = await buildDriver({ ...places, build: task.build, to: join(scratch.folder, "built") });
    if (!built.ok) return no("candidate", [built.finding]);
    const value = await use({
      deliverable: deliverable.value,
      driver: built.driver,
      scratch: scratch.folder,
      lint: async () => {
        const { lint } = task.kit;
        const needed = lint === undefined ? null : findTools(lint.tools, task.root);
        if (lint === undefined || needed?.ok !== true) return null;
        return runLinter(lint.steps, { ...places, tools: needed.inputs });
      },
    });
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return no("ours", [{ code: error.code, severity: "error", message: error.message, hint: error.hint }]);
  } finally {
    await scratch.remove();
  }
}

const noBuild = (task: LoadedTask): Finding => ({
  code: "task-platform",
  severity: "error",
  message: `${task.id} is neither built nor emulated on ${process.platform}-${process.arch}.`,
  hint: "Grade it on a host of the kinds that its kit.ts lists under `builds`.",
});

export interface Graded<Result> {
  readonly outcome: Result;
  readonly fault: Fault;
}

/** `bin/check`: complete, builds, answers the examples; with the linter's count. */
export async function gradeCheck(task: LoadedTask, entry: string): Promise<Graded<CheckOutcome>> {
  const head = { schema_version: 1, task: task.id, kind: "check" } as const;
  const graded = await withBuilt(task, entry, async ({ deliverable, driver, lint }) => {
    const words = await lint();
    return {
      ...head,
      deliverable: deliverable.digest,
      built: true,
      examples: await passedOf(driver, task.kit.examples, randomOf("examples")),
      lint_warnings: words === null ? null : (task.kit.lint?.count(words) ?? null),
      findings: [],
    };
  });
  if (graded.ok) return { outcome: graded.value, fault: null };
  return {
    outcome: {
      ...head,
      deliverable: graded.deliverable,
      built: false,
      examples: [],
      lint_warnings: null,
      findings: [...graded.findings],
    },
    fault: graded.fault,
  };
}

/**
 * `bin/hidden`: pass or fail by category, and nothing else. A deliverable that does not build fails all of them.
 * @param seed what the random cases are drawn by; not known to any contestant
 */
export async function gradeHidden(
  task: LoadedTask,
  { suite, digest }: LoadedSuite,
  entry: string,
  seed: string,
): Promise<Graded<HiddenOutcome>> {
  const head = { schema_version: 1, task: task.id, kind: "hidden", suite: digest } as const;
  const order = new Map(task.about.hidden.categories.map((id, index) => [id, index]));
  const categories = [...suite.categories].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const graded = await withBuilt(task, entry, async ({ deliverable, driver }) => ({
    ...head,
    deliverable: deliverable.digest,
    categories: await passedOf(driver, categories, randomOf(seed)),
    findings: [],
  }));
  if (graded.ok) return { outcome: graded.value, fault: null };
  const isTheirs = graded.fault === "candidate";
  return {
    outcome: {
      ...head,
      deliverable: graded.deliverable,
      categories: isTheirs ? categories.map(({ id }) => ({ id, passed: false })) : [],
      findings: [...graded.findings],
    },
    fault: graded.fault,
  };
}

/** Random choices for each category apart: what one asks does not depend on the others. */
const randomOf =
  (seed: string) =>
  (category: string): SuiteRandom => {
    const random = randomFrom(`${seed}/${category}`);
    return {
      below: (bound) => random.below(bound),
      float: () => random.float(),
      bytes: (length) => Uint8Array.from({ length }, () => random.below(256)),
      shuffled: (items) => random.shuffled(items),
    };
  };

/** Asks the cases of each category until one is not accepted. */
async function passedOf(
  driver: Driver,
  categories: readonly SuiteCategory[],
  random: (category: string) => SuiteRandom,
): Promise<{ id: string; passed: boolean }[]> {
  const results: { id: string; passed: boolean }[] = [];
  for (const { id, cases } of categories)
    results.push({ id, passed: await passes(driver, cases(random(id))) });
  return results;
}

async function passes(driver: Driver, cases: Iterable<Case>): Promise<boolean> {
  for (const each of cases) if (!accepts(each, await askDriver(driver, each))) return false;
  return true;
}

/** A judgement that throws at what a program wrote has not accepted it. */
function accepts({ accepts: judge }: Case, answer: Answer): boolean {
  try {
    return judge(answer);
  } catch {
    return false;
  }
}

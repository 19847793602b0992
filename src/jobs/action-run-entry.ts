import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { filesBelow, readWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import type { HostWorld } from "../io/host/read.ts";
import { SandboxError } from "../io/sandbox/error.ts";
import { untilStopped } from "../io/stop-signal.ts";
import { type ContestantPlan, rerunIdOf } from "../lib/code/contestant/plan.ts";
import { SCRIPTED_HARNESS } from "../lib/code/harness/adapter.ts";
import { parseConfiguration } from "../lib/code/schema/names.ts";
import { summariseEgress } from "../lib/egress/log-schema.ts";
import { EGRESS_LIMITS } from "../lib/egress/policy.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { factsDigest } from "../lib/job/facts-digest.ts";
import type { Order } from "../lib/job/order-schema.ts";
import type { TaskKit } from "../lib/task/kit.ts";
import { chooseHarness } from "./contestant-harness.ts";
import { CONTESTANT_BOUNDS, contestantLimits } from "./contestant-limits.ts";
import { readContestantTask } from "./contestant-task.ts";
import { type HostJob, type HostWork, type hostJobInputs, runHostJob } from "./host-job.ts";
import { type ContestantOrder, type ContestantOutcome, runContestant } from "./run-contestant.ts";
import {
  checkStart,
  factsOf,
  makeContestantFolder,
  modelNameOf,
  notFinished,
  readKnownFacts,
  runText,
  workRoot,
} from "./run-new.ts";

/** The work of `/assay run` on a host: one contestant anew, as raw facts for a pull request. */

type Environment = HostJob["env"];

/** No brief is longer. */
const MAX_BRIEF = 4 * 1024 * 1024;

/** Runs the contestant that the order names and leaves report, raw record and facts in the folder `out`. */
export const runEntry = (
  inputs: z.output<typeof hostJobInputs>,
  kits: readonly TaskKit[],
  env: Environment = process.env,
  world?: HostWorld,
): Promise<Readonly<Record<string, string>>> =>
  runHostJob("run", inputs, (job) => contestantWork(job, kits), env, world);

async function contestantWork(job: HostJob, kits: readonly TaskKit[]): Promise<HostWork> {
  const order = await contestantOrder(job, kits);
  if (!order.ok) return refused(order.findings);
  try {
    const outcome = await untilStopped((signal) => runContestant({ ...order.value, signal }));
    await outcome.close();
    return workOf(order.value, outcome);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return refused([{ code: error.code, severity: "error", message: error.message, hint: error.hint }]);
  }
}

const refused = (findings: readonly Finding[]): HostWork => ({ fault: "refused", results: [], findings });

function workOf(order: ContestantOrder, outcome: ContestantOutcome): HostWork {
  const raw = {
    started_at: outcome.startedAt,
    ended_at: outcome.endedAt,
    limits: order.limits,
    end: outcome.end.kind === "finished" ? { kind: "finished" } : outcome.end,
    sandbox: outcome.sandbox.usage,
    egress: { ...summariseEgress(outcome.egress), records: outcome.egress },
  };
  const facts = factsOf(order, outcome);
  if (!facts.ok)
    return { fault: "ours", results: [], findings: [...outcome.findings, ...facts.findings], raw };
  const { entry, files } = facts.value;
  const text = runText(order, outcome, entry, null);
  if (!text.ok) return { fault: "ours", results: [], findings: text.findings, raw };
  const { run, entry: id } = order.plan;
  const bundle = [...files, { path: `data/runs/${run}.json`, data: text.value }];
  return {
    fault: null,
    results: [{ run, entry: id, role: "judged" }],
    findings: [...outcome.findings, ...notFinished(outcome)],
    raw,
    facts: bundle,
    factsDigest: factsDigest(bundle),
  };
}

/** Everything that the run needs, or why it is refused. Nothing is started, and nothing paid for, before all of it is there. */
async function contestantOrder(job: HostJob, kits: readonly TaskKit[]): Promise<Outcome<ContestantOrder>> {
  const { order, root, host, env } = job;
  const { contestant } = order;
  if (contestant === undefined)
    return refuse("code-run-order", "The order names no contestant.", {
      hint: "Ask again: /assay run <run>/<entry>.",
    });
  const secrets = await findSecrets(root, env);
  if (secrets.length > 0) return { ok: false, findings: secrets };
  const task = await readContestantTask(root, order.task, kits);
  if (!task.ok) return task;
  const brief = await findBrief(contestant.brief_sha256, [
    env.ASSAY_BRIEFS,
    join(root, "tasks", order.task, "briefs"),
  ]);
  if (!brief.ok) return brief;
  const chosen = hostHarness(contestant.harness, host.class, env);
  if (!chosen.ok) return chosen;
  const known = await readKnownFacts(root);
  if (!known.ok) return known;
  const plan = planOf(order, contestant);
  const taken = checkStart(plan, known.value);
  if (hasErrors(taken)) return { ok: false, findings: taken };
  const work = join(workRoot(env), `job-${order.nonce}`);
  await mkdir(work, { recursive: true });
  const folder = await makeContestantFolder(work, plan, root);
  if (!folder.ok) return folder;
  return {
    ok: true,
    findings: [],
    value: {
      ...chosen.value,
      ...contestantLimits(CONTESTANT_BOUNDS),
      plan,
      task: task.value,
      brief: brief.value,
      model: modelNameOf(plan.configuration, known.value.models),
      effort: parseConfiguration(plan.configuration).effort,
      egress: EGRESS_LIMITS,
      folder: folder.value,
    },
  };
}

const refuse = (
  code: string,
  message: string,
  more: Partial<Finding>,
): { ok: false; findings: Finding[] } => ({
  ok: false,
  findings: [{ code, severity: "error", message, ...more }],
});

function planOf({ target, task }: Order, contestant: NonNullable<Order["contestant"]>): ContestantPlan {
  const [run = "", entry = ""] = target.split("/");
  const { configuration, lead, brief_sha256: brief, replicate } = contestant;
  return { run: rerunIdOf(run, entry, replicate), entry, task, configuration, lead, brief, replicate };
}

/** A host that reaches a model's API holds nothing that a contestant must not know: no vault, no hidden suite. */
async function findSecrets(root: string, env: Environment): Promise<Finding[]> {
  const hidden = (await tasksWithHidden(join(root, "tasks"))).map((task) => `tasks/${task}/hidden`);
  if (hidden.length === 0 && (env.ASSAY_VAULT ?? "") === "") return [];
  return refuse(
    "code-run-vault",
    "There is a vault or a hidden suite on this host: no contestant is run beside it.",
    {
      actual: hidden.length > 0 ? hidden.join(", ") : "ASSAY_VAULT is set",
      hint: "Contestants have a host of their own. The workflow hands it tasks without their hidden folders.",
    },
  ).findings;
}

/** Tasks that have a hidden folder. */
async function tasksWithHidden(tasks: string): Promise<string[]> {
  const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => []);
  const found: string[] = [];
  for (const task of await namesIn(tasks))
    if ((await namesIn(join(tasks, task))).includes("hidden")) found.push(task);
  return found;
}

/** The brief by its digest, under whatever name, in the host's folder of briefs or in the task. */
async function findBrief(
  digest: string,
  folders: readonly (string | undefined)[],
): Promise<Outcome<Uint8Array>> {
  for (const folder of folders) {
    if (folder === undefined || folder === "") continue;
    for (const { path, size } of (await filesBelow(folder)) ?? []) {
      if (size > MAX_BRIEF) continue;
      const bytes = await readWhole(path);
      if (fastDigest(bytes) === digest) return { ok: true, value: bytes, findings: [] };
    }
  }
  return refuse("code-run-brief", "The lead's brief is not on this host.", {
    expected: `a file with the digest ${digest}, in the folder that ASSAY_BRIEFS names or in tasks/<task>/briefs/`,
    hint: "Whoever keeps the host puts it there: briefs are private and come with no order.",
  });
}

/** The harness that the entry had; on a rehearsal's host the command that its settings name, which the facts call scripted. */
function hostHarness(
  name: string,
  hostClass: "board" | "rehearsal",
  env: Environment,
): ReturnType<typeof chooseHarness> {
  const line = env.ASSAY_HARNESS_COMMAND ?? "";
  const folder = env.ASSAY_HARNESS_FOLDER ?? "";
  const place = folder === "" ? {} : { folder };
  if (line === "") return chooseHarness({ harness: name, ...place }, env);
  if (hostClass === "rehearsal")
    return chooseHarness(
      { harness: "command", line, name: SCRIPTED_HARNESS, origin: env.ASSAY_API_ORIGIN, ...place },
      env,
    );
  return refuse("code-run-harness", "A scripted harness is for rehearsals; this host is for the board.", {
    hint: "Unset ASSAY_HARNESS_COMMAND on this host.",
  });
}

// npm run rehearse:jobs [-- <task>…]: /assay perf, run and verify for every task, on a local hub with this machine as their host.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { JOB_KINDS, type JobKind } from "../src/lib/job/order-schema.ts";
import { TASKS } from "../tasks/index.ts";
import { type JobsCheckout, makeJobsCheckout } from "./jobs/checkout.ts";
import { type JobsPull, openJobsPull, playJob } from "./jobs/play.ts";
import { type Narrator, terminalNarrator } from "./show/narrator.ts";
import { openStage, type Stage, writePages } from "./stage.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(root, "rehearsal/.out");

interface Played {
  readonly task: string;
  readonly kind: JobKind;
  readonly title: string;
  /** It came to an end that says something about the entry. */
  readonly good: boolean;
}

async function playTask(
  stage: Stage,
  checkout: JobsCheckout,
  narrator: Narrator,
  task: string,
): Promise<{ pull: JobsPull; played: Played[] }> {
  narrator.heading(`${task}: a pull request with a run of three entries, and a defect of the second`);
  const pull = await openJobsPull(stage, checkout, task);
  const played: Played[] = [];
  for (const kind of JOB_KINDS) {
    narrator.heading(`${task}: a maintainer asks for ${kind}`);
    const { title, conclusion } = await playJob(stage, pull, { kind, host: checkout.hostId });
    played.push({ task, kind, title: title ?? "", good: conclusion === "success" });
  }
  return { pull, played };
}

/** Who may not, what may not, and what is no program: each with its reason. */
async function playRefusals(
  stage: Stage,
  checkout: JobsCheckout,
  narrator: Narrator,
  pull: JobsPull,
): Promise<void> {
  narrator.heading(
    "A reader asks; then a maintainer asks for a host that this machine is not, and for an entry that does not build",
  );
  await stage.mallory.comment(stage.base, pull.number, `/assay perf ${pull.run}/e1`);
  await stage.settled();
  await playJob(stage, pull, { kind: "perf", host: checkout.otherHostId });
  await playJob(stage, pull, { kind: "perf", entry: "e3", host: checkout.hostId });
}

async function rehearseJobs(tasks: readonly string[]): Promise<number> {
  const narrator = terminalNarrator();
  const checkout = await makeJobsCheckout(root);
  const stage = await openStage({ root: checkout.folder, narrator, host: checkout.host });
  try {
    const numbers: number[] = [];
    const played: Played[] = [];
    for (const task of tasks) {
      const of = await playTask(stage, checkout, narrator, task);
      if (numbers.length === 0) await playRefusals(stage, checkout, narrator, of.pull);
      numbers.push(of.pull.number);
      played.push(...of.played);
    }
    for (const page of await writePages(stage, numbers, OUT)) narrator.say("page", page);
    narrator.heading("What came of it");
    for (const { task, kind, title, good } of played)
      narrator.say(good ? "yes" : "NO", `${task} ${kind}: ${title}`);
    return played.every(({ good }) => good) ? 0 : 1;
  } finally {
    await stage.close();
    await checkout.close();
  }
}

const known = TASKS.map(({ task }) => task);

new Command("rehearse:jobs")
  .description(
    "Plays /assay perf, run and verify on a local hub, against this checkout's HEAD, with this machine as the host.",
  )
  .argument("[task...]", `which tasks; all of them when none is named (${known.join(", ")})`)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(async (tasks: string[]) => {
    const unknown = tasks.filter((task) => !known.includes(task));
    if (unknown.length > 0) {
      process.stderr.write(`There is no task ${unknown.join(", ")}; there are ${known.join(", ")}.\n`);
      process.exit(2);
    }
    process.exitCode = await rehearseJobs(tasks.length === 0 ? known : tasks);
  })
  .parse();

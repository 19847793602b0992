import type { Finding } from "../../findings.ts";
import { checkBriefs, checkReplicates, type RunOutline } from "../check/across-rules.ts";
import { problem } from "../check/problem.ts";

/** Which contestant is run: a configuration, with one lead's brief of one task. */
export interface ContestantPlan {
  readonly run: string;
  readonly entry: string;
  readonly task: string;
  readonly configuration: string;
  readonly lead: string;
  /** Digest of the brief. */
  readonly brief: string;
  readonly replicate: number;
}

/** A configuration as a name of files: `model@effort` without its `@`. */
export const entryIdOf = (configuration: string): string => configuration.replaceAll("@", "-").slice(0, 100);

/** The name of a run that nobody named: task, lead, replicate. */
export const runIdOf = ({ task, lead, replicate }: Omit<ContestantPlan, "run" | "entry">): string =>
  `${task}.${entryIdOf(lead)}`.slice(0, 90).concat(`.r${replicate}`);

/** The name of a run in which one entry of another is run anew: a repeat has a run of its own. */
export function rerunIdOf(run: string, entry: string, replicate: number): string {
  const ending = `.${entry}.r`;
  const at = run.lastIndexOf(ending);
  // A repeat of a repeat is one more of the first run, not of the second.
  const first = at > 0 && /^\d+$/.test(run.slice(at + ending.length)) ? run.slice(0, at) : run;
  const end = `${ending}${replicate}`;
  return `${first.slice(0, Math.max(1, 100 - end.length))}${end}`.slice(-100);
}

/** The number of this configuration's next repeat of one lead and task: one more than the highest that there is. */
export function nextReplicate(
  outlines: Iterable<RunOutline>,
  { task, lead, configuration }: Pick<ContestantPlan, "task" | "lead" | "configuration">,
): number {
  let highest = 0;
  for (const run of outlines)
    if (!run.excluded && run.task === task && run.lead === lead)
      for (const entry of run.entries.values())
        if (entry.configuration === configuration) highest = Math.max(highest, run.replicate);
  return highest + 1;
}

/** Why this contestant must not be run, before anything is paid for. Empty when it may. */
export function checkPlan(outlines: readonly RunOutline[], plan: ContestantPlan): Finding[] {
  const same = outlines.find(({ id }) => id === plan.run);
  const planned: RunOutline = {
    id: plan.run,
    task: plan.task,
    lead: plan.lead,
    replicate: plan.replicate,
    brief: plan.brief,
    excluded: false,
    entries: new Map([[plan.entry, { configuration: plan.configuration, finished: true, failed: null }]]),
    findings: new Map(),
  };
  const others = outlines.filter(({ id }) => id !== plan.run);
  const pathOf = (id: string): string => `data/runs/${id}.json`;
  const ofPlan = ({ path }: Finding): boolean => path === pathOf(plan.run);
  return [
    ...(same === undefined ? [] : checkSameRun(same, plan)),
    ...checkReplicates([...others, planned], pathOf).filter(ofPlan),
    // Between runs that are there already, briefs are the business of `data check`.
    ...checkBriefs([...others, planned], pathOf).filter(ofPlan),
  ].map(({ pointer: _, ...finding }) => finding);
}

/** A batch that joins a run is of the same task, lead, brief and replicate, and brings what is not in it yet. */
function checkSameRun(run: RunOutline, plan: ContestantPlan): Finding[] {
  const findings: Finding[] = [];
  for (const key of ["task", "lead", "brief", "replicate"] as const)
    if (run[key] !== plan[key])
      findings.push(
        problem("code-run-other", "", `The run ${plan.run} is there already and has another ${key}.`, {
          expected: String(run[key]),
          actual: String(plan[key]),
          hint: "Name another run with --run, or leave it out.",
        }),
      );
  for (const [id, { configuration }] of run.entries)
    if (configuration === plan.configuration || id === plan.entry)
      findings.push(
        problem(
          "code-data-replicate",
          "",
          "This configuration has this replicate of this lead and task already.",
          {
            expected: `once; run ${run.id} has it as ${id}`,
            actual: `${plan.configuration}, replicate ${plan.replicate}`,
            hint: "A repeat is another replicate: number it on.",
          },
        ),
      );
  return findings;
}

import { readEngine } from "../../src/io/engine.ts";
import { judge } from "../../src/jobs/result-pr.ts";
import { planPullRequest } from "../../src/jobs/result-pr-plan.ts";
import { openPullRequest } from "../../src/jobs/result-pr-source.ts";
import { childInput, peakMegabytes, report } from "./child.ts";
import { median } from "./table.ts";

export interface ValidateInput {
  readonly root: string;
  readonly gitDir: string;
  readonly base: string;
  readonly head: string;
  readonly runs: number;
}

export interface Validated {
  /** Median milliseconds from opening the pull request to a report with its rank. */
  readonly judge: number;
  /** The same, without executing any recipe. */
  readonly plan: number;
  readonly peak: number;
  readonly verdict: string;
  readonly rank: unknown;
  /** Why the published index was not used. */
  readonly note: string | null;
}

const { root, gitDir, base, head, runs } = childInput<ValidateInput>();
const engine = await readEngine();
const open = () => openPullRequest({ pullRequest: 1, base, head, merge: null }, { repository: gitDir });
const times: { judge: number[]; plan: number[] } = { judge: [], plan: [] };
let found: Pick<Validated, "verdict" | "rank" | "note"> = { verdict: "", rank: null, note: null };
for (let run = 0; run <= runs; run += 1) {
  const planned = performance.now();
  const source = await open();
  const { note = null } = await planPullRequest(source, null);
  await source.close();
  const judged = performance.now();
  const again = await open();
  const { verdict, results, findings } = await judge({
    source: again,
    grader: { suites: root },
    engine,
    arrivedAt: null,
  });
  await again.close();
  if (verdict !== "valid") throw new Error(`verdict ${verdict}: ${JSON.stringify(findings.slice(0, 3))}`);
  found = { verdict, rank: results[0]?.rank.after ?? null, note };
  // The first run warms the machine up.
  if (run === 0) continue;
  times.plan.push(judged - planned);
  times.judge.push(performance.now() - judged);
}
const measured: Validated = {
  judge: median(times.judge),
  plan: median(times.plan),
  peak: peakMegabytes(),
  ...found,
};
report(measured);

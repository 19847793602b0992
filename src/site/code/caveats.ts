import { isLive } from "../../lib/code/aggregate/index-data.ts";
import { groupBy } from "../../lib/code/score/group.ts";
import { counted, type Grounds, named, quotedList, say, type Words } from "./statement.ts";

/** Something to keep in mind about the numbers of a selection. */
export interface Caveat {
  readonly id: string;
  readonly says: Words;
}

function singleRuns({ scope }: Grounds): Words | null {
  const cells = [
    ...groupBy(
      scope.results.filter(({ entry }) => isLive(entry)),
      ({ entry, run }) => JSON.stringify([entry.configuration, run.lead, run.task]),
    ).values(),
  ];
  const single = cells.filter((results) => results.length === 1).length;
  return single === 0
    ? null
    : say`${single} of ${counted(cells.length, "cell")} (a configuration, a lead and a task) rest on a single run: treat differences of a few tenths within one as ties.`;
}

function families({ scope, index }: Grounds): Words | null {
  const contestants = new Set(scope.results.map(({ entry }) => entry.vendor));
  const shared = [...new Set(scope.judges.flatMap((judge) => index.judges.get(judge)?.vendor ?? []))].filter(
    (vendor) => contestants.has(vendor),
  );
  if (shared.length === 0) return null;
  const names = shared.map((id) => index.vendors.get(id)?.name ?? id).sort();
  return [
    "Judges share a family with contestants (",
    ...quotedList(names),
    "). They do not see who wrote what, and may prefer their own all the same: look at the cross-vendor score and the seats.",
  ];
}

const kits = ({ scope }: Grounds): Words | null =>
  scope.runs.length === 0
    ? null
    : say`Who builds the tasks is a model too; the file of each run names it. Its contracts may suit its own briefs and its own family.`;

function excluded({ index, view: { selection } }: Grounds): Words | null {
  const out = index.data.runs.filter(
    (run) => run.excluded !== null && (selection.task === null || run.task === selection.task),
  );
  const reasons = [...new Set(out.flatMap((run) => run.excluded ?? []))].sort();
  return out.length === 0
    ? null
    : [
        `${counted(out.length, "run")} ${out.length === 1 ? "is" : "are"} left out of all results: `,
        ...quotedList(reasons),
      ];
}

function ownBriefs({ scope }: Grounds): Words | null {
  const contestants = new Set(scope.results.map(({ entry }) => entry.configuration));
  const both = scope.leads.filter((lead) => contestants.has(lead));
  const [first, ...others] = both;
  return first === undefined
    ? null
    : say`${named(first)}${others.length === 0 ? " is" : ` and ${others.length} more are`} lead and contestant at once, and may do better from briefs of ${others.length === 0 ? "its" : "their"} own.`;
}

function coverage({ view }: Grounds): Words | null {
  const partial = view.rows.filter(
    ({ coverage: { tasks, of_tasks } }) => tasks > 0 && tasks < of_tasks,
  ).length;
  return partial === 0
    ? null
    : say`${counted(partial, "configuration")} did not complete every task, and ${partial === 1 ? "is" : "are"} not penalised for what is missing: read the coverage first.`;
}

const unfinished = ({ view: { about } }: Grounds): Words | null =>
  about.dnf === 0
    ? null
    : say`${about.dnf} of ${counted(about.entries, "entry", "entries")} did not finish: they have cost and time, and are in no score.`;

const briefJudged = ({ view: { about } }: Grounds): Words | null =>
  about.judged_by_brief === 0
    ? null
    : say`${about.judged_by_brief} of ${counted(about.runs, "run")} ${about.judged_by_brief === 1 ? "was" : "were"} judged against the brief in place of the task's contract: such scores do not compare across leads.`;

function keywords({ scope }: Grounds): Words | null {
  const found = scope.results.flatMap(({ entry }) =>
    entry.findings.filter(({ classified_by }) => classified_by !== "judge"),
  ).length;
  return found === 0
    ? null
    : say`The categories of ${counted(found, "finding")} were set by keyword rules or by hand, not by the judges.`;
}

function missingSeats({ view }: Grounds): Words | null {
  const missing = view.judges.judges.reduce((total, judge) => total + judge.missing, 0);
  return missing === 0
    ? null
    : say`${counted(missing, "review session")} gave no review. A missing seat is never a zero, but it can take a judge off a run's panel.`;
}

function proxy({ scope }: Grounds): Words | null {
  const counts = scope.results.filter(({ entry }) => entry.speed?.proxy === true).length;
  return counts === 0
    ? null
    : say`${counted(counts, "entry", "entries")} ${counts === 1 ? "has" : "have"} instruction counts from an emulator in place of timings: they are in a column of their own and compare with no timing.`;
}

const fastFactor = ({ view }: Grounds): Words | null =>
  view.rows.some(({ time }) => time.basis === "assumed")
    ? say`What fast runs (⚡) would take on the standard tier is estimated by an assumed factor, not measured.`
    : null;

function costUnknown({ view }: Grounds): Words | null {
  const unknown = view.rows.filter(({ comparable_cost }) => comparable_cost === null).length;
  return unknown === 0
    ? null
    : say`${counted(unknown, "configuration")} ${unknown === 1 ? "has" : "have"} no cost that may be compared, and can be no pick.`;
}

function declared({ scope }: Grounds): Words | null {
  const has = scope.results.some(
    ({ entry }) =>
      (entry.cost !== null && entry.cost_level === "declared") ||
      entry.hidden?.level === "declared" ||
      entry.speed?.level === "declared",
  );
  return has
    ? say`Tokens, hidden results and timings marked “declared” are what their sender says, accepted by a maintainer; what follows from them is recomputed.`
    : null;
}

const manyComparisons = ({ ranks }: Grounds): Words | null =>
  ranks.ranks.some(({ range }) => range !== null)
    ? say`The error rate of “clearly different” holds for one pair. Among hundreds of equal pairs some will be called different.`
    : null;

const CAVEATS: readonly (readonly [string, (grounds: Grounds) => Words | null])[] = [
  [
    "synthetic",
    ({ view }) => (view.synthetic ? say`A generator made these data: they are no results.` : null),
  ],
  ["single-runs", singleRuns],
  ["families", families],
  ["kits", kits],
  ["excluded", excluded],
  ["own-briefs", ownBriefs],
  ["coverage", coverage],
  ["unfinished", unfinished],
  ["brief-judged", briefJudged],
  ["keywords", keywords],
  ["missing-seats", missingSeats],
  ["proxy", proxy],
  ["fast-factor", fastFactor],
  ["cost-unknown", costUnknown],
  ["declared", declared],
  ["many-comparisons", manyComparisons],
  [
    "scope",
    ({ view }) =>
      view.empty === null
        ? say`Each task is one specified component, written once: this is about careful implementation, not about the design of large systems or long work.`
        : null,
  ],
];

/** The methodology's caveats that hold for this selection's data, the weightiest first. ("Known biases and caveats".) */
export const caveatsOf = (grounds: Grounds): Caveat[] =>
  CAVEATS.flatMap(([id, wordsOf]) => {
    const says = wordsOf(grounds);
    return says === null ? [] : [{ id, says }];
  });

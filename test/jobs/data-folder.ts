import type { Anchors } from "../../src/lib/code/schema/anchors-schema.ts";
import type { Defects } from "../../src/lib/code/schema/defects-schema.ts";
import type { CodeRun, Entry } from "../../src/lib/code/schema/run-schema.ts";
import { digestOf } from "../../src/lib/digest.ts";
import type { FileChange } from "../actions/pull-requests.ts";
import { entry, hosts, judges, models, pricing, run, session, task } from "../lib/code/facts.ts";

/** A small data folder as files: one task, two runs of it by two leads, three judges. Deliverables lie by digest. */

export interface Facts {
  readonly runs: readonly CodeRun[];
  readonly defects?: readonly Defects[];
  readonly anchors?: readonly Anchors[];
}

/** What an entry of a run delivers. */
const sourceOf = (run: string, { id }: Pick<Entry, "id">): string =>
  `// ${id} of ${run}\npub fn encode() {}\n`;

/** A run whose entries each list the one file that they deliver. */
export const delivering = (given: CodeRun): CodeRun => ({
  ...given,
  entries: given.entries.map((each) => {
    const source = sourceOf(given.id, each);
    return {
      ...each,
      deliverable: [{ path: "src/lib.rs", sha256: digestOf(source), bytes: source.length }],
    };
  }),
});

export const pretty = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
export const runPath = (id: string): string => `data/runs/${id}.json`;

/** A run's document and the files of its entries. */
export const runFiles = (given: CodeRun): Record<string, FileChange> => ({
  [runPath(given.id)]: { data: pretty(given) },
  ...Object.fromEntries(
    given.entries.map((each) => [
      `data/entries/${given.id}/${each.id}/src/lib.rs`,
      { data: sourceOf(given.id, each) },
    ]),
  ),
});

/** The whole folder, with the task's own file. */
export const dataFiles = ({ runs, defects = [], anchors = [] }: Facts): Record<string, FileChange> => ({
  "data/models.json": { data: pretty(models()) },
  "data/judges.json": { data: pretty(judges()) },
  "data/hosts.json": { data: pretty(hosts()) },
  "data/pricing.json": { data: pretty(pricing()) },
  "tasks/coder/task.json": { data: pretty(task()) },
  ...Object.assign({}, ...runs.map(runFiles)),
  ...Object.fromEntries(defects.map((each) => [`data/defects/${each.task}.json`, { data: pretty(each) }])),
  ...Object.fromEntries(anchors.map((each) => [`data/anchors/${each.task}.json`, { data: pretty(each) }])),
});

/** What is committed at first: three configurations under one lead, two under another. */
export const committedRuns = (): CodeRun[] => [
  delivering(
    run({
      entries: [entry("e1", "alpha-1@high"), entry("e2", "beta-2@high"), entry("e3", "gamma-3@low")],
      council: {
        sessions: [
          session("s1", "j-alpha", [9, 7, 6]),
          session("s2", "j-beta", [8, 8, 5.5]),
          session("s3", "j-gamma", [8.5, 6, 7]),
        ],
        revisions: [],
      },
    }),
  ),
  delivering(
    run({
      id: "run-2",
      lead: "beta-2@high",
      council: {
        sessions: [session("s1", "j-alpha", [8, 6.5]), session("s2", "j-beta", [8, 7.5])],
        revisions: [],
      },
    }),
  ),
];

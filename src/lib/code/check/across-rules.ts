import { instantMs } from "../../benchmarks/instant.ts";
import type { Finding } from "../../findings.ts";
import { detached } from "../../strict-json/detached.ts";
import { effectiveRun } from "../derive/effective.ts";
import type { Anchors } from "../schema/anchors-schema.ts";
import type { Defect, Defects } from "../schema/defects-schema.ts";
import type { CodeRun } from "../schema/run-schema.ts";
import type { Task } from "../schema/task-schema.ts";
import { type Catalogue, notAMoment } from "./catalogue.ts";
import { problem, repeated } from "./problem.ts";

interface EntryOutline {
  readonly configuration: string;
  readonly finished: boolean;
  /** Hidden categories that it failed; null when they did not run. */
  readonly failed: readonly string[] | null;
}

/** What other documents need to know of a run once it is read: small, so that thousands are held at a time. */
export interface RunOutline {
  readonly id: string;
  readonly task: string;
  readonly lead: string;
  readonly replicate: number;
  /** Digest of the lead's brief. */
  readonly brief: string;
  readonly excluded: boolean;
  readonly entries: ReadonlyMap<string, EntryOutline>;
  /** The entry that a finding is about, null for an anchor; of findings that defects name, by `findingKey`. */
  readonly findings: ReadonlyMap<string, string | null>;
}

const findingKey = (run: string, session: string, finding: string): string => `${run}/${session}/${finding}`;

/** Keys of the findings that defects name: only of these has an outline to say what they are about. */
export const reportedFindings = (documents: Iterable<Defects>): ReadonlySet<string> =>
  new Set(
    [...documents].flatMap(({ defects }) =>
      defects.flatMap(({ findings }) =>
        findings.map(({ run, session, finding }) => findingKey(run, session, finding)),
      ),
    ),
  );

/** The outline of a run as it stands, its revisions applied. `reported` are the findings that defects name. */
export function outlineOf(raw: CodeRun, reported: ReadonlySet<string>): RunOutline {
  const run = effectiveRun(raw);
  const { id, task, lead, replicate, brief } = detached({
    id: run.id,
    task: run.task,
    lead: run.lead,
    replicate: run.replicate,
    brief: run.brief.sha256,
  });
  const findings = new Map<string, string | null>();
  for (const session of run.council.sessions) {
    const entryOf = new Map(
      session.order.map((place) => [place.letter, "entry" in place ? place.entry : null]),
    );
    for (const review of session.reviews)
      for (const { id } of review.findings) {
        const key = findingKey(run.id, session.id, id);
        if (reported.has(key)) findings.set(detached(key), detached(entryOf.get(review.letter) ?? null));
      }
  }
  return {
    id,
    task,
    lead,
    replicate,
    brief,
    excluded: run.excluded !== undefined,
    entries: new Map(
      detached(
        run.entries.map((entry): [string, EntryOutline] => [
          entry.id,
          {
            configuration: entry.configuration,
            finished: entry.dnf === undefined,
            failed: entry.hidden?.categories.filter(({ passed }) => !passed).map(({ id }) => id) ?? null,
          },
        ]),
      ),
    ),
    findings,
  };
}

/**
 * A configuration appears at most once per lead, task and replicate, over all runs (those left out of the results
 * apart). Findings name the later run by its path.
 */
export function checkReplicates(outlines: readonly RunOutline[], pathOf: (run: string) => string): Finding[] {
  const seen = new Map<string, string>();
  const findings: Finding[] = [];
  for (const run of outlines) {
    if (run.excluded) continue;
    let index = -1;
    for (const { configuration } of run.entries.values()) {
      index += 1;
      const key = [run.task, run.lead, run.replicate, configuration].join(" ");
      const before = seen.get(key);
      if (before !== undefined && before !== run.id)
        findings.push({
          ...problem(
            "code-data-replicate",
            `/entries/${index}/configuration`,
            "This configuration has this replicate of this lead and task already.",
            {
              expected: `once; run ${before} has it`,
              actual: `${configuration}, replicate ${run.replicate}`,
              hint: "A repeat is another replicate: number it on.",
            },
          ),
          path: pathOf(run.id),
        });
      seen.set(key, run.id);
    }
  }
  return findings;
}

/**
 * Runs of one lead and task are repeats of one brief, whatever their number (those left out of the results apart). Findings
 * name the later run by its path.
 */
export function checkBriefs(outlines: readonly RunOutline[], pathOf: (run: string) => string): Finding[] {
  const first = new Map<string, RunOutline>();
  return outlines.flatMap((run) => {
    const key = `${run.task} ${run.lead}`;
    const before = first.get(key);
    if (run.excluded) return [];
    if (before === undefined) first.set(key, run);
    if (before === undefined || before.brief === run.brief) return [];
    return {
      ...problem("code-data-brief", "/brief/sha256", "Another run of this lead and task has another brief.", {
        expected: `${before.brief}, as run ${before.id} has it`,
        actual: run.brief,
        hint: "Repeats are runs from the same brief.",
      }),
      path: pathOf(run.id),
    };
  });
}

/** Runs by their id; null for a run that is there and whose file says what is wrong with it: nothing can be said of what it holds. */
type Outlines = ReadonlyMap<string, RunOutline | null>;

/** An entry that is there, of a run of this task. */
function checkPlace(
  place: { readonly run: string; readonly entry: string },
  task: string,
  pointer: string,
  runs: Outlines,
): Finding[] {
  const run = runs.get(place.run);
  if (run === null) return [];
  if (run === undefined)
    return [
      problem("code-data-unknown-run", `${pointer}/run`, "There is no such run.", { actual: place.run }),
    ];
  if (run.task !== task)
    return [
      problem("code-data-other-task", `${pointer}/run`, "The run is of another task.", {
        expected: task,
        actual: run.task,
      }),
    ];
  if (!run.entries.has(place.entry))
    return [
      problem("code-data-unknown-entry", `${pointer}/entry`, "The run has no such entry.", {
        actual: place.entry,
      }),
    ];
  return [];
}

/** `data/anchors/<task>.json`. */
export function checkAnchors(anchors: Anchors, task: string, runs: Outlines): Finding[] {
  const findings = [
    ...repeated(
      anchors.anchors.map(({ id }) => id),
      (index) => `/anchors/${index}/id`,
      "anchor",
    ),
    ...fileIsOf(anchors.task, task),
  ];
  for (const [index, anchor] of anchors.anchors.entries()) {
    const at = `/anchors/${index}`;
    if (instantMs(anchor.added_at) === null) findings.push(notAMoment(`${at}/added_at`, anchor.added_at));
    findings.push(...checkPlace(anchor, task, at, runs));
    if (runs.get(anchor.run)?.entries.get(anchor.entry)?.finished === false)
      findings.push(
        problem("code-anchor-dnf", `${at}/entry`, "An entry that did not finish is no anchor.", {
          actual: anchor.entry,
        }),
      );
  }
  return findings;
}

/** Anchors and defects are of a task that there is; `task` is the name of their file. */
export const checkTaskOf = (task: string, { tasks }: Catalogue): Finding[] =>
  tasks.has(task)
    ? []
    : [
        problem("code-data-unknown-task", "/task", "There is no such task.", {
          expected: [...tasks.keys()].join(", "),
          actual: task,
          hint: "A task is a folder of tasks/ with a task.json.",
        }),
      ];

const fileIsOf = (actual: string, expected: string): Finding[] =>
  actual === expected
    ? []
    : [problem("code-data-id", "/task", "The task is not the name of the file.", { expected, actual })];

/** `data/defects/<task>.json`: each with its method's proof, entries that exist, findings that are about them. */
export function checkDefects(
  defects: Defects,
  id: string,
  task: Task | undefined,
  runs: Outlines,
): Finding[] {
  return [
    ...fileIsOf(defects.task, id),
    ...repeated(
      defects.defects.map((defect) => defect.id),
      (index) => `/defects/${index}/id`,
      "defect",
    ),
    ...defects.defects.flatMap((defect, index) =>
      checkDefect(defect, `/defects/${index}`, defects.task, task, runs),
    ),
    ...repeated(
      defects.revisions.map((revision) => revision.id),
      (index) => `/revisions/${index}/id`,
      "revision",
    ),
    ...defects.revisions.flatMap((revision, index) => {
      const at = `/revisions/${index}`;
      const defect = defects.defects.find((item) => item.id === revision.defect);
      const there =
        defect !== undefined &&
        (revision.kind === "withdraw" ||
          (revision.kind === "entry"
            ? defect.entries.some((place) => same(place, revision.remove))
            : defect.findings.some((place) => same(place, revision.remove))));
      return [
        ...(instantMs(revision.at) === null ? [notAMoment(`${at}/at`, revision.at)] : []),
        ...(there
          ? []
          : [
              problem("code-defect-revision", at, "The revision is of something that is not there.", {
                actual: revision.defect,
              }),
            ]),
      ];
    }),
  ];
}

const same = (a: Record<string, string>, b: Record<string, string>): boolean =>
  Object.keys(a).every((key) => a[key] === b[key]);

function checkDefect(
  defect: Defect,
  at: string,
  taskId: string,
  task: Task | undefined,
  runs: Outlines,
): Finding[] {
  const findings = [
    ...checkProof(defect, at, task),
    ...defect.entries.flatMap((place, index) => checkPlace(place, taskId, `${at}/entries/${index}`, runs)),
    ...repeated(
      defect.entries.map(({ run, entry }) => `${run}/${entry}`),
      (index) => `${at}/entries/${index}`,
      "entry",
    ),
    ...repeated(
      defect.findings.map(({ run, session, finding }) => `${run}/${session}/${finding}`),
      (index) => `${at}/findings/${index}`,
      "finding",
    ),
  ];
  if (instantMs(defect.added_at) === null) findings.push(notAMoment(`${at}/added_at`, defect.added_at));
  if (defect.control !== undefined) {
    findings.push(...checkPlace(defect.control, taskId, `${at}/control`, runs));
    if (defect.entries.some((place) => same(place, defect.control ?? {})))
      findings.push(
        problem("code-defect-control", `${at}/control`, "The control must not have the defect.", {
          hint: "Name an entry that is not in entries.",
        }),
      );
  }
  const has = new Set(defect.entries.map(({ run, entry }) => `${run}/${entry}`));
  for (const [index, { run, session, finding }] of defect.findings.entries()) {
    const pointer = `${at}/findings/${index}`;
    if (runs.get(run) === null) continue;
    const entry = runs.get(run)?.findings.get(findingKey(run, session, finding));
    if (entry === undefined)
      findings.push(
        problem("code-defect-unknown-finding", pointer, "No session has such a finding.", {
          actual: `${run}/${session}/${finding}`,
        }),
      );
    else if (!has.has(`${run}/${entry}`))
      findings.push(
        problem(
          "code-defect-finding",
          pointer,
          "The finding is about an entry that does not have the defect.",
          {
            expected: "an entry of this defect's entries",
            actual: entry ?? "an anchor",
          },
        ),
      );
  }
  if (defect.method !== "hidden-suite") return findings;
  for (const [index, { run, entry }] of defect.entries.entries()) {
    const failed = runs.get(run)?.entries.get(entry)?.failed;
    if (failed !== undefined && !(failed ?? []).includes(defect.hidden_category ?? ""))
      findings.push(
        problem("code-defect-hidden", `${at}/entries/${index}`, "The entry does not fail that category.", {
          expected: `a hidden suite in which ${defect.hidden_category ?? "it"} fails`,
          actual: failed === null ? "not run" : failed.length === 0 ? "all passed" : failed.join(", "),
        }),
      );
  }
  return findings;
}

/** A method comes with what proves it. */
function checkProof(defect: Defect, at: string, task: Task | undefined): Finding[] {
  const { method, probe, hidden_category: category } = defect;
  if (method === "probe" && probe === undefined)
    return [
      problem("code-defect-proof", `${at}/probe`, "A probe is named by its file.", {
        hint: "Add probe: the program under the task's probes.",
      }),
    ];
  if (method === "hidden-suite" && category === undefined)
    return [
      problem("code-defect-proof", `${at}/hidden_category`, "The category that fails is named.", {
        hint: "Add hidden_category.",
      }),
    ];
  if (category !== undefined && task !== undefined && !task.hidden.categories.includes(category))
    return [
      problem("code-hidden-categories", `${at}/hidden_category`, "The task has no such category.", {
        expected: task.hidden.categories.join(", "),
        actual: category,
      }),
    ];
  if (method === "inspection" && !["docs", "misleading-docs", "tests"].includes(defect.category))
    return [
      problem("code-defect-proof", `${at}/method`, "Only documents and tests are verified by reading.", {
        expected: "probe or hidden-suite",
        actual: `inspection of ${defect.category}`,
      }),
    ];
  return [];
}

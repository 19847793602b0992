import { instantMs } from "../../benchmarks/instant.ts";
import type { Finding } from "../../findings.ts";
import { SCRIPTED_HARNESS } from "../harness/adapter.ts";
import type { Hidden, Perf } from "../schema/perf-schema.ts";
import type { Quality } from "../schema/quality-schema.ts";
import type { CodeRun, Entry } from "../schema/run-schema.ts";
import type { Task } from "../schema/task-schema.ts";
import { FAST_TIERS, type Usage } from "../schema/usage-schema.ts";
import { checkAttestation, checkSeries } from "./attestation-rules.ts";
import { type Catalogue, checkConfiguration, notAMoment, type RunContext } from "./catalogue.ts";
import { checkCouncil } from "./council-rules.ts";
import { doubt, problem, repeated } from "./problem.ts";
import { checkAgent, checkUsage } from "./usage-rules.ts";

/** All that one run says about itself, and about what it refers to. `id` is the name of its file. */
export function checkRun(run: CodeRun, id: string, context: RunContext): Finding[] {
  const { catalogue } = context;
  const task = catalogue.tasks.get(run.task);
  return [
    ...checkHead(run, id, context),
    ...repeated(
      run.entries.map((entry) => entry.id),
      (index) => `/entries/${index}/id`,
      "entry",
    ),
    ...repeated(
      run.entries.map(({ configuration }) => configuration),
      (index) => `/entries/${index}/configuration`,
      "configuration (at most one entry a replicate)",
    ),
    ...run.entries.flatMap((entry, index) => checkEntry(entry, `/entries/${index}`, run, task, context)),
    ...(context.synthetic ? [] : checkHarnesses(run)),
    ...checkCouncil(run, context),
    ...checkRevisions(run, task, context),
    ...checkSeries(run),
  ];
}

function checkHead(run: CodeRun, id: string, { catalogue, synthetic }: RunContext): Finding[] {
  const findings: Finding[] = [];
  if (run.id !== id)
    findings.push(
      problem("code-data-id", "/id", "The id is not the name of the file.", { expected: id, actual: run.id }),
    );
  if (!catalogue.tasks.has(run.task))
    findings.push(
      problem("code-data-unknown-task", "/task", "There is no such task.", {
        expected: [...catalogue.tasks.keys()].join(", "),
        actual: run.task,
        hint: "A task is a folder of tasks/ with a task.json.",
      }),
    );
  if (instantMs(run.started_at) === null) findings.push(notAMoment("/started_at", run.started_at));
  findings.push(...checkConfiguration(run.lead, catalogue.models, "/lead"));
  if (run.kit !== undefined)
    findings.push(...checkConfiguration(run.kit.builder, catalogue.models, "/kit/builder"));
  if (run.brief.usage !== undefined)
    findings.push(...checkAgent(run.brief.usage, run.lead, "/brief/usage", catalogue.logNames));
  if (run.kit?.usage !== undefined)
    findings.push(...checkAgent(run.kit.usage, run.kit.builder, "/kit/usage", catalogue.logNames));
  if (run.synthetic !== undefined && !synthetic)
    findings.push(
      problem("code-data-synthetic", "/synthetic", "A generator made this run; it is no result.", {
        hint: "Keep synthetic rounds in a folder of their own: data check, data build and council calibrate take them with --synthetic. They are never published.",
      }),
    );
  return findings;
}

/** What stood in for a harness in a rehearsal. */
function checkHarnesses(run: CodeRun): Finding[] {
  return run.entries.flatMap(({ harness }, index) =>
    harness.name === SCRIPTED_HARNESS
      ? [
          problem(
            "code-data-scripted",
            `/entries/${index}/harness/name`,
            "A scripted harness wrote this entry, not a model: it never reaches a board.",
            {
              actual: harness.name,
              hint: "It shows that the way from order to facts works. Close the pull request.",
            },
          ),
        ]
      : [],
  );
}

function checkEntry(
  entry: Entry,
  at: string,
  run: CodeRun,
  task: Task | undefined,
  context: RunContext,
): Finding[] {
  const { catalogue } = context;
  const findings = [
    ...checkConfiguration(entry.configuration, catalogue.models, `${at}/configuration`),
    ...repeated(
      entry.deliverable.map(({ path }) => path.toLowerCase()),
      (index) => `${at}/deliverable/${index}/path`,
      "path (letter case apart)",
    ),
  ];
  if (entry.dnf === undefined && entry.deliverable.length === 0)
    findings.push(
      problem("code-entry-empty", `${at}/deliverable`, "An entry that finished has a deliverable.", {
        hint: "List its files, or say with dnf why it did not finish.",
      }),
    );
  if (entry.usage !== undefined)
    findings.push(...checkEntryUsage(entry.usage, `${at}/usage`, entry, run, catalogue));
  if (entry.hidden !== undefined)
    findings.push(
      ...checkHidden(entry.hidden, `${at}/hidden`, run, task, catalogue),
      ...checkAttestation("hidden", entry.hidden, `${at}/hidden`, { run, entry, context }),
    );
  if (entry.perf !== undefined)
    findings.push(
      ...checkPerf(entry.perf, `${at}/perf`, run, task, catalogue),
      ...checkAttestation("perf", entry.perf, `${at}/perf`, { run, entry, context }),
    );
  if (entry.quality !== undefined) findings.push(...checkQuality(entry.quality, `${at}/quality`, run, entry));
  return findings;
}

/** A contestant's usage: its own model's, of the run's time, on the tier that the entry says. */
function checkEntryUsage(
  usage: Usage,
  at: string,
  { configuration, harness }: Entry,
  run: CodeRun,
  { logNames }: Catalogue,
): Finding[] {
  const findings = [
    ...checkAgent(usage, configuration, at, logNames),
    ...notBefore(
      usage.first_event_at,
      run.started_at,
      `${at}/first_event_at`,
      "The usage is of a time before its run.",
    ),
  ];
  const fast = usage.requests.some((row) => FAST_TIERS.has(usage.tiers[row[2]] ?? ""));
  if (fast && !harness.fast_mode)
    findings.push(
      problem("code-usage-fast-mode", `${at}/tiers`, "The entry and its log disagree on the service tier.", {
        expected: "fast_mode true, as requests ran on a faster tier",
        actual: "fast_mode false",
        hint: "The entry's harness.fast_mode says whether it ran on a faster tier.",
      }),
    );
  return findings;
}

/** What came of a run is not older than the run; what is no moment is another finding. */
function notBefore(at: string, start: string, pointer: string, message: string): Finding[] {
  const [moment, first] = [instantMs(at), instantMs(start)];
  if (moment === null || first === null || moment >= first) return [];
  return [problem("code-data-time-order", pointer, message, { expected: `not before ${start}`, actual: at })];
}

const OLDER = "It was measured before its run began.";

/** Code metrics are of the files that were delivered, as they were delivered. */
function checkQuality(quality: Quality, at: string, run: CodeRun, { deliverable }: Entry): Finding[] {
  const delivered = new Map(deliverable.map(({ path, sha256 }) => [path, sha256]));
  const foreign = quality.files.flatMap(({ path, sha256 }, index) =>
    delivered.get(path) === sha256
      ? []
      : [
          problem("code-quality-other-file", `${at}/files/${index}`, "This is no file of the deliverable.", {
            expected: delivered.get(path) ?? "a path of the deliverable",
            actual: `${path} ${sha256}`,
            hint: "Measure what was delivered: bench run quality <run>.",
          }),
        ],
  );
  return [
    ...(instantMs(quality.at) === null ? [notAMoment(`${at}/at`, quality.at)] : []),
    ...notBefore(quality.at, run.started_at, `${at}/at`, OLDER),
    ...foreign,
  ];
}

function checkHidden(
  hidden: Hidden,
  at: string,
  run: CodeRun,
  task: Task | undefined,
  catalogue: Catalogue,
): Finding[] {
  const findings = [
    ...repeated(
      hidden.categories.map(({ id }) => id),
      (index) => `${at}/categories/${index}/id`,
      "category",
    ),
    ...notBefore(hidden.at, run.started_at, `${at}/at`, OLDER),
  ];
  if (instantMs(hidden.at) === null) findings.push(notAMoment(`${at}/at`, hidden.at));
  if (hidden.host !== undefined) findings.push(...checkHost(hidden.host, `${at}/host`, catalogue));
  if (task === undefined) return findings;
  const expected = task.hidden.categories.toSorted();
  const actual = hidden.categories.map(({ id }) => id).toSorted();
  if (expected.join(" ") !== actual.join(" "))
    findings.push(
      problem("code-hidden-categories", `${at}/categories`, "These are not the task's categories.", {
        expected: expected.join(", "),
        actual: actual.join(", "),
        hint: "A category that did not run did not pass; leaving one out would raise the share.",
      }),
    );
  return findings;
}

function checkHost(id: string, pointer: string, { hosts }: Catalogue): Finding[] {
  const host = hosts.get(id);
  if (host === undefined)
    return [
      problem("code-data-unknown-host", pointer, "data/hosts.json has no such host.", {
        expected: [...hosts.keys()].join(", "),
        actual: id,
      }),
    ];
  if (host.class === "rehearsal")
    return [
      problem("code-data-rehearsal-host", pointer, "What a rehearsal host measures never reaches a board.", {
        actual: id,
        hint: "Have it measured on the task's host.",
      }),
    ];
  return [];
}

function checkPerf(
  perf: Perf,
  at: string,
  run: CodeRun,
  task: Task | undefined,
  catalogue: Catalogue,
): Finding[] {
  const findings = [
    ...notBefore(perf.at, run.started_at, `${at}/at`, OLDER),
    ...checkHost(perf.host, `${at}/host`, catalogue),
    ...repeated(
      perf.metrics.map(({ id }) => id),
      (index) => `${at}/metrics/${index}/id`,
      "metric",
    ),
  ];
  if (instantMs(perf.at) === null) findings.push(notAMoment(`${at}/at`, perf.at));
  if (perf.proxy !== (perf.unit === "instructions"))
    findings.push(
      problem("code-perf-unit", `${at}/unit`, "A proxy counts instructions; anything else is timed.", {
        expected: perf.proxy ? "instructions" : "ns",
        actual: perf.unit,
      }),
    );
  for (const [index, { id, candidate, reference }] of perf.metrics.entries()) {
    const pointer = `${at}/metrics/${index}`;
    if (task !== undefined && !task.perf.metrics.some((metric) => metric.id === id))
      findings.push(
        problem("code-data-unknown-metric", `${pointer}/id`, "The task has no such metric.", {
          expected: task.perf.metrics.map((metric) => metric.id).join(", "),
          actual: id,
        }),
      );
    if (perf.output_ok && (candidate.length === 0 || candidate.length !== reference.length))
      findings.push(
        problem("code-perf-pairs", pointer, "Samples come in pairs of candidate and reference.", {
          expected: `${reference.length} candidate samples`,
          actual: String(candidate.length),
        }),
      );
  }
  if (task !== undefined && !perf.proxy && perf.host !== task.perf.host)
    findings.push(
      problem("code-perf-host", `${at}/host`, "Another host times this task.", {
        expected: task.perf.host,
        actual: perf.host,
      }),
    );
  if (perf.flags.includes("noisy") || perf.flags.includes("inconclusive"))
    findings.push(
      doubt(
        "code-perf-inconclusive",
        `${at}/flags`,
        "The samples leave open whether anything is faster or slower.",
        {
          actual: perf.flags.join(", "),
          hint: "It is shown with its flags and is nobody's gain. Have it measured again on a quiet host.",
        },
      ),
    );
  if (perf.flags.includes("disturbed"))
    findings.push(
      doubt("code-perf-disturbed", `${at}/flags`, "The host changed during the measurement.", {
        hint: "Repeat it; a disturbed measurement is not shown as a speed.",
      }),
    );
  return findings;
}

function checkRevisions(run: CodeRun, task: Task | undefined, context: RunContext): Finding[] {
  const { catalogue } = context;
  const findings = repeated(
    run.revisions.map(({ id }) => id),
    (index) => `/revisions/${index}/id`,
    "revision",
  );
  const entries = new Map(run.entries.map((entry) => [entry.id, entry]));
  let latest = run.started_at;
  for (const [index, revision] of run.revisions.entries()) {
    const at = `/revisions/${index}`;
    if (instantMs(revision.at) === null) findings.push(notAMoment(`${at}/at`, revision.at));
    else {
      findings.push(...notBefore(revision.at, latest, `${at}/at`, "The log is in the order of time."));
      if (revision.at > latest) latest = revision.at;
    }
    if (!entries.has(revision.entry))
      findings.push(
        problem("code-data-unknown-entry", `${at}/entry`, "The run has no such entry.", {
          actual: revision.entry,
        }),
      );
    if (revision.kind === "hidden")
      findings.push(...checkHidden(revision.to, `${at}/to`, run, task, catalogue));
    if (revision.kind === "perf") findings.push(...checkPerf(revision.to, `${at}/to`, run, task, catalogue));
    const entry = entries.get(revision.entry);
    if (entry !== undefined && (revision.kind === "hidden" || revision.kind === "perf"))
      findings.push(...checkAttestation(revision.kind, revision.to, `${at}/to`, { run, entry, context }));
    if (revision.kind === "quality" && entry !== undefined)
      findings.push(...checkQuality(revision.to, `${at}/to`, run, entry));
    if (revision.kind === "usage")
      findings.push(
        ...(entry === undefined
          ? checkUsage(revision.to, `${at}/to`)
          : checkEntryUsage(revision.to, `${at}/to`, entry, run, catalogue)),
      );
  }
  return findings;
}

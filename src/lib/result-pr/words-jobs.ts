import type { JobKind } from "../job/order-schema.ts";
import type { JobEnd, JobPhase } from "../job/progress.ts";
import { type Block, fitBlocks, moreRow } from "./words-fit.ts";
import { NOWHERE, pullLink, runLink, type Web } from "./words-links.ts";
import { cell, clean, code, plain, plural, prose, row, short, tableHead } from "./words-text.ts";

/**
 * The one comment that lists the jobs of a pull request's head on guarded hosts, and the check run of each. What a check run says is the
 * memory: the comment quotes it, so that it can be written anew from check runs and workflow runs alone. Pure.
 */

/** What the comment begins with. Only together with our app id does it mean anything (F29). */
export const JOBS_MARKER = "<!-- assay:jobs";

export interface JobsTag {
  readonly head: string;
  /** The head before, whose jobs ended with the push; null when there were none. */
  readonly before: string | null;
}

/** Reads the hidden tag of the comment; null when it has none. */
export function parseJobsTag(body: string): JobsTag | null {
  const found = /^<!-- assay:jobs head=([0-9a-f]{40})(?: before=([0-9a-f]{40}))? -->/.exec(body);
  return found === null ? null : { head: found[1] ?? "", before: found[2] ?? null };
}

const marker = ({ head, before }: JobsTag): string =>
  `${JOBS_MARKER} head=${head}${before === null ? "" : ` before=${before}`} -->`;

/** Which job it is. */
export interface JobName {
  readonly kind: JobKind;
  readonly target: string;
  readonly host: string;
}

/** Where a job waits at its host. */
export interface ShownPlace {
  readonly ahead: number;
  /** ISO 8601; null where nobody can say. */
  readonly expected: string | null;
}

export interface ShownJob extends JobName {
  /** Login of who asked. */
  readonly by: string;
  /** It was dispatched a second time, because its host did not take it. */
  readonly again: boolean;
  /** The workflow run; null while there is none. */
  readonly run: number | null;
  readonly state:
    | { readonly over: false; readonly phase: JobPhase; readonly place: ShownPlace | null }
    /** Title and summary of its check run. */
    | { readonly over: true; readonly end: JobEnd; readonly title: string; readonly summary: string };
}

/** `perf run-1/e1 on ryzen`, as code spans. */
export const jobWords = ({ kind, target, host }: JobName): string =>
  `${kind} ${code(target, { max: 200 })} on ${code(host, { max: 100 })}`;

const MARKS: Readonly<Record<JobEnd, string>> = {
  measured: "✅",
  candidate: "❌",
  refused: "🚫",
  ours: "⚠️",
  cancelled: "⏹️",
  void: "⏹️",
  offline: "🔌",
};

/** `2026-12-01 16:40 UTC` */
const minute = (instant: string): string => `${instant.slice(0, 16).replace("T", " ")} UTC`;

const since = (at: string | null): string => (at === null ? "" : ` since ${minute(at)}`);

/** How a job that is not over stands, in a few words. */
function phaseWords(phase: JobPhase, { kind }: JobName, place: ShownPlace | null): string {
  switch (phase.phase) {
    case "sent":
      return "asked for; GitHub is about to start it";
    case "guarded":
      return "the guard looks at it";
    case "approval":
      return `waits for a reviewer of the environment ${code(`assay-${kind}`)}`;
    case "queued":
      return place === null ? `waits for its host${since(phase.since)}` : placeWords(place);
    case "running": {
      const step = phase.step;
      const at = step === null ? "" : `, step ${step.number} of ${step.of}: ${cell(step.name, 60)}`;
      return `running${since(phase.since)}${at}`;
    }
    case "reported":
      return "the host is done; its report is put together";
  }
}

function placeWords({ ahead, expected }: ShownPlace): string {
  const place =
    ahead === 0 ? "next at its host" : `number ${ahead + 1} at its host, ${plural(ahead, "job")} before it`;
  const when =
    expected === null
      ? "no earlier job tells how long that takes"
      : `expected to begin about ${minute(expected)}`;
  return ahead === 0 ? place : `${place}; ${when}`;
}

const PHASE_MARKS: Readonly<Record<JobPhase["phase"], string>> = {
  sent: "⏳",
  guarded: "🛡️",
  approval: "✋",
  queued: "⏳",
  running: "🔬",
  reported: "📦",
};

const PHASE_TITLES: Readonly<Record<JobPhase["phase"], string>> = {
  sent: "Asked for",
  guarded: "The guard looks at it",
  approval: "Waits for a reviewer",
  queued: "Waits for its host",
  running: "Running on its host",
  reported: "The report is put together",
};

/** What a check run says. */
export interface JobCheckWords {
  readonly title: string;
  readonly summary: string;
}

/** The check run of a job that is not over. It changes with the phase alone; place and progress are the comment's. */
export const renderLiveJob = (
  name: JobName,
  phase: JobPhase["phase"],
  { by, head, again }: { readonly by: string; readonly head: string; readonly again: boolean },
): JobCheckWords => ({
  title: `${PHASE_TITLES[phase]}${again ? " (dispatched again)" : ""}`,
  summary: [
    `${jobWords(name)}, asked for by ${code(by, { max: 60 })} for exactly head ${short(head, 7)}. A push voids it.`,
    ...(again
      ? ["Its host had not taken it for half an hour: the host was offline. It was dispatched once more."]
      : []),
  ].join("\n\n"),
});

/** Ends that no report tells. */
export type PlainEnd =
  | { readonly end: "cancelled"; readonly by: string | null }
  | { readonly end: "void"; readonly head: string | null }
  | { readonly end: "offline" }
  | { readonly end: "ours"; readonly why: "not-started" | "no-report" | "unreadable" | "untrusted" };

const OURS: Readonly<Record<Extract<PlainEnd, { end: "ours" }>["why"], string>> = {
  "not-started": "GitHub did not start the workflow, twice.",
  "no-report": "The workflow ended without a report: it crashed, or ran out of time.",
  unreadable: "The report could not be read.",
  untrusted: "The report is not about this job.",
};

const NEVER = "Nothing of it counts, and nothing is held against the entry.";

/** The check run of a job that ended without a report that counts. */
export function renderPlainEnd(end: PlainEnd): JobCheckWords {
  switch (end.end) {
    case "cancelled":
      return {
        title: "Cancelled",
        summary:
          end.by === null
            ? `The workflow run was cancelled. ${NEVER} Ask again with a command.`
            : `Cancelled by ${code(end.by, { max: 60 })}. ${NEVER} Ask again with a command.`,
      };
    case "void":
      return {
        title: "Void: the head moved",
        summary:
          end.head === null
            ? `The pull request is not open any more, so this job was stopped. ${NEVER}`
            : `The head moved to ${short(end.head, 7)}: what was asked for was another commit, so this job was stopped. ${NEVER} Look at the new head and ask again.`,
      };
    case "offline":
      return {
        title: "Host offline",
        summary:
          `The host did not take the job for half an hour, twice. ${NEVER} When the host is back, ask again with a command; [docs/runners.md] says how to look after it.`.replace(
            "[docs/runners.md]",
            "`docs/runners.md`",
          ),
      };
    case "ours":
      return {
        title: "The office failed: this says nothing about the entry",
        summary: `${OURS[end.why]} ${NEVER} A maintainer looks into the run; then ask again with a command.`,
      };
  }
}

const headRow = (job: ShownJob, web: Web): string => {
  const { state } = job;
  const words = state.over
    ? `${MARKS[state.end]} ${prose(state.title, 150).replaceAll("|", "\\|")}`
    : `${PHASE_MARKS[state.phase.phase]} ${phaseWords(state.phase, job, state.place)}${job.again ? "; 🔌 dispatched again, its host had been offline" : ""}`;
  return row([
    `${job.kind} ${cell(job.target, 200)}`,
    cell(job.host, 100),
    words,
    job.run === null ? "–" : runLink(job.run, web),
    cell(job.by, 60),
  ]);
};

export interface JobsContext {
  readonly head: string;
  /** Jobs of this head, oldest first. */
  readonly jobs: readonly ShownJob[];
  /** Those of the head before, of which the push ended what was not over. */
  readonly before: { readonly head: string; readonly jobs: readonly ShownJob[] } | null;
  readonly repositoryUrl: string | null;
}

/** Jobs that are told in full; older ones are a row. */
const IN_FULL = 12;

const HEAD = tableHead(["Job", "Host", "State", "Run", "Asked by"], "lllll");

/** How jobs stand, a row each, for an answer. */
export const jobTable = (jobs: readonly ShownJob[]): string =>
  [HEAD, ...jobs.slice(0, 50).map((job) => headRow(job, NOWHERE))].join("\n");

const table = (jobs: readonly ShownJob[], web: Web): Block => ({
  kind: "rows",
  open: HEAD,
  rows: jobs.map((job) => headRow(job, web)),
  close: "",
  priority: 0,
  more: moreRow(5, "job"),
});

/** The comment. */
export function renderJobs({ head, jobs, before, repositoryUrl }: JobsContext): string {
  const web: Web = { repositoryUrl, docs: null };
  const live = jobs.filter(({ state }) => !state.over).length;
  const title =
    jobs.length === 0
      ? `## 🧪 No job on a host for head ${short(head, 7)}`
      : `## 🧪 ${plural(jobs.length, "job")} on guarded hosts for head ${short(head, 7)}${live === 0 ? "" : `, ${live} under way`}`;
  const blocks: Block[] = [
    { kind: "text", text: `${marker({ head, before: before?.head ?? null })}\n${title}` },
  ];
  if (jobs.length > 0) blocks.push(table(jobs, web));
  const told = jobs.filter(({ state }) => state.over).slice(-IN_FULL);
  for (const job of told) {
    if (!job.state.over) continue;
    blocks.push({ kind: "text", text: `### ${jobWords(job)}\n\n${job.state.summary}`, priority: 1 });
  }
  if (before !== null) {
    blocks.push({
      kind: "text",
      text: `Jobs of head ${short(before.head, 7)}, which is not the head any more. What had not ended when it was pushed is void:`,
    });
    blocks.push(table(before.jobs, web));
  }
  if (live > 0)
    blocks.push({
      kind: "text",
      text: "**Next: nobody**, unless a job waits for a reviewer. `/assay cancel` stops what is under way; a push voids it.",
    });
  return fitBlocks(blocks);
}

/** Title and words of the pull request that the App opens with what a `run` job brought. */
export const renderFactsPull = (
  name: JobName,
  {
    pull,
    check,
    run,
    by,
  }: { readonly pull: number; readonly check: number; readonly run: number; readonly by: string },
  repositoryUrl: string | null,
): { readonly title: string; readonly body: string } => {
  const web: Web = { repositoryUrl, docs: null };
  return {
    title: `Facts of a new run of ${plain(clean(name.target, 200))}`,
    body: [
      `What the job ${jobWords(name)} brought, in ${runLink(run, web)}: raw facts and a deliverable, as its host left them. Asked for by ${code(by, { max: 60 })} in ${pullLink(pull, web)}; order ${code(String(check))}.`,
      "It is judged like every other pull request. Nothing of it is measured yet: `/assay perf` does that.",
    ].join("\n\n"),
  };
};

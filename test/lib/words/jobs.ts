import type { JobPhase } from "../../../src/lib/job/progress.ts";
import type { JobReport, JobResult } from "../../../src/lib/job/report-schema.ts";
import {
  type JobLevel,
  type JobReportContext,
  renderJobReport,
} from "../../../src/lib/result-pr/words-job-report.ts";
import {
  type JobName,
  type PlainEnd,
  renderFactsPull,
  renderJobs,
  renderLiveJob,
  renderPlainEnd,
  type ShownJob,
} from "../../../src/lib/result-pr/words-jobs.ts";
import type { Reply } from "../../../src/lib/result-pr/words-replies.ts";
import { code } from "../../../src/lib/result-pr/words-text.ts";
import { SHA } from "./reports.ts";

/** Invented jobs on guarded hosts, in every state. */

export const DIGEST = `sha256:${"ab".repeat(32)}`;
const NAME: JobName = { kind: "perf", target: "run-1/e1", host: "ryzen-9950x" };

/** A deliverable that is one and a half times as fast as the reference, and passes 12 of 14 categories. */
export const measured: JobResult = {
  run: "run-1",
  entry: "e1",
  role: "judged",
  hidden: {
    at: "2026-12-01T10:20:00.000Z",
    suite: DIGEST,
    categories: Array.from({ length: 14 }, (_, index) => ({
      id: `h${String(index + 1).padStart(2, "0")}`,
      passed: index < 12,
    })),
  },
  perf: {
    at: "2026-12-01T10:30:00.000Z",
    host: "ryzen-9950x",
    fingerprint: DIGEST,
    proxy: false,
    output_ok: true,
    unit: "ns",
    seed: "s",
    metrics: [
      {
        id: "encode",
        candidate: Array.from({ length: 15 }, (_, index) => 2000 + (index % 5)),
        reference: Array.from({ length: 15 }, (_, index) => 3000 + (index % 3)),
      },
    ],
    flags: [],
  },
};

export const jobReport = (changes: Partial<JobReport> = {}): JobReport => ({
  schema_version: 1,
  kind: "perf",
  outcome: "measured",
  pull_request: 7,
  head_sha: SHA.head,
  nonce: "4711",
  target: "run-1/e1",
  order: DIGEST,
  findings: [],
  host: {
    id: "ryzen-9950x",
    class: "board",
    fingerprint_digest: DIGEST,
    fingerprint: { cpu: "AMD Ryzen 9 9950X" },
    before: { values: { load: 0.01 }, at: "2026-12-01T10:15:00.000Z" },
    after: { values: { load: 0.02 }, at: "2026-12-01T10:31:00.000Z" },
  },
  started_at: "2026-12-01T10:15:00.000Z",
  finished_at: "2026-12-01T10:31:00.000Z",
  results: [measured],
  raw: DIGEST,
  ...changes,
});

const LEVEL: JobLevel = { level: "attested", host: "ryzen-9950x", key: "k1" };
export const reportContext = (
  repositoryUrl: string | null,
  changes: Partial<JobReportContext> = {},
): JobReportContext => ({
  level: LEVEL,
  run: 99,
  factsPull: null,
  factsProblem: null,
  verification: "",
  repositoryUrl,
  ...changes,
});

const PHASES: readonly JobPhase[] = [
  { phase: "sent" },
  { phase: "guarded" },
  { phase: "approval" },
  { phase: "queued", since: "2026-12-01T10:00:00Z" },
  { phase: "running", since: "2026-12-01T10:15:00Z", step: { number: 4, of: 6, name: "Run ./actions/perf" } },
  { phase: "running", since: null, step: null },
  { phase: "reported" },
];
const ENDS: readonly PlainEnd[] = [
  { end: "cancelled", by: "mia" },
  { end: "cancelled", by: null },
  { end: "void", head: SHA.base },
  { end: "void", head: null },
  { end: "offline" },
  ...(["not-started", "no-report", "unreadable", "untrusted"] as const).map((why) => ({
    end: "ours" as const,
    why,
  })),
];

const live = (phase: JobPhase, more: Partial<ShownJob> = {}): ShownJob => ({
  ...NAME,
  by: "mia",
  again: false,
  run: 99,
  state: {
    over: false,
    phase,
    place: phase.phase === "queued" ? { ahead: 2, expected: "2026-12-01T11:00:00.000Z" } : null,
  },
  ...more,
});

const HOSTILE = "`|` <img src=x> @everyone [a](https://evil.example) #1 \u202e";
const refusal = jobReport({
  outcome: "refused",
  order: null,
  host: null,
  started_at: null,
  finished_at: null,
  results: [],
  raw: null,
  findings: [
    {
      code: "host-fingerprint",
      severity: "error",
      message: `This is not the host that data/hosts.json describes. ${HOSTILE}`,
      expected: "AMD Ryzen 9 9950X",
      actual: HOSTILE,
      hint: "Register it anew.",
    },
  ],
});

/** Reports and how they are shown. */
const reports = (url: string): readonly (readonly [string, JobReport, JobReportContext])[] => [
  ["measured", jobReport(), reportContext(url)],
  [
    "by proxy, rehearsed",
    jobReport({
      host: { ...(jobReport().host as NonNullable<JobReport["host"]>), class: "rehearsal" },
      results: [
        {
          ...measured,
          perf: {
            ...measured.perf,
            proxy: true,
            unit: "instructions",
            flags: ["noisy"],
          } as JobResult["perf"],
        },
      ],
    }),
    reportContext(url, { level: { level: "rehearsal", host: "rehearsal", signed: true } }),
  ],
  [
    "wrong output, not attested",
    jobReport({
      results: [{ ...measured, perf: { ...measured.perf, output_ok: false } as JobResult["perf"] }],
    }),
    reportContext(url, { level: { level: "declared", why: "it has no signature" } }),
  ],
  ["refused", refusal, reportContext(url)],
  ["candidate", jobReport({ ...refusal, outcome: "candidate", results: [measured] }), reportContext(url)],
  ["ours", jobReport({ ...refusal, outcome: "ours" }), reportContext(url)],
  [
    "verified",
    jobReport({ kind: "verify", target: "inflate/D-7", verification: "confirmed", results: [] }),
    reportContext(url, {
      verification: "Confirmed: the entry listed shows the defect, and the control does not.",
    }),
  ],
  [
    "run, with its pull request",
    jobReport({ kind: "run", results: [], facts: DIGEST }),
    reportContext(url, { factsPull: 12 }),
  ],
  [
    "run, without one",
    jobReport({ kind: "run", results: [] }),
    reportContext(url, { factsProblem: "it brought no run" }),
  ],
];

/** Everything that is said of jobs, by name. */
export function jobVariants(url: string): readonly (readonly [string, string])[] {
  const over = (name: string, report: JobReport, context: JobReportContext): ShownJob => ({
    ...NAME,
    kind: report.kind,
    target: report.target,
    by: "mia",
    again: name === "measured",
    run: 99,
    state: { over: true, end: report.outcome, ...renderJobReport(report, context) },
  });
  const ended = ENDS.map(
    (end): ShownJob => ({
      ...live({ phase: "sent" }),
      state: { over: true, end: end.end, ...renderPlainEnd(end) },
    }),
  );
  const all = reports(url).map(([name, report, context]) => over(name, report, context));
  const page = (jobs: readonly ShownJob[], before: readonly ShownJob[] = []): string =>
    renderJobs({
      head: SHA.head,
      jobs,
      before: before.length === 0 ? null : { head: SHA.base, jobs: before },
      repositoryUrl: url,
    });
  const check = ({ title, summary }: { title: string; summary: string }): string =>
    `${code(title, { max: 300 })}\n\n${summary}`;
  return [
    ["comment, under way", page(PHASES.map((phase) => live(phase, { again: phase.phase === "running" })))],
    ["comment, ended by reports", page(all)],
    ["comment, ended without", page(ended)],
    ["comment, after a push", page([], ended.slice(0, 3))],
    ["comment, more than fit", page(Array.from({ length: 400 }, () => all[1] as ShownJob))],
    ...PHASES.map((phase): [string, string] => [
      `check, ${phase.phase}`,
      check(renderLiveJob(NAME, phase.phase, { by: "mia", head: SHA.head, again: true })),
    ]),
    ...reports(url).map(([name, report, context]): [string, string] => [
      `check, ${name}`,
      check(renderJobReport(report, context)),
    ]),
    [
      "pull request",
      renderFactsPull({ ...NAME, kind: "run" }, { pull: 7, check: 4711, run: 99, by: "mia" }, url).body,
    ],
  ];
}

export const jobReplies: readonly Reply[] = [
  { kind: "ask-taken", job: NAME, head: SHA.head },
  { kind: "ask-again", job: NAME, head: SHA.head },
  { kind: "ask-which", job: "perf", asked: null, could: ["run-1/e1", "run-1/e2"] },
  { kind: "ask-which", job: "perf", asked: null, could: [] },
  { kind: "ask-which", job: "verify", asked: "D-7", could: [] },
  { kind: "ask-which", job: "perf", asked: "run-1/e9", could: ["run-1/e1"] },
  { kind: "ask-host", job: "perf", task: "inflate", host: null, known: [] },
  { kind: "ask-host", job: "perf", task: "inflate", host: "m9", known: ["m1", "ryzen-9950x"] },
  { kind: "ask-nothing", live: [] },
  { kind: "ask-nothing", live: [NAME] },
  { kind: "ask-cancel", live: [NAME, { ...NAME, kind: "run" }] },
  { kind: "ask-stopped", jobs: [NAME] },
  { kind: "ask-status", head: SHA.head, jobs: [] },
  { kind: "ask-status", head: SHA.head, jobs: PHASES.map((phase) => live(phase)) },
];

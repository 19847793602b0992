import type { Finding } from "../findings.ts";
import type { JobInputs, JobKind } from "./order-schema.ts";
import type { HostFacts, JobReport } from "./report-schema.ts";

/** Reports of guarded jobs, as plain data. Pure. */

/** Which job it is, as the workflow was told. */
export interface JobIdentity {
  readonly kind: JobKind;
  readonly inputs: JobInputs;
}

/** Findings that a report holds; the rest is counted nowhere, since the first ones say why. */
const MOST = 100;

/** A report that says only how a job ended. */
export const reportWithout = (
  { kind, inputs }: JobIdentity,
  outcome: "refused" | "candidate" | "ours",
  findings: readonly Finding[],
  more: Partial<Pick<JobReport, "order" | "host" | "started_at" | "finished_at">> = {},
): JobReport => ({
  schema_version: 1,
  kind,
  outcome,
  pull_request: Number(inputs.pull_request),
  head_sha: inputs.head_sha,
  nonce: inputs.nonce,
  target: inputs.target,
  order: null,
  findings: findings.slice(0, MOST),
  host: null,
  started_at: null,
  finished_at: null,
  results: [],
  raw: null,
  ...more,
});

/** The report is about the job that was asked for, and about nothing else. In words; null when it is. */
export function whyForeign(report: JobReport, { kind, inputs }: JobIdentity): string | null {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["kind", report.kind, kind],
    ["pull request", String(report.pull_request), inputs.pull_request],
    ["head", report.head_sha, inputs.head_sha],
    ["nonce", report.nonce, inputs.nonce],
    ["target", report.target, inputs.target],
    ["host", report.host?.id ?? inputs.host, inputs.host],
  ];
  const other = pairs.find(([, is, wanted]) => is !== wanted);
  return other === undefined ? null : `its ${other[0]} is ${other[1]}, not ${other[2]}`;
}

/** A measurement that a changed host disturbed says so, and why. */
export function disturb(host: HostFacts, changes: readonly string[]): Finding[] {
  return changes.map((change) => ({
    code: "host-changed",
    severity: "warning",
    message: `While it measured, something on the host ${host.id} changed: ${change}.`,
    hint: "What was measured meanwhile is marked as disturbed and shows no speed. Ask again.",
  }));
}

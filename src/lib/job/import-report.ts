import { canonicalJson } from "../canonical-json.ts";
import { effectiveEntries } from "../code/derive/effective.ts";
import { appendItem, insertMembers } from "../code/quality/insert-json.ts";
import type { Host } from "../code/schema/hosts-schema.ts";
import type { Hidden, Perf } from "../code/schema/perf-schema.ts";
import { type CodeRun, type RunRevision, runSchema } from "../code/schema/run-schema.ts";
import type { Finding, Outcome } from "../findings.ts";
import { parseLocated } from "../strict-json/schema.ts";
import { claimOf, doubtOf, type VerifySignature } from "./attest.ts";
import type { JobReport, JobResult } from "./report-schema.ts";

/** What a job measured, put into its run's document. Pure. */

/** No run file is larger. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface ImportContext {
  readonly hosts: ReadonlyMap<string, Host>;
  readonly verify: VerifySignature;
  /** When a revision is written down (ISO 8601 UTC). */
  readonly at: string;
}

export interface Imported {
  /** The run's file. */
  readonly text: string;
  /** What was done, one line each. */
  readonly done: readonly string[];
}

const KINDS = ["hidden", "perf"] as const;
type Kind = (typeof KINDS)[number];

const problem = (code: string, message: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: "error",
  message,
  ...more,
});

/** The report holds measurements of a host of the board; findings say why it does not. */
export function checkImport(report: JobReport, hosts: ReadonlyMap<string, Host>): Finding[] {
  // A deliverable that does not build fails every category: that is measured, too.
  const isMeasured = report.outcome === "measured" || report.outcome === "candidate";
  if (report.kind !== "perf" || !isMeasured || report.results.length === 0)
    return [
      problem("job-nothing-measured", "This job measured nothing that belongs into a run.", {
        actual: `${report.kind}, ${report.outcome}`,
        hint: "The report's findings say why.",
      }),
    ];
  const id = report.host?.id ?? "";
  if (hosts.get(id)?.class === "board") return [];
  return [
    problem("code-data-rehearsal-host", "What a rehearsal host measures never reaches a board.", {
      actual: id,
      hint: "Have it measured on the task's host.",
    }),
  ];
}

/**
 * A run's file with the results of a report put in, every other character as it was: an empty place is filled, a filled one gets a
 * revision, and what is there already stays. Signatures must hold for the entry as the file has it.
 */
export function importResults(
  bytes: Uint8Array,
  path: string,
  report: JobReport,
  context: ImportContext,
): Outcome<Imported> {
  const read = parseLocated(bytes, runSchema, { path, code: "code-data", maxBytes: MAX_BYTES });
  if (!read.ok) return read;
  let text = new TextDecoder().decode(bytes);
  let { value: run, json } = read.value;
  const done: string[] = [];
  for (const result of report.results.filter((each) => each.run === run.id && each.role === "judged"))
    for (const kind of KINDS) {
      const measured = result[kind];
      if (measured === undefined) continue;
      const refused = whyNot(kind, measured, run, result, context);
      if (refused !== null) return { ok: false, findings: [{ ...refused, path }] };
      const added = put(text, json, run, { kind, measured, entry: result.entry, report, at: context.at });
      done.push(added.said);
      if (added.text === text) continue;
      text = added.text;
      const again = parseLocated(new TextEncoder().encode(text), runSchema, {
        path,
        code: "code-data",
        maxBytes: MAX_BYTES,
      });
      if (!again.ok) return again;
      ({ value: run, json } = again.value);
    }
  return { ok: true, value: { text, done }, findings: [] };
}

function whyNot(
  kind: Kind,
  measured: Hidden | Perf,
  run: CodeRun,
  result: JobResult,
  { hosts, verify }: ImportContext,
): Finding | null {
  const entry = run.entries.find(({ id }) => id === result.entry);
  if (entry === undefined)
    return problem("code-data-unknown-entry", "The run has no such entry.", { actual: result.entry });
  const { attestation } = measured;
  const claim = claimOf(kind, measured, { task: run.task, run: run.id, entry });
  const doubt =
    attestation === undefined ? { why: "it is not signed" } : doubtOf(attestation, claim, hosts, verify);
  return doubt === null
    ? null
    : problem("code-attestation", "The signature does not say that a host measured this.", {
        actual: doubt.why,
        hint: "bench verify-job shows each step.",
      });
}

interface Fact {
  readonly kind: Kind;
  readonly measured: Hidden | Perf;
  readonly entry: string;
  readonly report: JobReport;
  readonly at: string;
}

type Json = Parameters<typeof insertMembers>[1];

function put(text: string, json: Json, run: CodeRun, fact: Fact): { text: string; said: string } {
  const { kind, measured, entry: id, report, at } = fact;
  const index = run.entries.findIndex((entry) => entry.id === id);
  const name = `${kind} of ${run.id}/${id}`;
  const standing = effectiveEntries(run)[index]?.[kind];
  if (standing !== undefined && canonicalJson(standing) === canonicalJson(measured))
    return { text, said: `${name}: there already` };
  if (run.entries[index]?.[kind] === undefined && standing === undefined)
    return {
      text: insertMembers(text, json, [{ pointer: `/entries/${index}`, key: kind, value: measured }]),
      said: `${name}: put in`,
    };
  const revision = {
    kind,
    id: `job-${report.nonce}-${kind}-${id}`,
    at,
    by: `host ${report.host?.id ?? ""}`,
    entry: id,
    reason: `Measured again by job ${report.nonce}, for commit ${report.head_sha}.`,
    to: measured,
  } as RunRevision;
  return { text: appendItem(text, json, "/revisions", revision), said: `${name}: a revision` };
}

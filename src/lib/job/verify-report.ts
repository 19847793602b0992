import type { Host } from "../code/schema/hosts-schema.ts";
import { fingerprintDigest } from "../host/reading.ts";
import { claimOf, doubtOf, measurementDigest, type VerifySignature } from "./attest.ts";
import type { Order } from "./order-schema.ts";
import type { JobReport } from "./report-schema.ts";

/** Whether a job's report can be believed, from its files alone, one step after the other. Pure. */

export interface JobStep {
  /** One word. */
  readonly id: string;
  /** `open`: cannot be told from what is there. */
  readonly state: "holds" | "fails" | "open";
  /** What was compared, in words. */
  readonly text: string;
}

export interface JobFiles {
  readonly report: JobReport;
  readonly hosts: ReadonlyMap<string, Host>;
  /** The order beside the report, with the digest of its bytes; null when it is not there. */
  readonly order: { readonly order: Order; readonly digest: string } | null;
  /** Digest of `raw.json` beside the report; null when it is not there. */
  readonly raw: string | null;
  /** What the reader expects, where he knows it. */
  readonly expected: { readonly nonce?: string; readonly commit?: string };
  readonly verify: VerifySignature;
}

const step = (id: string, holds: boolean | null, text: string): JobStep => ({
  id,
  state: holds === null ? "open" : holds ? "holds" : "fails",
  text,
});

/** Outcomes that say something about a deliverable. */
const SAYS_SOMETHING: ReadonlySet<JobReport["outcome"]> = new Set(["measured", "candidate"]);

/** Every step of the chain; a report is believed when none fails. */
export function verifyReport(files: JobFiles): JobStep[] {
  const { report, raw, expected } = files;
  return [
    step("outcome", SAYS_SOMETHING.has(report.outcome), `the job ended as ${report.outcome}`),
    ...hostSteps(files),
    ...(expected.nonce === undefined
      ? []
      : [
          step(
            "nonce",
            report.nonce === expected.nonce,
            `the job is ${report.nonce}, asked about ${expected.nonce}`,
          ),
        ]),
    ...(expected.commit === undefined
      ? []
      : [
          step(
            "commit",
            report.head_sha === expected.commit,
            `measured for ${report.head_sha}, asked about ${expected.commit}`,
          ),
        ]),
    ...orderSteps(files),
    report.raw === null
      ? step(
          "samples",
          raw === null,
          raw === null ? "there are no raw samples" : "raw.json is not the report's",
        )
      : step(
          "samples",
          raw === null ? null : raw === report.raw,
          `raw.json should be ${report.raw}${raw === null ? ", and is not here" : ""}`,
        ),
    signatureStep(files),
    ...resultSteps(files),
  ];
}

function hostSteps({ report, hosts }: JobFiles): JobStep[] {
  const { host } = report;
  if (host === null) return [step("host", false, "the report names no host")];
  const known = hosts.get(host.id);
  return [
    step(
      "host",
      known !== undefined && known.class === host.class,
      known === undefined ? `data/hosts.json has no host ${host.id}` : `${known.name}, class ${known.class}`,
    ),
    // Its chain can hold; it only proves nothing about a board.
    step(
      "class",
      known === undefined ? false : known.class === "board" ? true : null,
      known?.class === "board" ? "measures for the board" : "never reaches a board",
    ),
    step(
      "fingerprint",
      fingerprintDigest(host.fingerprint) === host.fingerprint_digest,
      `${host.fingerprint_digest} is that of ${String(host.fingerprint.cpu)}, ${String(host.fingerprint.kernel)}`,
    ),
  ];
}

function orderSteps({ report, order }: JobFiles): JobStep[] {
  if (order === null) return [step("order", null, `the order ${report.order ?? ""} is not here`)];
  const { kind, nonce, head_sha, target, host, pull_request } = order.order;
  const same =
    kind === report.kind &&
    nonce === report.nonce &&
    head_sha === report.head_sha &&
    target === report.target &&
    host === report.host?.id &&
    pull_request === report.pull_request;
  return [
    step(
      "order",
      order.digest === report.order && same,
      `${kind} ${target} of pull request ${pull_request} at ${head_sha}`,
    ),
  ];
}

function signatureStep({ report, hosts, verify }: JobFiles): JobStep {
  const { attestation, host } = report;
  if (attestation === undefined || host === null) return step("signature", false, "the report is not signed");
  if (attestation.nonce !== report.nonce || attestation.commit !== report.head_sha)
    return step("signature", false, "it was signed for another job");
  const doubt = doubtOf(
    attestation,
    {
      measurement: measurementDigest(report),
      subject: report.order ?? attestation.subject,
      host: host.id,
      fingerprint: host.fingerprint_digest,
      at: report.finished_at ?? "",
    },
    hosts,
    verify,
  );
  return step("signature", doubt === null, doubt?.why ?? `by key ${attestation.key} of ${attestation.host}`);
}

function resultSteps({ report, hosts, order, verify }: JobFiles): JobStep[] {
  return report.results.flatMap((result) => {
    const { run, entry } = result;
    const ordered = order?.order.entries.find((each) => each.run === run && each.entry === entry);
    return (["hidden", "perf"] as const).flatMap((kind) => {
      const measured = result[kind];
      if (measured === undefined) return [];
      const name = `${kind} of ${run}/${entry}`;
      const { attestation } = measured;
      if (attestation === undefined) return [step("result", false, `${name} is not signed`)];
      if (ordered === undefined || order === null)
        return [step("result", null, `${name}: its files are not known here`)];
      if (attestation.nonce !== report.nonce || attestation.commit !== report.head_sha)
        return [step("result", false, `${name} was signed for another job`)];
      const place = { task: order.order.task, run, entry: { id: entry, deliverable: ordered.files } };
      const doubt = doubtOf(attestation, claimOf(kind, measured, place), hosts, verify);
      return [step("result", doubt === null, doubt === null ? name : `${name}: ${doubt.why}`)];
    });
  });
}

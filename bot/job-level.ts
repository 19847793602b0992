import { verifySignature } from "../src/io/host/keys.ts";
import { digestOf } from "../src/lib/digest.ts";
import { doubtOf, measurementDigest } from "../src/lib/job/attest.ts";
import type { JobReport } from "../src/lib/job/report-schema.ts";
import type { JobLevel } from "../src/lib/result-pr/words-job-report.ts";
import type { BotContext } from "./context.ts";
import { readHosts } from "./job-report.ts";

/** How far the numbers of a report can be believed: its signature against the keys that the default branch has now. */
export async function readLevel(context: BotContext, report: JobReport): Promise<JobLevel> {
  const hosts = new Map(((await readHosts(context)) ?? []).map((host) => [host.id, host]));
  const host = hosts.get(report.host?.id ?? "");
  if (host === undefined || report.host === null)
    return { level: "declared", why: "data/hosts.json of the default branch has no such host" };
  const { attestation } = report;
  const doubt =
    attestation === undefined
      ? "the host did not sign it"
      : doubtOf(
          attestation,
          {
            measurement: measurementDigest(report),
            subject: report.order ?? digestOf(""),
            host: report.host.id,
            fingerprint: report.host.fingerprint_digest,
            at: report.finished_at ?? report.host.before.at,
          },
          hosts,
          verifySignature,
        )?.why;
  if (host.class === "rehearsal") return { level: "rehearsal", host: host.id, signed: doubt === undefined };
  if (doubt !== undefined || attestation === undefined)
    return { level: "declared", why: doubt ?? "it has no signature" };
  return { level: "attested", host: host.id, key: attestation.key };
}

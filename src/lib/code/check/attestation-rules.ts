import type { Finding } from "../../findings.ts";
import { claimOf, doubtOf } from "../../job/attest.ts";
import { effectiveEntries } from "../derive/effective.ts";
import type { Hidden, Perf } from "../schema/perf-schema.ts";
import type { CodeRun, Entry } from "../schema/run-schema.ts";
import type { RunContext } from "./catalogue.ts";
import { doubt, problem } from "./problem.ts";

interface Place {
  readonly run: CodeRun;
  readonly entry: Entry;
  readonly context: RunContext;
}

/** A signature that is there must hold (F70): one that does not is worse than none, since somebody made it up, or the values after it. */
export function checkAttestation(
  kind: "perf" | "hidden",
  measured: Hidden | Perf,
  at: string,
  { run, entry, context }: Place,
): Finding[] {
  const { attestation } = measured;
  if (attestation === undefined) return [];
  const pointer = `${at}/attestation`;
  const { hosts } = context.catalogue;
  if (hosts.get(attestation.host)?.class === "rehearsal")
    return [
      problem(
        "code-data-rehearsal-host",
        `${pointer}/host`,
        "What a rehearsal host measures never reaches a board.",
        {
          actual: attestation.host,
          hint: "Have it measured on the task's host.",
        },
      ),
    ];
  const claim = claimOf(kind, measured, { task: run.task, run: run.id, entry });
  const found = doubtOf(attestation, claim, hosts, context.verifySignature);
  if (found === null) return [];
  if (found.kind === "expired")
    return [
      doubt("code-attestation-expired", pointer, "The key that signed this is no longer believed.", {
        actual: found.why,
        hint: "It counts as declared. Have it measured again.",
      }),
    ];
  return [
    problem("code-attestation", pointer, "The signature does not say that a host measured this.", {
      actual: found.why,
      hint: "Put it in as it came: bench run import-job <report.json>. bench verify-job shows each step.",
    }),
  ];
}

/** F63: entries of one run are compared with each other, so their timings should come from one and the same host, unchanged. */
export function checkSeries(run: CodeRun): Finding[] {
  const timed = effectiveEntries(run).flatMap(({ id, perf }) =>
    perf === undefined || perf.proxy ? [] : [{ id, fingerprint: perf.fingerprint }],
  );
  const [first] = timed;
  const other = timed.find(({ fingerprint }) => fingerprint !== first?.fingerprint);
  if (first === undefined || other === undefined) return [];
  const index = run.entries.findIndex(({ id }) => id === other.id);
  return [
    doubt("code-perf-series", `/entries/${index}`, "The host was changed between the timings of this run.", {
      expected: `${first.id}: ${first.fingerprint}`,
      actual: `${other.id}: ${other.fingerprint}`,
      hint: "Have all entries of the run measured again on the host as it is now, or say in the pull request why they compare.",
    }),
  ];
}

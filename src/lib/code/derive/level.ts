import { claimOf, doubtOf, type VerifySignature } from "../../job/attest.ts";
import type { Host } from "../schema/hosts-schema.ts";
import type { Hidden, Perf } from "../schema/perf-schema.ts";
import type { Entry } from "../schema/run-schema.ts";

/** Where a measurement stands: the entry of a run whose files it is of. */
export interface MeasuredPlace {
  readonly task: string;
  readonly run: string;
  readonly entry: Pick<Entry, "id" | "deliverable">;
}

/**
 * How well a measurement is known: `attested` when a host of the board signed exactly it, for exactly this entry and these files, with a
 * key that was in force then; `declared` otherwise. What a rehearsal host signs is nobody's measurement.
 */
export function levelOf(
  kind: "perf" | "hidden",
  measured: Hidden | Perf,
  place: MeasuredPlace,
  hosts: ReadonlyMap<string, Host>,
  verify: VerifySignature,
): "attested" | "declared" {
  const { attestation } = measured;
  if (attestation === undefined || hosts.get(attestation.host)?.class !== "board") return "declared";
  return doubtOf(attestation, claimOf(kind, measured, place), hosts, verify) === null
    ? "attested"
    : "declared";
}

import type { JobReport, JobResult } from "../job/report-schema.ts";

export type Verification = NonNullable<JobReport["verification"]>;

/** What was found of one entry, as far as it decides. */
export type Probed = Pick<JobResult, "role" | "probe">;

/**
 * What follows from what was found of the entries listed and of the control.
 *
 * - `control-failed`: the control shows the defect, or there is no control that could be looked at. Whatever was found of the others proves nothing.
 * - `confirmed`: every entry listed shows it.
 * - `not-reproduced`: none of those that could be looked at shows it.
 * - `partly`: some show it, others do not or could not be looked at.
 *
 * Null when none of the entries listed could be looked at: that is no answer. An entry that does not build, or of which the probe
 * could not tell, is neither confirmed nor not.
 */
export function decideVerification(results: readonly Probed[]): Verification | null {
  const controls = results.filter(({ role }) => role === "control");
  if (controls.length === 0 || controls.some(({ probe }) => probe !== "absent")) return "control-failed";
  const listed = results.filter(({ role }) => role === "judged");
  const present = listed.filter(({ probe }) => probe === "present").length;
  const absent = listed.filter(({ probe }) => probe === "absent").length;
  if (present + absent === 0) return null;
  if (present === listed.length) return "confirmed";
  return present === 0 ? "not-reproduced" : "partly";
}

interface Place {
  readonly run: string;
  readonly entry: string;
}

/** The entries in which the defect was shown: those that may count. None when the control failed. */
export const confirmedPlaces = (results: readonly JobResult[]): Place[] =>
  decideVerification(results) === "control-failed"
    ? []
    : results
        .filter(({ role, probe }) => role === "judged" && probe === "present")
        .map(({ run, entry }) => ({ run, entry }));

/** Where a defect names no control, the task's reference is it, under this name. */
export const referenceControl = (task: string): Place => ({ run: task, entry: "reference" });

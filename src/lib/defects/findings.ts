import type { Defect } from "../code/schema/defects-schema.ts";
import type { Finding } from "../findings.ts";
import type { JobResult } from "../job/report-schema.ts";
import type { Verification } from "./verification.ts";

const error = (code: string, message: string, hint: string): Finding => ({
  code,
  severity: "error",
  message,
  hint,
});

/** Why a defect cannot be looked for by running anything. */
export const inspectionFinding = ({ id }: Defect): Finding =>
  error(
    "defect-inspection",
    `${id} was verified by reading: there is nothing to run.`,
    "Documents and tests are verified by people. Look at the entries and at the defect's note.",
  );

export const noSuchDefect = (task: string, id: string): Finding => ({
  ...error(
    "defect-unknown",
    "No defect of this id stands.",
    "It was never listed, was withdrawn, or no entry is left that has it.",
  ),
  path: `data/defects/${task}.json`,
  actual: id,
});

export const noSuchProbe = (path: string): Finding => ({
  ...error(
    "defect-probe-missing",
    "There is no such probe.",
    "Probes are code: they come in a pull request of their own, before the defect that names them.",
  ),
  path,
});

export const wrongProbe = (path: string, why: string): Finding => ({
  ...error(
    "defect-probe-form",
    `This is no probe: ${why}.`,
    "docs/defects.md says what a module and what a script looks like.",
  ),
  path,
});

export const noSuchCategory = (task: string, category: string): Finding => ({
  ...error(
    "defect-hidden-category",
    "The hidden suite has no such category.",
    "hidden_category is one of the task's ids; a vault may hold another suite than this repository.",
  ),
  path: `data/defects/${task}.json`,
  actual: category,
});

export const noEntryFiles = (path: string): Finding => ({
  ...error(
    "defect-entry-missing",
    "The files of this entry are not here.",
    "Probes run on data/entries/<run>/<entry>/; check out the commit that has it.",
  ),
  path,
});

/** What is worth saying of one entry, beyond its state; `why` are the codes of why it did not build. */
export function stateFindings(
  { run, entry, role, probe: state }: JobResult,
  why: readonly string[] = [],
): Finding[] {
  if (state === "present" || state === "absent") return [];
  const path = `${run}/${entry}`;
  const what = role === "control" ? "control" : "entry";
  return [
    state === "not-built"
      ? {
          code: "defect-not-built",
          severity: "warning",
          message: `The ${what} does not build: it is neither confirmed nor not.`,
          path,
          ...(why.length === 0 ? {} : { actual: why.join(", ") }),
        }
      : {
          code: "defect-probe-failed",
          severity: "warning",
          message: `The probe could not tell whether this ${what} has the defect.`,
          path,
          hint: "Try it by hand: tools/bench defects probe.",
        },
  ];
}

/** What a verification means for the list of defects; empty when it holds. */
export function verificationFindings(verification: Verification | null): Finding[] {
  if (verification === "confirmed") return [];
  if (verification === "control-failed")
    return [
      error(
        "defect-control",
        "The control shows the defect, or could not be looked at: this proves nothing about the entries listed.",
        "Mend the probe until it tells the control from the entries, or name a control that is known to be right.",
      ),
    ];
  if (verification === "not-reproduced")
    return [
      error(
        "defect-not-reproduced",
        "None of the entries listed shows the defect.",
        "Withdraw it with a revision, or mend the probe.",
      ),
    ];
  if (verification === "partly")
    return [
      error(
        "defect-partly",
        "Not every entry listed was seen to have the defect.",
        "Take the others off the list with revisions; only entries that show it count.",
      ),
    ];
  return [
    error(
      "defect-no-answer",
      "None of the entries listed could be looked at.",
      "The warnings say of each why not.",
    ),
  ];
}

import type { JudgeRecall, RecallChange } from "../defects/report-schema.ts";
import type { Verification } from "../defects/verification.ts";
import type { JobResult } from "../job/report-schema.ts";
import { cell, plural, row, tableHead } from "./words-text.ts";

/** What the bot, and `bench defects verify`, say of a defect that was looked for. Pure. */

export interface DefectWordsInput {
  /** By entry, the control among them. */
  readonly results: readonly JobResult[];
  /** Null when nothing follows. */
  readonly verification: Verification | null;
  /** Null when it was not computed. */
  readonly recall: RecallChange | null;
}

const count = (results: readonly JobResult[], role: JobResult["role"], state?: JobResult["probe"]): number =>
  results.filter((result) => result.role === role && (state === undefined || result.probe === state)).length;

/** What follows, in a sentence or two, for the top of a comment and the title of a check. */
export function verificationSentence({ results, verification }: Omit<DefectWordsInput, "recall">): string {
  const listed = count(results, "judged");
  const present = count(results, "judged", "present");
  const entries = plural(listed, "listed entry", "listed entries");
  if (verification === "confirmed")
    return listed === 1
      ? "Confirmed: the entry listed shows the defect, and the control does not."
      : `Confirmed: all ${entries} show the defect, and the control does not.`;
  if (verification === "not-reproduced") return `Not reproduced: none of the ${entries} shows the defect.`;
  if (verification === "partly")
    return `Confirmed in part: ${present} of ${entries} ${present === 1 ? "shows" : "show"} the defect, and the control does not.`;
  if (verification === "control-failed") return controlSentence(results);
  return listed === 0
    ? "Nothing was looked at."
    : "No answer: none of the entries listed could be looked at.";
}

function controlSentence(results: readonly JobResult[]): string {
  const [first] = results.filter(({ role, probe }) => role === "control" && probe !== "absent");
  const why =
    first === undefined
      ? "there is no control"
      : first.probe === "present"
        ? "the control, which is known not to have the defect, shows it too"
        : first.probe === "not-built"
          ? "the control could not be built"
          : "of the control the probe could not tell";
  return `Control failed: ${why}. This proves nothing about the entries listed.`;
}

const STATE_WORDS: Readonly<Record<NonNullable<JobResult["probe"]>, string>> = {
  present: "shows it",
  absent: "does not show it",
  "not-built": "does not build: neither confirmed nor not",
  failed: "the probe could not tell",
};

/** One row for each entry, the control last. */
export function defectRows(results: readonly JobResult[]): string[] {
  const ordered = [...results].sort((a, b) => Number(a.role === "control") - Number(b.role === "control"));
  return ordered.map(({ run, entry, role, probe }) =>
    row([
      cell(`${run}/${entry}`, 120),
      role === "control" ? "control" : "listed",
      probe === undefined ? "not looked at" : STATE_WORDS[probe],
    ]),
  );
}

const share = ({ found, of }: JudgeRecall["before"]): string => (of === 0 ? "–" : `${found} of ${of}`);

function recallLines(title: string, judges: readonly JudgeRecall[]): string[] {
  if (judges.length === 0) return [];
  return [
    title,
    "",
    tableHead(["Judge", "Verified defects found", "with this defect"], "lrr"),
    ...judges.map(({ name, before, after }) => row([cell(name), share(before), share(after)])),
    "",
  ];
}

/** How judge recall moves if the defect counts in the entries that showed it. Empty when it does not. */
export function recallWords({ task, overall }: RecallChange): string {
  const same = JSON.stringify(task) === JSON.stringify(overall);
  return [
    ...recallLines("Judge recall in this task, if the defect counts where it was shown:", task),
    ...recallLines("Over all tasks:", same ? [] : overall),
  ]
    .join("\n")
    .trimEnd();
}

/** The whole, as Markdown: what follows, what was found of each entry, and how judge recall moves. */
export function defectWords({ results, verification, recall }: DefectWordsInput): string {
  const moved = recall === null ? "" : recallWords(recall);
  const unmoved =
    verification === "confirmed" || verification === "partly"
      ? "Judge recall stays as it is: no judge reviewed these entries."
      : "Judge recall stays as it is.";
  return [
    verificationSentence({ results, verification }),
    "",
    tableHead(["Entry", "", "Defect"], "lll"),
    ...defectRows(results),
    ...(recall === null ? [] : ["", moved === "" ? unmoved : moved]),
  ].join("\n");
}

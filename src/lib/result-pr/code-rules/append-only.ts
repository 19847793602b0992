import type { Difference } from "../../code/append-only/compare.ts";
import type { Growing } from "../../code/append-only/shape.ts";
import type { Finding } from "../../findings.ts";
import type { CodeDocument } from "../code-facts.ts";
import type { CodeRule } from "./rule.ts";

/** F22: existing values stay equal, lists only gain items; corrections are revisions, in a log of their own. */
export const appendOnly: CodeRule = {
  id: "facts-append-only",
  title: "Committed documents only grow.",
  check: ({ documents }) =>
    documents.flatMap((document) => {
      const { growth, path, kind } = document;
      if (growth === null) return [];
      const findings = growth.differences.map((difference) => findingOf(difference, document));
      if (growth.total > findings.length)
        findings.push({
          code: "code-pr-edited",
          severity: severityOf(kind, "changed"),
          message: `${growth.total} committed values of this document are not as they were; ${findings.length} are shown.`,
          path,
          pointer: "",
          hint: "Start again from main's version of the file, and only add to it.",
        });
      return findings;
    }),
};

/** What is known of models is corrected in place, under a maintainer's eyes; all else is evidence. */
const severityOf = (kind: Growing, difference: Difference["kind"]): Finding["severity"] =>
  kind === "models" && difference !== "removed" ? "warning" : "error";

function findingOf(difference: Difference, { path, kind }: CodeDocument): Finding {
  const { pointer, keyed, was, is } = difference;
  const hint = hintOf(kind, keyed);
  const common = {
    severity: severityOf(kind, difference.kind),
    path,
    pointer,
    ...(was === null ? {} : { expected: was }),
    ...(is === null ? {} : { actual: is }),
  };
  switch (difference.kind) {
    case "changed":
      return {
        code: "code-pr-edited",
        ...common,
        message: `The committed value at ${keyed} is not what it was.`,
        hint,
      };
    case "removed":
      return { code: "code-pr-removed", ...common, message: `What was committed at ${keyed} is gone.`, hint };
    case "added":
      return {
        code: "code-pr-added-later",
        ...common,
        message: `${keyed} was not there when its item was committed, and cannot be added later.`,
        hint,
      };
    case "log":
      return {
        code: "code-pr-log-order",
        ...common,
        message:
          "This log is applied in its order: what is in it stays where it is, and new items come after it.",
        hint: "Put new revisions at the end of the list.",
      };
  }
}

const RESTORE = "Restore the value as main has it";

/** How a correction of this place is written down. */
function hintOf(kind: Growing, keyed: string): string {
  if (kind === "runs" && keyed.startsWith("/council/"))
    return `${RESTORE}; a score, status, category or severity is corrected by an item of council.revisions that gives the reason.`;
  if (kind === "runs")
    return `${RESTORE}; what was measured of an entry is corrected by an item of revisions that gives the reason.`;
  if (kind === "defects")
    return `${RESTORE}; a defect is withdrawn, or an entry taken from it, by an item of revisions that gives the reason.`;
  if (kind === "pricing") return `${RESTORE}; another price is another item of the card's history.`;
  if (kind === "models")
    return "Say in the pull request why it changes; numbers that follow from it move in the table of this comment.";
  return `${RESTORE}; what is new is another item with an id of its own.`;
}

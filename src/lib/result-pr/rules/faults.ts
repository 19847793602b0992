import type { Finding } from "../../findings.ts";
import type { Submission } from "../facts.ts";
import type { Rule } from "./rule.ts";

/** F57: a member that failed through no fault of the model counts as zero, and is never merged unseen. */
export const faults: Rule = {
  id: "faults",
  title: "A low score is the model's own.",
  check: ({ submissions }) => submissions.flatMap(faultFindings),
};

function faultFindings({ path, document }: Submission): Finding[] {
  if (document === null) return [];
  const blameless = document.members
    .map(({ id, reason }, index) => ({ id, index, fault: reason?.fault }))
    .filter(({ fault }) => fault !== undefined && fault !== "model");
  const [first] = blameless;
  if (first === undefined) return [];
  return [
    {
      code: "pr-fault-not-models",
      severity: "warning",
      message: `${blameless.length} of ${document.members.length} members count as zero although the model was not at fault (${first.fault}).`,
      path,
      pointer: `/members/${first.index}/reason/fault`,
      expected: "model",
      actual: `${first.fault} (${blameless
        .slice(0, 10)
        .map(({ id }) => id)
        .join(", ")})`,
      hint: "Resume the run with npm run bench:run and send its document, or ask a maintainer to accept it as it is.",
    },
  ];
}

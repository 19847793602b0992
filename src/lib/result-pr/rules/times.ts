import type { Rule } from "./rule.ts";

/** A run cannot have ended after it was sent. Instants of fixed width compare as text. */
export const times: Rule = {
  id: "times",
  title: "A run ended before its pull request arrived.",
  check: ({ submissions, arrivedAt }) =>
    submissions.flatMap(({ path, document }) =>
      document === null || arrivedAt === null || document.finished_at <= arrivedAt
        ? []
        : [
            {
              code: "pr-finished-later",
              severity: "error",
              message: "This run says it finished after the pull request had arrived.",
              path,
              pointer: "/finished_at",
              expected: `at most ${arrivedAt}`,
              actual: document.finished_at,
              hint: "Check the clock of the machine that made the run; do not edit the document.",
            },
          ],
    ),
};

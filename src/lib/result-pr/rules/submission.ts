import type { Finding } from "../../findings.ts";
import { isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

const PLACE = /^benchmarks\/results\/[^/]+\/[^/]+\/[^/]+\.json$/;

/** F54: one submission at a time, in the place of a result document. */
export const submission: Rule = {
  id: "submission",
  title: "One result document a pull request.",
  check: ({ changes }) => {
    const added = changes.filter(({ path, status }) => status === "added" && isResultPath(path));
    const findings: Finding[] = added
      .filter(({ path }) => !PLACE.test(path))
      .map(({ path }) => ({
        code: "pr-not-a-result",
        severity: "error",
        message: "This is not where a result document lies.",
        path,
        expected: "benchmarks/results/<suite>/<model folder>/<time>-<digest>.json",
        hint: "npm run bench:run prints the path under which the document must be committed.",
      }));
    const documents = added.filter(({ path }) => PLACE.test(path));
    if (documents.length > 1)
      findings.push({
        code: "pr-many-submissions",
        severity: "error",
        message: `This pull request adds ${documents.length} results; each comes in a pull request of its own.`,
        path: documents[1]?.path ?? "",
        expected: "1 result document",
        actual: `${documents.length}`,
        hint: "Open one pull request for each result, so that each gets its own verdict and rank.",
      });
    return findings;
  },
};

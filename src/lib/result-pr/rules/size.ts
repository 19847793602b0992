import type { Finding } from "../../findings.ts";
import { LIMITS } from "../facts.ts";
import type { Rule } from "./rule.ts";

/** F45, F51: limits on what is read at all. */
export const size: Rule = {
  id: "size",
  title: "Documents and pull requests stay within their sizes.",
  check: ({ submissions, truncated }) => {
    const findings: Finding[] = submissions
      .filter(({ bytes }) => bytes > LIMITS.documentBytes)
      .map(({ path, bytes }) => ({
        code: "pr-too-large",
        severity: "error",
        message: "This file is too large to be a result document, so it was not read.",
        path,
        expected: `at most ${LIMITS.documentBytes} bytes`,
        actual: `${bytes} bytes`,
        hint: "Commit the document that npm run bench:run wrote, nothing packed into it.",
      }));
    if (truncated)
      findings.push({
        code: "pr-too-many-files",
        severity: "error",
        message: "This pull request changes more files than can be listed.",
        expected: "one result document",
        hint: "Start again from the current main and add only the result document.",
      });
    return findings;
  },
};

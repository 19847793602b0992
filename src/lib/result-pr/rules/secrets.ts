import type { Finding } from "../../findings.ts";
import type { Submission } from "../facts.ts";
import type { Rule } from "./rule.ts";

/** Shapes of credentials; linear patterns with bounded repeats. */
const SECRETS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["an API key", /\bsk-(?:or-v1-|ant-|proj-)?[A-Za-z0-9_-]{24,200}/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{40,255})/],
  ["an AWS key id", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[A-Za-z0-9_-]{35}/],
  ["a Slack token", /\bxox[abprs]-[A-Za-z0-9-]{10,100}/],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{30,100}/],
  ["a private key", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/],
  ["a bearer token", /\bBearer [A-Za-z0-9._~+/-]{30,500}/],
];

/** F52: nothing is quoted from a document that holds a credential; the finding names place and kind, never the value. */
export const secrets: Rule = {
  id: "secrets",
  title: "No credentials in evidence.",
  check: ({ submissions }) => submissions.flatMap(secretFindings),
};

/** Where a text holds something of the form of a credential: one finding for each kind. */
export function secretFindings({ path, text }: Pick<Submission, "path" | "text">): Finding[] {
  if (text === null) return [];
  return SECRETS.flatMap(([kind, pattern]): Finding[] => {
    const match = pattern.exec(text);
    if (match === null) return [];
    const before = text.slice(0, match.index);
    return [
      {
        code: "pr-secret",
        severity: "error",
        message: `This file seems to hold ${kind}.`,
        path,
        line: before.split("\n").length,
        column: match.index - before.lastIndexOf("\n"),
        hint: "Revoke it now: whoever can see the pull request has it. Then send a document without it.",
      },
    ];
  });
}

/** True when a document's own words must not be quoted anywhere. */
export const holdsSecret = (submission: Submission): boolean => secretFindings(submission).length > 0;

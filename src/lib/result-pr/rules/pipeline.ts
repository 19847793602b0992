import type { Finding } from "../../findings.ts";
import { PIPELINE_VERSION } from "../../run/plan.ts";
import { PROMPT_MODES, PROMPT_VERSIONS } from "../../run/prompt.ts";
import type { Rule } from "./rule.ts";

/**
 * A new result was made by the pipeline of now: numbers of two pipelines do not stand beside each other. Results that
 * are on the board already stay there. A prompt of somebody's own is for a person to look at.
 */
export const pipeline: Rule = {
  id: "pipeline",
  title: "A new result comes from the current pipeline.",
  check: ({ submissions }) =>
    submissions.flatMap(({ path, document }): Finding[] => {
      if (document === null) return [];
      const findings: Finding[] = [];
      if (document.pipeline_version !== PIPELINE_VERSION)
        findings.push({
          code: "pr-other-pipeline",
          severity: "error",
          message: "This result was made by another version of the pipeline.",
          path,
          pointer: "/pipeline_version",
          expected: PIPELINE_VERSION,
          actual: document.pipeline_version,
          hint: "Run it again with the current main.",
        });
      const { mode, version } = document.prompt;
      const known = PROMPT_MODES.find((candidate) => candidate === mode);
      if (known === undefined || PROMPT_VERSIONS[known] !== version)
        findings.push({
          code: "pr-other-prompt",
          severity: "warning",
          message: "This result names a prompt that is none of this project's.",
          path,
          pointer: "/prompt",
          expected: PROMPT_MODES.map((each) => `${each} version ${PROMPT_VERSIONS[each]}`).join(", "),
          actual: `${mode} version ${version}`,
          hint: "Say in the pull request what the model was asked; a maintainer decides.",
        });
      return findings;
    }),
};

import type { Finding } from "../../findings.ts";
import { locateFindings } from "../../strict-json/parse.ts";
import type { CodePrFacts } from "../code-facts.ts";
import { appendOnly } from "./append-only.ts";
import { deliverables } from "./deliverables.ts";
import { derived } from "./derived.ts";
import { fileMode } from "./file-mode.ts";
import { kept } from "./kept.ts";
import { names } from "./names.ts";
import { otherFiles } from "./other-files.ts";
import { declared, excluded, revisions } from "./review.ts";
import type { CodeRule } from "./rule.ts";
import { gitFiles, lfsPointer, nameCase, secrets } from "./shared-rules.ts";
import { size } from "./size.ts";
import { times } from "./times.ts";

export type { CodeRule } from "./rule.ts";

/** Every rule of a pull request with facts, beside those that facts must satisfy wherever they lie. */
export const CODE_RULES: readonly CodeRule[] = [
  otherFiles,
  derived,
  fileMode,
  names,
  nameCase,
  gitFiles,
  lfsPointer,
  size,
  kept,
  appendOnly,
  deliverables,
  secrets,
  times,
  revisions,
  excluded,
  declared,
];

/** Findings of all rules, those inside documents with line and column. */
export function checkCodePullRequest(facts: CodePrFacts): Finding[] {
  const documents = new Map(facts.documents.map((document) => [document.path, document.json]));
  return CODE_RULES.flatMap((rule) => rule.check(facts)).flatMap((finding) => {
    const json = finding.path === undefined ? null : documents.get(finding.path);
    return json == null ? [finding] : locateFindings([finding], json.position);
  });
}

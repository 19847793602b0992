import type { Finding } from "../../findings.ts";
import { isResultPath } from "../change-set.ts";
import type { ResultPrFacts } from "../facts.ts";
import { duplicateEvidence } from "./duplicate-evidence.ts";
import { faults } from "./faults.ts";
import { fileMode } from "./file-mode.ts";
import { gitFiles } from "./git-files.ts";
import { immutable } from "./immutable.ts";
import { lfsPointer } from "./lfs-pointer.ts";
import { modelFolder } from "./model-folder.ts";
import { nameCase } from "./name-case.ts";
import { names } from "./names.ts";
import { otherFiles } from "./other-files.ts";
import { pipeline } from "./pipeline.ts";
import type { Rule } from "./rule.ts";
import { sanity } from "./sanity.ts";
import { secrets } from "./secrets.ts";
import { size } from "./size.ts";
import { submission } from "./submission.ts";
import { supersedes } from "./supersedes.ts";
import { times } from "./times.ts";
import { usage } from "./usage.ts";
import { withdrawal } from "./withdrawal.ts";
import { workbook } from "./workbook.ts";

export type { Rule } from "./rule.ts";

/** Every rule that a pull request with results must satisfy. A new one is a file and a line here. */
export const RULES: readonly Rule[] = [
  otherFiles,
  immutable,
  fileMode,
  names,
  nameCase,
  gitFiles,
  lfsPointer,
  workbook,
  size,
  submission,
  times,
  pipeline,
  modelFolder,
  supersedes,
  withdrawal,
  duplicateEvidence,
  secrets,
  faults,
  sanity,
  usage,
];

/** True when a pull request concerns this office at all. */
export const touchesResults = (facts: Pick<ResultPrFacts, "changes">): boolean =>
  facts.changes.some(({ path }) => isResultPath(path));

/** Findings of all rules, and those of the documents themselves; none for a pull request without results. */
export function checkPullRequest(facts: ResultPrFacts): Finding[] {
  if (!touchesResults(facts) && facts.resultsSeen) return [];
  return [
    ...RULES.flatMap((rule) => rule.check(facts)),
    ...facts.submissions.flatMap(({ findings }) => findings),
  ];
}

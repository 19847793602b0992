import { METRIC_LIST } from "./metrics.ts";
import { COMPOSITE_VERSION, MAX_MISMATCHES } from "./result-schema.ts";
import type { Suite } from "./suite-schema.ts";

/**
 * What the method of the sheet benchmark is, said once for the documentation and for the site. Texts are paragraphs or
 * list items; in them `code` stands in backticks and nothing else is markup.
 */

/** Weight of a metric in the composite, with two decimals. */
export const weightText = ({ weight }: (typeof METRIC_LIST)[number]): string =>
  (weight.numerator / weight.denominator).toFixed(2);

/** The composite's formula, a line for each term. */
export const formulaLines = (): string[] =>
  METRIC_LIST.map(
    (metric, index) =>
      `${index === 0 ? " " : "+"} ${weightText(metric)} × ${metric.title.charAt(0).toLowerCase()}${metric.title.slice(1)}`,
  );

/** How members become a suite's numbers. */
export const SCORING: readonly string[] = [
  "Metrics are averaged over all members with equal weight; failed and skipped members stay in the denominator and receive zero for every component.",
  `Columns are aligned by their resolved output names, rows by source order; rows are never matched fuzzily or deduplicated. A member's metric is an exact fraction, and the document keeps the counts behind it. A member that did not pass carries at most ${MAX_MISMATCHES} mismatch rows: they explain a score, and replace no metric.`,
];

/** What the composite's version means, and how numbers are rounded. */
export const COMPOSITE: readonly string[] = [
  "The formula is provisional until it is agreed with other benchmarks of tidy cells. A suite's component is the exact mean over all members, rounded once to six decimals, half away from zero; the composite is the exact weighted sum of the unrounded means, rounded once.",
  "Results keep every component and the formula's version, so that a later version cannot silently rewrite a committed score. What a run cost is recorded and never enters a score.",
];

/** The line that carries the version. */
export const versionText = (): string =>
  `Results carry \`composite_version: "${COMPOSITE_VERSION}"\`. The formula:`;

/** The limit of a public suite. */
export const CONTAMINATION: readonly string[] = [
  "Bank members are published, and models may have trained on them; there is no held-out slice. Every member records `published_in_bank`, so that the exposure can be inspected.",
  "Conformance workbooks hold invented values in a layout that follows a published one (`derived_from` says which, `publisher` whose); those that re-create a table of the Data Bank count as published too. They lie in this repository, and so do all reference recipes.",
  "The board therefore reports reproducible performance on a public frozen suite, not an estimate of how a model does on sheets it has never seen.",
];

/** What every result records. */
export const PROVENANCE: readonly string[] = [
  "suite id and suite digest;",
  "model id, and the temperature, maximum tokens and response format actually sent;",
  "prompt mode, prompt version and its digest, and pipeline version;",
  "start and finish, UTC;",
  "cap on calls, attempts a member, and pacing;",
  "runner (name, version, environment, transport, invocation) and which components are deterministic;",
  "a declaration that model output is not deterministic;",
  "for each attempt its kind, outcome, usage, cost, the provider's generation id and the digest of the answer.",
];

/** How often a member is asked, and what counts. */
export const ATTEMPTS =
  "Each member gets one attempt for strict JSON and at most two structured revisions. Every transport call counts against the cap, revisions too. Transport failures are recorded as they were, and are not repeated under another policy.";

/** How well the numbers of a result are known. */
export const LEVELS =
  "Scores are recomputed: the office executed the recipes itself, on exactly the tree that was merged. That this model wrote them, when, at what cost and with how many tokens is declared by whoever sends the result. Every place that shows a number shows its level.";

/** How a committed result is taken back. */
export const CORRECTIONS = {
  before:
    "A committed result never changes and is never deleted. Both ways to take one back are new documents for the same model and suite, and both need a maintainer's `/assay accept` for exactly that head:",
  ways: [
    "Replace it: a new run whose `supersedes` names the digest of the old one and the reason. The old one no longer counts, even if the new one is withdrawn later: it was wrong.",
    "Withdraw it: `npm run bench -- result withdraw <result> --reason \"…\"` writes a small document beside it. The model's result before that one stands again, if there is one. A withdrawal is final; recipes that were withdrawn and are sent again need a maintainer's look.",
  ],
  after:
    "Suites are corrected by freezing a new one under a new id. Results are comparable only within one suite digest.",
} as const;

/** What has to be in place before a run is reproduced. */
export const REPRODUCE =
  "Check out the commit that has the suite, stage the bank's workbooks (without them their members are skipped, and said to be), put the provider's key into the environment of the process, and run:";

/** What another run can be expected to give. */
export const REPEATED =
  "Model output is not deterministic, so another run gives another document. Recomputing a document is deterministic: `npm run bench:validate -- <file>` gives the same numbers on any machine and in any time zone, or says which differ.";

/** Who is ranked, and in what order. */
export const RANKING: readonly string[] = [
  "A rank compares only curated models (`benchmarks/registry/openrouter.json`) with a standing result in that same suite digest; equal composites are ordered by model id. Models that are not curated are on the board without a rank.",
  "Cost per solved sheet is there only when every call's cost is known.",
];

/** What a reader may conclude from two ranks. */
export const UNCERTAINTY: readonly string[] = [
  "Every model is asked once for each member, so a rank rests on one run. Around the pass rate and the exact matches stands Wilson's score interval of 95% over the members: (p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) ÷ (1 + z²/n), with p the share, n the members and z = 1.96. It says how far the share could be from that on other sheets like these; another run of the same model is a further difference that it does not hold.",
  "A rank and the one below it are compared over the same members: an exact sign test (McNemar's exact test) over the members that only one of the two matched exactly. Below 5% they are clearly different; all others are said to be not clearly different. The error rate holds for one pair: among many pairs of equals some will be called different. The order itself follows the composite, which looks at more than exact matches.",
];

/** The command that makes a result of its own for a suite. */
export const runCommand = (suite: Pick<Suite, "id">, model = "<provider/model>"): string =>
  `npm run bench:run -- --suite ${suite.id} --model ${model}`;

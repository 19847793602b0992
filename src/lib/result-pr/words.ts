import { OWN_CONTESTANTS } from "./contestants.ts";
import type { Report } from "./report-schema.ts";
import { codeBlocks } from "./words-code.ts";
import { type Block, COMMENT_BUDGET, fitBlocks, moreItem, moreRow } from "./words-fit.ts";
import { pullLink, runLink, type Web } from "./words-links.ts";
import type { MergeState } from "./words-merge.ts";
import { detailBlocks, resultLine, scoreBlocks } from "./words-score.ts";
import { stageLine } from "./words-stages.ts";
import { code, plural, short, tableHead } from "./words-text.ts";
import { findingBlocks, headline, touchesResults } from "./words-verdict.ts";

/** The one comment that the bot keeps on a pull request. Pure: the same report gives the same bytes. */

/** What the sticky comment begins with. Only together with our app id does it mean anything (F29). */
export const STICKY_MARKER = "<!-- assay:result";

/** What a sticky comment says about itself, for the bot: never a reason to trust anything. */
export interface StickyTag {
  readonly head: string;
  readonly kind: "waiting" | "verdict" | "none";
}

const marker = (tag: StickyTag): string => `${STICKY_MARKER} head=${tag.head} kind=${tag.kind} -->`;

/** Reads the hidden tag of a sticky comment, or null when it has none. */
export function parseStickyTag(body: string): StickyTag | null {
  const found = /^<!-- assay:result head=([0-9a-f]{40}) kind=(waiting|verdict|none) -->/.exec(body);
  if (found === null) return null;
  return { head: found[1] ?? "", kind: found[2] as StickyTag["kind"] };
}

export interface CommentContext {
  /** The pull request's head, from the API. */
  readonly head: string;
  /** How a merge that was asked for stands (`mergeWords`). */
  readonly merge: {
    readonly words: string;
    readonly merged: boolean;
    readonly phase?: MergeState["phase"];
  } | null;
  /** Login of the maintainer who accepted exactly this head. */
  readonly acceptedBy: string | null;
  /** This repository's address on the web (`repositoryUrlOf`); without it nothing is linked. */
  readonly repositoryUrl?: string | null;
  /** The workflow run that left the report. */
  readonly run?: number;
  /** The base commit whose board the ranks hold for; by default the report's own. */
  readonly ranksBase?: string;
  /** Other open pull requests whose reports name the same evidence. */
  readonly openDuplicates?: readonly OpenDuplicate[];
}

export interface OpenDuplicate {
  readonly pull: number;
  readonly model: string;
}

/** Shell-safe as it is; anything else is not printed into a command. */
const SAFE_ARGUMENT = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;

/** The command that gives the same answer on one's own machine. */
function reproduce(report: Report): Block {
  if (report.code !== undefined) return reproduceWith("npm run bench -- data check --base origin/main");
  const paths = [...report.results, ...report.findings].map(({ path }) => path ?? "");
  const path = paths.find((candidate) => candidate.startsWith("benchmarks/results/")) ?? "";
  const file = SAFE_ARGUMENT.test(path) && path.length <= 300 ? path : "<file>";
  return reproduceWith(`npm run bench:validate -- ${file}`);
}

const reproduceWith = (command: string): Block => ({
  kind: "text",
  text: [
    "**Reproduce** in a checkout of this pull request (same answer, no account needed):",
    "",
    "```sh",
    command,
    "```",
  ].join("\n"),
});

/** Other pull requests with the same evidence: whichever is merged first is the original of the others (F24). */
function openDuplicateBlocks(report: Report, { openDuplicates = [], ...context }: CommentContext): Block[] {
  if (openDuplicates.length === 0) return [];
  const web = webOf(report, context);
  const own = report.results.some(({ model }) => OWN_CONTESTANTS.includes(model));
  const say = own
    ? "**The same evidence is in other open pull requests**, as this contestant answers the same each time:"
    : "🔎 **The same evidence is in other open pull requests.** Look at them together: once one is merged, the others are copies of it.";
  return [
    {
      kind: "rows",
      open: `${say}\n`,
      rows: openDuplicates.map(
        ({ pull, model }) => `- ${pullLink(pull, web)}: model ${code(model, { max: 120 })}`,
      ),
      close: "",
      priority: 1,
      more: moreItem("pull request"),
    },
  ];
}

const webOf = (report: Report | null, { repositoryUrl }: Pick<CommentContext, "repositoryUrl">): Web => ({
  repositoryUrl: repositoryUrl ?? null,
  docs: report?.base_sha ?? null,
});

/** Pages are made of results and facts that could come on a board as they are. */
const hasPreview = ({ verdict, results, code }: Report): boolean =>
  (verdict === "valid" || verdict === "needs-review") &&
  (results.length > 0 || (code?.movement ?? null) !== null);

function provenance(report: Report, context: CommentContext): Block {
  const { run } = context;
  const parts = [
    ...(run === undefined
      ? []
      : [
          `Report: artifact \`assay-report\` of ${runLink(run, webOf(report, context))}`,
          ...(hasPreview(report) ? ["the pages that it would change: artifact `assay-preview`"] : []),
        ]),
    report.commit_sha === null ? "Judged" : `Judged commit ${short(report.commit_sha, 7)}`,
    ...(report.base_sha === null ? [] : [`base ${short(report.base_sha, 7)}`]),
    ...(report.merge_base_sha === null ? [] : [`merge base ${short(report.merge_base_sha, 7)}`]),
    `engine ${code(report.engine.version, { max: 40 })} ${short(report.engine.digest)}`,
    plural(report.changed_files, "changed file"),
  ];
  const suites = [...new Map(report.results.map(({ suite }) => [suite.digest, suite])).values()]
    .slice(0, 4)
    .map((suite) => `suite ${code(suite.id, { max: 60 })} ${short(suite.digest)}`);
  return { kind: "text", text: [...parts, ...suites].join(" · ") };
}

/** How many results are shown in full; more are one row each. */
const FULL_RESULTS = 4;

/** The sticky comment for a report. */
export function renderComment(report: Report, context: CommentContext): string {
  const { mark, title, move } = headline(report, context.acceptedBy !== null);
  const blocks: Block[] = [
    { kind: "text", text: `${marker({ head: context.head, kind: "verdict" })}\n## ${mark} ${title}` },
  ];
  const phase = context.merge?.phase ?? (context.merge?.merged === true ? "merged" : null);
  const accepted = context.acceptedBy !== null;
  blocks.push({ kind: "text", text: stageLine({ verdict: report.verdict, accepted, merge: phase }) });
  if (context.merge !== null) blocks.push({ kind: "text", text: context.merge.words });
  // While a merge runs it is nobody's move; its own words say how it stands.
  if (phase === null || phase === "refused") blocks.push({ kind: "text", text: move });
  if (context.acceptedBy !== null) {
    blocks.push({
      kind: "text",
      text: `Accepted for head ${short(context.head, 7)} by ${code(context.acceptedBy, { max: 60 })}.`,
    });
  }
  // Both numbers at a glance; then what must be mended; then what merely informs.
  const blocking = report.verdict !== "valid";
  const found = findingBlocks(report, webOf(report, context));
  const ranked = context.ranksBase === undefined ? report : { ...report, base_sha: context.ranksBase };
  const [first, ...others] = report.results.slice(0, FULL_RESULTS);
  const several = report.results.length > 1;
  const facts = report.code === undefined ? null : codeBlocks(report.code, report);
  if (facts !== null) blocks.push(...facts.summary);
  if (first !== undefined) blocks.push(...scoreBlocks(first, several));
  if (blocking) blocks.push(...found);
  blocks.push(...openDuplicateBlocks(report, context));
  if (first !== undefined) blocks.push(...detailBlocks(first, ranked));
  for (const result of others) blocks.push(...scoreBlocks(result, several), ...detailBlocks(result, ranked));
  const rest = report.results.slice(FULL_RESULTS);
  if (rest.length > 0) {
    blocks.push({
      kind: "rows",
      open: `### ${plural(rest.length, "further result")}\n\n${tableHead(["Model", "Suite", "Claimed", "Recomputed", "Rank"], "llrrl")}`,
      rows: rest.map(resultLine),
      close: "",
      priority: 2,
      more: moreRow(5, "result"),
    });
  }
  if (facts !== null) blocks.push(...facts.details);
  if (!blocking) blocks.push(...found);
  blocks.push(reproduce(report), provenance(report, context));
  return fitBlocks(blocks, COMMENT_BUDGET);
}

/** While the first verdict for a head is being computed. */
export function renderWaiting(head: string): string {
  return [
    `${marker({ head, kind: "waiting" })}\n## ⏳ Recomputing`,
    stageLine({ verdict: null, accepted: false, merge: null }),
    `Head ${short(head, 7)} touches results: every number in it is being recomputed from its evidence.`,
    "**Next: nobody.** The verdict replaces this comment within minutes.",
  ].join("\n\n");
}

export type RunFailure = "no-report" | "cancelled" | "unreadable" | "untrusted";

const FAILURES: Readonly<Record<RunFailure, string>> = {
  "no-report": "The run ended without a report.",
  cancelled: "The run was cancelled before it had a report.",
  unreadable: "The run's report could not be read.",
  untrusted: "The run's report does not belong to this head.",
};

/** Our own failure: never the submitter's. `run`: id of the workflow run; `repositoryUrl`: as in the context. */
export function renderFailure(
  head: string,
  failure: RunFailure,
  run: number,
  repositoryUrl: string | null = null,
): string {
  return [
    `${marker({ head, kind: "verdict" })}\n## ⚠️ Assay failed: this is not a verdict about the result`,
    stageLine({ verdict: "error", accepted: false, merge: null }),
    `${FAILURES[failure]} Head ${short(head, 7)}, workflow ${runLink(run, { repositoryUrl, docs: null })}.`,
    "**Next: a maintainer** of this repository looks into the run; the comment `/assay validate` tries again. Nothing to do for the submitter.",
  ].join("\n\n");
}

/** For a pull request that had results and, after a push, has none. */
export function renderNoResults(head: string): string {
  return [
    `${marker({ head, kind: "none" })}\n## ➖ No results any more`,
    `Head ${short(head, 7)} touches no results: there is nothing to recompute.`,
  ].join("\n\n");
}

export { repositoryUrlOf } from "./words-links.ts";
export { touchesResults };

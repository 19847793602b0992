import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import MarkdownIt from "markdown-it";
import { MAX_BODY } from "../../src/lib/bot/command.ts";
import { type Report, VERDICTS, type Verdict } from "../../src/lib/result-pr/report-schema.ts";
import {
  type CommentContext,
  type RunFailure,
  renderComment,
  renderFailure,
  renderNoResults,
  renderWaiting,
} from "../../src/lib/result-pr/words.ts";
import { renderCheck, renderFailedCheck, renderNothingToCheck } from "../../src/lib/result-pr/words-check.ts";
import { type MergeState, mergeWords } from "../../src/lib/result-pr/words-merge.ts";
import { type Reply, renderLoopIssue, renderReply } from "../../src/lib/result-pr/words-replies.ts";
import { codeReport, editedScore, manyMoves } from "../../test/lib/words/code-reports.ts";
import { jobReplies, jobVariants } from "../../test/lib/words/jobs.ts";
import {
  hostileSample,
  largeSample,
  member,
  report,
  result,
  SHA,
  tampered,
} from "../../test/lib/words/reports.ts";

/** Renders everything that the bot can say into HTML files to look at: `npm run preview:words [folder]`. */

interface Variant {
  readonly group: string;
  readonly name: string;
  readonly markdown: string;
}

const REPOSITORY_URL = "https://github.com/example/board";

const plainContext: CommentContext = {
  head: SHA.head,
  merge: null,
  acceptedBy: null,
  repositoryUrl: REPOSITORY_URL,
  run: 4711,
};

const review = report({
  verdict: "needs-review",
  findings: [
    {
      code: "pr-supersedes",
      severity: "warning",
      message: "This document replaces a committed result; a maintainer must agree.",
      path: result().path,
      hint: "A maintainer approves with /assay accept for this head.",
    },
  ],
  findings_total: 1,
});

const incomplete = report({
  verdict: "incomplete",
  results: [
    result({
      recomputed: null,
      previous: null,
      rank: { before: null, after: null, of: 4, neighbours: [], reason: "members are unverified" },
      members: [
        member("conf-fills"),
        member("bank-labour", { private: true, recomputed_status: "unverified", recomputed: null }),
      ],
    }),
  ],
});

const edited = report({
  verdict: "invalid",
  results: [],
  findings: [
    {
      code: "pr-result-edited",
      severity: "error",
      message: "A committed result is never edited or deleted.",
      path: result().path,
      hint: "Restore the file, and add a new document that supersedes it.",
    },
  ],
  findings_total: 1,
});

const copied = report({
  verdict: "needs-review",
  findings: [
    {
      code: "pr-duplicate-evidence",
      severity: "warning",
      message: `The same recipes are already committed for another model as ${result().path}.`,
      path: result().path,
      pointer: "/model/id",
      expected: "zenith/original",
      actual: "acme/quill",
      hint: "Explain in the pull request how two models came to the very same recipes; a maintainer decides.",
    },
  ],
  findings_total: 1,
  results: [result({ duplicates: [{ path: result().path, document: result().document }] })],
});

const openDuplicates: CommentContext = {
  ...plainContext,
  openDuplicates: [
    { pull: 41, model: "zenith/original" },
    { pull: 43, model: "acme/quill" },
  ],
};

const faulty = report({
  verdict: "needs-review",
  results: [
    result({
      members: (["model", "transport", "infrastructure"] as const).flatMap((fault) =>
        ["a", "b"].map((name) =>
          member(`conf-${fault}-${name}`, {
            claimed_status: fault === "infrastructure" ? "skipped" : "failed",
            recomputed_status: fault === "infrastructure" ? "skipped" : "failed",
            fault,
          }),
        ),
      ),
    }),
  ],
});

const states: readonly MergeState[] = [
  { phase: "queued", place: { position: 1, behind: null, first: null } },
  {
    phase: "queued",
    place: { position: 3, behind: 13, first: { pull: 12, since: "2026-12-01T03:14:00.000Z" } },
  },
  { phase: "building", base: SHA.base },
  { phase: "recomputing", base: SHA.base, commit: SHA.tree, tries: 1 },
  { phase: "moving-again", base: SHA.mergeBase, tries: 2 },
  { phase: "merged", commit: SHA.tree },
  { phase: "refused", refusal: { why: "head-moved", asked: SHA.head, now: SHA.base } },
  { phase: "refused", refusal: { why: "conflict" } },
  { phase: "refused", refusal: { why: "merge-tree-not-valid", verdict: "invalid" } },
  { phase: "refused", refusal: { why: "base-keeps-moving", tries: 5 } },
  { phase: "refused", refusal: { why: "closed" } },
  { phase: "refused", refusal: { why: "nothing-to-merge" } },
  { phase: "refused", refusal: { why: "not-valid", verdict: "invalid" } },
  { phase: "refused", refusal: { why: "no-report" } },
  { phase: "refused", refusal: { why: "not-allowed" } },
  { phase: "refused", refusal: { why: "not-built" } },
  { phase: "refused", refusal: { why: "merged-otherwise" } },
  { phase: "refused", refusal: { why: "draft" } },
  { phase: "refused", refusal: { why: "held" } },
  { phase: "refused", refusal: { why: "wrong-base", expected: "main" } },
];

const replies: readonly Reply[] = [
  { kind: "help" },
  { kind: "unknown", command: "frobnicate @everyone" },
  { kind: "edited" },
  { kind: "too-long", limit: MAX_BODY },
  { kind: "denied", command: "/assay merge", role: "read", needs: "write" },
  { kind: "denied", command: "/assay merge", role: null, needs: "write" },
  { kind: "head-moved", asked: SHA.head, now: SHA.base },
  { kind: "wrong-sha", asked: "abcdef1", now: SHA.head },
  { kind: "no-verdict", head: SHA.head },
  { kind: "validating", head: SHA.head },
  { kind: "accepted", head: SHA.head, again: false },
  { kind: "merge-queued", head: SHA.head, position: 1 },
  { kind: "merge-queued", head: SHA.head, position: 2 },
  { kind: "merged-older", head: SHA.head, commit: SHA.tree },
  { kind: "merge-refused", report: tampered(), accepted: false },
  { kind: "merge-failed", refusal: { why: "not-allowed" } },
  { kind: "not-open" },
  { kind: "wrong-base", base: "dev", expected: "main" },
  { kind: "draft" },
  { kind: "no-results" },
  { kind: "accept-not-needed", verdict: "valid" },
  { kind: "merge-already", head: SHA.head },
  { kind: "superseded", head: SHA.head, path: result().path, withdrawn: false },
  { kind: "superseded", head: SHA.head, path: result().path, withdrawn: true },
  { kind: "supersede-none" },
  { kind: "supersede-other", asked: "benchmarks/results/x.json", paths: [result().path] },
  { kind: "supersede-more", codes: ["sanity-all-equal"] },
  { kind: "held", again: false },
  { kind: "held", again: true },
  { kind: "released", again: false },
  { kind: "released", again: true },
  { kind: "failed", what: "GitHub did not answer." },
  ...jobReplies,
];

/** One report for each verdict. */
const BY_VERDICT: Readonly<Record<Verdict, Report>> = {
  valid: report(),
  invalid: tampered(),
  incomplete,
  "needs-review": review,
  error: report({
    verdict: "error",
    results: [],
    findings: [
      {
        code: "grader-part-missing",
        severity: "error",
        message: "Part 2 of 3 of the recomputation did not come to an end.",
        hint: "See the log of that job; /assay validate tries again.",
      },
    ],
    findings_total: 1,
  }),
};

const MODES: readonly Report["mode"][] = ["head", "merge", "local"];
const FAILURES: readonly RunFailure[] = ["no-report", "cancelled", "unreadable", "untrusted"];

const describeState = (state: MergeState): string =>
  `${state.phase}${state.phase === "refused" ? `: ${state.refusal.why}` : ""}`;

const mergeOf = (state: MergeState): CommentContext["merge"] => ({
  words: mergeWords(state),
  merged: state.phase === "merged",
  phase: state.phase,
});

/** A local report names no commits. */
const inMode = (given: Report, mode: Report["mode"]): Report =>
  mode === "local"
    ? {
        ...given,
        mode,
        pull_request: null,
        head_sha: null,
        base_sha: null,
        merge_base_sha: null,
        commit_sha: null,
        tree_sha: null,
      }
    : { ...given, mode };

/** Every verdict in every mode, without a merge and in every state of one. */
const byVerdict = (): Variant[] =>
  VERDICTS.flatMap((verdict) =>
    MODES.flatMap((mode) =>
      [null, ...states].map((state, index) => ({
        group: "Verdict",
        name: `${verdict}, mode ${mode}, merge ${state === null ? "not asked for" : describeState(state)} (${index})`,
        markdown: renderComment(inMode(BY_VERDICT[verdict], mode), {
          ...plainContext,
          acceptedBy: state !== null && verdict === "needs-review" ? "walt" : null,
          merge: state === null ? null : mergeOf(state),
        }),
      })),
    ),
  );

/** Facts of the code benchmark. */
const codeVariants = (): (readonly [name: string, report: Report])[] => [
  ["code benchmark: a run, a review and a defect", codeReport()],
  ["code benchmark: an old score edited", editedScore()],
  ["code benchmark: five hundred entries move", manyMoves()],
];

/** Everything the bot can say, with invented results. */
export function variants(): Variant[] {
  const comment = (name: string, markdown: string): Variant => ({ group: "Comment", name, markdown });
  return [
    comment("edits a committed result", renderComment(edited, plainContext)),
    comment("accepted", renderComment(review, { ...plainContext, acceptedBy: "walt" })),
    comment("copied", renderComment(copied, plainContext)),
    comment("the same evidence in other pull requests", renderComment(report(), openDuplicates)),
    comment("members that failed through nobody's fault", renderComment(faulty, plainContext)),
    comment(
      "without the repository's address",
      renderComment(review, { ...plainContext, repositoryUrl: null }),
    ),
    ...codeVariants().map(([name, given]) => comment(name, renderComment(given, plainContext))),
    ...FAILURES.map((failure) =>
      comment(`our own failure: ${failure}`, renderFailure(SHA.head, failure, 4711, REPOSITORY_URL)),
    ),
    comment("waiting", renderWaiting(SHA.head)),
    comment("no results any more", renderNoResults(SHA.head)),
    comment("hostile strings", renderComment(hostileSample(), plainContext)),
    comment("as large as it gets", renderComment(largeSample(), plainContext)),
    ...byVerdict(),
    ...jobVariants(REPOSITORY_URL).map(([name, markdown]) => ({ group: "Jobs", name, markdown })),
    ...replies.map((reply) => ({ group: "Reply", name: reply.kind, markdown: renderReply(99, [reply]) })),
    { group: "Issue", name: "answers too often", markdown: renderLoopIssue(7, 5).body },
    ...[
      ...VERDICTS.map(
        (verdict) => [verdict, renderCheck(BY_VERDICT[verdict], false, REPOSITORY_URL)] as const,
      ),
      ["accepted", renderCheck(review, true, REPOSITORY_URL)] as const,
      ...codeVariants().map(([name, given]) => [name, renderCheck(given, false, REPOSITORY_URL)] as const),
      ["no results", renderNothingToCheck()] as const,
      ["no report", renderFailedCheck("The run left no report that can be used.", 4711)] as const,
    ].map(([name, check]) => ({
      group: "Check run",
      name: `${name}: ${check.conclusion}, “${check.title}”, ${check.annotations.length} annotations`,
      markdown: check.summary,
    })),
  ];
}

const STYLE = `
:root { --fg: #1f2328; --bg: #fff; --line: #d1d9e0; --soft: #818b981f; }
.dark { --fg: #f0f6fc; --bg: #0d1117; --line: #3d444d; --soft: #656c7633; }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg); }
main { box-sizing: border-box; padding: 16px; overflow-wrap: break-word; }
h2 { padding-bottom: .3em; border-bottom: 1px solid var(--line); }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; margin: 0 0 16px; }
th, td { padding: 6px 13px; border: 1px solid var(--line); }
code { padding: .2em .4em; background: var(--soft); border-radius: 6px; font: 85% ui-monospace, monospace; white-space: break-spaces; }
pre { padding: 16px; overflow: auto; background: var(--soft); border-radius: 6px; }
a { color: #0969da; } .dark a { color: #4493f8; }
pre code { padding: 0; background: none; white-space: pre; }
`;

const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** One variant as a page of its own; nothing is loaded from elsewhere. */
export function page({ group, name, markdown }: Variant, theme: "light" | "dark"): string {
  const body = new MarkdownIt({ html: true, linkify: true }).render(markdown);
  return `<!doctype html><html lang="en" class="${theme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(`${group}: ${name}`)}</title><style>${STYLE}</style><main>${body}</main></html>\n`;
}

/** An overview that shows every page at the width of GitHub's column and of a phone, light and dark. */
function overview(files: readonly { readonly variant: Variant; readonly file: string }[]): string {
  const sections = files.map(
    ({ variant, file }) => `<section><h3>${escapeHtml(`${variant.group}: ${variant.name}`)}</h3>
<p>${variant.markdown.length} UTF-16 units · <a href="${file}-light.html">light</a> · <a href="${file}-dark.html">dark</a></p>
<iframe src="${file}-light.html" width="760" height="520" loading="lazy"></iframe>
<iframe src="${file}-dark.html" width="360" height="520" loading="lazy"></iframe></section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>What the bot says</title>
<style>body { font: 14px/1.5 system-ui, sans-serif; margin: 16px; } iframe { border: 1px solid #8888; }</style>
<h1>What the bot says</h1>\n${sections.join("\n")}</html>\n`;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60);

/** Writes the pages and returns the overview's path. */
export async function writePreview(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const files = variants().map((variant, index) => ({
    variant,
    file: `${String(index + 1).padStart(2, "0")}-${slug(`${variant.group} ${variant.name}`)}`,
  }));
  for (const { variant, file } of files) {
    for (const theme of ["light", "dark"] as const) {
      await writeFile(join(folder, `${file}-${theme}.html`), page(variant, theme));
    }
    await writeFile(join(folder, `${file}.md`), variant.markdown);
  }
  const index = join(folder, "index.html");
  await writeFile(index, overview(files));
  return index;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder = "rehearsal/.out/words", ...rest] = process.argv.slice(2);
  if (folder.startsWith("-") || rest.length > 0) {
    console.error(
      "npm run preview:words [-- <folder>]: takes one folder (default: rehearsal/.out/words) and no options.",
    );
    process.exitCode = folder === "--help" ? 0 : 2;
  } else console.log(`Everything the bot can say: ${await writePreview(resolve(folder))}`);
}

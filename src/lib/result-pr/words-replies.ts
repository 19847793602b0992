import type { JobKind } from "../job/order-schema.ts";
import type { Report } from "./report-schema.ts";
import { type JobName, jobTable, jobWords, type ShownJob } from "./words-jobs.ts";
import { type MergeRefusal, refusalWords } from "./words-merge.ts";
import { claimsDiffer, score, scoreTable } from "./words-score.ts";
import { code, short } from "./words-text.ts";
import { headline } from "./words-verdict.ts";

/**
 * Answers to commands. Every answer says what was done, or why nothing was. No line begins with a command, so that
 * quoting an answer can never run one (F38). Pure.
 */

/** Hidden tag of the answer to one comment: what the bot looks for before answering again. */
export const replyMarker = (commentId: number): string => `<!-- assay:reply comment=${commentId} -->`;

export type Reply =
  | { readonly kind: "help" }
  | { readonly kind: "unknown"; readonly command: string }
  | { readonly kind: "edited" }
  | { readonly kind: "too-long"; readonly limit: number }
  | {
      readonly kind: "denied";
      readonly command: string;
      readonly role: string | null;
      readonly needs: string;
    }
  | { readonly kind: "head-moved"; readonly asked: string; readonly now: string }
  | { readonly kind: "wrong-sha"; readonly asked: string; readonly now: string }
  | { readonly kind: "not-open" }
  | { readonly kind: "wrong-base"; readonly base: string; readonly expected: string }
  | { readonly kind: "draft" }
  | { readonly kind: "no-results" }
  | { readonly kind: "no-verdict"; readonly head: string }
  | { readonly kind: "validating"; readonly head: string }
  | { readonly kind: "accepted"; readonly head: string; readonly again: boolean }
  | { readonly kind: "accept-not-needed"; readonly verdict: string }
  | { readonly kind: "superseded"; readonly head: string; readonly path: string; readonly withdrawn: boolean }
  | { readonly kind: "supersede-none" }
  | { readonly kind: "supersede-other"; readonly asked: string; readonly paths: readonly string[] }
  | { readonly kind: "supersede-more"; readonly codes: readonly string[] }
  | { readonly kind: "held"; readonly again: boolean }
  | { readonly kind: "released"; readonly again: boolean }
  | { readonly kind: "merge-queued"; readonly head: string; readonly position: number }
  | { readonly kind: "merged-older"; readonly head: string; readonly commit: string }
  | { readonly kind: "merge-already"; readonly head: string }
  | { readonly kind: "merge-refused"; readonly report: Report; readonly accepted: boolean }
  | { readonly kind: "merge-failed"; readonly refusal: MergeRefusal }
  | { readonly kind: "ask-taken"; readonly job: JobName; readonly head: string }
  | { readonly kind: "ask-again"; readonly job: JobName; readonly head: string }
  | {
      readonly kind: "ask-which";
      readonly job: JobKind;
      readonly asked: string | null;
      readonly could: readonly string[];
    }
  | {
      readonly kind: "ask-host";
      readonly job: JobKind;
      readonly task: string;
      readonly host: string | null;
      readonly known: readonly string[];
    }
  | { readonly kind: "ask-nothing"; readonly live: readonly JobName[] }
  | { readonly kind: "ask-cancel"; readonly live: readonly JobName[] }
  | { readonly kind: "ask-stopped"; readonly jobs: readonly JobName[] }
  | { readonly kind: "ask-status"; readonly head: string; readonly jobs: readonly ShownJob[] }
  | { readonly kind: "failed"; readonly what: string };

const HELP = [
  "Commands, each alone on a line of a new comment:",
  "",
  "| Command | Does | Who |",
  "| :-- | :-- | :-- |",
  "| `/assay help` | shows this | anyone |",
  "| `/assay validate` | recomputes this head again | triage and above |",
  "| `/assay accept` | accepts declared evidence, and what needs review, for exactly this head | write and above |",
  "| `/assay supersede <digest or path>` | accepts, for exactly this head, that it replaces or withdraws the committed result that you name | write and above |",
  "| `/assay merge` | recomputes exactly the tree that would be merged, then merges it | write and above |",
  "| `/assay hold` | stops every merge of this pull request, whatever is pushed | write and above |",
  "| `/assay release` | ends a hold | write and above |",
  "| `/assay perf [<run>/<entry>] [host]` | hidden suite and timings of an entry, on a guarded host | write and above |",
  "| `/assay run [<run>/<entry>] [host]` | has a contestant write its deliverable anew; what it brings becomes a pull request | write and above |",
  "| `/assay verify [<task>/]<defect> [host]` | runs a defect's probe on the entries that are said to have it, and on a control | write and above |",
  "| `/assay cancel [perf, run or verify] [target]` | stops a job that is not over | write and above |",
  "| `/assay status` | says how the jobs stand: nothing that is not here for all to read | anyone |",
  "",
  "Jobs run code of strangers on machines of ours: asking for one is approving exactly this head. A push voids it. What stands in brackets may be left out where only one thing can be meant.",
  "",
  "The label `assay:auto-merge`, put on by somebody who may merge, merges the head that it was put on for as soon as that is valid.",
  "",
  "A command may name the head it means, as in `/assay merge 1a2b3c4`. It always counts for one head: after a push, ask again.",
].join("\n");

/** Claimed and recomputed numbers of every result whose claim does not hold. */
function numbers(report: Report): string {
  const off = report.results.filter(claimsDiffer).slice(0, 3);
  return off
    .map((result) => {
      const recomputed = result.recomputed === null ? "–" : score(result.recomputed.composite);
      return `Model ${code(result.model)}: composite claimed ${score(result.claimed.composite)}, recomputed **${recomputed}**\n\n${scoreTable(result)}`;
    })
    .join("\n\n");
}

function firstFinding(report: Report): string {
  const first = report.findings.find((finding) => finding.severity === "error") ?? report.findings[0];
  if (first === undefined) return "";
  const rest = report.findings_total - 1;
  return `Finding ${code(first.code, { max: 80 })}: ${code(first.message, { max: 300 })}${rest > 0 ? ` (and ${rest} more)` : ""}`;
}

function refusedMerge(report: Report, accepted: boolean): string {
  const { title, move } = headline(report, accepted);
  return [
    `🚫 Not merged: the verdict for head ${short(report.head_sha ?? "", 7)} is ${code(report.verdict)}.`,
    `**${title}**`,
    firstFinding(report),
    numbers(report),
    move,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** So many of the things that could be meant are named. */
const NAMED = 20;

const listed = (words: readonly string[]): string =>
  words.length <= NAMED
    ? words.join(", ")
    : `${words.slice(0, NAMED).join(", ")} and ${words.length - NAMED} more`;

function whichJob(job: JobKind, asked: string | null, could: readonly string[]): string {
  const what = job === "verify" ? "a defect that can be shown by running something" : "an entry of a run";
  const options = listed(could.map((target) => code(target, { max: 200 })));
  if (asked !== null && could.length === 0)
    return `Nothing was done: on this head ${code(asked, { max: 200 })} is not ${what}.`;
  if (could.length === 0)
    return `Nothing was done: this pull request brings no ${what.slice(what.indexOf(" ") + 1)}.`;
  return asked === null
    ? `Nothing was done: this could mean ${options}. Name one, as in ${code(`/assay ${job} ${could[0]}`, { max: 250 })}.`
    : `Nothing was done: on this head ${code(asked, { max: 200 })} is not ${what}. There ${could.length === 1 ? "is" : "are"} ${options}.`;
}

function whichHost({ host, known, task }: Extract<Reply, { kind: "ask-host" }>): string {
  const there =
    known.length === 0
      ? "`data/hosts.json` of the default branch lists none"
      : `\`data/hosts.json\` of the default branch lists ${listed(known.map((id) => code(id)))}`;
  return host === null
    ? `Nothing was done: the default branch has no task ${code(task)}, which would say on which host it is measured; ${there}.`
    : `Nothing was done: there is no host ${code(host)}; ${there}.`;
}

function words(reply: Reply): string {
  switch (reply.kind) {
    case "help":
      return HELP;
    case "unknown":
      return `There is no command ${code(reply.command, { max: 60 })}; nothing was done.\n\n${HELP}`;
    case "edited":
      return "Commands count only in new comments, never in edited ones; nothing was done. Write it again as a new comment.";
    case "too-long":
      return `Nothing was done: commands are read only in comments of at most ${reply.limit} characters. Write it as a comment of its own.`;
    case "denied":
      return reply.role === null
        ? `Nothing was done: your permission here could not be determined, and ${code(reply.command)} needs ${reply.needs}.`
        : `Nothing was done: ${code(reply.command)} needs the role ${reply.needs} or above on this repository; yours is ${code(reply.role, { max: 60 })}.`;
    case "head-moved":
      return `Nothing was done: the head moved from ${short(reply.asked, 7)} to ${short(reply.now, 7)} after the command. Look at the new head and ask again.`;
    case "wrong-sha":
      return `Nothing was done: the command names ${code(reply.asked, { max: 40 })}, but the head is ${short(reply.now, 7)}.`;
    case "not-open":
      return "Nothing was done: the pull request is not open.";
    case "wrong-base":
      return `Nothing was done: the pull request goes to ${code(reply.base, { max: 100 })}; results go to ${code(reply.expected, { max: 100 })}.`;
    case "draft":
      return "Nothing was done: the pull request is a draft. Mark it as ready and ask again.";
    case "no-results":
      return "Nothing was done: this pull request touches no results, so there is nothing to recompute. Merge it in the usual way.";
    case "no-verdict":
      return `Nothing was done: there is no verdict for head ${short(reply.head, 7)} yet. Ask again when it is there, or \`/assay validate\` if it should be.`;
    case "validating":
      return `🔬 Recomputing head ${short(reply.head, 7)} again; the verdict above will be brought up to date.`;
    case "accepted":
      return reply.again
        ? `Already accepted for head ${short(reply.head, 7)}; nothing changed.`
        : `✅ Accepted for exactly head ${short(reply.head, 7)}. A push voids it.`;
    case "accept-not-needed":
      return `Nothing was done: the verdict is ${code(reply.verdict, { max: 40 })}, which an acceptance does not change.`;
    case "superseded":
      return `✅ Accepted for exactly head ${short(reply.head, 7)}: it ${reply.withdrawn ? "takes off the board" : "replaces"} ${code(reply.path, { max: 300 })}. A push voids it.`;
    case "supersede-none":
      return "Nothing was done: this head neither replaces nor withdraws a committed result.";
    case "supersede-other":
      return `Nothing was done: the command names ${code(reply.asked, { max: 300 })}, but this head replaces or withdraws ${reply.paths.map((path) => code(path, { max: 300 })).join(", ")}. More than one at once, or a mixture, is accepted as a whole by \`/assay accept\`.`;
    case "supersede-more":
      return `Nothing was done: this head also needs review for ${reply.codes.map((name) => code(name, { max: 80 })).join(", ")}. Look at the findings above; \`/assay accept\` accepts all of them, the replacement as well.`;
    case "held":
      return reply.again
        ? "Already on hold; nothing changed."
        : "⛔ On hold: nothing merges this pull request, whatever is pushed, until `/assay release`.";
    case "released":
      return reply.again
        ? "Nothing was done: the pull request is not on hold."
        : "▶️ Released. A merge that the hold ended has to be asked for again.";
    case "merge-queued":
      return reply.position <= 1
        ? `🔬 Merging head ${short(reply.head, 7)}: the merge commit is built and recomputed first. The comment above shows how it stands.`
        : `⏳ Merge of head ${short(reply.head, 7)} queued at position ${reply.position}. The comment above shows how it stands.`;
    case "merged-older":
      return `🟣 Merged head ${short(reply.head, 7)} as ${short(reply.commit, 7)}: exactly this tree was recomputed. What was pushed after it is not in the base.`;
    case "merge-already":
      return `The merge of head ${short(reply.head, 7)} is already under way; nothing changed.`;
    case "merge-refused":
      return refusedMerge(reply.report, reply.accepted);
    case "merge-failed":
      return `🚫 Not merged: ${refusalWords(reply.refusal)}`;
    case "ask-taken":
      return `🧪 Asked for ${jobWords(reply.job)}, for exactly head ${short(reply.head, 7)}: a push voids it. The comment about jobs shows how it stands.`;
    case "ask-again":
      return `Nothing was done: ${jobWords(reply.job)} is under way for head ${short(reply.head, 7)} already. \`/assay cancel\` stops it.`;
    case "ask-which":
      return whichJob(reply.job, reply.asked, reply.could);
    case "ask-host":
      return whichHost(reply);
    case "ask-nothing":
      return reply.live.length === 0
        ? "Nothing was done: no job of this head is under way."
        : `Nothing was done: no such job is under way. There ${reply.live.length === 1 ? "is" : "are"} ${listed(reply.live.map(jobWords))}.`;
    case "ask-cancel":
      return `Nothing was done: several jobs are under way, ${listed(reply.live.map(jobWords))}. Name the one that you mean, as in \`/assay cancel perf <run>/<entry>\`.`;
    case "ask-stopped":
      return `⏹️ Cancelled: ${listed(reply.jobs.map(jobWords))}. Nothing of it counts.`;
    case "ask-status":
      return reply.jobs.length === 0
        ? `No job was asked for on head ${short(reply.head, 7)}.`
        : `Jobs of head ${short(reply.head, 7)}:\n\n${jobTable(reply.jobs)}`;
    case "failed":
      return `Nothing was done: ${reply.what} That is a fault of ours; ask again.`;
  }
}

/** Kinds of answers after which what was asked for is done, or is on its way. */
const DONE: ReadonlySet<Reply["kind"]> = new Set<Reply["kind"]>([
  "help",
  "validating",
  "accepted",
  "superseded",
  "merge-queued",
  "merge-already",
  "held",
  "released",
  "ask-taken",
  "ask-again",
  "ask-stopped",
  "ask-status",
]);
const MISUNDERSTOOD: ReadonlySet<Reply["kind"]> = new Set<Reply["kind"]>([
  "unknown",
  "ask-which",
  "ask-host",
  "ask-cancel",
  "edited",
  "too-long",
]);

/** The reaction at the end: the worst of what the answers say. */
export function reactionOf(replies: readonly Reply[]): "+1" | "-1" | "confused" {
  if (replies.every(({ kind }) => DONE.has(kind))) return "+1";
  return replies.some(({ kind }) => !DONE.has(kind) && !MISUNDERSTOOD.has(kind)) ? "-1" : "confused";
}

/** The answer to the commands of one comment, with its hidden tag. */
export const renderReply = (commentId: number, replies: readonly Reply[]): string =>
  [replyMarker(commentId), ...replies.map(words)].join("\n\n");

/** The issue that is opened when the bot stops answering on a pull request because it talked too much there (F38). */
export const renderLoopIssue = (pull: number, limit: number): { title: string; body: string } => ({
  title: `Assay stopped answering on pull request ${pull}`,
  body: [
    `<!-- assay:loop pull=${pull} -->`,
    `More than ${limit} answers within an hour on pull request ${pull}: commands there are left alone until the hour is over, because this is how loops between bots look. Somebody with a role in this repository is still heard, up to as many answers of their own. Verdicts go on as usual.`,
  ].join("\n\n"),
});

/** The issue that is opened when the base's derived documents cannot be computed (F19). */
export const renderFeedIssue = (commit: string): { title: string; body: string } => ({
  title: "Assay cannot publish the base: its feed run failed",
  body: [
    "<!-- assay:feed -->",
    `The feed run for base commit ${short(commit, 7)} failed, so the published documents are those of an older tree. Look at the run of \`feed.yml\`, mend what it names, and start it by hand; published is then brought up to date by itself. Close this issue when it is.`,
  ].join("\n\n"),
});

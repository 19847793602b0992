import { clean, code, short } from "./words-text.ts";

/** How a merge stands, in words and as what the bot's check run keeps. Pure. */

/** Why a merge that was asked for did not happen. */
export type MergeRefusal =
  | { readonly why: "head-moved"; readonly asked: string; readonly now: string }
  | { readonly why: "closed" }
  | { readonly why: "merged-otherwise" }
  | { readonly why: "draft" }
  | { readonly why: "held" }
  | { readonly why: "wrong-base"; readonly expected: string }
  | { readonly why: "conflict" }
  | { readonly why: "nothing-to-merge" }
  | { readonly why: "not-valid"; readonly verdict: string }
  | { readonly why: "merge-tree-not-valid"; readonly verdict: string }
  | { readonly why: "no-report" }
  | { readonly why: "not-built" }
  | { readonly why: "not-allowed" }
  | { readonly why: "base-keeps-moving"; readonly tries: number };

/** Where a merge waits. */
export interface QueuePlace {
  /** 1 is whoever is being merged, or is next. */
  readonly position: number;
  /** The pull request directly before it; null for the first. */
  readonly behind: number | null;
  /** The one that is being merged, and since when (ISO 8601 UTC; null while its commit is being built). */
  readonly first: { readonly pull: number; readonly since: string | null } | null;
}

export type MergeState =
  | { readonly phase: "queued"; readonly place: QueuePlace }
  | { readonly phase: "building"; readonly base: string }
  | { readonly phase: "recomputing"; readonly base: string; readonly commit: string; readonly tries: number }
  | { readonly phase: "moving-again"; readonly base: string; readonly tries: number }
  | { readonly phase: "merged"; readonly commit: string }
  | { readonly phase: "refused"; readonly refusal: MergeRefusal };

/** Why a merge was refused, and what to do. Markdown in one paragraph. */
export function refusalWords(refusal: MergeRefusal): string {
  switch (refusal.why) {
    case "head-moved":
      return `the head moved from ${short(refusal.asked, 7)} to ${short(refusal.now, 7)} after the command. Look at the new verdict and ask again.`;
    case "closed":
      return "the pull request is not open any more.";
    case "merged-otherwise":
      return "somebody merged the pull request in another way, before the merge commit was recomputed. What the base holds now was not judged as a whole: a maintainer looks at it.";
    case "draft":
      return "the pull request became a draft. Mark it as ready and ask again.";
    case "held":
      return "the pull request is on hold. A maintainer ends that with the comment `/assay release`; then ask again.";
    case "wrong-base":
      return `the pull request does not go to ${code(refusal.expected, { max: 100 })} any more.`;
    case "conflict":
      return "the head does not merge cleanly into the base. The submitter resolves the conflict and pushes.";
    case "nothing-to-merge":
      return "the base already holds this head.";
    case "not-valid":
      return `the verdict for this head is ${code(refusal.verdict)}; only a valid result is merged.`;
    case "merge-tree-not-valid":
      return `recomputing exactly the tree that would be merged gave ${code(refusal.verdict)}. The base changed what this result means; the submitter updates the branch and pushes.`;
    case "no-report":
      return "the recomputation of the merge commit ended without a report. That is a fault of ours; ask again.";
    case "not-built":
      return "GitHub did not build the merge commit: a rule of the repository forbids the branch `assay/merge` to this app, or the head is not to be had any more. A maintainer of the repository looks into its rules.";
    case "not-allowed":
      return "GitHub did not let the base branch move: a rule of the repository forbids it to this app. A maintainer of the repository looks into its rules.";
    case "base-keeps-moving":
      return `the base moved ${refusal.tries} times during recomputation. Ask again when it is quieter.`;
  }
}

/** `1st`, `2nd`, `23rd`. */
function ordinal(count: number): string {
  const teen = count % 100 >= 11 && count % 100 <= 13;
  const ending = teen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${ending}`;
}

/** `2026-12-01 03:14 UTC` */
const minute = (instant: string): string => `${instant.slice(0, 16).replace("T", " ")} UTC`;

function queueWords({ position, behind, first }: QueuePlace): string {
  if (position <= 1 || behind === null) return "asked for, next in the queue.";
  const place = `${ordinal(position)} in the queue, behind ${code(`#${behind}`)}`;
  if (first === null) return `${place}.`;
  const doing =
    first.since === null
      ? "whose merge commit is being built"
      : `being recomputed since ${minute(first.since)}`;
  return first.pull === behind
    ? `${place}, ${doing}.`
    : `${place}; first is ${code(`#${first.pull}`)}, ${doing}.`;
}

/** One line for the comment. */
export function mergeWords(state: MergeState): string {
  switch (state.phase) {
    case "queued":
      return `⏳ **Merge:** ${queueWords(state.place)}`;
    case "building":
      return `🔧 **Merge:** building the merge commit of this head and base ${short(state.base, 7)}.`;
    case "recomputing":
      return `🔬 **Merge:** recomputing merge commit ${short(state.commit, 7)} (base ${short(state.base, 7)}${state.tries > 1 ? `, try ${state.tries}` : ""}). The base moves to exactly this commit if it holds.`;
    case "moving-again":
      return `🔁 **Merge:** the base moved meanwhile; building again on ${short(state.base, 7)} (try ${state.tries}).`;
    case "merged":
      return `🟣 **Merged** as ${short(state.commit, 7)}: exactly this tree was recomputed.`;
    case "refused":
      return `🚫 **Not merged:** ${refusalWords(state.refusal)}`;
  }
}

/** Title of the check run `assay/merge`: plain text. */
export function mergeTitle(state: MergeState): string {
  switch (state.phase) {
    case "queued":
      return state.place.position <= 1
        ? "Next in the merge queue"
        : `${ordinal(state.place.position)} in the merge queue`;
    case "building":
      return "Building the merge commit";
    case "recomputing":
      return "Recomputing the merge commit";
    case "moving-again":
      return "The base moved: building again";
    case "merged":
      return `Merged as ${clean(state.commit.slice(0, 7))}`;
    case "refused":
      return "Not merged";
  }
}

/** The line that says that nothing may be merged. */
export const HOLD_WORDS =
  "⛔ **On hold:** a maintainer stopped every merge of this pull request, whatever is pushed, until the comment `/assay release`.";

/** Title of the check run `assay/result` of a pull request on hold: plain text. */
export const HOLD_TITLE = "On hold: a maintainer stopped every merge of this pull request";

/** Why the label that asks for a merge does not count. */
export type IgnoredLabel = "role" | "older-head";

/** One line for the comment. */
export function ignoredLabelWords(why: IgnoredLabel): string {
  const reason =
    why === "role"
      ? "it was put on by somebody without the role write. Somebody with that role takes it off and puts it on again"
      : "it was put on before this head was pushed. Look at this head, take the label off and put it on again";
  return `🏷️ **Auto-merge:** the label does not count: ${reason}, or asks with a command.`;
}

/** The check run `assay/result` of a merge group that is judged anew. */
export const GROUP_WAITS = {
  title: "Recomputing the merge group",
  summary:
    "This merge group changes the workflow that judges it, so its own run counts for nothing: a run of the base branch's workflow judges exactly this commit.",
} as const;

import type { Report, Verdict } from "../result-pr/report-schema.ts";
import type { MergeRefusal, QueuePlace } from "../result-pr/words-merge.ts";
import { decideMergeReport, type LockFacts, type PullFacts } from "./trust.ts";

/**
 * The merge protocol as a decision: facts in, the next single step out (field lessons F10, F13). All of the state is
 * GitHub's: the ref `assay/merge` is the lock, its commit's trailers say for whom, the check run `assay/merge` on the
 * head is the request. So whatever step a crash falls between, the next look at the facts continues. Pure.
 */

export const LOCK_BRANCH = "assay/merge";
/** Rebuilding after the base moved is tried this often before asking people. */
export const MAX_TRIES = 5;
/** A dispatched run that has not shown up after this long is dispatched again. Seconds. */
export const DISPATCH_PATIENCE_S = 180;

/** What the check run `assay/merge` remembers in its external id. */
export interface MergeMemo {
  readonly pull: number;
  readonly head: string;
  /** Numeric id of who asked. */
  readonly by: number;
  /** The comment that asked; 0 when it was the label. */
  readonly comment: number;
  /** When that was, seconds since 1970: the order of the queue. */
  readonly asked: number;
  readonly tries: number;
  /** The merge commit that a recomputation was dispatched for. */
  readonly dispatched: string | null;
  /** Newest dispatched run before that: only newer ones can be it. */
  readonly after: number;
  /** When it was dispatched, seconds since 1970. */
  readonly at: number;
}

const MEMO =
  /^merge pull=(\d+) head=([0-9a-f]{40}) by=(\d+) comment=(\d+) asked=(\d+) tries=(\d+)(?: sent=([0-9a-f]{40}) after=(\d+) at=(\d+))?$/;

export const formatMemo = (memo: MergeMemo): string =>
  `merge pull=${memo.pull} head=${memo.head} by=${memo.by} comment=${memo.comment} asked=${memo.asked} tries=${memo.tries}${
    memo.dispatched === null ? "" : ` sent=${memo.dispatched} after=${memo.after} at=${memo.at}`
  }`;

/** Null when the text is none of ours. */
export function parseMemo(text: string | null | undefined): MergeMemo | null {
  const found = MEMO.exec(text ?? "");
  if (found === null) return null;
  const [, pull, head, by, comment, asked, tries, sent, after, at] = found;
  return {
    pull: Number(pull),
    head: head ?? "",
    by: Number(by),
    comment: Number(comment),
    asked: Number(asked),
    tries: Number(tries),
    dispatched: sent ?? null,
    after: Number(after ?? 0),
    at: Number(at ?? 0),
  };
}

/** Message of the merge commit; its trailers are how the lock says whom it serves. */
export const mergeMessage = (pull: number, head: string): string =>
  `Merge pull request ${pull} at ${head.slice(0, 12)}\n\nThe base moves to this commit only after exactly this tree was recomputed.\n\nAssay-Pull-Request: ${pull}\nAssay-Head: ${head}\n`;

/** The trailers of a merge commit of ours. */
export function parseTrailers(message: string): { pullRequest: number | null; head: string | null } {
  const pull = /^Assay-Pull-Request: (\d{1,9})$/m.exec(message)?.[1];
  const head = /^Assay-Head: ([0-9a-f]{40})$/m.exec(message)?.[1];
  return { pullRequest: pull === undefined ? null : Number(pull), head: head ?? null };
}

/** A merge that somebody allowed asked for and that is not over. */
export interface MergeRequest {
  readonly checkId: number;
  readonly memo: MergeMemo;
}

/** What is known about a request's pull request and head. */
export interface RequestFacts {
  readonly request: MergeRequest;
  readonly pull: PullFacts;
  /** Verdict of the trusted report on exactly this head; null while there is none. */
  readonly verdict: Verdict | null;
  /** A maintainer accepted exactly this head. */
  readonly accepted: boolean;
  /** A maintainer stopped every merge of this pull request. */
  readonly held: boolean;
}

/** Requests in the order in which they were made. */
export const byTurn = (a: RequestFacts, b: RequestFacts): number =>
  a.request.memo.asked - b.request.memo.asked ||
  a.request.memo.comment - b.request.memo.comment ||
  a.pull.number - b.pull.number;

/** The dispatched recomputation of the lock's merge commit. */
export type MergeRun =
  | { readonly state: "none" }
  | { readonly state: "running" }
  | { readonly state: "failed" }
  | {
      readonly state: "report";
      readonly report: Report;
      /** Findings that the accepted head did not have. */
      readonly unseenFindings: boolean;
    };

export interface MergeFacts {
  readonly defaultBranch: string;
  readonly mainSha: string;
  readonly lock: LockFacts | null;
  /** The base holds the lock's merge commit, perhaps under later ones. */
  readonly landed: boolean;
  /** The request that the lock's trailers name, unless it is over. */
  readonly holder: RequestFacts | null;
  /** Requests in the order they were made, without the holder. */
  readonly queue: readonly RequestFacts[];
  readonly run: MergeRun;
  /** Seconds since 1970. */
  readonly now: number;
}

export type MergeStep =
  | { readonly do: "idle" }
  | { readonly do: "wait"; readonly request: MergeRequest }
  | { readonly do: "take-lock"; readonly request: MergeRequest; readonly base: string }
  | { readonly do: "build"; readonly request: MergeRequest; readonly base: string }
  | {
      readonly do: "dispatch";
      readonly request: MergeRequest;
      readonly lock: LockFacts;
      readonly pull: PullFacts;
    }
  | { readonly do: "move-main"; readonly request: MergeRequest; readonly lock: LockFacts }
  | { readonly do: "rebuild"; readonly request: MergeRequest; readonly base: string }
  | { readonly do: "finish"; readonly request: MergeRequest; readonly commit: string }
  | { readonly do: "refuse"; readonly request: MergeRequest; readonly refusal: MergeRefusal }
  | { readonly do: "release" };

/** Whether a verdict for a head lets it be merged. */
export const mergeable = (verdict: Verdict | null, accepted: boolean): boolean =>
  verdict === "valid" || (verdict === "needs-review" && accepted);

/** Why a request cannot go on, or null. */
export function refusalOf(
  { request, pull, verdict, accepted, held }: RequestFacts,
  defaultBranch: string,
): MergeRefusal | null {
  if (pull.merged) return { why: "merged-otherwise" };
  if (!pull.open) return { why: "closed" };
  if (pull.draft) return { why: "draft" };
  if (pull.baseRef !== defaultBranch) return { why: "wrong-base", expected: defaultBranch };
  if (pull.headSha !== request.memo.head) {
    return { why: "head-moved", asked: request.memo.head, now: pull.headSha };
  }
  if (held) return { why: "held" };
  if (!mergeable(verdict, accepted)) return { why: "not-valid", verdict: verdict ?? "none" };
  return null;
}

function judge(facts: MergeFacts, holder: RequestFacts, lock: LockFacts): MergeStep {
  const { request, pull } = holder;
  const { memo } = request;
  // The base holds the merge commit: done, whatever happened in between.
  if (facts.landed) return { do: "finish", request, commit: lock.sha };
  const refusal = refusalOf(holder, facts.defaultBranch);
  if (refusal !== null) return { do: "refuse", request, refusal };
  if (lock.parents[0] !== facts.mainSha) {
    return memo.tries >= MAX_TRIES
      ? { do: "refuse", request, refusal: { why: "base-keeps-moving", tries: memo.tries } }
      : { do: "rebuild", request, base: facts.mainSha };
  }
  const sent = memo.dispatched === lock.sha;
  if (!sent) return { do: "dispatch", request, lock, pull };
  switch (facts.run.state) {
    case "none":
      return facts.now - memo.at > DISPATCH_PATIENCE_S
        ? { do: "dispatch", request, lock, pull }
        : { do: "wait", request };
    case "running":
      return { do: "wait", request };
    case "failed":
      return { do: "refuse", request, refusal: { why: "no-report" } };
    case "report": {
      const { report, unseenFindings } = facts.run;
      if (!decideMergeReport(report, lock).trusted) {
        return { do: "refuse", request, refusal: { why: "no-report" } };
      }
      const holds = mergeable(report.verdict, holder.accepted && !unseenFindings);
      return holds
        ? { do: "move-main", request, lock }
        : { do: "refuse", request, refusal: { why: "merge-tree-not-valid", verdict: report.verdict } };
    }
  }
}

const isMergeOf = (lock: LockFacts, request: RequestFacts | null): boolean =>
  request !== null && lock.parents.length === 2 && lock.parents[1] === request.request.memo.head;

/** The next step, given everything that GitHub says right now. */
export function decideMerge(facts: MergeFacts): MergeStep {
  const { lock } = facts;
  // Anybody's commit on main can carry trailers, and the lock begins there: only a merge of this head is the holder's.
  const holder = lock !== null && isMergeOf(lock, facts.holder) ? facts.holder : null;
  if (lock !== null && holder !== null) return judge(facts, holder, lock);
  const [next] = [...(facts.holder === null ? [] : [facts.holder]), ...facts.queue].sort(byTurn);
  if (next === undefined) return lock === null ? { do: "idle" } : { do: "release" };
  const refusal = refusalOf(next, facts.defaultBranch);
  if (refusal !== null) return { do: "refuse", request: next.request, refusal };
  if (lock === null) return { do: "take-lock", request: next.request, base: facts.mainSha };
  // A lock without a holder is one that was just taken, or one left behind: usable only where it stands on the base.
  return lock.sha === facts.mainSha
    ? { do: "build", request: next.request, base: facts.mainSha }
    : { do: "release" };
}

/** Where each waiting request stands, and behind whom. `since`: when the holder's recomputation began, ISO 8601. */
export function queuePlaces(
  { holder, queue }: Pick<MergeFacts, "holder" | "queue">,
  since: string | null,
): { waiting: RequestFacts; place: QueuePlace }[] {
  const line = holder === null ? queue : [holder, ...queue];
  const first = holder === null ? null : { pull: holder.pull.number, since };
  return line.flatMap((waiting, index) =>
    waiting === holder
      ? []
      : [{ waiting, place: { position: index + 1, behind: line[index - 1]?.pull.number ?? null, first } }],
  );
}

import type { Identity } from "./sticky.ts";
import type { PullFacts, RunFacts } from "./trust.ts";

/**
 * Two labels on pull requests mean something to the bot. Anybody from triage on can set and remove labels, so what
 * counts is who did it last, by id and role, at the time of the decision (field lessons F04, F39, F40). Pure.
 */

export const LABELS = {
  /** No merge, by command or by label, until it is released. Putting it on only stops things: it counts by whomever. */
  hold: "assay:hold",
  /** Merge as soon as the verdict is valid. */
  autoMerge: "assay:auto-merge",
} as const;

/** One event of a pull request's history: a label was put on, or taken off. */
export interface LabelEvent {
  readonly id: number;
  readonly label: string;
  readonly on: boolean;
  readonly actorId: number | null;
  readonly actorLogin: string | null;
  readonly actorType: string | null;
  /** The app that acted; null for a person, and where GitHub does not say. */
  readonly appId: number | null;
  /** ISO 8601. */
  readonly at: string;
}

export const newestEvent = (events: readonly LabelEvent[], label: string): LabelEvent | null =>
  events.filter((event) => event.label === label).sort((a, b) => b.id - a.id)[0] ?? null;

/** Our app did it (for somebody whom it had asked for his role). */
export const isOwnEvent = (event: LabelEvent, identity: Identity): boolean =>
  event.appId === identity.appId ||
  (event.appId === null && identity.botUserId !== null && event.actorId === identity.botUserId);

/**
 * Since when this is the pull request's head (ISO 8601); null when nothing tells. `runs`: those of `pull_request_target`
 * on its branch, newest first; `complete`: they are all of them. GitHub makes one for every head, in time: whoever pushes
 * a head away and back brings it anew. A branch that never had another head had this one from the start.
 */
export function headArrival(pull: PullFacts, runs: readonly RunFacts[], complete: boolean): string | null {
  const own = runs.filter(({ headRepositoryId }) => headRepositoryId === pull.headRepositoryId);
  const [newest] = own;
  if (newest?.headSha !== pull.headSha) return null;
  // Without its branch nothing tells what other heads there were between.
  if (pull.headBranch === null) return newest.createdAt;
  const other = own.findIndex(({ headSha }) => headSha !== pull.headSha);
  if (other < 0 && complete) return pull.createdAt;
  return own[other < 0 ? own.length - 1 : other - 1]?.createdAt ?? null;
}

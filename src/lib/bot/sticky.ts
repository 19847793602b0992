import { parseStickyTag, type StickyTag } from "../result-pr/words.ts";

/** Which comment is ours, and whether it has to change (field lessons F28, F29, F35, F43). Pure. */

/** The bot's own identity, as ids: names can be imitated. */
export interface Identity {
  readonly appId: number;
  /** Id of the account that comments as the app; null when it is not known yet. */
  readonly botUserId: number | null;
}

export interface CommentFacts {
  readonly id: number;
  readonly body: string;
  readonly userId: number | null;
  readonly userType: string | null;
  readonly appId: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Written by our app. A person's comment never is, whatever it contains. */
export const isOurs = (comment: CommentFacts, identity: Identity): boolean =>
  comment.userType === "Bot" &&
  (comment.appId === identity.appId ||
    (comment.appId === null && identity.botUserId !== null && comment.userId === identity.botUserId));

export interface Sticky {
  readonly id: number;
  readonly body: string;
  readonly tag: StickyTag;
}

/** The oldest comment of ours with the hidden tag. */
export function findSticky(comments: readonly CommentFacts[], identity: Identity): Sticky | null {
  for (const comment of [...comments].sort((a, b) => a.id - b.id)) {
    if (!isOurs(comment, identity)) continue;
    const tag = parseStickyTag(comment.body);
    if (tag !== null) return { id: comment.id, body: comment.body, tag };
  }
  return null;
}

export type CommentStep =
  | { readonly do: "nothing" }
  | { readonly do: "create"; readonly body: string }
  | { readonly do: "update"; readonly id: number; readonly body: string };

/** What has to happen so that the one comment says `body`. */
export function decideComment(sticky: { id: number; body: string } | null, body: string): CommentStep {
  if (sticky === null) return { do: "create", body };
  return sticky.body === body ? { do: "nothing" } : { do: "update", id: sticky.id, body };
}

/** Whether the waiting text may replace what stands there: never a verdict for the same head. */
export const mayShowWaiting = (sticky: Sticky | null, head: string): boolean =>
  sticky === null || sticky.tag.head !== head;

/** Answers of ours on one pull request in the hour before `now` (ISO 8601). */
export function recentReplies(
  comments: readonly CommentFacts[],
  identity: Identity,
  hourAgo: string,
): number {
  return comments.filter(
    (comment) =>
      isOurs(comment, identity) && comment.body.startsWith("<!-- assay:reply") && comment.createdAt > hourAgo,
  ).length;
}

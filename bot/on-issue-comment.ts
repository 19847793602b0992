import {
  type Comment,
  ensureIssue,
  postComment,
  postReaction,
  readComment,
  readComments,
} from "../src/io/github/comments.ts";
import { readPermission, readPull } from "../src/io/github/pulls.ts";
import { authorise } from "../src/lib/bot/authorise.ts";
import { type Command, MAX_BODY, parseCommands } from "../src/lib/bot/command.ts";
import { isOurs, recentReplies } from "../src/lib/bot/sticky.ts";
import {
  type Reply,
  reactionOf,
  renderLoopIssue,
  renderReply,
  replyMarker,
} from "../src/lib/result-pr/words-replies.ts";
import { accept, hold, merge, release, supersede, validate } from "./commands.ts";
import type { BotContext, Job } from "./context.ts";
import { askForJob, cancelJobs, jobStatus } from "./jobs.ts";
import { tick } from "./merge.ts";

/** Commands in comments. Every command is answered once: what was done, or why not. */

/** Answers per pull request and hour, and to one with a role, before the bot falls silent: more looks like a loop (F38). */
const MAX_REPLIES = 5;

interface Payload {
  readonly action: string;
  readonly issue: { readonly number: number; readonly pull_request?: unknown };
  readonly comment: {
    readonly id: number;
    readonly body?: string | null;
    readonly user: { readonly type?: string } | null;
  };
  readonly changes?: { readonly body?: { readonly from?: string } } | undefined;
}

/**
 * A comment was written or edited. `headAtDelivery` is looked up before the work is queued: a command counts for the
 * head that its author could see (field lesson F12).
 */
export function onIssueComment(payload: Payload, headAtDelivery: Promise<string | null>): Job | null {
  const { comment, issue } = payload;
  const written = parseCommands(comment.body ?? "");
  if (!issue.pull_request || comment.user?.type !== "User" || written.length === 0) return null;
  if (payload.action === "edited") {
    const before = parseCommands(payload.changes?.body?.from ?? "").map(({ text }) => text);
    if (written.every(({ text }) => before.includes(text))) return null;
  }
  return {
    key: `comment:${comment.id}`,
    run: async (context) =>
      answer(context, issue.number, comment.id, {
        head: await headAtDelivery,
        body: payload.action === "edited" ? null : (comment.body ?? ""),
      }),
  };
}

/** True when a comment may hold a command to look at (saves the look-up of the head otherwise). */
export const mayHoldCommand = ({ comment, issue }: Payload): boolean =>
  Boolean(issue.pull_request) && comment.user?.type === "User" && (comment.body ?? "").includes("/assay");

/** What is known of the moment in which a comment was written. */
export interface Arrival {
  /** The head at that time; null when nobody knows any more, which only `help` survives. */
  readonly head: string | null;
  /** What it said; null when it has been edited since. */
  readonly body: string | null;
}

/** Does what a comment's commands ask for and answers, unless there is an answer already. */
export async function answer(
  context: BotContext,
  number: number,
  commentId: number,
  arrival: Arrival,
): Promise<void> {
  const { repository, outbox, log } = context;
  const comment = await readComment(repository, commentId);
  if (comment === null || comment.userType !== "User" || comment.appId !== null || comment.userId === null)
    return;
  const commands = parseCommands(comment.body);
  if (commands.length === 0) return;
  const comments = await readComments(repository, number);
  const marker = replyMarker(commentId);
  const answered = (all: readonly Comment[]): boolean =>
    all.some((other) => isOurs(other, repository.identity) && other.body.startsWith(marker));
  if (answered(comments)) return;
  const hourAgo = new Date(context.now() - 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
  if (await isTooMuch(context, comment, comments, hourAgo)) {
    log.warn({ pull: number }, "too many answers within an hour: silent");
    await ensureIssue(repository, renderLoopIssue(number, MAX_REPLIES));
    return;
  }
  await react(context, commentId, "eyes");
  const replies: Reply[] = [];
  if (arrival.body !== comment.body) replies.push({ kind: "edited" });
  else
    for (const command of commands) replies.push(await obey(context, number, comment, command, arrival.head));
  await outbox.ensure(`reply:${commentId}`, async (fresh) => {
    if (fresh && answered(await readComments(repository, number))) return;
    await postComment(repository, number, renderReply(commentId, replies));
  });
  await react(context, commentId, reactionOf(replies));
  if (replies.some(({ kind }) => kind === "merge-queued")) context.queue("merge", tick);
}

/**
 * Whether the bot has said enough here. Whoever has a role is only counted for what he asked himself: strangers' talk
 * must not keep a maintainer from stopping a merge.
 */
async function isTooMuch(
  { repository }: BotContext,
  comment: Comment,
  comments: readonly Comment[],
  hourAgo: string,
): Promise<boolean> {
  const { identity } = repository;
  if (recentReplies(comments, identity, hourAgo) < MAX_REPLIES) return false;
  const permission = comment.userLogin === null ? null : await readPermission(repository, comment.userLogin);
  if (!authorise("validate", comment.userId ?? -1, permission).allowed) return true;
  const own = comments.filter(({ userId }) => userId === comment.userId);
  const toOwn = comments.filter(({ body }) => own.some(({ id }) => body.startsWith(replyMarker(id))));
  return recentReplies(toOwn, identity, hourAgo) >= MAX_REPLIES;
}

/** A sign at the comment itself. The answer is what counts: a sign that cannot be made stops nothing. */
async function react(
  { repository, log }: BotContext,
  comment: number,
  content: Parameters<typeof postReaction>[2],
): Promise<void> {
  try {
    await postReaction(repository, comment, content);
  } catch (error) {
    log.warn({ err: error, comment }, "a reaction could not be made");
  }
}

async function obey(
  context: BotContext,
  number: number,
  comment: Comment,
  command: Command,
  head: string | null,
): Promise<Reply> {
  const { repository } = context;
  if (command.verb === "unknown") return { kind: "unknown", command: command.text };
  if (command.verb === "too-long") return { kind: "too-long", limit: MAX_BODY };
  if (command.verb === "help") return { kind: "help" };
  const permission = comment.userLogin === null ? null : await readPermission(repository, comment.userLogin);
  const allowed = authorise(command.verb, comment.userId ?? -1, permission);
  if (!allowed.allowed) {
    return { kind: "denied", command: `/assay ${command.verb}`, role: allowed.role, needs: allowed.needs };
  }
  const pull = await readPull(repository, number);
  if (pull === null || !pull.open) return { kind: "not-open" };
  if (pull.baseRef !== repository.defaultBranch) {
    return { kind: "wrong-base", base: pull.baseRef, expected: repository.defaultBranch };
  }
  if (command.sha !== null && !pull.headSha.startsWith(command.sha)) {
    return { kind: "wrong-sha", asked: command.sha, now: pull.headSha };
  }
  // A command that names the head needs no guess about what its author saw.
  // Recomputing harms no head.
  const asked = command.sha === null && (head !== null || command.verb !== "validate") ? head : pull.headSha;
  // A hold is for the pull request, whatever its head.
  if (command.verb === "hold") return hold(context, pull);
  if (command.verb === "release") return release(context, pull);
  // Stopping something, and looking, is for the pull request as it is.
  if (command.verb === "cancel") return cancelJobs(context, pull, comment, command);
  if (command.verb === "status") return jobStatus(context, pull);
  if (asked === null)
    return { kind: "failed", what: "the head at the time of the command is not known any more." };
  if (asked !== pull.headSha) return { kind: "head-moved", asked, now: pull.headSha };
  switch (command.verb) {
    case "validate":
      return validate(context, pull);
    case "accept":
      return accept(context, pull, comment);
    case "supersede":
      return supersede(context, pull, comment, command.target ?? "");
    case "merge":
      return merge(context, pull, comment);
    case "perf":
    case "run":
    case "verify":
      return askForJob(context, pull, comment, { ...command, verb: command.verb });
  }
}

import type { CommentFacts } from "../../lib/bot/sticky.ts";
import { at, orNull, type Repository } from "./repository.ts";

/** Comments and issues. */

export interface Comment extends CommentFacts {
  readonly userLogin: string | null;
}

interface CommentData {
  readonly id: number;
  readonly body?: string | undefined;
  readonly user: { readonly id: number; readonly login: string; readonly type: string } | null;
  readonly performed_via_github_app?: { readonly id: number } | null | undefined;
  readonly created_at: string;
  readonly updated_at: string;
}

const commentFacts = (data: CommentData): Comment => ({
  id: data.id,
  body: data.body ?? "",
  userId: data.user?.id ?? null,
  userLogin: data.user?.login ?? null,
  userType: data.user?.type ?? null,
  appId: data.performed_via_github_app?.id ?? null,
  createdAt: data.created_at,
  updatedAt: data.updated_at,
});

/** All comments of a pull request, all pages, oldest first. */
export async function readComments(repository: Repository, number: number): Promise<Comment[]> {
  const data = await repository.client.paginate("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
    ...at(repository),
    issue_number: number,
    per_page: 100,
  });
  return data.map((comment) => commentFacts(comment as CommentData));
}

/** Null when it has been deleted. */
export async function readComment(repository: Repository, id: number): Promise<Comment | null> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", {
      ...at(repository),
      comment_id: id,
    }),
  );
  return answer === null ? null : commentFacts(answer.data as CommentData);
}

/** Returns the new comment's id. Never call it without having looked for what it would double. */
export async function postComment(repository: Repository, number: number, body: string): Promise<number> {
  const { data } = await repository.client.request(
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    { ...at(repository), issue_number: number, body },
  );
  return Number(data.id);
}

export async function patchComment(repository: Repository, id: number, body: string): Promise<void> {
  await repository.client.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    ...at(repository),
    comment_id: id,
    body,
  });
}

/** A reaction that is there already stays as it is. */
export async function postReaction(
  repository: Repository,
  comment: number,
  content: "eyes" | "+1" | "-1" | "confused",
): Promise<void> {
  await repository.client.request("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", {
    ...at(repository),
    comment_id: comment,
    content,
  });
}

/** Opens an issue unless an open one of ours already begins with the same line. */
export async function ensureIssue(
  repository: Repository,
  issue: { readonly title: string; readonly body: string },
): Promise<void> {
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/issues", {
    ...at(repository),
    state: "open",
    per_page: 100,
  });
  const marker = issue.body.split("\n", 1)[0] ?? "";
  if (data.some((open) => open.user?.type === "Bot" && (open.body ?? "").startsWith(marker))) return;
  await repository.client.request("POST /repos/{owner}/{repo}/issues", { ...at(repository), ...issue });
}

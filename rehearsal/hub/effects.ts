/** What a person would see change on GitHub. */
export type Effect = { readonly repository: string; readonly by: string } & (
  | {
      readonly kind: "comment-created" | "comment-edited" | "comment-deleted";
      readonly number: number;
      readonly commentId: number;
      readonly body: string;
    }
  | {
      readonly kind: "check-run-created" | "check-run-updated";
      readonly checkRunId: number;
      readonly name: string;
      readonly sha: string;
      readonly status: string;
      readonly conclusion: string | null;
      readonly title: string | null;
      readonly summary: string | null;
      readonly annotations: number;
    }
  | {
      readonly kind: "pull-opened" | "pull-updated" | "pull-closed" | "pull-reopened" | "pull-merged";
      readonly number: number;
      readonly title: string;
      readonly headSha: string;
      readonly mergeCommitSha: string | null;
    }
  | { readonly kind: "labels-changed"; readonly number: number; readonly labels: readonly string[] }
  | { readonly kind: "reaction-added"; readonly commentId: number; readonly content: string }
  | {
      readonly kind: "ref-updated";
      readonly ref: string;
      /** Null: created. */
      readonly before: string | null;
      /** Null: deleted. */
      readonly after: string | null;
    }
  | {
      readonly kind: "run-queued" | "run-started" | "run-completed";
      readonly runId: number;
      readonly workflow: string;
      readonly event: string;
      readonly sha: string;
      readonly conclusion: string | null;
    }
);

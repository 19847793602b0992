/** Whether derived documents are committed to the branch `published` (field lessons F17, F19, F20). Pure. */

export const PUBLISHED_BRANCH = "published";

export interface PublishFacts {
  /** Commit and tree that the run was made from, by the API. */
  readonly runSha: string;
  readonly runTree: string;
  /** The base's tip and its tree. */
  readonly mainSha: string;
  readonly mainTree: string;
  /** Source trees that the documents name. */
  readonly namedTrees: readonly string[];
  /** What `published` was last made from, by its commit's trailer; null when there is none. */
  readonly publishedSource: string | null;
}

export type PublishDecision =
  | { readonly do: "commit" }
  | { readonly do: "skip"; readonly reason: string }
  | { readonly do: "reject"; readonly reason: string };

/** A feed of a tree that is no longer the base's is left alone: the run for the newer tree is on its way. */
export function decidePublish(facts: PublishFacts): PublishDecision {
  if (facts.namedTrees.length === 0) return { do: "reject", reason: "no document names its source tree" };
  if (facts.namedTrees.some((tree) => tree !== facts.runTree)) {
    return { do: "reject", reason: "the documents name another source tree than the run's" };
  }
  if (facts.runTree !== facts.mainTree) return { do: "skip", reason: "the base has moved on" };
  if (facts.publishedSource === facts.runTree) return { do: "skip", reason: "already published" };
  return { do: "commit" };
}

/** Message of a commit on `published`. The same tree gives the same words. */
export const publishMessage = (tree: string, commit: string): string =>
  `Publish what tree ${tree.slice(0, 12)} gives\n\nAssay-Source-Tree: ${tree}\nAssay-Source-Commit: ${commit}\n`;

/** The source tree a commit on `published` was made from. */
export const parseSourceTree = (message: string): string | null =>
  /^Assay-Source-Tree: ([0-9a-f]{40})$/m.exec(message)?.[1] ?? null;

/** The base's commit that a commit on `published` was made from. */
export const parseSourceCommit = (message: string): string | null =>
  /^Assay-Source-Commit: ([0-9a-f]{40})$/m.exec(message)?.[1] ?? null;

/** The source trees that the published JSON documents name at their root (`source_tree`). */
export function namedTrees(documents: readonly unknown[]): string[] {
  return documents.flatMap((document) => {
    if (typeof document !== "object" || document === null || !("source_tree" in document)) return [];
    const { source_tree: tree } = document;
    return [typeof tree === "string" ? tree : "none"];
  });
}

import type { ResultDocument } from "../benchmarks/result-schema.ts";
import { canonicalJson } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import { entryOf } from "../feed/schema.ts";
import type { CommittedResult } from "./facts.ts";

/**
 * Digest of what a score rests on: the suite and the final recipe of every member, free of names, times and costs,
 * so that the same recipes sent twice are recognised whoever sends them. Null when there is no recipe at all.
 */
export function evidenceDigest(document: {
  readonly suite: Pick<ResultDocument["suite"], "digest">;
  readonly members: readonly Pick<ResultDocument["members"][number], "id" | "recipe">[];
}): string | null {
  const recipes = document.members
    .filter((member) => member.recipe !== null)
    .map((member): [string, unknown] => [member.id, member.recipe]);
  if (recipes.length === 0) return null;
  return digestOf(canonicalJson({ suite: document.suite.digest, recipes: Object.fromEntries(recipes) }));
}

/** A committed document as the rules and the board see it. */
export const committedResult = (path: string, digest: string, document: ResultDocument): CommittedResult => ({
  ...entryOf(document, path, digest),
  statuses: Object.fromEntries(document.members.map((member) => [member.id, member.status])),
  evidence: evidenceDigest(document),
});

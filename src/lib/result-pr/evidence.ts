import type { ResultDocument } from "../benchmarks/result-schema.ts";
import { canonicalJson } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import { entryOf } from "../feed/schema.ts";
import { canonicalRecipe } from "../sheet/canonical-recipe.ts";
import type { CommittedResult } from "./facts.ts";

/** As much of a document as its score rests on. */
export interface Evidence {
  readonly suite: Pick<ResultDocument["suite"], "digest">;
  readonly members: readonly Pick<ResultDocument["members"][number], "id" | "recipe">[];
}

/** SHA-256 of each final recipe in its one spelling (`canonicalRecipe`), by member. */
export const recipeDigests = ({ members }: Evidence): Record<string, string> =>
  Object.fromEntries(
    members.flatMap(({ id, recipe }) =>
      recipe === null ? [] : [[id, digestOf(canonicalJson(canonicalRecipe(recipe)))]],
    ),
  );

/**
 * Digest of what a score rests on: suite and the one spelling of each final recipe, by member. Free of model, times,
 * costs, provenance and the order of members, so that the same recipes sent twice are recognised whoever sends them.
 * Null when there is no recipe at all.
 */
export function evidenceDigest({ suite, members }: Evidence): string | null {
  const recipes: Record<string, unknown> = {};
  for (const { id, recipe } of members) if (recipe !== null) recipes[id] = canonicalRecipe(recipe);
  if (Object.keys(recipes).length === 0) return null;
  return digestOf(canonicalJson({ suite: suite.digest, recipes }));
}

/**
 * What tells calls to a provider apart: its id of the call and the digest of its answer, as `<id> <digest>`. Ids that a
 * document names twice are no ids (some servers give every call the same), and a call without both is not told apart.
 */
export function callsOf({ members }: Pick<ResultDocument, "members">): string[] {
  const attempts = members.flatMap((member) => member.attempts);
  const times = new Map<string, number>();
  for (const { generation_id: id } of attempts) if (id !== null) times.set(id, (times.get(id) ?? 0) + 1);
  return attempts.flatMap(({ generation_id: id, response_sha256: answer }) =>
    id === null || answer === null || times.get(id) !== 1 ? [] : [`${id} ${answer}`],
  );
}

/** A committed document as the rules and the board see it. */
export const committedResult = (path: string, digest: string, document: ResultDocument): CommittedResult => ({
  ...entryOf(document, path, digest),
  statuses: Object.fromEntries(document.members.map((member) => [member.id, member.status])),
  evidence: evidenceDigest(document),
  recipes: recipeDigests(document),
  calls: callsOf(document),
});

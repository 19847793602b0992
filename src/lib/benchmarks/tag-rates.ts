import type { Status } from "./result-schema.ts";
import type { SuiteMember } from "./suite-schema.ts";

export interface TagRate {
  readonly tag: string;
  readonly passed: number;
  readonly total: number;
}

/**
 * Per tag of the vocabulary, in its order: how many of the suite's members that carry it were passed. `total` counts
 * the suite's members, not the attempted ones; tags that no member carries are left out.
 */
export function tagRates(
  members: readonly Pick<SuiteMember, "id" | "feature_tags">[],
  statuses: ReadonlyMap<string, Status | "unverified">,
  vocabularyTags: readonly string[],
): TagRate[] {
  return vocabularyTags.flatMap((tag) => {
    const tagged = members.filter(({ feature_tags }) => feature_tags.includes(tag));
    const passed = tagged.filter(({ id }) => statuses.get(id) === "passed");
    return tagged.length === 0 ? [] : [{ tag, passed: passed.length, total: tagged.length }];
  });
}

import { fromDecimal, multiply, rational, roundHalfAway } from "../benchmarks/rational.ts";
import type { Status } from "../benchmarks/result-schema.ts";
import type { Suite } from "../benchmarks/suite-schema.ts";
import { tagRates } from "../benchmarks/tag-rates.ts";
import { type RankedModel, rankModels } from "./rank.ts";
import type { Benchmark, Feed, Registry, ResultEntry } from "./schema.ts";

export interface FeedInput {
  /** Id of the git tree that everything was read from; null for a folder that is no committed tree. */
  readonly sourceTree: string | null;
  readonly registry: Registry;
  /** The committed suites. */
  readonly suites: readonly Suite[];
  /** Ids of the vocabulary's tags, in its order. */
  readonly tags: readonly string[];
  /** Results that stand: what another one replaces may be among them, withdrawn ones are not. */
  readonly entries: readonly ResultEntry[];
  /** Paths of results in first-parent merge order, oldest first; decides between equal finish times. */
  readonly mergeOrder?: readonly string[];
}

/**
 * The model-picker feed: the latest result per curated model and suite, with its rank among the curated models of that
 * suite. A pure function of its input: the same tree gives the same bytes.
 */
export function buildFeed(input: FeedInput): Feed {
  const suites = byId(input.suites);
  const ranks = new Map(
    suites.map((suite) => [suite.id, rankModels(input.entries, input.registry, suite, input.mergeOrder)]),
  );
  return {
    schema_version: 1,
    source_tree: input.sourceTree,
    suites: suites.map(({ id, digest, title, note, frozen_at, members }) => ({
      id,
      digest,
      title,
      note,
      frozen_at,
      members: members.length,
      ranked: ranks.get(id)?.length ?? 0,
    })),
    models: byId(input.registry.models).map(({ id, name }) => {
      const benchmark = suites.flatMap((suite) => {
        const ranked = ranks.get(suite.id)?.find(({ model }) => model === id);
        return ranked === undefined ? [] : [benchmarkOf(ranked, suite, input.tags)];
      });
      return { id, name, ...(benchmark.length === 0 ? {} : { benchmark }) };
    }),
  };
}

function benchmarkOf({ entry, position, of }: RankedModel, suite: Suite, tags: readonly string[]): Benchmark {
  const statuses = new Map<string, Status>(entry.passed.map((id) => [id, "passed"]));
  return {
    suite: suite.id,
    suite_digest: suite.digest,
    result: entry.digest,
    path: entry.path,
    finished_at: entry.finished_at,
    components: entry.components,
    composite: entry.composite,
    composite_version: entry.composite_version,
    rank: { position, of },
    solved: entry.passed.length,
    members: entry.members,
    cost_per_solved_usd: costPerSolved(entry.cost, entry.passed.length),
    tags: Object.fromEntries(
      tagRates(suite.members, statuses, tags).map(({ tag, passed, total }) => [tag, { passed, total }]),
    ),
  };
}

/**
 * Reported cost over solved members in US dollars, rounded to nine decimals; null when none is solved or any call's
 * cost is unknown. Worked example: 0.3 dollars over 7 solved members is 0.042857143.
 */
export function costPerSolved(
  cost: { total_usd: number | null; complete: boolean },
  solved: number,
): number | null {
  if (cost.total_usd === null || !cost.complete || solved === 0) return null;
  return roundHalfAway(multiply(fromDecimal(cost.total_usd), rational(1n, BigInt(solved))), 9);
}

const byId = <T extends { readonly id: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

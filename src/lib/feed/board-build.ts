import { SCORE_DECIMALS } from "../benchmarks/composite.ts";
import { METRIC_LIST } from "../benchmarks/metrics.ts";
import { isPrivateMember, type PrivacyOptions } from "../benchmarks/privacy.ts";
import { fromFraction, roundHalfAway } from "../benchmarks/rational.ts";
import {
  COMPOSITE_VERSION,
  type Components,
  type ResultDocument,
  type ResultMember,
  type Status,
} from "../benchmarks/result-schema.ts";
import type { Suite } from "../benchmarks/suite-schema.ts";
import { tagRates } from "../benchmarks/tag-rates.ts";
import type { Vocabulary } from "../benchmarks/vocabulary.ts";
import { type BoardIndex, type BoardRow, type BoardSuite, boardSuitePath } from "./board-schema.ts";
import { costPerSolved } from "./build.ts";
import { rankModels } from "./rank.ts";
import { entryOf, type Registry } from "./schema.ts";

/** A model's newest standing result in a suite, and the one before it. */
export interface BoardResult {
  readonly path: string;
  readonly blob: string;
  readonly digest: string;
  readonly document: ResultDocument;
  readonly previous: BoardRow["previous"];
}

export interface BoardSuiteInput {
  readonly sourceTree: string | null;
  readonly resultsTree: string | null;
  readonly suiteTree: string | null;
  readonly suite: Suite;
  readonly vocabulary: Vocabulary;
  readonly registry: Registry;
  /** One a model. */
  readonly results: readonly BoardResult[];
  readonly withdrawn: BoardSuite["withdrawn"];
  readonly privacy?: PrivacyOptions;
}

/** How well the numbers of a result are known that was judged before it was merged. */
export const RESULT_LEVELS: BoardRow["levels"] = {
  scores: "recomputed",
  model: "declared",
  provenance: "declared",
  usage: "declared",
  cost: "declared",
  times: "declared",
};

/** One suite's board. A pure function of its input: the same tree gives the same bytes. */
export function buildBoardSuite(input: BoardSuiteInput): BoardSuite {
  const { suite, vocabulary, registry, privacy } = input;
  const tags = vocabulary.tags.map(({ id }) => id);
  const entries = input.results.map(({ document, path, digest }) => entryOf(document, path, digest));
  const ranks = new Map(rankModels(entries, registry, suite).map((ranked) => [ranked.model, ranked]));
  const rows = input.results.map((result): BoardRow => {
    const model = result.document.model.id;
    const ranked = ranks.get(model);
    return {
      rank: ranked?.position ?? null,
      model,
      name: ranked?.name ?? null,
      ...rowOf(result, suite, tags),
    };
  });
  const count = (tag: string): number =>
    suite.members.filter(({ feature_tags }) => feature_tags.includes(tag)).length;
  return {
    schema_version: 1,
    source_tree: input.sourceTree,
    results_tree: input.resultsTree,
    suite_tree: input.suiteTree,
    suite: headOf(suite),
    members: suite.members.map((member) => ({
      id: member.id,
      title: member.title,
      source_kind: member.source_kind,
      publisher: member.publisher,
      difficulty: member.difficulty,
      feature_tags: member.feature_tags,
      published_in_bank: member.published_in_bank,
      private: isPrivateMember(member, privacy),
    })),
    tags: vocabulary.tags.flatMap(({ id, definition }) =>
      count(id) === 0 ? [] : [{ id, definition, members: count(id) }],
    ),
    rows: rows.sort(
      (a, b) =>
        (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) ||
        (a.model < b.model ? -1 : a.model > b.model ? 1 : 0),
    ),
    withdrawn: [...input.withdrawn].sort((a, b) =>
      a.withdrawn_at !== b.withdrawn_at
        ? a.withdrawn_at < b.withdrawn_at
          ? 1
          : -1
        : a.result < b.result
          ? -1
          : 1,
    ),
  };
}

const headOf = ({ id, digest, title, note, frozen_at }: Suite): BoardSuite["suite"] => ({
  id,
  digest,
  title,
  note,
  frozen_at,
});

function rowOf(
  { path, blob, digest, document, previous }: BoardResult,
  suite: Suite,
  tags: readonly string[],
): Omit<BoardRow, "rank" | "model" | "name"> {
  const statuses = new Map<string, Status>(document.members.map(({ id, status }) => [id, status]));
  const solved = document.members.filter(({ status }) => status === "passed").length;
  return {
    result: { digest, path, blob },
    finished_at: document.finished_at,
    components: document.components,
    composite: document.composite,
    composite_version: document.composite_version,
    solved,
    members: document.members.length,
    tags: Object.fromEntries(
      tagRates(suite.members, statuses, tags).map(({ tag, passed, total }) => [tag, { passed, total }]),
    ),
    cost: { ...document.cost, per_solved_usd: costPerSolved(document.cost, solved) },
    levels: RESULT_LEVELS,
    previous,
    by_member: document.members.map((member) => ({
      id: member.id,
      status: member.status,
      components: memberComponents(member),
    })),
  };
}

const memberComponents = ({ metrics }: ResultMember): Components =>
  Object.fromEntries(
    METRIC_LIST.map(({ id }) => [id, roundHalfAway(fromFraction(metrics[id]), SCORE_DECIMALS)]),
  ) as Components;

/** The list of suites, from their boards. */
export const buildBoardIndex = (
  boards: readonly BoardSuite[],
  source: Pick<BoardIndex, "source_tree" | "results_tree">,
): BoardIndex => ({
  schema_version: 1,
  source_tree: source.source_tree,
  results_tree: source.results_tree,
  composite_version: COMPOSITE_VERSION,
  metrics: METRIC_LIST.map(({ id, title, unit, direction, range, weight, definition }) => ({
    id,
    title,
    unit,
    direction,
    range: [...range],
    weight: weight.numerator / weight.denominator,
    definition,
  })),
  suites: [...boards]
    .sort((a, b) => (a.suite.id < b.suite.id ? -1 : 1))
    .map(({ suite, members, rows }) => ({
      ...suite,
      file: boardSuitePath(suite.id),
      members: members.length,
      models: rows.length,
      ranked: rows.filter(({ rank }) => rank !== null).length,
    })),
});

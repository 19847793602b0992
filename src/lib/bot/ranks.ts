import { COMPOSITE_VERSION } from "../benchmarks/result-schema.ts";
import type { BoardSuite } from "../feed/board-schema.ts";
import { rankModels } from "../feed/rank.ts";
import type { ResultEntry } from "../feed/schema.ts";
import { LATER_RESULT, NEIGHBOURS } from "../result-pr/report.ts";
import type { ReportResult } from "../result-pr/report-schema.ts";

/** Ranks of results that are not merged yet, on the board as it is published now (field lesson F21). Pure. */

type Rank = ReportResult["rank"];

/** One of the board's rows as ranking takes it: each is its model's newest that stands. */
const entryOfRow = (row: BoardSuite["rows"][number], suite: BoardSuite["suite"]): ResultEntry => ({
  path: row.result.path,
  digest: row.result.digest,
  suite: { id: suite.id, digest: suite.digest },
  model: row.model,
  finished_at: row.finished_at,
  components: row.components,
  composite: row.composite,
  composite_version: row.composite_version,
  passed: [],
  members: row.members,
  cost: { total_usd: row.cost.total_usd, complete: row.cost.complete },
  supersedes: null,
});

/**
 * The rank of a judged result on a published board of its suite, by the very function that ranks the feed. A result
 * that is not ranked for a reason of its own (an uncurated model, say) keeps that; so does one of another suite digest.
 */
export function rankOnBoard(result: ReportResult, board: BoardSuite): Rank {
  const { rank, recomputed } = result;
  const ranks = rank.after !== null || rank.reason === LATER_RESULT;
  if (!ranks || recomputed === null) return rank;
  if (board.suite.id !== result.suite.id || board.suite.digest !== result.suite.digest) return rank;
  const rows = board.rows.filter((row) => row.name !== null && row.result.digest !== result.document);
  const others = rows.map((row) => entryOfRow(row, board.suite));
  const names = new Map([
    [result.model, result.model],
    ...rows.map((row) => [row.model, row.name ?? ""] as const),
  ]);
  const registry = {
    schema_version: 1 as const,
    models: [...names].map(([id, name]) => ({ id, name })),
  };
  // What comes now is merged later than everything that is there.
  const order = others.map(({ path }) => path);
  const was = rankModels(others, registry, result.suite, order);
  const before = was.find(({ model }) => model === result.model)?.position ?? null;
  const own: ResultEntry = {
    path: result.path,
    digest: result.document,
    suite: result.suite,
    model: result.model,
    finished_at: result.finished_at,
    components: recomputed.components,
    composite: recomputed.composite,
    composite_version: COMPOSITE_VERSION,
    passed: [],
    members: result.members.length,
    cost: { total_usd: result.cost.total_usd, complete: result.cost.complete },
    supersedes: result.supersedes,
  };
  const ranked = rankModels([...others, own], registry, result.suite, order);
  const index = ranked.findIndex(({ entry }) => entry.digest === result.document);
  if (index < 0) return { before, after: null, of: was.length, neighbours: [], reason: LATER_RESULT };
  return {
    before,
    after: index + 1,
    of: ranked.length,
    neighbours: ranked.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1).map((standing) => ({
      model: standing.model,
      composite: standing.entry.composite,
      rank: standing.position,
    })),
    reason: null,
  };
}

import { readFileText } from "../src/io/github/contents.ts";
import { readBranch, readCommit } from "../src/io/github/refs.ts";
import { PUBLISHED_BRANCH, parseSourceCommit } from "../src/lib/bot/publish.ts";
import { rankOnBoard } from "../src/lib/bot/ranks.ts";
import type { RunFacts } from "../src/lib/bot/trust.ts";
import { type BoardSuite, boardSuitePath, boardSuiteSchema } from "../src/lib/feed/board-schema.ts";
import type { Report } from "../src/lib/result-pr/report-schema.ts";
import { parseStrictJson } from "../src/lib/strict-json/parse.ts";
import type { BotContext, PublishedBoard } from "./context.ts";

/** Ranks on open pull requests follow the published board (field lesson F21). */

const BOARD_BYTES = 32 * 2 ** 20;

async function currentBoard(context: BotContext): Promise<PublishedBoard | null> {
  const { repository, memory } = context;
  if (memory.board !== undefined) return memory.board;
  const tip = await readBranch(repository, PUBLISHED_BRANCH);
  const commit = tip === null ? null : await readCommit(repository, tip);
  const source = commit === null ? null : parseSourceCommit(commit.message);
  memory.board =
    commit === null || source === null
      ? null
      : { tip: commit.sha, source, at: commit.committedAt, suites: new Map() };
  return memory.board;
}

/** Looks at the branch `published` again when it is next needed. */
export async function forgetBoard(context: BotContext): Promise<void> {
  const { repository, memory } = context;
  if (memory.board === undefined) return;
  if ((await readBranch(repository, PUBLISHED_BRANCH)) !== (memory.board?.tip ?? null))
    memory.board = undefined;
}

async function suiteOf(
  context: BotContext,
  board: PublishedBoard,
  suite: string,
): Promise<BoardSuite | null> {
  const known = board.suites.get(suite);
  if (known !== undefined) return known;
  const path = boardSuitePath(suite);
  const text = await readFileText(context.repository, path, board.tip);
  const json = text === null ? null : parseStrictJson(text, { maxBytes: BOARD_BYTES });
  const parsed = json?.ok === true ? boardSuiteSchema.safeParse(json.value.value) : null;
  if (text !== null && parsed?.success !== true) {
    context.log.warn({ suite }, "a published board does not fit its schema");
  }
  const value = parsed?.success === true ? parsed.data : null;
  board.suites.set(suite, value);
  return value;
}

/**
 * The report with ranks on the published board, and the base commit that they hold for; null where the report's own
 * ranks are as new: its run began after the board was published.
 */
export async function withCurrentRanks(
  context: BotContext,
  run: RunFacts,
  report: Report,
): Promise<{ report: Report; base: string } | null> {
  if (!report.results.some(({ recomputed, rank }) => recomputed !== null && rank.of > 0)) return null;
  const board = await currentBoard(context);
  if (board === null || Date.parse(run.createdAt) >= Date.parse(board.at)) return null;
  const results: Report["results"] = [];
  for (const result of report.results) {
    const suite = await suiteOf(context, board, result.suite.id);
    results.push(suite === null ? result : { ...result, rank: rankOnBoard(result, suite) });
  }
  return { report: { ...report, results }, base: board.source };
}

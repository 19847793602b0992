import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runChild } from "./child.ts";
import { coldStartRow } from "./cold-start-row.ts";
import type { FeedInput, FeedMeasured } from "./measure-feed.ts";
import type { Validated, ValidateInput } from "./measure-validate.ts";
import { type BenchRepository, makeRepository, publish, runGit } from "./repository.ts";
import { held, plain, type Row } from "./table.ts";

/** What the budgets are about. */
const MANY = 100_000;
const FEW = 100;

interface Prepared {
  readonly repository: BenchRepository;
  readonly feed: FeedMeasured;
}

/** A repository with an index on `published`, and what deriving that took. */
async function prepare(folder: string, count: number): Promise<Prepared> {
  const root = join(folder, String(count));
  await mkdir(root, { recursive: true });
  const repository = await makeRepository(root, count);
  const out = join(folder, `published-${count}`);
  const tree = await runGit(repository.gitDir, ["rev-parse", "main^{tree}"]);
  const input: FeedInput = { root, gitDir: repository.gitDir, tree, previous: null, out };
  const feed = await runChild<FeedMeasured>("measure-feed.ts", input);
  await publish(repository, out);
  return { repository, feed };
}

async function validate({ root, gitDir }: BenchRepository, runs: number): Promise<Validated> {
  const base = await runGit(gitDir, ["rev-parse", "main"]);
  const head = await runGit(gitDir, ["rev-parse", "next"]);
  const input: ValidateInput = { root, gitDir, base, head, runs };
  return runChild<Validated>("measure-validate.ts", input);
}

async function addOne({ root, gitDir }: BenchRepository, out: string): Promise<FeedMeasured> {
  const tree = await runGit(gitDir, ["rev-parse", "next^{tree}"]);
  const previous = await runGit(gitDir, ["rev-parse", "published"]);
  const input: FeedInput = { root, gitDir, tree, previous, out };
  return runChild<FeedMeasured>("measure-feed.ts", input);
}

/** The rows about committed results, on generated ones in `folder`. */
export async function committedRows(folder: string, count: number, quick: boolean): Promise<Row[]> {
  const runs = quick ? 1 : 7;
  const few = await prepare(folder, quick ? 10 : FEW);
  const many = await prepare(folder, count);
  const [small, large] = [await validate(few.repository, runs), await validate(many.repository, runs)];
  const next = await addOne(many.repository, join(folder, `published-${count}`));
  const only = count === MANY ? null : `${count} documents`;
  const size = only === null ? `${count} documents` : `${count} documents, not ${MANY} (--full)`;
  const validateRow: Row = {
    id: "validate",
    what: "validate + rank one new document with many committed ones, against few",
    ran:
      `${size}, against ${few.repository.count}; in process, warm, median of ${runs}; git's own processes not in the peak` +
      `${large.note === null ? "" : `; the published index was NOT used: ${large.note}`}`,
    measures: [
      held("time / time with few", large.judge / small.judge, "x", "most", 1.5, only),
      held("peak memory", large.peak, "MB", "most", 300, only),
      plain("time with many", large.judge, "ms"),
      plain("time with few", small.judge, "ms"),
      plain("without executing recipes: ratio", large.plan / small.plan, "x"),
      plain("without executing recipes: many", large.plan, "ms"),
      plain("without executing recipes: few", small.plan, "ms"),
      plain("peak memory with few", small.peak, "MB"),
    ],
  };
  const feedRow: Row = {
    id: "feed",
    what: "feed and board from many documents, and after one more",
    ran: `${size}; read from git, newest results executed, files written; start of the process not counted; one run each`,
    measures: [
      held("everything", many.feed.seconds, "s", "most", 60, only),
      held("everything: peak memory", many.feed.peak, "MB", "most", 1000, only),
      held("one more document", next.seconds, "s", "most", 1, only),
      plain("one more document: peak memory", next.peak, "MB"),
      plain("one more document: parts kept", next.kept, "files"),
    ],
  };
  const coldStart = await coldStartRow(few.repository, join(folder, "cold-start"), quick);
  return [validateRow, coldStart, feedRow];
}

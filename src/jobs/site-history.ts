import { readBoardCommits } from "../io/board-history.ts";
import { type FileSource, folderSource } from "../io/files.ts";
import type { GitRepository } from "../io/git.ts";
import { fastDigest } from "../io/git-ids.ts";
import { RESULTS_FOLDER } from "../lib/benchmarks/result-path.ts";
import { boardHistory, type Change, type HistoryDocument } from "../lib/feed/history.ts";
import { projectResult } from "../lib/feed/project.ts";
import { parseRegistry, REGISTRY_PATH } from "../lib/feed/schema.ts";
import { isWithdrawalPath, parseWithdrawal } from "../lib/feed/withdrawal.ts";

/** Up to so many results ranks are followed through the whole history; of more only what came last is told. */
const REPLAYED = 5000;
/** Commits looked at where ranks are not followed. */
const LAST = 500;
/** More than any history that is replayed. */
const WHOLE = 100_000;

/**
 * What changed on the boards up to a commit, the newest first.
 * @param root a checkout of that commit
 * @param results how many result documents it has
 */
export async function readHistory(
  root: string,
  repository: GitRepository,
  commit: string,
  results: number,
): Promise<Change[]> {
  const replayed = results <= REPLAYED;
  const commits = await readBoardCommits(repository, commit, replayed ? WHOLE : LAST);
  const source = folderSource(root);
  const documents = new Map<string, HistoryDocument>();
  for (const { files } of commits)
    for (const { status, path } of files) {
      if (status !== "added" || !path.startsWith(`${RESULTS_FOLDER}/`)) continue;
      const document = await readDocument(source, path);
      if (document !== null) documents.set(path, document);
    }
  const registry = parseRegistry((await source(REGISTRY_PATH)) ?? "", REGISTRY_PATH);
  return boardHistory(commits, documents, registry.ok ? registry.value.models : [], replayed);
}

async function readDocument(source: FileSource, path: string): Promise<HistoryDocument | null> {
  const bytes = await source(path);
  if (bytes === null) return null;
  if (isWithdrawalPath(path)) {
    const parsed = parseWithdrawal(bytes, path);
    if (!parsed.ok) return null;
    const { suite, model, withdraws } = parsed.value;
    return { kind: "withdrawal", path, suite, model, withdraws: withdraws.digest, reason: withdraws.reason };
  }
  const digest = fastDigest(bytes);
  const projected = projectResult(bytes, path, digest);
  if (projected === null) return null;
  const { suite, model, composite, finished_at, supersedes } = projected;
  return {
    kind: "result",
    path,
    digest,
    suite,
    model: model.id,
    composite,
    finished_at,
    supersedes: supersedes?.digest ?? null,
  };
}

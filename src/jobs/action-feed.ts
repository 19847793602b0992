import { z } from "zod";
import { announce, scratchFolder, workspace } from "../io/action.ts";
import { GitError, readChangedFiles, readCheckout, readMergeOrder } from "../io/git.ts";
import { RESULTS_FOLDER } from "../lib/benchmarks/result.ts";
import { computeFeed, writePublished } from "./feed.ts";

export const feedInputs = z.object({ repository: z.string(), published: z.string() });

/**
 * Computes the derived documents of a checkout's tree and writes them into a folder.
 * @throws when the tree does not hold, or the working files are not the tree: nothing is published then.
 */
export async function publishFeed(
  inputs: z.output<typeof feedInputs>,
): Promise<Readonly<Record<string, string>>> {
  const root = inputs.repository === "" ? workspace() : inputs.repository;
  const { repository, commit, shallow } = await readCheckout(root);
  const changed = await readChangedFiles(root, "benchmarks");
  if (changed.length > 0)
    throw new GitError(
      `${changed.length} files under benchmarks/ are not those of the commit: the feed would not be the tree's`,
    );
  const computed = await computeFeed({
    root,
    sourceTree: commit.tree,
    // Only a whole history tells the order in which results came.
    ...(shallow ? {} : { mergeOrder: await readMergeOrder(repository, commit.sha, RESULTS_FOLDER) }),
  });
  announce(computed.findings);
  if (!computed.ok)
    throw new Error(`${computed.findings.length} findings: nothing is published from this tree`);
  const published = inputs.published === "" ? scratchFolder("assay-published") : inputs.published;
  await writePublished(published, computed.value);
  return { published, "source-tree": commit.tree };
}

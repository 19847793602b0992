import { z } from "zod";
import { announce, printUntrusted, scratchFolder, workspace } from "../io/action.ts";
import { folderSource } from "../io/files.ts";
import {
  GitError,
  gitTreeSource,
  ObjectReader,
  readBranchTip,
  readChangedFiles,
  readCheckout,
  readMergeOrder,
} from "../io/git.ts";
import { PUBLISHED_BRANCH } from "../lib/bot/publish.ts";
import { computeFeed, writePublished } from "./feed.ts";
import { readHistory } from "./history.ts";
import { gitResults } from "./results-tree.ts";
import { committedAssets, makeSite, writeSite } from "./site.ts";
import { siteInfo } from "./site-info.ts";

export const feedInputs = z.object({
  repository: z.string(),
  published: z.string(),
  full: z.enum(["true", "false", ""]),
  site: z.string(),
  address: z.string(),
});

/** What documents are derived from. */
const SOURCES = ["benchmarks", "data", "tasks", "METHODOLOGY.md"];

/**
 * Computes the derived documents of a checkout's tree and the site that shows them, and writes each into a folder.
 * @param client the folder of the site's scripts and styles
 * @throws when the tree does not hold, or the working files are not the tree: nothing is published then.
 */
export async function publishFeed(
  inputs: z.output<typeof feedInputs>,
  client: string,
): Promise<Readonly<Record<string, string>>> {
  const root = inputs.repository === "" ? workspace() : inputs.repository;
  const { repository, commit, shallow } = await readCheckout(root);
  for (const path of SOURCES) {
    const changed = await readChangedFiles(root, path);
    if (changed.length > 0)
      throw new GitError(
        `${changed.length} files of ${path} are not those of the commit: the feed would not be the tree's`,
      );
  }
  const before = inputs.full === "true" ? null : await readBranchTip(repository, PUBLISHED_BRANCH);
  const previous = before === null ? undefined : gitTreeSource(repository, before);
  const reader = new ObjectReader(repository.gitDir);
  try {
    const computed = await computeFeed({
      root,
      sourceTree: commit.tree,
      results: await gitResults(reader, commit.tree),
      // Only a whole history tells the order in which results came.
      ...(shallow ? {} : { mergeOrder: (paths) => readMergeOrder(repository, commit.sha, paths) }),
      ...(previous === undefined ? {} : { previous }),
    });
    announce(computed.findings);
    if (!computed.ok)
      throw new Error(`${computed.findings.length} findings: nothing is published from this tree`);
    const { notUsed } = computed.value;
    if (notUsed !== null) printUntrusted([`What was published before was not used: ${notUsed}`]);
    const published = inputs.published === "" ? scratchFolder("assay-published") : inputs.published;
    await writePublished(published, computed.value, previous);
    const made = await makeSite({
      root,
      published: computed.value,
      info: siteInfo(process.env, commit, inputs.address),
      // A shallow checkout does not have the history.
      history: shallow
        ? null
        : await readHistory({
            repository,
            commit: commit.sha,
            index: folderSource(published),
            feed: computed.value.feed,
          }),
      assets: await committedAssets(client),
    });
    announce(made.findings);
    if (!made.ok) throw new Error(`${made.findings.length} findings: no site can be made from this tree`);
    const site = inputs.site === "" ? scratchFolder("assay-site") : inputs.site;
    const refused = await writeSite(site, made.value);
    announce(refused);
    if (refused.length > 0) throw new Error("the site was not written");
    return { published, site, "source-tree": commit.tree };
  } finally {
    reader.close();
    previous?.close();
  }
}

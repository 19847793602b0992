import { gitTreeSource, ObjectReader, openRepository } from "../../src/io/git.ts";
import { computeFeed, writePublished } from "../../src/jobs/feed.ts";
import { gitResults } from "../../src/jobs/results-tree.ts";
import { childInput, peakMegabytes, report } from "./child.ts";

export interface FeedInput {
  readonly root: string;
  readonly gitDir: string;
  readonly tree: string;
  /** Commit of what was published before; null derives everything. */
  readonly previous: string | null;
  readonly out: string;
}

export interface FeedMeasured {
  readonly seconds: number;
  readonly peak: number;
  readonly results: number;
  readonly kept: number;
}

const { root, gitDir, tree, previous: before, out } = childInput<FeedInput>();
const started = performance.now();
const reader = new ObjectReader(gitDir);
const previous = before === null ? undefined : gitTreeSource(await openRepository(gitDir), before);
const computed = await computeFeed({
  root,
  sourceTree: tree,
  results: await gitResults(reader, tree),
  ...(previous === undefined ? {} : { previous }),
});
if (!computed.ok) throw new Error(JSON.stringify(computed.findings.slice(0, 3)));
if (computed.value.notUsed !== null) throw new Error(computed.value.notUsed);
await writePublished(out, computed.value, previous);
reader.close();
previous?.close();
const measured: FeedMeasured = {
  seconds: (performance.now() - started) / 1000,
  peak: peakMegabytes(),
  results: computed.value.index.suites.reduce((sum, suite) => sum + suite.results, 0),
  kept: computed.value.kept.length,
};
report(measured);

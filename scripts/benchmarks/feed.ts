// npm run bench:feed [-- --out DIR] [--tree ID] [--check]: derives feed.json, index.json and board.md from the results.
import { join, relative, resolve } from "node:path";
import { Command } from "commander";
import { readCommittedTree } from "../../src/io/committed-tree.ts";
import { folderSource } from "../../src/io/files.ts";
import { ObjectReader } from "../../src/io/git.ts";
import { printFindings } from "../../src/io/terminal.ts";
import { userPath, whenWritten } from "../../src/io/user-files.ts";
import { computeFeed, writePublished } from "../../src/jobs/feed.ts";
import { gitResults } from "../../src/jobs/results-tree.ts";
import { INDEX_FOLDER } from "../../src/lib/feed/index-schema.ts";
import { endUsage } from "./end-usage.ts";
import { rootOf } from "./root.ts";

interface FeedOptions {
  out?: string;
  tree?: string;
  root?: string;
  recompute: boolean;
  full?: boolean;
}

const program = new Command("bench:feed")
  .allowExcessArguments(false)
  .exitOverride(endUsage)
  .description(
    "Derives feed, index and board from the committed results. The same tree gives the same bytes.",
  )
  .option("--out <folder>", "where to write (default: published/ of the repository)")
  .option(
    "--tree <id>",
    "git tree id to name as source (default: the checked-out tree, when nothing differs from it)",
  )
  .option("--root <folder>", "the repository to read (default: this one)")
  .option("--full", "derive everything from the documents, without a look at what is in the folder already")
  .option("--no-recompute", "trust committed results without executing the latest ones again");

const options = program.parse().opts<FeedOptions>();
const root = rootOf(options.root);
const out = options.out === undefined ? join(root, "published") : userPath(options.out);
const git = await readCommittedTree(root, ["benchmarks", "data", "tasks", "METHODOLOGY.md"]);
const sourceTree = options.tree ?? git.tree;
if (sourceTree !== null && !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sourceTree)) {
  program.error("--tree takes a full git object id (40 or 64 hex digits).", { exitCode: 2 });
}
const reader = git.tree === null || git.gitDir === null ? null : new ObjectReader(git.gitDir);
const computed = await computeFeed({
  root,
  sourceTree,
  ...(reader === null || git.tree === null ? {} : { results: await gitResults(reader, git.tree) }),
  mergeOrder: git.mergeOrder,
  recompute: options.recompute,
  ...(options.full === true ? {} : { previous: folderSource(out) }),
});
reader?.close();
printFindings(computed.findings);
const refused = computed.ok ? await whenWritten(out, () => writePublished(out, computed.value)) : [];
printFindings(refused);
if (!computed.ok || refused.length > 0) {
  if (!computed.ok) console.error("Nothing was written: a feed is made only from results that hold.");
  process.exitCode = 1;
} else {
  const { feed, index, files, code, kept, notUsed } = computed.value;
  if (notUsed !== null) console.log(`What was in ${out} before was not used: ${notUsed}`);
  const ranked = feed.models.filter(({ benchmark }) => benchmark !== undefined).length;
  const results = index.suites.reduce((sum, suite) => sum + suite.results, 0);
  for (const { path } of [...files, ...code])
    if (!path.startsWith(INDEX_FOLDER)) console.log(relative(resolve(), join(out, path)) || path);
  const parts = [...files.map(({ path }) => path), ...kept].filter((path) => path.startsWith(INDEX_FOLDER));
  if (parts.length > 0) console.log(`${relative(resolve(), join(out, INDEX_FOLDER))}: ${parts.length} parts`);
  console.log(
    `${results} results, ${feed.suites.length} suites, ${ranked} of ${feed.models.length} curated models ranked.`,
  );
  console.log(
    sourceTree === null ? "Source: a working folder (no committed tree)." : `Source tree: ${sourceTree}`,
  );
}

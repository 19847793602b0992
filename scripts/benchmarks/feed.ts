// npm run bench:feed [-- --out DIR] [--tree ID] [--check]: derives feed.json, index.json and board.md from the results.
import { join, relative, resolve } from "node:path";
import { Command } from "commander";
import { readCommittedTree } from "../../src/io/committed-tree.ts";
import { printFindings } from "../../src/io/terminal.ts";
import { userPath } from "../../src/io/user-files.ts";
import { computeFeed, writePublished } from "../../src/jobs/feed.ts";
import { RESULTS_FOLDER } from "../../src/lib/benchmarks/result.ts";
import { rootOf } from "./root.ts";

interface FeedOptions {
  out?: string;
  tree?: string;
  root?: string;
  recompute: boolean;
}

const program = new Command("bench:feed")
  .description(
    "Derives feed, index and board from the committed results. The same tree gives the same bytes.",
  )
  .option("--out <folder>", "where to write (default: published/ of the repository)")
  .option(
    "--tree <id>",
    "git tree id to name as source (default: the checked-out tree, when nothing differs from it)",
  )
  .option("--root <folder>", "the repository to read (default: this one)")
  .option("--no-recompute", "trust committed results without executing the latest ones again");

const options = program.parse().opts<FeedOptions>();
const root = rootOf(options.root);
const out = options.out === undefined ? join(root, "published") : userPath(options.out);
const git = await readCommittedTree(root, ["benchmarks"], RESULTS_FOLDER);
const sourceTree = options.tree ?? git.tree;
if (sourceTree !== null && !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sourceTree)) {
  program.error("--tree takes a full git object id (40 or 64 hex digits).", { exitCode: 2 });
}
const computed = await computeFeed({
  root,
  sourceTree,
  mergeOrder: git.mergeOrder,
  recompute: options.recompute,
});
printFindings(computed.findings);
if (!computed.ok) {
  console.error("Nothing was written: a feed is made only from results that hold.");
  process.exitCode = 1;
} else {
  await writePublished(out, computed.value);
  const { feed, index, files } = computed.value;
  const ranked = feed.models.filter(({ benchmark }) => benchmark !== undefined).length;
  for (const { path } of files) console.log(relative(resolve(), join(out, path)) || path);
  console.log(
    `${index.results.length} results, ${feed.suites.length} suites, ${ranked} of ${feed.models.length} curated models ranked.`,
  );
  console.log(
    sourceTree === null ? "Source: a working folder (no committed tree)." : `Source tree: ${sourceTree}`,
  );
}

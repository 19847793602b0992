// npm run site:build [-- --out site/dist --synthetic]: writes the site of this repository into a folder.
import { join, relative, resolve } from "node:path";
import { Command } from "commander";
import { readCommittedTree } from "../../src/io/committed-tree.ts";
import { printFindings } from "../../src/io/terminal.ts";
import { userPath, whenWritten } from "../../src/io/user-files.ts";
import { writeSite } from "../../src/jobs/site.ts";
import type { Finding } from "../../src/lib/findings.ts";
import type { SiteFile } from "../../src/site/site.tsx";
import { LOCAL_SITE } from "../../src/site/site-info.ts";
import { endUsage } from "../benchmarks/end-usage.ts";
import { REPOSITORY, rootOf } from "../benchmarks/root.ts";
import { makeFromFolder } from "./make.ts";

interface BuildOptions {
  root?: string;
  out?: string;
  url?: string;
  synthetic?: boolean;
}

const program = new Command("site:build")
  .allowExcessArguments(false)
  .exitOverride(endUsage)
  .description("Writes the site: boards, results, methodology. The same tree gives the same bytes.")
  .option("--root <folder>", "the repository whose results it shows (default: this one)")
  .option("--out <folder>", "where to write (default: site/dist of this repository)")
  .option("--url <address>", "the address it will stand at: for pictures and the Atom feed")
  .option(
    "--synthetic",
    "show a round of invented results of the code benchmark, behind a banner that says so",
  );

const options = program.parse().opts<BuildOptions>();
const root = rootOf(options.root);
const out = options.out === undefined ? join(REPOSITORY, "site/dist") : userPath(options.out);
const { tree } = await readCommittedTree(root, ["benchmarks", "data", "tasks", "METHODOLOGY.md"]);
const made = await makeFromFolder({
  root,
  info: { ...LOCAL_SITE, tree, url: options.url === undefined ? null : withSlash(options.url) },
  synthetic: options.synthetic === true,
});
printFindings(made.findings);
const refused = made.ok ? await writeInto(out, made.value) : [];
printFindings(refused);
if (!made.ok || refused.length > 0) process.exitCode = 1;
else console.log(`${made.value.length} files: ${relative(resolve(), out) || out}`);

function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}

async function writeInto(folder: string, files: readonly SiteFile[]): Promise<readonly Finding[]> {
  let refused: readonly Finding[] = [];
  const failed = await whenWritten(folder, async () => {
    refused = await writeSite(folder, files);
  });
  return [...failed, ...refused];
}

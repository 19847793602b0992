import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFilesWhole } from "../../src/io/files.ts";
import { computeFeed } from "../../src/jobs/feed.ts";
import { makeSite, writeSite } from "../../src/jobs/site.ts";
import { resultPath } from "../../src/lib/benchmarks/result-path.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { LOCAL_SITE } from "../../src/site/site-info.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { buildClient, syntheticRound } from "../site/make.ts";
import { childInput, peakMegabytes, report } from "./child.ts";
import { documentMaker, SUITE } from "./documents.ts";

export interface SiteInput {
  /** An empty folder for a repository. */
  readonly root: string;
  readonly out: string;
  /** Models with a result in the suite. */
  readonly models: number;
}

export interface SiteMeasured {
  /** Seconds from published documents to the files of the site. */
  readonly seconds: number;
  readonly peak: number;
  readonly files: number;
  readonly entries: number;
  readonly suite: string;
}

const { root, out, models } = childInput<SiteInput>();
const suite = `suites/${SUITE}.json`;
const { members } = JSON.parse(await readFile(join(REPOSITORY, "benchmarks", suite), "utf8")) as {
  members: { id: string }[];
};
for (const part of ["vocabulary", "registry", suite, ...members.map(({ id }) => `members/${id}`)])
  await cp(join(REPOSITORY, "benchmarks", part), join(root, "benchmarks", part), { recursive: true });
for (const part of ["data/models.json", "METHODOLOGY.md"]) await cp(join(REPOSITORY, part), join(root, part));
const documentAt = await documentMaker(root, 2 * models);
await writeFilesWhole(
  root,
  Array.from({ length: models }, (_, n) => documentAt(n)).map((document) => ({
    path: resultPath(document),
    data: canonicalDocument(document),
  })),
);
const published = await computeFeed({ root, sourceTree: null, recompute: false });
if (!published.ok) throw new Error(JSON.stringify(published.findings.slice(0, 3)));
const assets = await buildClient();
const code = await syntheticRound();
const started = performance.now();
const made = await makeSite({
  root,
  published: published.value,
  info: { ...LOCAL_SITE, url: "https://site.invalid/" },
  history: { at: "2026-12-01T00:00:00.000Z", sheet: [], code: [], complete: true },
  assets,
  code,
});
if (!made.ok) throw new Error(JSON.stringify(made.findings.slice(0, 3)));
const seconds = (performance.now() - started) / 1000;
await writeSite(out, made.value);
const measured: SiteMeasured = {
  seconds,
  peak: peakMegabytes(),
  files: made.value.length,
  entries: code.entries.length,
  suite: SUITE,
};
report(measured);

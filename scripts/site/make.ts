import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { SITE } from "../../rolldown.config.ts";
import { folderData } from "../../src/io/code/data-source.ts";
import { writeNewTree } from "../../src/io/code/write-tree.ts";
import { readCommittedTree } from "../../src/io/committed-tree.ts";
import { filesSource } from "../../src/io/files.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { computeFeed } from "../../src/jobs/feed.ts";
import { readHistory } from "../../src/jobs/history.ts";
import { makeSite } from "../../src/jobs/site.ts";
import type { Data } from "../../src/lib/code/derive/data-schema.ts";
import { syntheticFiles } from "../../src/lib/code/synthetic/round.ts";
import type { Outcome } from "../../src/lib/findings.ts";
import type { SiteFile, SiteInput } from "../../src/site/site.tsx";
import type { SiteInfo } from "../../src/site/site-info.ts";
import { REPOSITORY } from "../benchmarks/root.ts";

/** When the runs of the synthetic round began; any instant would do, and the same one gives the same pages. */
const START = "2026-11-02T09:00:00.000Z";

export interface MakeOptions {
  /** The repository whose results are shown. */
  readonly root: string;
  readonly info: SiteInfo;
  /** Shows the synthetic round of the code benchmark, whatever runs are committed. */
  readonly synthetic: boolean;
}

/** The site of a repository as it lies in a folder, with the client built from the sources of now. */
export async function makeFromFolder({ root, info, synthetic }: MakeOptions): Promise<Outcome<SiteFile[]>> {
  const { mergeOrder, tree, commit, gitDir } = await readCommittedTree(root, [
    "benchmarks",
    "data",
    "tasks",
    "METHODOLOGY.md",
  ]);
  const published = await computeFeed({ root, sourceTree: tree, mergeOrder });
  if (!published.ok) return published;
  return makeSite({
    root,
    published: published.value,
    info,
    history:
      commit === null || gitDir === null
        ? null
        : await readHistory({
            repository: { gitDir },
            commit,
            index: filesSource(published.value.files),
            feed: published.value.feed,
          }),
    assets: await buildClient(),
    ...(synthetic ? { code: await syntheticRound() } : {}),
  });
}

/** What browsers load, from the sources of now. */
export async function buildClient(): Promise<SiteInput["assets"]> {
  const { output, ...input } = SITE;
  const bundle = await rolldown({ ...input, cwd: REPOSITORY });
  try {
    const { cleanDir: _, ...options } = output;
    const built = await bundle.generate(options);
    return built.output.map((file) => ({
      name: file.fileName,
      data: file.type === "chunk" ? file.code : file.source,
    }));
  } finally {
    await bundle.close();
  }
}

/** A full-size round that a generator made, derived as committed facts are. */
export async function syntheticRound(): Promise<Data> {
  const folder = await mkdtemp(join(tmpdir(), "assay-site-round-"));
  try {
    await writeNewTree(folder, syntheticFiles({ seed: 1, start: START, rounds: 1, deliverables: false }));
    const { data, findings } = await readCodeData(folderData(folder), {
      synthetic: true,
      deliverables: false,
    });
    if (data === null) throw new Error(`the synthetic round does not hold: ${findings[0]?.message ?? ""}`);
    return data;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

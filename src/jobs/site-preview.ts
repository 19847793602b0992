import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, folderSource, writeFilesWhole } from "../io/files.ts";
import { RESULTS_FOLDER } from "../lib/benchmarks/result-path.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import { renderCodePreview, renderPreview, type SiteFile } from "../site/site.tsx";
import { computeFeed } from "./feed.ts";
import type { PlannedEvidence } from "./result-pr-plan.ts";
import { readSheetSuites } from "./sheet-site.ts";
import { committedAssets, readVendors } from "./site.ts";
import { siteInfo } from "./site-info.ts";

/** A copy of more results takes longer than anybody waits for a look at two pages. */
const MOST_RESULTS = 5000;

export interface PreviewRequest {
  /** A checkout of the base. */
  readonly root: string;
  readonly evidence: PlannedEvidence;
  /** Of the workflow: where the repository is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Commit of the base. */
  readonly base: string | null;
  readonly pull: number;
  readonly head: string;
  /** The folder of the site's scripts and styles. */
  readonly client: string;
}

/** The pages, or in a sentence why there are none. */
export type Preview =
  | { readonly files: readonly SiteFile[] }
  | { readonly files: null; readonly reason: string };

/**
 * Pages as they would be with a pull request's results merged into the base: the boards of their suites, their own pages,
 * and what the members' pages say of them. The base's folder is copied; nothing is written into it.
 */
export async function makePreview(request: PreviewRequest): Promise<Preview> {
  const { root, evidence, env, base, pull, head, client } = request;
  const documents = evidence.plan.submissions.flatMap(({ path, digest, file }) => {
    const document = evidence.documents.get(file);
    return document === undefined ? [] : [{ path, digest, document }];
  });
  const suites = [...new Set(documents.map(({ document }) => document.suite.id))];
  if (suites.length === 0) return { files: null, reason: "it changes no result" };
  for (const suite of suites)
    if (((await filesBelow(join(root, RESULTS_FOLDER, suite)))?.length ?? 0) > MOST_RESULTS)
      return { files: null, reason: `the board of ${suite} has more than ${MOST_RESULTS} results` };
  const copy = await mkdtemp(join(tmpdir(), "assay-preview-"));
  try {
    await copyBase(root, copy, suites);
    await writeFilesWhole(
      copy,
      documents.map(({ path, document }) => ({ path, data: canonicalDocument(document) })),
    );
    const computed = await computeFeed({ root: copy, sourceTree: null, recompute: false });
    if (!computed.ok)
      return { files: null, reason: computed.findings[0]?.message ?? "the boards do not hold" };
    const read = await readSheetSuites(
      copy,
      computed.value.boards.filter(({ suite }) => suites.includes(suite.id)),
    );
    if (!read.ok) return { files: null, reason: read.findings[0]?.message ?? "a suite cannot be read" };
    const vendors = await readVendors(folderSource(root));
    const results = documents.map(({ digest }) => digest);
    return {
      files: renderPreview({
        info: {
          ...siteInfo(env, { sha: base, tree: null }, ""),
          // It stands nowhere: it is opened from a folder.
          url: null,
          preview: { pull, head, results },
        },
        suites: read.value,
        vendors: vendors.ok ? vendors.value : [],
        assets: await committedAssets(client),
      }),
    };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

export interface CodePreviewRequest extends Omit<PreviewRequest, "root" | "evidence"> {
  /** The code benchmark's data as they would be. */
  readonly data: Data;
}

/** The code board as it would be with a pull request's facts merged into the base. */
export const makeCodePreview = async ({
  data,
  env,
  base,
  pull,
  head,
  client,
}: CodePreviewRequest): Promise<SiteFile[]> =>
  renderCodePreview(
    data,
    { ...siteInfo(env, { sha: base, tree: null }, ""), url: null, preview: { pull, head, results: [] } },
    await committedAssets(client),
  );

/** What boards of these suites are made from. */
async function copyBase(root: string, copy: string, suites: readonly string[]): Promise<void> {
  const results = join(root, RESULTS_FOLDER);
  await cp(join(root, "benchmarks"), join(copy, "benchmarks"), {
    recursive: true,
    filter: (source) => source !== results && !source.startsWith(join(root, "benchmarks/.runs")),
  });
  for (const suite of suites) {
    const there = await stat(join(results, suite)).catch(() => null);
    if (there !== null)
      await cp(join(results, suite), join(copy, RESULTS_FOLDER, suite), { recursive: true });
  }
}

import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { type FileSource, filesBelow, folderSource, removeFiles, writeFilesWhole } from "../io/files.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import { modelsSchema, type Vendor } from "../lib/code/schema/models-schema.ts";
import type { History } from "../lib/feed/history.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import { renderSite, type SiteFile, type SiteInput } from "../site/site.tsx";
import type { SiteInfo } from "../site/site-info.ts";
import type { PublishedFiles } from "./feed.ts";
import { readSheetSuites } from "./sheet-site.ts";

export interface SiteRequest {
  /** A checkout of the tree that `published` was made from. */
  readonly root: string;
  /** As `computeFeed` gave it. */
  readonly published: Pick<PublishedFiles, "boards" | "code">;
  readonly info: SiteInfo;
  /** What changed on the boards; null where the commits are not known. */
  readonly history: History | null;
  /** What browsers load, made beforehand. */
  readonly assets: SiteInput["assets"];
  /** Data of the code benchmark in place of the published ones: a synthetic round. */
  readonly code?: Data;
}

const MODELS = "data/models.json";
const METHODOLOGY = "METHODOLOGY.md";
const MAX_MODELS_BYTES = 16 * 1024 * 1024;

/** Makes all files of the site. The same request gives the same bytes. */
export async function makeSite(request: SiteRequest): Promise<Outcome<SiteFile[]>> {
  const { root, published, info, history, assets } = request;
  const source = folderSource(root);
  const vendors = await readVendors(source);
  if (!vendors.ok) return vendors;
  const suites = await readSheetSuites(root, published.boards);
  if (!suites.ok) return suites;
  const methodology = await source(METHODOLOGY);
  return {
    ok: true,
    value: renderSite({
      info,
      history,
      assets,
      methodology: methodology === null ? null : new TextDecoder().decode(methodology),
      suites: suites.value,
      vendors: vendors.value,
      code: request.code ?? publishedData(published.code),
    }),
    findings: suites.findings,
  };
}

/** The catalogue's labs; none in a repository without the code benchmark. */
export async function readVendors(source: FileSource): Promise<Outcome<readonly Vendor[]>> {
  const bytes = await source(MODELS);
  if (bytes === null) return { ok: true, value: [], findings: [] };
  const models = parseWithSchema(bytes, modelsSchema, {
    path: MODELS,
    code: "code-data",
    maxBytes: MAX_MODELS_BYTES,
  });
  return models.ok ? { ...models, value: models.value.vendors } : models;
}

/** `data.json` of the public tree; null while there is none. It was just derived, so it has its form. */
function publishedData(code: PublishedFiles["code"]): Data | null {
  const file = code.find(({ path }) => path === "data.json");
  if (file === undefined) return null;
  const { data } = file;
  return JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data));
}

/** Every site has it, so a folder with other files in it and without it is not one. */
const MARK = "assets/site.css";

/** Writes a site into a folder: whole files, and what an earlier site had there and this one has not goes. */
export async function writeSite(folder: string, files: readonly SiteFile[]): Promise<readonly Finding[]> {
  const there = ((await filesBelow(folder)) ?? []).map(({ path }) => relative(folder, path));
  if (there.length > 0 && !there.includes(MARK))
    return [
      {
        code: "site-folder",
        severity: "error",
        path: folder,
        message: "The folder holds other files than a site's: they would be removed.",
        actual: there[0] ?? "",
        hint: "Name a new folder, or one in which a site was written before.",
      },
    ];
  await writeFilesWhole(folder, files);
  const wanted = new Set(files.map(({ path }) => path));
  await removeFiles(
    folder,
    there.filter((path) => !wanted.has(path)),
  );
  return [];
}

/** The committed client: scripts, styles and pictures of `dist/site`, in name order. */
export async function committedAssets(folder: string): Promise<SiteInput["assets"]> {
  const files = (await filesBelow(folder)) ?? [];
  return Promise.all(
    files.map(async ({ path }) => ({ name: relative(folder, path), data: await readFile(path) })),
  );
}

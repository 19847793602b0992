import { mkdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { filesBelow } from "../../src/io/files.ts";
import { BOARD_DATA_PATH } from "../../src/site/code/board-data.ts";
import { CODE_BOARD_PATH } from "../../src/site/code/page.tsx";
import { boardPagePath } from "../../src/site/sheet/addresses.ts";
import type { SiteFile } from "../../src/site/site.tsx";
import { chromiumPath, launchChromium } from "../site/chromium.ts";
import { serveFiles } from "../site/serve-files.ts";
import { runChild } from "./child.ts";
import { type FirstView, measureFirstView } from "./first-view.ts";
import type { SiteInput, SiteMeasured } from "./measure-site.ts";
import { held, type Measure, plain, type Row } from "./table.ts";

/** What the budget is about: models of a suite's board. */
const MANY = 575;
const CODE_PATH = CODE_BOARD_PATH;

/** The row about the site: a suite's board with many models, and the synthetic round of the code benchmark. */
export async function siteRow(folder: string, quick: boolean): Promise<Row> {
  const root = join(folder, "with-pages");
  await mkdir(root, { recursive: true });
  const models = quick ? 20 : MANY;
  const input: SiteInput = { root, out: join(folder, "site"), models };
  const site = await runChild<SiteMeasured>("measure-site.ts", input);
  const files = await readSite(input.out);
  const runs = quick ? 1 : 5;
  const views = await firstViews(files, site.suite, runs);
  const only = quick ? `${models} models` : null;
  return {
    id: "site",
    what: "the site: what pages load, when they show themselves, and how long it takes to make it",
    ran:
      `a board with ${models} models and one of the code benchmark with ${site.entries} synthetic entries; ` +
      (views === null
        ? "no Chromium here, so first views were not timed"
        : `Chromium over loopback, nothing cached, median of ${runs}`),
    measures: [
      held("script + style of all pages together, gzipped", loaded(files), "kB", "most", 150),
      ...(views === null ? [] : viewMeasures(views, only)),
      plain("code board: data that it loads, gzipped", kilobytes(files, BOARD_DATA_PATH), "kB"),
      plain("code board: page, gzipped", kilobytes(files, CODE_PATH), "kB"),
      plain("suite's board: page, gzipped", kilobytes(files, boardPagePath(site.suite)), "kB"),
      plain("making all pages", site.seconds, "s"),
      plain("making all pages: peak memory", site.peak, "MB"),
      plain("making all pages: files", site.files, "files"),
    ],
  };
}

interface Views {
  readonly code: FirstView;
  readonly suite: FirstView;
}

/** Null without a browser. */
async function firstViews(files: readonly SiteFile[], suite: string, runs: number): Promise<Views | null> {
  const path = chromiumPath();
  if (path === null) return null;
  const [browser, served] = [await launchChromium(path), await serveFiles(files)];
  try {
    return {
      code: await measureFirstView(browser, `${served.url}${CODE_PATH}`, runs, true),
      suite: await measureFirstView(browser, `${served.url}${boardPagePath(suite)}`, runs, false),
    };
  } finally {
    await browser.close();
    await served.close();
  }
}

const viewMeasures = ({ code, suite }: Views, only: string | null): Measure[] => [
  held("suite's board: first view, largest part drawn", suite.largest, "ms", "most", 1000, only),
  held("code board: first view, largest part drawn", code.largest, "ms", "most", 1000),
  plain("code board: until it answers to everything", code.live ?? Number.NaN, "ms"),
  plain("suite's board: first contents", suite.drawn, "ms"),
  plain("code board: first contents", code.drawn, "ms"),
];

const readSite = async (folder: string): Promise<SiteFile[]> =>
  Promise.all(
    ((await filesBelow(folder)) ?? []).map(async ({ path }) => ({
      path: relative(folder, path),
      data: await readFile(path),
    })),
  );

const kilobytes = (files: readonly SiteFile[], path: string): number => {
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw new Error(`the site has no ${path}`);
  return gzipSync(file.data, { level: 9 }).length / 1000;
};

/** No page loads more than all there is. */
const loaded = (files: readonly SiteFile[]): number =>
  files
    .filter(({ path }) => /^assets\/.*\.(?:js|css)$/.test(path))
    .reduce((sum, { path }) => sum + kilobytes(files, path), 0);

import type { Data } from "../lib/code/derive/data-schema.ts";
import type { Vendor } from "../lib/code/schema/models-schema.ts";
import { changesOf, type History } from "../lib/feed/history.ts";
import { codeCard, suiteCard } from "./board-cards.ts";
import { drawBoardPicture } from "./board-picture.ts";
import { BOARD_DATA_PATH, findingsByRun, findingsPath, slimData } from "./code/board-data.ts";
import { CODE_BOARD_PATH, codeBoardPage } from "./code/page.tsx";
import { ATOM_PATH, renderAtom } from "./pages/atom.ts";
import { HISTORY_PATH, historyPage } from "./pages/history.tsx";
import { CODE_METHODOLOGY_PATH, codeMethodologyPage } from "./pages/methodology-code.tsx";
import { notFoundPage } from "./pages/not-found.tsx";
import { previewPage } from "./pages/preview.tsx";
import { START_PATH, startPage } from "./pages/start.tsx";
import { CODE_PICTURE, suitePicture } from "./picture-paths.ts";
import { boardPagePath, METHODOLOGY_PATH } from "./sheet/addresses.ts";
import type { SheetInput, SheetSuite } from "./sheet/input.ts";
import { contextOf, sheetData, sheetPages } from "./sheet/pages.ts";
import type { SiteInfo } from "./site-info.ts";
import { type Frame, type NavItem, NO_FRAME, type Page, renderDocument } from "./ui/document.tsx";
import { vendorsCss } from "./vendors-css.ts";

/** Everything that the pages are made from. The same input gives the same bytes. */
export interface SiteInput {
  readonly info: SiteInfo;
  /** The code benchmark; null while it has no run. */
  readonly code: Data | null;
  /** `METHODOLOGY.md`; null in a repository without the code benchmark. */
  readonly methodology: string | null;
  /** The sheet benchmark, suite by suite. */
  readonly suites: readonly SheetSuite[];
  /** What changed on the boards; null where the commits are not known. */
  readonly history: History | null;
  /** Labs: colours, marks and shapes, from `data/models.json`. */
  readonly vendors: readonly Vendor[];
  /** What browsers load, made beforehand: by file name. */
  readonly assets: readonly { readonly name: string; readonly data: string | Uint8Array }[];
}

export interface SiteFile {
  /** From the site's root. */
  readonly path: string;
  readonly data: string | Uint8Array;
}

/** All files of the site. */
export function renderSite(input: SiteInput): SiteFile[] {
  const { info, code, methodology, suites, vendors, assets, history } = input;
  const sheet = { site: info, suites, vendors };
  const frame = frameOf(input);
  const pages: Page[] = [
    startPage({ code, suites: suites.map(({ board }) => board), changes: changesOf(history) }),
    codeBoardPage(code, info),
    ...sheetPages(sheet),
    ...(methodology === null ? [] : [codeMethodologyPage(methodology, info)]),
    historyPage({ site: info, history, resultPages: resultPagesOf(sheet) }),
    notFoundPage(info.url),
  ];
  return [
    ...pages.map((page) => ({ path: page.path, data: renderDocument(page, info, frame) })),
    ...(history === null ? [] : [{ path: ATOM_PATH, data: renderAtom(history, info) }]),
    ...(code === null ? [] : codeData(code)),
    ...sheetData(sheet),
    ...(info.url === null ? [] : pictures(input)),
    { path: "assets/vendors.css", data: vendorsCss(allVendors(vendors, code)) },
    ...clientFiles(assets),
  ];
}

const clientFiles = (assets: SiteInput["assets"]): SiteFile[] =>
  assets.map(({ name, data }) => ({ path: `assets/${name}`, data }));

/** What a pull request would change of the sheet benchmark: its suites' pages, which need nothing beside them. */
export function renderPreview({
  info,
  suites,
  vendors,
  assets,
}: Pick<SiteInput, "info" | "suites" | "vendors" | "assets">): SiteFile[] {
  const sheet = { site: info, suites, vendors };
  const nav = [
    { section: "start", title: "What it changes", path: START_PATH } as const,
    ...suites.map(
      ({ suite }): NavItem => ({ section: "sheet", title: suite.title, path: boardPagePath(suite.id) }),
    ),
    { section: "methodology", title: "Methodology", path: METHODOLOGY_PATH } as const,
  ];
  const pages = [previewPage(sheet), ...sheetPages(sheet)];
  return [
    ...pages.map((page) => ({
      path: page.path,
      data: renderDocument(page, info, { ...NO_FRAME, nav }),
    })),
    ...sheetData(sheet),
    { path: "assets/vendors.css", data: vendorsCss(vendors) },
    ...clientFiles(assets.filter(({ name }) => name !== "code.js")),
  ];
}

/** What links to the boards show. An address is needed to link to them, so without one there are none. */
function pictures({ code, suites, vendors }: SiteInput): SiteFile[] {
  const cards = [
    ...(code === null ? [] : [{ path: CODE_PICTURE, card: codeCard(code) }]),
    ...suites.map(({ board }) => ({ path: suitePicture(board.suite.id), card: suiteCard(board, vendors) })),
  ];
  return cards.map(({ path, card }) => ({ path, data: drawBoardPicture(card) }));
}

/** Pages of result documents, by digest. */
const resultPagesOf = (sheet: SheetInput): ReadonlyMap<string, string> =>
  new Map(sheet.suites.flatMap((own) => [...contextOf(sheet, own).resultPages]));

/**
 * The code board as a pull request would make it: its first view, which is what can be read of a page that is opened from
 * a folder.
 */
export function renderCodePreview(data: Data, info: SiteInfo, assets: SiteInput["assets"]): SiteFile[] {
  const { scripts: _scripts, data: _data, ...page } = codeBoardPage(data, info);
  const nav: NavItem[] = [{ section: "code", title: "What it changes", path: page.path }];
  return [
    { path: page.path, data: renderDocument(page, info, { ...NO_FRAME, nav }) },
    { path: "assets/vendors.css", data: vendorsCss(data.vendors) },
    ...clientFiles(assets.filter(({ name }) => name !== "code.js")),
  ];
}

/** The catalogue's, and those that only the data know: a synthetic round brings its own. */
function allVendors(vendors: readonly Vendor[], code: Data | null): readonly Vendor[] {
  const known = new Set(vendors.map(({ id }) => id));
  return [...vendors, ...(code?.vendors ?? []).filter(({ id }) => !known.has(id))];
}

function frameOf({ suites, methodology, history }: SiteInput): Frame {
  const methods = [
    ...(methodology === null ? [] : [{ title: "Code methodology", path: CODE_METHODOLOGY_PATH }]),
    { title: "Sheet methodology", path: METHODOLOGY_PATH },
  ];
  return {
    nav: [
      { section: "code", title: "Code benchmark", path: CODE_BOARD_PATH },
      ...suites.slice(0, 1).map(
        ({ suite }): NavItem => ({
          section: "sheet",
          title: "Sheet benchmark",
          path: boardPagePath(suite.id),
        }),
      ),
      ...methods
        .slice(0, 1)
        .map(({ path }): NavItem => ({ section: "methodology", title: "Methodology", path })),
      { section: "history", title: "History", path: HISTORY_PATH },
    ],
    foot: methods,
    feed: history === null ? null : ATOM_PATH,
  };
}

const codeData = (code: Data): SiteFile[] => [
  { path: BOARD_DATA_PATH, data: JSON.stringify(slimData(code)) },
  ...[...findingsByRun(code)].map(([run, findings]) => ({
    path: findingsPath(run),
    data: JSON.stringify(findings),
  })),
];

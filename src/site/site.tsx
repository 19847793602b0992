import type { Data } from "../lib/code/derive/data-schema.ts";
import type { BoardSuite } from "../lib/feed/board-schema.ts";
import { BOARD_DATA_PATH, findingsByRun, findingsPath, slimData } from "./code/board-data.ts";
import { CODE_BOARD_PATH, codeBoardPage } from "./code/page.tsx";
import { CODE_METHODOLOGY_PATH, codeMethodologyPage } from "./pages/methodology-code.tsx";
import { notFoundPage } from "./pages/not-found.tsx";
import { startPage, suiteBoardPath } from "./pages/start.tsx";
import type { SiteInfo } from "./site-info.ts";
import { type NavItem, type Page, renderDocument } from "./ui/document.tsx";
import { vendorsCss } from "./vendors-css.ts";

/** Everything that the pages are made from. The same input gives the same bytes. */
export interface SiteInput {
  readonly info: SiteInfo;
  /** The code benchmark; null while it has no run. */
  readonly code: Data | null;
  /** `METHODOLOGY.md`. */
  readonly methodology: string;
  /** Boards of the sheet benchmark, by suite. */
  readonly suites: readonly BoardSuite[];
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
  const { info, code, suites, assets } = input;
  const nav = navigation(input);
  const pages: Page[] = [
    startPage({ code, suites }),
    codeBoardPage(code, info),
    codeMethodologyPage(input.methodology, info),
    notFoundPage(info.url),
  ];
  return [
    ...pages.map((page) => ({ path: page.path, data: renderDocument(page, info, nav) })),
    ...(code === null ? [] : codeData(code)),
    { path: "assets/vendors.css", data: vendorsCss(code?.vendors ?? []) },
    ...assets.map(({ name, data }) => ({ path: `assets/${name}`, data })),
  ];
}

const navigation = ({ suites }: SiteInput): NavItem[] => [
  { section: "code", title: "Code benchmark", path: CODE_BOARD_PATH },
  ...suites.slice(0, 1).map(
    ({ suite }): NavItem => ({
      section: "sheet",
      title: "Sheet benchmark",
      path: suiteBoardPath(suite.id),
    }),
  ),
  { section: "methodology", title: "Methodology", path: CODE_METHODOLOGY_PATH },
];

const codeData = (code: Data): SiteFile[] => [
  { path: BOARD_DATA_PATH, data: JSON.stringify(slimData(code)) },
  ...[...findingsByRun(code)].map(([run, findings]) => ({
    path: findingsPath(run),
    data: JSON.stringify(findings),
  })),
];

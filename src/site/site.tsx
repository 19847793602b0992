import type { Data } from "../lib/code/derive/data-schema.ts";
import { BOARD_DATA_PATH, findingsByRun, findingsPath, slimData } from "./code/board-data.ts";
import { codeBoardPage } from "./code/page.tsx";
import type { SiteInfo } from "./site-info.ts";
import { type NavItem, type Page, renderDocument } from "./ui/document.tsx";
import { vendorsCss } from "./vendors-css.ts";

/** Everything that the pages are made from. The same input gives the same bytes. */
export interface SiteInput {
  readonly info: SiteInfo;
  /** The code benchmark; null while it has no run. */
  readonly code: Data | null;
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
  const { info, code, assets } = input;
  const nav = navigation();
  const pages: Page[] = [codeBoardPage(code, info)];
  return [
    ...pages.map((page) => ({ path: page.path, data: renderDocument(page, info, nav) })),
    ...(code === null ? [] : codeData(code)),
    { path: "assets/vendors.css", data: vendorsCss(code?.vendors ?? []) },
    ...assets.map(({ name, data }) => ({ path: `assets/${name}`, data })),
  ];
}

const navigation = (): NavItem[] => [{ section: "code", title: "Code benchmark", path: "code/index.html" }];

const codeData = (code: Data): SiteFile[] => [
  { path: BOARD_DATA_PATH, data: JSON.stringify(slimData(code)) },
  ...[...findingsByRun(code)].map(([run, findings]) => ({
    path: findingsPath(run),
    data: JSON.stringify(findings),
  })),
];

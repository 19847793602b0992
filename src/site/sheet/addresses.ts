import { modelFolder } from "../../lib/benchmarks/result-path.ts";
import { boardSuitePath } from "../../lib/feed/board-schema.ts";

/** Where the sheet benchmark's pages are, from the site's root. */

export const METHODOLOGY_PATH = "methodology/sheet.html";

/** A suite's board; `part` counts from 1 where it is too long for one page. */
export const boardPagePath = (suite: string, part = 1): string =>
  part === 1 ? `sheet/${suite}/index.html` : `sheet/${suite}/rows-${part}.html`;

export const suitePagePath = (suite: string): string => `sheet/${suite}/suite.html`;

export const memberPagePath = (suite: string, member: string): string =>
  `sheet/${suite}/members/${member}.html`;

/** Made of the model's id and twelve digits of the document's digest. */
export const resultPagePath = (suite: string, model: string, digest: string): string =>
  `sheet/${suite}/results/${modelFolder(model)}-${digest.slice("sha256:".length, "sha256:".length + 12)}.html`;

/** The board's rows as they are published, beside the pages. */
export const boardDataPath = (suite: string): string => boardSuitePath(suite);

/** Anchor of a member on a result's page. */
export const memberAnchor = (member: string): string => `m-${member}`;

/** Anchor on a member's page of what a result's recipe made of the sheet; counted from 0 in the page's order. */
export const madeAnchor = (index: number): string => `made-${index + 1}`;

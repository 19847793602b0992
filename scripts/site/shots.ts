// npm run site:shots [-- --site site/dist --out site/shots]
// A picture of every view of a built site: narrow and wide, light and dark.
import { readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Command } from "commander";
import type { Browser } from "playwright-core";
import { BOARD_DATA_PATH } from "../../src/site/code/board-data.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { CHROMIUM_PLACES, chromiumPath, launchChromium } from "./chromium.ts";
import { viewsOf } from "./views.ts";

const SIZES = { narrow: { width: 360, height: 740 }, wide: { width: 1280, height: 900 } } as const;
const THEMES = ["light", "dark"] as const;
/** Nobody's address: what the browser asks for there comes from the folder. */
const ORIGIN = "http://site.invalid/";

const program = new Command("site:shots")
  .description("Pictures of every view of a built site: narrow and wide, light and dark.")
  .option("--site <folder>", "the built site", "site/dist")
  .option("--out <folder>", "where the pictures go", "site/shots")
  .option("--chromium <path>", "the browser (default: the system's)")
  .action(takeAll);
await program.parseAsync();

async function takeAll(options: { site: string; out: string; chromium?: string }): Promise<void> {
  const site = resolve(REPOSITORY, options.site);
  const out = resolve(REPOSITORY, options.out);
  const executablePath = options.chromium ?? chromiumPath();
  const pages = (await readdir(site, { recursive: true }).catch(() => [])).filter((path) =>
    path.endsWith(".html"),
  );
  if (executablePath === null)
    return fail(`no Chromium: looked for ${CHROMIUM_PLACES.join(", ")}; name one by --chromium`);
  if (pages.length === 0) return fail(`no page in ${options.site}: npm run site:build makes it`);
  const synthetic = readText(join(site, BOARD_DATA_PATH)).startsWith('{"schema_version":1,"synthetic":true');
  await mkdir(out, { recursive: true });
  const browser = await launchChromium(executablePath);
  try {
    let count = 0;
    for (const view of viewsOf(pages, synthetic))
      for (const [name, viewport] of Object.entries(SIZES))
        for (const colorScheme of THEMES) {
          const file = `${view.replaceAll(/[^a-z0-9.-]+/gi, "_")}-${name}-${colorScheme}.png`;
          await takeOne(browser, { site, view, path: join(out, file), viewport, colorScheme });
          count += 1;
        }
    console.log(`${count} pictures in ${options.out}`);
  } finally {
    await browser.close();
  }
}

interface Shot {
  readonly site: string;
  readonly view: string;
  readonly path: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: (typeof THEMES)[number];
}

async function takeOne(browser: Browser, { site, view, path, viewport, colorScheme }: Shot): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme });
  await page.route(`${ORIGIN}**`, (route) =>
    route.fulfill({ path: join(site, decodeURIComponent(new URL(route.request().url()).pathname)) }),
  );
  await page.goto(`${ORIGIN}${view}`, { waitUntil: "networkidle" });
  if (view.startsWith("code/")) await page.waitForSelector("#board.live .answer:not([aria-busy])");
  // What lies over a page is as high as the window; the page below it is in its own picture.
  await page.screenshot({ path, fullPage: !/[?&](?:of|entry)=/.test(view) });
  await page.close();
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

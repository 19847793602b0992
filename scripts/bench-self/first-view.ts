import type { Browser } from "playwright-core";
import { median } from "./table.ts";

export interface FirstView {
  /** Milliseconds from the request to the first contents on the screen. */
  readonly drawn: number;
  /** Milliseconds until the largest thing of the first screen stood there. */
  readonly largest: number;
  /** Milliseconds until the page answers to everything; null for a page without a part that comes alive. */
  readonly live: number | null;
}

/** What is noted in the page while it loads. */
interface Noted {
  drawn?: number;
  largest?: number;
  live?: number;
}

const WIDE = { width: 1280, height: 900 };

/** Runs in the page before anything of it: notes when contents are drawn, and when the board has come alive. */
function note(): void {
  const noted: Noted = {};
  Object.assign(globalThis, { noted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) noted.drawn = entry.startTime;
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.largest = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new MutationObserver(() => {
    if (document.querySelector("#board.live") !== null) noted.live ??= performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
}

/**
 * Times the first view of a page, each time in a browser context that has nothing cached.
 * @param live whether the page has a part that comes alive
 */
export async function measureFirstView(
  browser: Browser,
  url: string,
  runs: number,
  live: boolean,
): Promise<FirstView> {
  const all: Noted[] = [];
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext({ viewport: WIDE });
    const page = await context.newPage();
    await page.addInitScript(note);
    await page.goto(url, { waitUntil: "load" });
    await page.waitForFunction(
      (wanted) => {
        const { noted } = globalThis as unknown as { noted: Noted };
        return noted.largest !== undefined && (!wanted || noted.live !== undefined);
      },
      live,
      { timeout: 60_000 },
    );
    all.push(await page.evaluate(() => (globalThis as unknown as { noted: Noted }).noted));
    await context.close();
  }
  const of = (key: keyof Noted): number => median(all.map((noted) => noted[key] ?? Number.NaN));
  return { drawn: of("drawn"), largest: of("largest"), live: live ? of("live") : null };
}

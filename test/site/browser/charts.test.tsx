import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serveFiles } from "../../../scripts/site/serve-files.ts";
import { indexData } from "../../../src/lib/code/aggregate/index-data.ts";
import { FIRST_SELECTION } from "../../../src/lib/code/aggregate/selection.ts";
import { deriveView } from "../../../src/lib/code/aggregate/view.ts";
import { Charts } from "../../../src/site/code/charts.tsx";
import { LOCAL_SITE } from "../../../src/site/site-info.ts";
import { NO_FRAME, renderDocument } from "../../../src/site/ui/document.tsx";
import { vendorsCss } from "../../../src/site/vendors-css.ts";
import { REPOSITORY } from "../../jobs/temp-suite.ts";
import { syntheticData } from "../synthetic.ts";
import { violations } from "./axe.ts";
import { launchChromium, withoutChromium } from "./chromium.ts";

/** Charts with what only a browser knows: how wide text really is, which layout shows, where the focus is. */

const reason = withoutChromium();
let browser: Browser;
let site: Served;

beforeAll(async () => {
  if (reason !== null) return;
  const data = await syntheticData();
  const index = indexData(data);
  const repeated = data.runs.find(({ replicate }) => replicate > 1);
  const every = { ...FIRST_SELECTION, efforts: "all" as const };
  const selections = {
    first: FIRST_SELECTION,
    all: every,
    repeated: { ...every, task: repeated?.task ?? null, lead: repeated?.lead ?? null },
  };
  const assets = join(REPOSITORY, "dist/site");
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  site = await serveFiles([
    ...Object.entries(selections).map(([name, selection]) => {
      const body = (
        <>
          <h1>Charts</h1>
          <Charts index={index} view={deriveView(index, selection)} budget={1} />
        </>
      );
      const page = { path: `${name}.html`, title: name, description: name, section: "code" as const, body };
      return { path: page.path, data: encode(renderDocument(page, LOCAL_SITE, NO_FRAME)) };
    }),
    ...readdirSync(assets).map((name) => ({
      path: `assets/${name}`,
      data: new Uint8Array(readFileSync(join(assets, name))),
    })),
    { path: "assets/vendors.css", data: encode(vendorsCss(data.vendors)) },
  ]);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: WIDE, ...options });
  await page.goto(`${site.url}${name}.html`);
  return page;
}

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };
const PAGES = ["first", "all", "repeated"];

describe.skipIf(reason !== null)(`charts in a browser${reason === null ? "" : ` (${reason})`}`, () => {
  it.each(
    PAGES.flatMap((name) => [
      { name, layout: "wide", size: WIDE },
      { name, layout: "narrow", size: NARROW },
    ]),
  )(
    "text as it is really drawn covers no other text and stays in the drawing: $name, $layout",
    async ({ name, layout, size }) => {
      const page = await open(name, { viewport: size });
      const faults = await page.evaluate((shown) => {
        const found: string[] = [];
        for (const drawing of document.querySelectorAll<SVGSVGElement>(`.chart-${shown}`)) {
          const frame = drawing.getBoundingClientRect();
          const texts = [...drawing.querySelectorAll("text")].map((text) => ({
            words: text.textContent ?? "",
            box: text.getBoundingClientRect(),
          }));
          for (const [index, { words, box }] of texts.entries()) {
            if (box.width === 0) found.push(`not drawn: ${words}`);
            if (box.left < frame.left - 1 || box.right > frame.right + 1) found.push(`outside: ${words}`);
            for (const other of texts.slice(index + 1)) {
              const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
              // Boxes of lines hold room above and below the letters.
              const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
              if (across > 1 && down > 4) found.push(`"${words}" and "${other.words}"`);
            }
          }
        }
        return found;
      }, layout);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it.each([
    { shown: "wide", hidden: "narrow", size: WIDE },
    { shown: "narrow", hidden: "wide", size: NARROW },
  ])(
    "at $size.width px each chart shows its $shown drawing alone, with targets of 24 px",
    async ({ shown, hidden, size }) => {
      const page = await open("first", { viewport: size });
      const charts = await page.locator(".chart").count();
      expect(charts).toBeGreaterThanOrEqual(5);
      expect(await page.locator(`.chart-${shown}:visible`).count()).toBe(charts);
      expect(await page.locator(`.chart-${hidden}:visible`).count()).toBe(0);
      const smallest = await page.locator(`.chart-${shown} a .chart-target`).evaluateAll((targets) =>
        Math.min(
          ...targets.map((target) => {
            const { width, height } = target.getBoundingClientRect();
            return Math.min(width, height);
          }),
        ),
      );
      expect(smallest).toBeGreaterThanOrEqual(24);
      await page.close();
    },
  );

  it("the keyboard reaches each mark, which says what it is; Escape takes that away", async () => {
    const page = await open("first");
    const dots = page.locator("#pareto .chart-wide a.chart-dot");
    await dots.first().focus();
    await page.keyboard.press("Tab");
    const label = await dots.nth(1).getAttribute("aria-label");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(label);
    const tip = page.locator(".tip-text:popover-open");
    expect(await tip.textContent()).toMatch(/score \d/);
    await page.keyboard.press("Escape");
    expect(await tip.count()).toBe(0);
    await page.close();
  });

  it("in forced colours every mark has the colour of text, so that shapes alone tell them apart", async () => {
    const page = await open("first", { forcedColors: "active" });
    const marks = await page
      .locator("#pareto .chart-wide .chart-marker")
      .evaluateAll((paths) =>
        paths.map((path) => [getComputedStyle(path).fill, path.getAttribute("d")] as const),
      );
    expect(new Set(marks.map(([fill]) => fill)).size).toBe(1);
    expect(new Set(marks.map(([, shape]) => shape)).size).toBeGreaterThan(3);
    await page.close();
  });

  it.each(["light", "dark"] as const)("has nothing against WCAG 2.2 AA: %s", async (colorScheme) => {
    const page = await open("repeated", { colorScheme });
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});

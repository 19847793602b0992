import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serveFiles } from "../../../scripts/site/serve-files.ts";
import { BOARD_VIEWS } from "../../../scripts/site/views.ts";
import { codeChange, historyOf, sheetChange } from "../sample-history.ts";
import { syntheticData } from "../synthetic.ts";
import { violations } from "./axe.ts";
import { launchChromium, withoutChromium } from "./chromium.ts";
import { wholeSite } from "./whole-site.ts";

const reason = withoutChromium();
let browser: Browser;
let site: Served;
/** What any page said on its console or threw. */
const complaints: string[] = [];

beforeAll(async () => {
  if (reason !== null) return;
  site = await serveFiles(
    wholeSite({
      code: await syntheticData(),
      history: historyOf([sheetChange(3), sheetChange(2, { after: null })], { code: [codeChange] }),
    }),
  );
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** A page of the site; the code board once its client has taken over. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on("console", (message) => complaints.push(`${path}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`${path}: ${error.message}`));
  await page.goto(`${site.url}${path}`);
  if (path.startsWith("code/")) await ready(page);
  return page;
}

const ready = (page: Page): Promise<unknown> => page.waitForSelector("html:not(.pending) #board.live");

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };
/** The other pages are looked at with all of their kind. */
const VIEWS = ["code/index.html", ...BOARD_VIEWS];

describe.skipIf(reason !== null)(
  `the code board in a browser${reason === null ? "" : ` (${reason})`}`,
  () => {
    it.each(
      VIEWS.flatMap((view) => [
        { view, theme: "light" as const, size: WIDE },
        { view, theme: "dark" as const, size: NARROW },
      ]),
    )(
      "has nothing against WCAG 2.2 AA, and never scrolls sideways as a whole: $view, $theme, $size.width px",
      async ({ view, theme, size }) => {
        const page = await open(view, { colorScheme: theme, viewport: size });
        expect(await violations(page)).toEqual([]);
        const { content, room } = await page.evaluate(() => ({
          content: document.documentElement.scrollWidth,
          room: document.documentElement.clientWidth,
        }));
        expect(content).toBeLessThanOrEqual(room);
        await page.close();
      },
    );

    it("answers in three clicks: the best for 1 USD a run, and whether the first two really differ", async () => {
      const page = await open("index.html");
      await page.getByRole("link", { name: "up to $1.00" }).click();
      await ready(page);
      const answer = await page.locator(".answer").textContent();
      expect(answer).toMatch(/^For at most \$1\.00 a run, the best is [\s\S]* at \$0\.\d\d a run\./);
      expect(answer).toMatch(/not clearly different from|clearly better than/);
      await page.close();
    });

    it("answers in three clicks: why an entry lost points, and the command that checks it", async () => {
      const page = await open("index.html");
      await page.getByRole("link", { name: "Open the code board" }).click();
      await ready(page);
      await page
        .getByRole("button", { name: /^Basalt: Basalt Sol 6 max/ })
        .first()
        .click();
      await page.locator(".panel a").first().click();
      const panel = page.locator(".panel");
      await expect.poll(() => panel.textContent()).toContain("Where the points went");
      expect(await panel.textContent()).toContain("npm run -s bench -- formula");
      await page.close();
    });

    it("is used by keyboard alone: Enter opens, Escape closes, and the focus goes back", async () => {
      const page = await open("code/index.html");
      const button = page.locator("#ranking ~ .scroll .open").first();
      await button.focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector(".panel[open]");
      expect(new URL(page.url()).searchParams.get("of")).not.toBeNull();
      await page.keyboard.press("Escape");
      await page.waitForSelector(".panel", { state: "detached" });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(page.url()).toMatch(/code\/index\.html$/);
      await page.close();
    });

    it("shows a tip on focus, keeps it under the pointer, and Escape takes it away alone", async () => {
      const page = await open("code/index.html");
      const tip = page.locator("thead .tip-on").first();
      await tip.focus();
      const text = page.locator(".tip-text:popover-open");
      expect(await text.textContent()).toContain("ranks that the data leave open");
      await text.hover();
      await page.waitForTimeout(300);
      expect(await text.count()).toBe(1);
      await page.keyboard.press("Escape");
      expect(await text.count()).toBe(0);
      await page.close();
    });

    it("has an address for every view: what is selected can be gone back from, reloaded and linked to", async () => {
      const page = await open("code/index.html");
      await page.getByRole("combobox", { name: "Task" }).selectOption("synthetic-range-coder");
      await page.getByRole("combobox", { name: "Show" }).selectOption("all");
      await page.getByRole("combobox", { name: "Runs" }).selectOption("2");
      const { searchParams } = new URL(page.url());
      expect(Object.fromEntries(searchParams)).toEqual({
        task: "synthetic-range-coder",
        show: "all",
        run: "2",
      });
      const ranking = page.locator("#ranking ~ .scroll tbody");
      await page.waitForSelector(".answer:not([aria-busy])");
      const shown = await ranking.textContent();
      await page.reload();
      await ready(page);
      await expect.poll(() => ranking.textContent()).toBe(shown);
      await page.goBack();
      await expect.poll(() => page.getByRole("combobox", { name: "Runs" }).inputValue()).toBe("");
      expect(await page.getByRole("combobox", { name: "Runs" }).inputValue()).toBe("");
      await page.close();
    });

    it("offers the Runs switcher only where there are replicates", async () => {
      const page = await open("code/index.html?task=synthetic-kernels");
      expect(await page.getByRole("combobox", { name: "Runs" }).count()).toBe(0);
      await page.getByRole("combobox", { name: "Task" }).selectOption("synthetic-range-coder");
      expect(await page.getByRole("combobox", { name: "Runs" }).count()).toBe(1);
      await page.close();
    });

    it("sorts by any column, what is unknown always last", async () => {
      const page = await open("code/index.html?show=all");
      await page.getByRole("button", { name: "Cost", exact: true }).click();
      const costs = await page
        .locator("#ranking ~ .scroll tbody tr")
        .evaluateAll((rows) =>
          rows.map((row) => /\$([0-9.]+)/.exec(row.children[7]?.textContent ?? "")?.[1] ?? null),
        );
      const known = costs.filter((cost) => cost !== null).map(Number);
      expect(known.length).toBeGreaterThan(15);
      expect(known).toEqual(known.toSorted((a, b) => a - b));
      expect(costs.slice(known.length).every((cost) => cost === null)).toBe(true);
      await page.close();
    });

    it("says that the data are synthetic on every page that shows them", async () => {
      for (const view of ["index.html", "code/index.html"]) {
        const page = await open(view);
        expect(await page.getByRole("note").textContent()).toContain("Synthetic data");
        await page.close();
      }
    });

    it("shows the first view without any script", async () => {
      const page = await browser.newPage({ javaScriptEnabled: false });
      await page.goto(`${site.url}code/index.html`);
      expect(await page.locator("#ranking ~ .scroll tbody tr").count()).toBeGreaterThan(5);
      await page.close();
    });

    it("prints with its tables and without what only a screen can use", async () => {
      const page = await open("code/index.html");
      await page.emulateMedia({ media: "print" });
      expect(await page.locator(".controls").isVisible()).toBe(false);
      expect(await page.locator("#ranking ~ .scroll table").isVisible()).toBe(true);
      await page.close();
    });

    it("says nothing on the console", () => expect(complaints).toEqual([]));
  },
);

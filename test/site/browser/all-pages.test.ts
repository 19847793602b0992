import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serveFiles } from "../../../scripts/site/serve-files.ts";
import { viewsOf } from "../../../scripts/site/views.ts";
import { documentDigest, resultPath } from "../../../src/lib/benchmarks/result.ts";
import type { SheetChange } from "../../../src/lib/feed/history.ts";
import type { SiteFile } from "../../../src/site/site.tsx";
import { codeChange, historyOf, sheetChange } from "../sample-history.ts";
import { byTag, parseHtml } from "../sheet/html.ts";
import {
  failed,
  readFixture,
  readSuite,
  type Staged,
  solved,
  stage,
  unstage,
  variant,
} from "../sheet/stage.ts";
import { syntheticData } from "../synthetic.ts";
import { violations } from "./axe.ts";
import { launchChromium, withoutChromium } from "./chromium.ts";
import { wholeSite } from "./whole-site.ts";

const honest = readFixture("honest-result.json");
const suite = readSuite("rehearsal-1");
const withdrawn = variant(honest, "qwen/qwen-2.5-72b-instruct");
const results = [
  honest,
  variant(honest, "anthropic/claude-sonnet-4", (member) => solved(member, suite)),
  variant(honest, "openai/gpt-4o", (member, index) => (index === 2 ? failed(member) : member)),
  variant(honest, `acme/${"very-long-model-name-".repeat(10)}`.slice(0, 199)),
  withdrawn,
];
const change = (result: (typeof results)[number], at: number, kind: "arrives" | "withdrawn"): SheetChange =>
  sheetChange(at, {
    suite: suite.id,
    model: result.model.id,
    name: null,
    path: resultPath(result),
    digest: documentDigest(result),
    ...(kind === "withdrawn"
      ? { kind: "leaves" as const, after: null, reason: "\u202ea wrong <b>prompt</b>" }
      : {}),
  });

const reason = withoutChromium();
let staged: Staged;
let files: SiteFile[];
let empty: SiteFile[];
let browser: Browser;
let served: Served;
let servedEmpty: Served;

beforeAll(async () => {
  staged = await stage(results, [
    { of: withdrawn, reason: "A wrong prompt.", at: "2026-12-01T11:00:00.000Z" },
  ]);
  files = wholeSite({
    code: await syntheticData(),
    suites: staged.suites,
    history: historyOf(
      [change(withdrawn, 30, "withdrawn"), ...results.map((result, at) => change(result, at, "arrives"))],
      { code: [codeChange] },
    ),
  });
  empty = wholeSite({ history: historyOf([]) });
  if (reason !== null) return;
  [served, servedEmpty] = await Promise.all([serveFiles(files), serveFiles(empty)]);
  browser = await launchChromium();
});
afterAll(async () => {
  unstage(staged);
  await browser?.close();
  await served?.close();
  await servedEmpty?.close();
});

const pagesOf = (site: readonly SiteFile[]): string[] =>
  site.map(({ path }) => path).filter((path) => path.endsWith(".html"));

it.each([
  ["both benchmarks with results", () => files],
  ["nothing yet", () => empty],
])("every link of every page leads to a file of the site: %s", (_, site) => {
  const paths = new Set(site().map(({ path }) => path));
  let checked = 0;
  for (const { path, data } of site()) {
    if (!path.endsWith(".html")) continue;
    const html = parseHtml(String(data));
    const targets = [
      ...["a", "link"].flatMap((tag) => byTag(html, tag).map(({ attributes }) => attributes.href)),
      ...["script", "img"].flatMap((tag) => byTag(html, tag).map(({ attributes }) => attributes.src)),
    ];
    for (const target of targets) {
      if (target === undefined || /^(?:https:|data:|#|\?)/.test(target)) continue;
      const to = new URL(target, `http://site/${path}`).pathname.slice(1);
      expect([path, target, paths.has(to)]).toEqual([path, target, true]);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(30);
});

describe.skipIf(reason !== null)(
  `every kind of page in a browser${reason === null ? "" : ` (${reason})`}`,
  () => {
    it.each(["light", "dark"] as const)(
      "has nothing against WCAG 2.2 AA and never scrolls sideways at 360 px: %s",
      async (colorScheme) => {
        const page = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme });
        const complaints: string[] = [];
        page.on("console", (message) => complaints.push(message.text()));
        page.on("pageerror", (error) => complaints.push(error.message));
        const wanted = viewsOf(pagesOf(files), false).filter((path) => !path.startsWith("code/"));
        expect(wanted.length).toBeGreaterThan(10);
        for (const path of wanted) {
          await page.goto(`${served.url}${path}`);
          await page.evaluate(() => {
            for (const details of document.querySelectorAll("details")) details.open = true;
          });
          expect([path, await violations(page)]).toEqual([path, []]);
          const room = await page.evaluate(
            () => document.documentElement.clientWidth - document.documentElement.scrollWidth,
          );
          expect([path, room]).toEqual([path, 0]);
        }
        expect(complaints).toEqual([]);
        await page.close();
      },
      120_000,
    );

    it("answers in three clicks from the first page: why a result lost points on a sheet, and the command that checks it", async () => {
      const page = await browser.newPage();
      await page.goto(served.url);
      await page.getByRole("link", { name: `Open the board of ${suite.id}` }).click();
      await page.locator("main table").first().getByRole("link").first().click();
      expect(await page.locator("main").textContent()).toContain("npm run bench -- verify sha256:");
      const members = page.locator("main a[href*='members/']");
      await members.first().click();
      expect(await page.locator("main").textContent()).toContain("The sheet, and what the reference takes");
      await page.close();
    });

    it("says on an empty site that there is nothing yet, in every place", async () => {
      const page = await browser.newPage();
      for (const [path, words] of [
        ["index.html", "so there are no results"],
        ["code/index.html", "so there are no results"],
        ["history.html", "No result has come yet"],
      ]) {
        await page.goto(`${servedEmpty.url}${path}`);
        expect(await page.locator("main").textContent()).toContain(words);
        expect(await violations(page)).toEqual([]);
      }
      await page.close();
    });
  },
);

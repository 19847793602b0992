import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeLocal } from "../../../src/jobs/result-pr.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { parseWithdrawal, withdrawalPath } from "../../../src/lib/feed/withdrawal.ts";
import {
  commit,
  honestDocument,
  REPOSITORY,
  recipe,
  type TempRepository,
  tempRepository,
} from "../../jobs/temp-suite.ts";

let repository: TempRepository;
let committed = "";

function bench(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  // Where CI is set, --open-bank has no effect.
  const { INIT_CWD: _, FORCE_COLOR: __, CI: ___, ...env } = process.env;
  const child = spawnSync(join(REPOSITORY, "tools/bench"), args, {
    cwd: repository.root,
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
  });
  expect(child.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return child;
}
const explain = (...args: string[]) => bench("explain", committed, ...args, "--root", ".");

beforeAll(async () => {
  repository = await tempRepository();
  const document = await honestDocument(repository.root, {
    "tt-one": recipe(),
    "tt-two": recipe({ values: "R2C2:R2C3" }),
    // The bank's workbook holds 30 to 33; the recipe takes half of it.
    "tt-bank": recipe({ values: "R2C2:R2C3" }),
  });
  committed = await commit(repository, document);
});
afterAll(() => repository.remove());

describe("bench explain", () => {
  it("shows where the composite was lost, the most costly member first", () => {
    const { status, stdout, stderr } = explain();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.indexOf("tt-two")).toBeLessThan(stdout.indexOf("tt-one"));
    expect(stdout).toMatch(/^acme\/model-1 on temp-1$/m);
  });

  it("lays one member's table beside the reference's", () => {
    const { stdout } = explain("tt-two");
    expect(stdout).toContain("reference 4 × 3, produced 2 × 3");
    expect(stdout).toContain("2 the same, 2 missing");
    expect(stdout).toMatch(/^ {2}reference +3 +Data!R3C2 22 +VIC +2022 +22$/m);
  });

  it("of a bank member shows addresses only, until its owner asks for more", () => {
    const closed = explain("tt-bank").stdout;
    expect(closed).toContain("private");
    expect(closed).toContain("Data!R3C2");
    // Neither values, nor labels, nor sizes.
    expect(closed).not.toMatch(/\b3[0-3]\b|VIC|NSW|×| of /);
    expect(explain("tt-bank", "--html", "-").stdout).not.toMatch(/\b3[0-3]\b|VIC|NSW|data:image/);
    expect(explain("tt-bank", "--open-bank").stdout).toMatch(/Data!R3C2 32 +VIC +2022 +32/);
  });

  it("without the workbook says so, and shows what the document claims", async () => {
    const folder = join(repository.root, "benchmarks/bank/workbooks");
    await rename(folder, `${folder}-away`);
    const { stdout, status } = explain("tt-bank");
    await rename(`${folder}-away`, folder);
    expect(status).toBe(0);
    expect(stdout).toContain("is not staged here");
    expect(stdout).toContain("partial (claimed)");
  });

  it.each([
    ["a member that is not there", ["tt-three"], "explain-unknown-member"],
    ["no result", ["--rows", "5"], "json-syntax"],
  ])("%s is a finding", async (name, args, code) => {
    await repository.write("broken.json", "{");
    const run =
      name === "no result" ? bench("explain", "broken.json", ...args, "--root", ".") : explain(...args);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain(code);
  });

  it("takes a sensible number of rows only", () => {
    for (const rows of ["0", "x", "1000"]) expect(explain("tt-two", "--rows", rows).status).toBe(2);
  });

  it("writes one page, which a browser shows in both schemes without asking for anything", async (ctx) => {
    const { stdout } = explain("--html", "out/page.html");
    expect(stdout).toContain("page.html");
    const file = join(repository.root, "out/page.html");
    expect(await readFile(file, "utf8")).toContain("<!doctype html>");
    const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
      existsSync,
    );
    if (executable === undefined) {
      if (process.env.CI) expect.fail("a browser belongs to the CI image");
      ctx.skip("there is no Chromium here");
      return;
    }
    const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
    try {
      const backgrounds: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await browser.newPage({ colorScheme });
        const asked: string[] = [];
        page.on("request", (request) => asked.push(request.url().slice(0, 5)));
        page.on("console", (message) => asked.push(message.text()));
        await page.goto(`file://${file}`);
        // Tab reaches the skip link, then the members, and their folds open with a key.
        await page.keyboard.press("Tab");
        expect(await page.locator(":focus").textContent()).toBe("Skip to the members");
        await page.locator("#m-tt-two summary").last().focus();
        await page.keyboard.press("Enter");
        expect(await page.locator("#m-tt-two details[open] img").count()).toBe(1);
        const widths = await page.evaluate("[...document.images].map((image) => image.naturalWidth)");
        expect((widths as number[]).every((width) => width > 100)).toBe(true);
        backgrounds.push(String(await page.evaluate("getComputedStyle(document.body).backgroundColor")));
        expect(asked.filter((url) => url !== "file:" && url !== "data:")).toEqual([]);
        await page.close();
      }
      expect(new Set(backgrounds).size).toBe(2);
    } finally {
      await browser.close();
    }
  });
});

describe("bench result withdraw", () => {
  it("writes a document that a pull request can carry as it is", async () => {
    const { status, stdout } = bench("result", "withdraw", committed, "--reason", "It saw the reference.");
    expect(status).toBe(0);
    const path = /as (\S+\.withdrawal\.json)/.exec(stdout)?.[1] ?? "";
    const bytes = new Uint8Array(await readFile(join(repository.root, path)));
    const parsed = parseWithdrawal(bytes, path);
    expect(parsed.ok && withdrawalPath(parsed.value)).toBe(path);
    const report = await judgeLocal({ root: repository.root, files: [{ path, bytes }], arrivedAt: null });
    expect(report).toMatchObject({ verdict: "needs-review", findings: [{ code: "pr-withdraws" }] });
  });

  it("writes nothing about a result that is not committed here, unless it is told where", async () => {
    const document = JSON.parse(await readFile(join(repository.root, committed), "utf8"));
    await repository.write(
      "elsewhere.json",
      canonicalDocument({ ...document, model: { ...document.model, id: "acme/never-sent" } }),
    );
    const withdraw = (...more: string[]) =>
      bench("result", "withdraw", "elsewhere.json", "--reason", "x", ...more);
    const refused = withdraw();
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain("withdrawal-unknown");
    expect(withdraw("--out", "mine.json").status).toBe(0);
  });

  it("refuses what is no result, and no reason", async () => {
    expect(bench("result", "withdraw", committed, "--reason", " ").stderr).toContain("withdrawal-reason");
    expect(bench("result", "withdraw", committed).status).toBe(2);
    await repository.write("other.json", canonicalDocument({ schema_version: 1 }));
    expect(bench("result", "withdraw", "other.json", "--reason", "x").status).toBe(1);
  });
});

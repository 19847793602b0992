import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "assay-boundaries-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What the linter, with this project's rules, says of a piece of code that stands in that file. */
function lint(file: string, code: string): string {
  copyFileSync(join(root, "biome.jsonc"), join(scratch, "biome.jsonc"));
  mkdirSync(dirname(join(scratch, file)), { recursive: true });
  writeFileSync(join(scratch, file), code);
  const biome = join(root, "node_modules/.bin/biome");
  const { stdout, stderr } = spawnSync(biome, ["lint", "--vcs-enabled=false", file], {
    cwd: scratch,
    encoding: "utf8",
  });
  return stdout + stderr;
}

it("code within its bounds is no finding", () => {
  expect(lint("src/lib/example.ts", "export const double = (x: number): number => 2 * x;\n")).not.toContain(
    "lint/",
  );
});

describe("the pure core cannot touch the world", () => {
  it.each([
    [
      "a Node built-in",
      'import { readFileSync } from "node:fs";\nexport const text = readFileSync("x");\n',
      "noNodejsModules",
    ],
    ["the clock", "export const now = (): number => new Date().getTime();\n", "noRestrictedGlobals"],
    ["the environment", "export const home = process.env.HOME;\n", "noRestrictedGlobals"],
    ["the network", 'export const page = fetch("http://x");\n', "noRestrictedGlobals"],
    ["the console", 'export const say = (): void => console.log("x");\n', "noConsole"],
    [
      "a reader's library",
      'import ExcelJS from "exceljs";\nexport const book = new ExcelJS.Workbook();\n',
      "noRestrictedImports",
    ],
    [
      "what touches the world",
      'import { readUserFile } from "../io/user-files.ts";\nexport const read = readUserFile;\n',
      "noRestrictedImports",
    ],
  ])("%s in src/lib is a lint error", (_, code, rule) => {
    expect(lint("src/lib/example.ts", code)).toContain(rule);
  });
});

describe("pages cannot touch the world either", () => {
  it.each([
    ["the page they stand in", "export const title = (): string => document.title;\n", "noRestrictedGlobals"],
    ["the clock", "export const now = (): number => new Date().getTime();\n", "noRestrictedGlobals"],
    [
      "a Node built-in",
      'import { readFileSync } from "node:fs";\nexport const text = readFileSync("x");\n',
      "noNodejsModules",
    ],
  ])("%s in src/site is a lint error", (_, code, rule) => {
    expect(lint("src/site/example.ts", code)).toContain(rule);
  });
});

describe("imports point one way", () => {
  it.each([
    ["src/io/example.ts", 'import { x } from "../jobs/score.ts";\nexport const y = x;\n'],
    ["src/jobs/example.ts", 'import { x } from "../../scripts/benchmarks/run.ts";\nexport const y = x;\n'],
    ["src/site/example.ts", 'import { x } from "../jobs/site.ts";\nexport const y = x;\n'],
    ["src/lib/example.ts", 'import { x } from "../site/state.ts";\nexport const y = x;\n'],
    ["bot/example.ts", 'import { x } from "../rehearsal/stage.ts";\nexport const y = x;\n'],
    ["scripts/benchmarks/example.ts", 'import { x } from "../../rehearsal/stage.ts";\nexport const y = x;\n'],
  ])("%s may not import against it", (file, code) => {
    expect(lint(file, code)).toContain("noRestrictedImports");
  });
});

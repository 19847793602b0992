import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../jobs/temp-suite.ts";

/** docs/threat-model.md promises a test for every failure mode that applies: here it is held to that. */

const page = readFileSync(join(REPOSITORY, "docs/threat-model.md"), "utf8");

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `F${String(from + index).padStart(2, "0")}`);

/** Rows of the page's tables that begin with a number: its cells. */
const rows = page
  .split("\n")
  .filter((line) => /^\| F\d\d \|/.test(line))
  .map((line) => line.slice(2, -2).split(" | "));
const held = new Map(rows.filter(({ length }) => length === 4).map((cells) => [cells[0] ?? "", cells]));
const excused = new Map(rows.filter(({ length }) => length === 3).map((cells) => [cells[0] ?? "", cells]));

/** What begins a title: a test's or rule's own, or that of a case. */
const TITLE = /(?:\b(?:it|test|describe)\(|\)\(|\btitle:|\bid:)\s*(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;

/** Titles of the tests of one file, or of all files of a folder. */
function titlesOf(path: string): string[] {
  const full = join(REPOSITORY, path);
  if (statSync(full).isDirectory())
    return readdirSync(full)
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => titlesOf(join(path, name)));
  return [...readFileSync(full, "utf8").matchAll(TITLE)].map(([, , title = ""]) => title);
}

describe("the threat model", () => {
  it("says of every failure mode what stops it, or why it does not apply", () => {
    expect([...held.keys(), ...excused.keys()].sort()).toEqual(numbers(1, 70));
    for (const cells of rows) for (const cell of cells) expect(cell.trim(), cells[0]).not.toBe("");
  });

  it.each(numbers(1, 70))(
    "%s has a test with its number in the title, where the page says, or a reason",
    (number) => {
      const cells = held.get(number);
      if (cells === undefined) {
        expect(excused.get(number)?.[2]).toMatch(/\.$/);
        return;
      }
      const paths = [...(cells[3] ?? "").matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
      expect(paths).not.toEqual([]);
      for (const path of paths) {
        expect(existsSync(join(REPOSITORY, path)), path).toBe(true);
        const named = titlesOf(path).filter((title) => new RegExp(`\\b${number}\\b`).test(title));
        expect(named, `no title in ${path} names ${number}`).not.toEqual([]);
      }
    },
  );

  it("excuses nothing for which there is a test", () => {
    for (const folder of readdirSync(join(REPOSITORY, "test/fixtures/attacks")))
      if (!folder.endsWith(".ts"))
        for (const title of titlesOf(join("test/fixtures/attacks", folder)))
          for (const number of excused.keys()) expect(title).not.toContain(number);
  });

  it("links to pages that exist", () => {
    for (const [, target = ""] of page.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g))
      expect(existsSync(join(REPOSITORY, "docs", target)), target).toBe(true);
  });
});

import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUITE_ID } from "../jobs/temp-suite.ts";
import { filesBelow } from "../scripts/run/command.ts";
import {
  ANSWERS,
  bankMember,
  type CanaryBank,
  leaks,
  openCanaryBank,
  SECRET,
  wordsOf,
} from "./canary-bank.ts";

/** Without a vault the bank lies in the folder that git ignores: the same silence, on the ways that everybody takes. */
const NAMES = ["baseline", "broken", "wrong"] as const;

let bank: CanaryBank;

beforeAll(async () => {
  bank = await openCanaryBank({ inVault: false });
  await bank.freeze();
}, 120_000);

afterAll(() => bank.close());

describe("words of a private workbook", () => {
  it("are really there to leak: a person who holds the workbook sees them", async () => {
    const recipe = bank.at("benchmarks/members/tt-bank/recipe.json");
    const words = ["recipe", "run", "--workbook", bank.workbookFile, "--recipe", recipe];
    const { text } = await bank.script("bench/main", words);
    expect(leaks(text)).toEqual(expect.arrayContaining(["Zq8Header", "Zq8Label", "Zq8Value"]));
  });

  it("stay out of documents and terminals of runs, whatever the contestant answers", async () => {
    for (const name of NAMES) {
      const { code, text, document } = await bank.benchRun(name, ANSWERS[name]());
      expect(code, text).toBe(0);
      expect(bankMember(document).attempts.length, name).toBeGreaterThan(0);
      expect(leaks(document, SECRET), name).toEqual([]);
      expect(leaks(text), name).toEqual([]);
    }
  }, 120_000);

  it("stay out of reports, comments and checks", async () => {
    for (const name of NAMES) {
      const report = bank.at("out", `${name}-report.json`);
      const { text } = await bank.benchmark("validate", "--report", report, bank.at("out", `${name}.json`));
      const written = await readFile(report, "utf8");
      expect(leaks(text + written + wordsOf(written)), name).toEqual([]);
    }
  }, 120_000);

  it("stay out of what the other commands print and publish", async () => {
    await bank.repository.write(await bank.placeOf("wrong"), await readFile(bank.at("out/wrong.json")));
    const published = bank.at("out/published");
    const said = [
      await bank.benchmark("feed", "--out", published, "--tree", "0".repeat(40)),
      await bank.benchmark("suite", "verify"),
      await bank.benchmark("suite", "describe", SUITE_ID),
      await bank.benchmark("bank", "status"),
    ];
    const files = await filesBelow(published);
    expect(files.size).toBeGreaterThan(0);
    for (const [path, text] of files) expect(leaks(text), path).toEqual([]);
    expect(leaks(said.map(({ text }) => text).join("\n"))).toEqual([]);
  }, 120_000);

  it("stay out of errors when the workbook is damaged", async () => {
    const bytes = await readFile(bank.workbookFile);
    await writeFile(bank.workbookFile, bytes.subarray(0, bytes.length - 30));
    const said = [
      await bank.benchmark("suite", "verify"),
      await bank.benchmark("bank", "status"),
      await bank.benchmark("validate", bank.at("out/wrong.json")),
    ];
    expect(said.map(({ text }) => text).join("\n")).toContain("damaged");
    expect(leaks(said.map(({ text }) => text).join("\n"))).toEqual([]);
  }, 120_000);
});

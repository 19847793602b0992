import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pricing, run } from "../lib/code/facts.ts";
import { factFiles, writeFacts } from "../lib/code/write-facts.ts";

const root = join(import.meta.dirname, "../..");
const bench = (...words: string[]) =>
  spawnSync(join(root, "tools/bench"), words, { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });

describe("bench prices", () => {
  const folder = writeFacts(factFiles([run()]));
  const file = join(folder, "data/pricing.json");
  const catalogue = join(folder, "api.json");
  const cost = { input: 4, output: 25, cache_read: 0.2, cache_write: 5 };

  it("appends what a catalogue says differently, and shows it", () => {
    writeFileSync(catalogue, JSON.stringify({ acme: { models: { "alpha-1": { cost } } } }));
    const updated = bench(
      "prices",
      "update",
      catalogue,
      "--root",
      folder,
      "--from",
      "2026-11-20T00:00:00.000Z",
    );
    expect(updated.stdout).toContain("acme/alpha-1: output 20 → 25\n1 card changed, 0 as they were.");
    expect(updated.stderr + updated.stdout).toContain("code-price-not-listed");
    expect(updated.status).toBe(0);
    expect(bench("prices", "show", "acme/alpha-1", "--root", folder).stdout).toMatch(
      /from 2026-11-20T00:00:00\.000Z, recorded .*, models\.dev/,
    );
    expect(bench("prices", "show", "--root", folder).stdout).toMatch(/acme\/alpha-1 +4 +0\.2 +5 +8 +25/);
  });

  it("shows prices as people write them, with their unit", () => {
    const [card] = pricing().cards;
    const history = card?.history.map((item) => ({ ...item, output: 3.3000000000000003 }));
    const other = writeFacts(factFiles([run()]));
    writeFileSync(
      join(other, "data/pricing.json"),
      JSON.stringify({ ...pricing(), cards: [{ ...card, history }] }),
    );
    const { stdout } = bench("prices", "show", "--root", other);
    expect(stdout).toMatch(/ 3\.3\n/);
    expect(stdout).toContain("USD per million tokens");
  });

  it.each([
    ["no JSON", "{"],
    ["another document", "[]"],
    ["prices that are texts", JSON.stringify({ acme: { models: { "alpha-1": { cost: { input: "4" } } } } })],
    ["a key that reaches prototypes", '{"__proto__": {"models": {}}}'],
  ])("%s changes nothing", (_, text) => {
    writeFileSync(file, `${JSON.stringify(pricing())}\n`);
    const before = readFileSync(file, "utf8");
    writeFileSync(catalogue, text);
    const { status, stderr, stdout } = bench("prices", "update", catalogue, "--root", folder);
    expect(status).toBe(1);
    expect(stderr + stdout).toMatch(/api\.json:\d+:\d+ (json|code-data)-/);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

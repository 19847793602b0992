import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderData } from "../../../src/io/code/data-source.ts";
import { readCodeData } from "../../../src/jobs/code-data.ts";
import { MAX_PACK } from "../../../src/lib/code/check/council-rules.ts";
import { PRICING_RULES } from "../../../src/lib/code/cost/rules.ts";
import { FORMULAS } from "../../../src/lib/code/formula/registry.ts";
import type { Models } from "../../../src/lib/code/schema/models-schema.ts";
import { CATEGORY_GROUPS } from "../../../src/lib/code/schema/names.ts";
import { SLOP_COST } from "../../../src/lib/code/score/final.ts";
import { SEVERITY_WEIGHTS, SLOP_CATEGORIES } from "../../../src/lib/code/score/findings.ts";
import { ASSUMED_FAST_FACTOR } from "../../../src/lib/code/score/time.ts";
import { DEFECT_COST, DOUBLING_COST, MOST_PICKS, pickValue } from "../../../src/lib/code/score/value.ts";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "METHODOLOGY.md"), "utf8");

describe("METHODOLOGY.md", () => {
  it("names formulas that there are, and every one of them", () => {
    const named = new Set([...page.matchAll(/`formula ([a-z0-9-]+)`/g)].map(([, name]) => name));
    const there = FORMULAS.map(({ name }) => name);
    expect([...named].filter((name) => name !== "list" && !there.includes(name ?? ""))).toEqual([]);
    const unnamed = ["hidden", "replicate-speed", "same-judge-twice"];
    expect(there.filter((name) => !named.has(name) && !unnamed.includes(name))).toEqual([]);
  });

  it("prints the weights, limits and categories of the code", () => {
    for (const [severity, weight] of Object.entries(SEVERITY_WEIGHTS))
      expect(page).toContain(`| ${severity} | ${weight} |`);
    for (const group of new Set(Object.values(CATEGORY_GROUPS))) {
      const categories = Object.entries(CATEGORY_GROUPS).filter(([, of]) => of === group);
      expect(page).toContain(`| ${group} | ${categories.map(([name]) => `\`${name}\``).join(", ")} |`);
    }
    expect(
      new Set(Object.entries(CATEGORY_GROUPS).flatMap(([name, group]) => (group === "slop" ? [name] : []))),
    ).toEqual(SLOP_CATEGORIES);
    expect(page).toContain(`− ${SLOP_COST} × slop`);
    expect(page).toContain(
      `value = council − ${DOUBLING_COST} · log₂(cost in USD) − ${DEFECT_COST} · defect points`,
    );
    expect([MAX_PACK, MOST_PICKS, ASSUMED_FAST_FACTOR]).toEqual([10, 6, 2]);
    expect(page).toContain(`Until ${PRICING_RULES.at(-1)?.since?.slice(0, 10)}`);
  });

  it("Methodology: Top overall picks. The published example comes out in its order", () => {
    const values = [
      [9.01, 5.74, 1.12],
      [8.77, 2.75, 1.3],
      [8.43, 0.44, 1.72],
    ].map(([score = 0, cost = 0, defects = 0]) => pickValue(score, cost, defects).value?.toFixed(3));
    expect(values).toEqual(["7.946", "7.828", "7.807"]);
    for (const value of values) expect(page).toContain(value);
  });
});

describe("the committed facts", () => {
  it("hold", async () => {
    const { findings } = await readCodeData(folderData(root), { synthetic: false, deliverables: true });
    expect(findings).toEqual([]);
  });

  const { vendors } = JSON.parse(readFileSync(join(root, "data/models.json"), "utf8")) as Models;

  it("Methodology: Colours. Every mark stands out 3:1 from the ground of its theme (WCAG 2.2, 1.4.11)", () => {
    for (const { colour } of vendors) {
      expect(contrast(colour.light, "#ffffff")).toBeGreaterThanOrEqual(3);
      expect(contrast(colour.dark, "#121212")).toBeGreaterThanOrEqual(3);
    }
  });

  it("Methodology: Colours. The eight vendors with hues of their own have shapes of their own", () => {
    const named = vendors.filter(({ colour }) => colour.light !== "#6b7280");
    expect(named.map(({ id }) => id)).toEqual([
      "anthropic",
      "deepseek",
      "google",
      "meta",
      "moonshot",
      "openai",
      "xai",
      "zai",
    ]);
    expect(new Set(named.map(({ marker }) => marker)).size).toBe(8);
    expect(new Set(named.map(({ colour }) => colour.light)).size).toBe(8);
  });
});

/** Contrast ratio of two colours, by the definition in WCAG 2.2. */
function contrast(a: string, b: string): number {
  const luminance = (hex: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

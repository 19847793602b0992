import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MARKERS, modelsSchema } from "../../../src/lib/code/schema/models-schema.ts";
import { MarkerIcon, markerPath } from "../../../src/site/chart/marker.tsx";
import { htmlOf, VENDORS } from "./drawn.ts";

const ROOT = join(import.meta.dirname, "../../..");
const models = modelsSchema.parse(JSON.parse(readFileSync(join(ROOT, "data/models.json"), "utf8")));

describe("markers", () => {
  it("every shape of the schema has an outline of its own", () => {
    expect(new Set(MARKERS.map((shape) => markerPath(shape, 6))).size).toBe(MARKERS.length);
  });
  it.each(MARKERS)("%s stays within its size", (shape) => {
    const numbers = markerPath(shape, 10).match(/-?\d+(?:\.\d+)?/g) ?? [];
    expect(numbers.length).toBeGreaterThan(3);
    for (const number of numbers) expect(Math.abs(Number(number))).toBeLessThanOrEqual(14);
  });
  it("a shape that nobody knows is still a mark", () => {
    expect(markerPath("constructor", 6)).toBe(markerPath("circle", 6));
  });
  it("beside a name it is decoration", () => {
    expect(htmlOf(<MarkerIcon vendor={VENDORS[0]!} />)).toContain('aria-hidden="true"');
  });
});

/** Contrast ratio of two colours (WCAG 2.2, "relative luminance"). */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
      const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe("every vendor's marks stand out 3:1 from what they lie on", () => {
  const theme = readFileSync(join(ROOT, "site/style/theme.css"), "utf8");
  const [light = "", dark = ""] = theme.split("prefers-color-scheme: dark");
  const colourOf = (text: string, name: string): string =>
    new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(text)?.[1] ?? "";
  const grounds = (["bg", "card"] as const).flatMap((name) => [
    { theme: "light" as const, name, ground: colourOf(light, name) },
    { theme: "dark" as const, name, ground: colourOf(dark, name) },
  ]);
  it.each(grounds)("$theme, on $name", ({ theme: scheme, ground }) => {
    expect(ground).toMatch(/^#/);
    for (const { colour } of models.vendors)
      expect(contrast(colour[scheme], ground)).toBeGreaterThanOrEqual(3);
  });
});

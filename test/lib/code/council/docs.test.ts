import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLegacyMarkdown } from "../../../../src/lib/code/council/legacy-markdown.ts";
import { legacySchema, overridesSchema } from "../../../../src/lib/code/council/legacy-schema.ts";
import { permuteCriteria } from "../../../../src/lib/code/council/rubric.ts";
import { SCRUB_RULES } from "../../../../src/lib/code/council/scrub-rules.ts";
import { sessionFileSchema } from "../../../../src/lib/code/council/session-file.ts";
import { councilRevisionSchema } from "../../../../src/lib/code/schema/council-schema.ts";
import { DEFECT_METHODS, defectsSchema } from "../../../../src/lib/code/schema/defects-schema.ts";
import { CATEGORIES, SEVERITIES } from "../../../../src/lib/code/schema/names.ts";
import { randomFrom } from "../../../../src/lib/stats/random.ts";
import { REPOSITORY } from "../../../jobs/temp-suite.ts";

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const page = read("docs/COUNCIL.md");
const rubric = read("templates/council-rubric.md");
const block = (info: string): string => new RegExp(`\`\`\`${info}\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";

describe("docs/COUNCIL.md", () => {
  it("has examples that are what the commands read", () => {
    expect(sessionFileSchema.safeParse(JSON.parse(block("json"))).success).toBe(true);
    const legacy = legacySchema.parse(JSON.parse(block("json legacy")));
    expect(overridesSchema.safeParse(JSON.parse(block("json overrides"))).success).toBe(true);
    const revisions: unknown[] = JSON.parse(block("json revisions"));
    expect(revisions.length).toBeGreaterThan(0);
    for (const item of revisions) expect(councilRevisionSchema.safeParse(item).error).toBeUndefined();
    expect(defectsSchema.safeParse(JSON.parse(block("json defects"))).error).toBeUndefined();
    const markdown = readLegacyMarkdown(block("markdown"), "r.md");
    expect(markdown.findings).toEqual([]);
    expect(legacySchema.parse(markdown.value).sessions[0]?.reviews[0]).toMatchObject({
      entry: "e1",
      score: legacy.sessions[0]?.reviews[0]?.score,
      findings: [{ text: "Dead code in flush.", file: "src/lib.rs", line: 12 }, { text: "Odd." }],
    });
  });
  it("names every rule of scrubbing, kind of revision and method of verification, and no other rule", () => {
    const table = page.slice(page.indexOf("| Rule |"), page.indexOf("A name becomes"));
    const named = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
    expect(named.toSorted()).toEqual(SCRUB_RULES.map((rule) => `\`${rule}\``).toSorted());
    for (const { shape } of councilRevisionSchema.options) expect(page).toContain(`\`${shape.kind.value}\``);
    for (const method of DEFECT_METHODS) expect(page).toContain(`\`${method}\``);
  });
});

describe("templates/council-rubric.md", () => {
  it("defines every severity, category and whole score", () => {
    for (const severity of SEVERITIES) expect(rubric).toMatch(new RegExp(`^\\| ${severity} \\|`, "m"));
    for (const category of CATEGORIES) expect(rubric).toMatch(new RegExp(`^\\| \`${category}\` \\|`, "m"));
    for (let score = 0; score <= 10; score += 1) expect(rubric).toMatch(new RegExp(`^\\| ${score} \\|`, "m"));
  });
  it("names no model, vendor or harness", () => {
    expect(rubric).not.toMatch(/claude|anthropic|openai|gpt|gemini|codex|deepseek|grok/i);
  });
  it("has its criteria permuted, each once, and everything else where it was", () => {
    const orders = ["1", "2", "3"].map((seed) => permuteCriteria(rubric, randomFrom(seed)));
    expect(new Set(orders).size).toBe(3);
    const linesOf = (text: string): string[] =>
      text
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("<!--"))
        .toSorted();
    for (const order of orders) {
      expect(linesOf(order)).toEqual(linesOf(rubric));
      expect(order.indexOf("## Score")).toBeGreaterThan(order.indexOf("### Tests"));
      expect(order).toContain("## What earns nothing");
    }
    expect(permuteCriteria("# Without marks\n", randomFrom("1"))).toBe("# Without marks\n");
  });
});

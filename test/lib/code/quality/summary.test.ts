import { describe, expect, it } from "vitest";
import { summarizeQuality } from "../../../../src/lib/code/quality/summary.ts";
import { type Quality, qualitySchema } from "../../../../src/lib/code/schema/quality-schema.ts";

const digest = `sha256:${"0".repeat(64)}`;
const quality: Quality = {
  at: "2026-12-01T10:00:00.000Z",
  tool: { name: "tree", version: "1", grammar: "tree-sitter-rust 0.24.0" },
  files: [{ path: "src/lib.rs", sha256: digest }],
  lines: { implementation: 90, comment: 10, significant: 80, duplicated: 20 },
  complexity: {
    functions: [
      [0, 1, 1, "new"],
      [0, 9, 11, "encode"],
      [0, 40, 10, "decode"],
    ],
    syntax_errors: 0,
  },
};

describe("Methodology: Code metrics", () => {
  it("derives shares, mean, maximum and the functions above 10 from exact counts", () => {
    expect(summarizeQuality(quality)).toEqual({
      implementation_lines: 90,
      comment_share: 0.1,
      duplicated_share: 0.25,
      lint: null,
      complexity: { functions: 3, mean: 22 / 3, max: 11, above_10: 1, tool: "tree" },
      complexity_reason: null,
    });
  });

  it("shows why there is no complexity and never a 0 in its place", () => {
    const complexity = { unsupported: "cannot parse elixir" };
    expect(summarizeQuality({ ...quality, complexity })).toMatchObject({
      complexity: null,
      complexity_reason: "cannot parse elixir",
    });
    const none = { functions: [], syntax_errors: 0 };
    expect(summarizeQuality({ ...quality, complexity: none })).toMatchObject({
      complexity: null,
      complexity_reason: "no function found",
    });
  });

  it("has no shares of nothing", () => {
    const lines = { implementation: 0, comment: 0, significant: 0, duplicated: 0 };
    expect(summarizeQuality({ ...quality, lines })).toMatchObject({
      comment_share: null,
      duplicated_share: null,
    });
  });

  it("keeps 0 warnings apart from a linter that was not asked", () => {
    const lint = { tool: "cargo clippy", version: "1.92.0", warnings: 0 };
    expect(summarizeQuality({ ...quality, lint }).lint).toBe(0);
  });
});

describe("the committed form", () => {
  it("refuses counts that cannot be and functions of files that are not there", () => {
    expect(qualitySchema.safeParse(quality).success).toBe(true);
    const lines = { implementation: 5, comment: 0, significant: 6, duplicated: 0 };
    expect(qualitySchema.safeParse({ ...quality, lines }).success).toBe(false);
    const complexity = { functions: [[1, 1, 1, "f"]], syntax_errors: 0 };
    expect(qualitySchema.safeParse({ ...quality, complexity }).success).toBe(false);
  });
});

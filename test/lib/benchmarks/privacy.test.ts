import { describe, expect, it } from "vitest";
import { componentsOf } from "../../../src/lib/benchmarks/composite.ts";
import {
  documentMismatches,
  isPrivateMember,
  redactFinding,
  redactMember,
  roundedMetrics,
  withheldMetrics,
} from "../../../src/lib/benchmarks/privacy.ts";
import { memberMetricsSchema } from "../../../src/lib/benchmarks/result-schema.ts";
import { findingSchema } from "../../../src/lib/findings.ts";
import { partialMember, perfectMetrics, suiteMember } from "./documents.ts";

const bank = suiteMember("b", { source_kind: "bank_asset", published_in_bank: true });
const { mismatches, metrics } = partialMember("b");

describe("private members", () => {
  it("are those of the bank, unless the bank is open", () => {
    expect(isPrivateMember(bank)).toBe(true);
    expect(isPrivateMember(bank, { openBank: true })).toBe(false);
    expect(isPrivateMember(suiteMember("c"))).toBe(false);
  });

  it("documents keep addresses only of their mismatch rows", () => {
    expect(documentMismatches(bank, mismatches)).toEqual([
      { kind: "cell", address: "S!R2C2", row: null, column: null, expected: null, actual: null },
    ]);
    expect(documentMismatches(suiteMember("c"), mismatches)).toEqual(mismatches);
    expect(documentMismatches(bank, mismatches, { openBank: true })).toEqual(mismatches);
  });

  it("reports show rounded components without counts, and no rows", () => {
    const shown = redactMember({ private: true, claimed: metrics, recomputed: metrics, mismatches, id: "b" });
    expect(shown.mismatches).toEqual([]);
    expect(shown.claimed.cell_match_rate).toEqual({
      numerator: 875_000,
      denominator: 1_000_000,
      matched: 0,
      union: 0,
    });
    expect(shown.claimed.header_accuracy).toEqual({ numerator: 1, denominator: 1, matched: 0, total: 0 });
    expect(memberMetricsSchema.parse(shown.recomputed)).toEqual(shown.recomputed);
    const open = { private: false, claimed: metrics, recomputed: null, mismatches };
    expect(redactMember(open)).toBe(open);
  });

  it("no row count can be told from rounded metrics of a perfect member", () => {
    expect(roundedMetrics(perfectMetrics(4, 2))).toEqual(roundedMetrics(perfectMetrics(400, 7)));
  });

  it("parts carry exact shares without the counts they come from", () => {
    expect(withheldMetrics(metrics).cell_match_rate).toEqual({
      numerator: 7,
      denominator: 8,
      matched: 0,
      union: 0,
    });
    expect(withheldMetrics(perfectMetrics(400, 7))).toEqual(withheldMetrics(perfectMetrics(4, 2)));
    expect(componentsOf([{ metrics: withheldMetrics(metrics) }])).toEqual(componentsOf([{ metrics }]));
  });

  it.each([
    ["/members/0/recipe/tables/0/headers/1/from/0", "/members/0/recipe/tables/0/headers/1/from/0"],
    ["/tables/0/Total persons", "/tables/0"],
    ["/Total persons/sheet", ""],
    ["", ""],
  ])("a pointer %j goes as far as its names are ours", (pointer, shown) => {
    expect(
      redactFinding({ code: "recipe-unknown-key", severity: "error", message: "", pointer }).pointer,
    ).toBe(shown);
  });

  it("findings keep code and place, and lose every word that could quote the workbook", () => {
    const finding = redactFinding({
      code: "recipe-missing-sheet",
      severity: "error",
      message: "There is no sheet 'Secret'.",
      path: "x.json",
      pointer: "/members/0/recipe/tables/0/sheet",
      line: 3,
      column: 4,
      expected: "Table 1, Table 2",
      actual: "Secret",
      hint: "Did you mean Table 1?",
    });
    expect(findingSchema.parse(finding)).toEqual(finding);
    expect(JSON.stringify(finding)).not.toMatch(/Secret|Table 1/);
    expect(finding).toMatchObject({ code: "recipe-missing-sheet", line: 3, column: 4 });
  });
});

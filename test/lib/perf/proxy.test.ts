import { describe, expect, it } from "vitest";
import { deriveSpeed } from "../../../src/lib/code/derive/speed.ts";
import { findDisagreement, parseInstructions, toProxyFacts } from "../../../src/lib/perf/proxy.ts";

describe("what a counting emulator says", () => {
  it("is its last word, in the forms of older and newer versions", () => {
    expect(parseInstructions("insns: 6023398\n")).toBe(6023398);
    expect(parseInstructions("cpu 0 insns: 5\ncpu 1 insns: 7\ntotal insns: 12\n")).toBe(12);
    expect(parseInstructions("insns: 1\nwords of the guest\ninsns: 2\n")).toBe(2);
  });

  it("is nothing when it says nothing, or no number", () => {
    for (const said of ["", "insns: ", "insns: 99999999999999999999\n", "my insns: 3\n"])
      expect(parseInstructions(said)).toBeNull();
  });
});

describe("two counts of the same work", () => {
  const counted = (net: number) => ({ once: 1000, twice: 1000 + net });

  it("must agree to a ten-thousandth", () => {
    expect(findDisagreement(counted(1_000_000), counted(1_000_000))).toBeNull();
    expect(findDisagreement(counted(1_000_000), counted(1_000_100))).toBeNull();
    expect(findDisagreement(counted(1_000_000), counted(1_000_200))).toContain("1000200");
  });

  it("must grow with the work", () => {
    expect(findDisagreement(counted(0), counted(5))).toContain("0 instructions");
    expect(findDisagreement(counted(-3), counted(5))).toContain("-3");
  });
});

it("facts say that they are no timings, and are never a speed among timings", () => {
  const one = { once: 10, twice: 30 };
  const metrics = [{ id: "sad16", candidate: [one, one], reference: [one, one] }] as const;
  const facts = toProxyFacts(metrics, { seed: "s", outputOk: true });
  expect(facts).toEqual({
    proxy: true,
    output_ok: true,
    unit: "instructions",
    seed: "s",
    metrics: [{ id: "sad16", candidate: [20, 20], reference: [20, 20] }],
    flags: [],
  });
  const digest = `sha256:${"0".repeat(64)}`;
  const perf = { ...facts, at: "2026-12-01T00:00:00.000Z", host: "h", fingerprint: digest };
  expect(deriveSpeed(perf, undefined, "declared")).toMatchObject({ proxy: true });
});

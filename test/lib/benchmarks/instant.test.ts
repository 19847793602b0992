import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantMs } from "../../../src/lib/benchmarks/instant.ts";

describe("instants", () => {
  it("agree with Date for every moment it can write", () => {
    const range = { min: new Date("0001-01-01T00:00:00.000Z"), max: new Date("9999-12-31T23:59:59.999Z") };
    fc.assert(
      fc.property(fc.date({ ...range, noInvalidDate: true }), (date) => {
        expect(instantMs(date.toISOString())).toBe(date.getTime());
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "2026-02-29T00:00:00.000Z",
    "1900-02-29T00:00:00.000Z",
    "2026-13-01T00:00:00.000Z",
    "2026-00-10T00:00:00.000Z",
    "2026-04-31T00:00:00.000Z",
    "2026-04-00T00:00:00.000Z",
    "2026-04-01T24:00:00.000Z",
    "2026-04-01T00:60:00.000Z",
    "2026-04-01T00:00:60.000Z",
    "2026-04-01T00:00:00Z",
    "now",
  ])("%s is no moment", (text) => {
    expect(instantMs(text)).toBeNull();
  });

  it("2000 was a leap year", () => {
    expect(instantMs("2000-02-29T00:00:00.000Z")).toBe(Date.UTC(2000, 1, 29));
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { councilScore, crossVendorScore, panelOf } from "../../../../src/lib/code/score/council.ts";
import {
  meanOverSeats,
  SEVERITY_WEIGHTS,
  seatDefectPoints,
  seatSlop,
  type WeighedFinding,
} from "../../../../src/lib/code/score/findings.ts";

const seats = [
  { judge: "a", score: 8 },
  { judge: "b", score: 9 },
  { judge: "c", score: 6 },
];
const finding = (
  severity: WeighedFinding["severity"],
  category: string,
  false_positive = false,
): WeighedFinding => ({ severity, category, false_positive });
const findings = fc.array(
  fc.record({
    severity: fc.constantFrom("critical", "high", "medium", "low", "nit"),
    category: fc.constantFrom(
      "correctness",
      "tests",
      "misleading-docs",
      "dead-code",
      "redundancy",
      "verbosity",
      "style",
    ),
    false_positive: fc.boolean(),
  }),
);

describe("Methodology: Council", () => {
  it("has on the panel the judges who scored every live entry", () => {
    expect(
      panelOf([
        ["c", "a", "b"],
        ["a", "c"],
        ["c", "b", "a"],
      ]),
    ).toEqual(["a", "c"]);
    expect(panelOf([["a"], ["b"]])).toEqual([]);
    expect(panelOf([])).toEqual([]);
  });

  it("scores an entry by the mean of the panel, not of whoever else reviewed it", () => {
    expect(councilScore(seats, ["a", "b"])).toEqual({ value: 8.5, reason: null });
    expect(councilScore(seats, ["a", "b", "c"]).value).toBeCloseTo(23 / 3, 12);
  });

  it("F61: gives no score without a panel, never that of fewer judges", () => {
    expect(councilScore(seats, [])).toEqual({
      value: null,
      reason: "no judge scored every live entry of the run",
    });
    expect(councilScore(seats, ["a", "d"]).value).toBeNull();
  });

  it("takes for the cross-vendor score only judges of other vendors", () => {
    expect(crossVendorScore(seats, ["a", "b", "c"], new Set(["b"])).value).toBe(7);
    expect(crossVendorScore(seats, ["b"], new Set(["b"])).reason).toContain("the entry's vendor");
    expect(crossVendorScore(seats, [], new Set()).reason).toContain("no judge scored every live entry");
  });

  it("does not depend on the order of seats", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 9 }),
        (scores) => {
          const given = scores.map((score, index) => ({ judge: `j${index}`, score }));
          const panel = given.map(({ judge }) => judge);
          const other = councilScore(given.toReversed(), panel.toReversed());
          expect(other.value).toBeCloseTo(councilScore(given, panel).value!, 12);
        },
      ),
    );
  });
});

describe("Methodology: Slop score", () => {
  it("is 0.625, shown 0.63, for two low comments and a nit over four seats", () => {
    const perSeat = [
      [finding("low", "misleading-docs")],
      [finding("low", "misleading-docs")],
      [finding("nit", "dead-code")],
      [],
    ].map(seatSlop);
    expect(perSeat).toEqual([1, 1, 0.5, 0]);
    expect(meanOverSeats(perSeat)).toEqual({ value: 0.625, reason: null });
    expect((0.625).toFixed(2)).toBe("0.63");
  });

  it("weighs critical 4, high 3, medium 2, low 1, nit 0.5", () => {
    const all = Object.keys(SEVERITY_WEIGHTS) as WeighedFinding["severity"][];
    expect(all.map((severity) => seatSlop([finding(severity, "verbosity")]))).toEqual([4, 3, 2, 1, 0.5]);
  });

  it("counts four categories as slop, and every category as defect points", () => {
    const slop = ["misleading-docs", "dead-code", "redundancy", "verbosity"];
    const other = ["correctness", "robustness", "performance", "abi", "tests", "docs", "style"];
    expect(slop.map((category) => seatSlop([finding("low", category)]))).toEqual([1, 1, 1, 1]);
    expect(other.map((category) => seatSlop([finding("low", category)]))).toEqual(other.map(() => 0));
    for (const category of [...slop, ...other]) expect(seatDefectPoints([finding("low", category)])).toBe(1);
  });

  it("is unknown when no seat reviewed the entry, and 0 when seats found nothing", () => {
    expect(meanOverSeats([]).value).toBeNull();
    expect(meanOverSeats([0, 0]).value).toBe(0);
  });

  it("does not change when a false positive is added, or findings change places", () => {
    fc.assert(
      fc.property(findings, findings, (some, more) => {
        const wrong = more.map((each) => ({ ...each, false_positive: true }));
        for (const points of [seatSlop, seatDefectPoints]) {
          expect(points([...wrong, ...some])).toBe(points(some));
          expect(points(some.toReversed())).toBe(points(some));
        }
        expect(seatSlop(some)).toBeLessThanOrEqual(seatDefectPoints(some));
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundHalfUp } from "../../../src/lib/code/round.ts";

describe("numbers as they are shown", () => {
  it.each([
    [0.625, 2, "0.63"],
    [2.5 / 4, 2, "0.63"],
    [1.005, 2, "1.01"],
    [-1.005, 2, "-1.01"],
    [8.345, 2, "8.35"],
    [0.004, 2, "0.00"],
    [-0.004, 2, "0.00"],
    [-0.005, 2, "-0.01"],
    [9.999, 2, "10.00"],
    [0, 3, "0.000"],
    [2.5, 0, "3"],
    [-0.4, 0, "0"],
    [1234567, 1, "1234567.0"],
    [1e21, 2, "1000000000000000000000.00"],
    [1.5e-7, 7, "0.0000002"],
    [1e-30, 2, "0.00"],
    [5e-324, 2, "0.00"],
    [0.05, 0, "0"],
    [0.5, 0, "1"],
  ])("%d with %d decimals is %s", (value, digits, shown) => expect(roundHalfUp(value, digits)).toBe(shown));

  it("is the nearest number with so many digits, and the further from zero of two", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 3 }),
        (thousandths, digits) => {
          const step = 10 ** (3 - digits);
          const size = Math.floor((Math.abs(thousandths) + step / 2) / step);
          const shown = roundHalfUp(Number(`${thousandths}e-3`), digits);
          expect(Number(shown)).toBe(
            Number(`${size === 0 ? "" : thousandths < 0 ? "-" : ""}${size}e-${digits}`),
          );
        },
      ),
    );
  });
});

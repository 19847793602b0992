import { mean, sum } from "./describe.ts";
import { type Known, known, unknown } from "./known.ts";

/** A side whose spread is below this share of its size is constant: what is left is rounding. */
const CONSTANT = 1e-12;

/**
 * Pearson's correlation, Σ(x − x̄)(y − ȳ) ÷ √(Σ(x − x̄)²·Σ(y − ȳ)²), −1 … 1. Undefined for fewer than two pairs and when
 * either side is constant; of two pairs it is always ±1 and says nothing.
 * @throws RangeError when the lists differ in length.
 */
export function pearson(x: readonly number[], y: readonly number[]): Known {
  if (x.length !== y.length) throw new RangeError("correlation needs pairs");
  const [centreX, centreY] = [mean(x), mean(y)];
  if (centreX === null || centreY === null || x.length < 2) return unknown("fewer than two pairs");
  const fromX = x.map((value) => value - centreX);
  const fromY = y.map((value) => value - centreY);
  const [squareX, squareY] = [fromX, fromY].map((side) => sum(side.map((value) => value * value)));
  if (squareX === undefined || squareY === undefined) return unknown("fewer than two pairs");
  if (isConstant(squareX, x) || isConstant(squareY, y)) return unknown("one side is constant");
  const together = sum(fromX.map((value, index) => value * (fromY[index] ?? 0)));
  return known(Math.max(-1, Math.min(1, together / Math.sqrt(squareX) / Math.sqrt(squareY))));
}

const isConstant = (squares: number, values: readonly number[]): boolean =>
  Math.sqrt(squares) <= CONSTANT * Math.sqrt(sum(values.map((value) => value * value)));

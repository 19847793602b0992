import type { Fraction } from "./result-schema.ts";

/**
 * Exact rational numbers over BigInt: scores are computed exactly and rounded once, at the end.
 * The denominator is always positive; values need not be in lowest terms.
 */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ZERO: Rational = { numerator: 0n, denominator: 1n };

/** @throws RangeError when the denominator is not positive. */
export function rational(numerator: bigint, denominator: bigint): Rational {
  if (denominator <= 0n) throw new RangeError("a denominator must be positive");
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** The exact value of a document's fraction. */
export const fromFraction = (fraction: Fraction): Rational =>
  rational(BigInt(fraction.numerator), BigInt(fraction.denominator));

export const add = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const multiply = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator);

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export const compare = (a: Rational, b: Rational): number => {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/**
 * Exact sum of many fractions. Those with one denominator are added as integers first, because most members
 * share small denominators and reducing thirty times costs more than once.
 */
export function sumFractions(fractions: Iterable<Fraction>): Rational {
  const byDenominator = new Map<number, bigint>();
  for (const { numerator, denominator } of fractions)
    byDenominator.set(denominator, (byDenominator.get(denominator) ?? 0n) + BigInt(numerator));
  let sum = ZERO;
  for (const [denominator, numerator] of byDenominator)
    sum = add(sum, rational(numerator, BigInt(denominator)));
  return sum;
}

/**
 * The nearest multiple of 10^-decimals, halves away from zero, as the double nearest to that decimal.
 * Worked example: 1/3 at 6 decimals is 0.333333; 1/2000000 is 0.000001 and -1/2000000 is -0.000001.
 */
export function roundHalfAway(value: Rational, decimals: number): number {
  const scale = 10n ** BigInt(decimals);
  const negative = value.numerator < 0n;
  const scaled = (negative ? -value.numerator : value.numerator) * scale;
  const rounded = (2n * scaled + value.denominator) / (2n * value.denominator);
  // A decimal literal, so that the double is the one closest to the decimal whatever its size.
  const digits = rounded.toString().padStart(decimals + 1, "0");
  const text = `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`;
  return Number(text) * (negative && rounded > 0n ? -1 : 1);
}

/** A finite double's exact shortest decimal as a rational: `0.1` is 1/10, `2.5e-7` is 1/4000000. */
export function fromDecimal(value: number): Rational {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (match === null) throw new RangeError("not a finite number");
  const [, sign, whole = "0", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const power = Number(exponent) - fraction.length;
  return power >= 0 ? rational(digits * 10n ** BigInt(power), 1n) : rational(digits, 10n ** BigInt(-power));
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

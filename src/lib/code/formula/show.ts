import { roundHalfUp } from "../round.ts";

const DIGITS = 6;
/** So many numbers of a list are written out. */
const MOST_TERMS = 12;

/** A number as steps show it: up to six decimals, no zeros at the end. Results are not rounded. */
export const shown = (value: number | null): string =>
  value === null
    ? "unknown"
    : roundHalfUp(value, DIGITS)
        .replace(/\.?0+$/, "")
        .replace(/^-$|^$/, "0");

/** Numbers with a sign between them, in parentheses when there are several; long lists are cut and counted. */
export function terms(values: readonly number[], sign = " + "): string {
  const first = values.slice(0, MOST_TERMS).map((value) => (value < 0 ? `(${shown(value)})` : shown(value)));
  const rest = values.length - first.length;
  const text = `${first.join(sign)}${rest > 0 ? `${sign}… (${rest} more)` : ""}`;
  return values.length > 1 ? `(${text})` : text;
}

/** `(a + b + c) ÷ 3`, or the single value. */
export const meanTerms = (values: readonly number[]): string =>
  values.length === 1 ? terms(values) : `${terms(values)} ÷ ${values.length}`;

import type { Known } from "../../stats/known.ts";
import { roundHalfUp } from "../round.ts";

/** How an unknown number is shown: never as 0. */
export const UNKNOWN = "–";

/** A number with a fixed count of decimals. */
export const numberText = (value: number | null, digits = 2): string =>
  value === null ? UNKNOWN : roundHalfUp(value, digits);

/** USD: cents, and below ten cents two digits more; what would round to nothing is said to be less. */
export function usdText(value: number | null): string {
  if (value === null) return UNKNOWN;
  if (value > 0 && value < 0.00005) return "<$0.0001";
  return `$${roundHalfUp(value, value !== 0 && value < 0.1 ? 4 : 2)}`;
}

/** Seconds as `54 s`, `12 min 5 s` or `1 h 3 min`. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  const whole = Number(roundHalfUp(seconds, 0));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Number(roundHalfUp(seconds / 60, 0));
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A share of 0 to 1 as a percentage. */
export const shareText = (value: number | null): string =>
  value === null ? UNKNOWN : `${roundHalfUp(value * 100, 0)}%`;

/** With a sign, for offsets. */
export const signedText = ({ value }: Known): string =>
  value === null ? UNKNOWN : value > 0 ? `+${roundHalfUp(value, 2)}` : roundHalfUp(value, 2);

/** `33/33`. */
export const countText = (count: { readonly passed: number; readonly total: number } | null): string =>
  count === null ? UNKNOWN : `${count.passed}/${count.total}`;

/** A large count, in groups of three digits with narrow no-break spaces between them. */
export const groupedText = (value: number | null): string =>
  value === null ? UNKNOWN : roundHalfUp(value, 0).replace(/\B(?=(?:\d{3})+$)/g, "\u202f");

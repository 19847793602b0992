import { durationText, numberText, UNKNOWN, usdText } from "../../lib/code/aggregate/numbers-text.ts";

/** What stands at ticks and beside marks: numbers with their units. */

/** Without the noise of binary fractions: at most `digits` significant ones. */
const plain = (value: number, digits = 6): string => {
  const short = Number(value.toPrecision(digits));
  if (short !== 0 && (Math.abs(short) < 1e-6 || Math.abs(short) >= 1e12)) return short.toExponential();
  const [whole = "", fraction] = short
    .toFixed(12)
    .replace(/\.?0+$/, "")
    .split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

/** USD at a tick: `$0.05`, `$0.50`, `$2`, `$1,000`, `$2M`. */
export function moneyTick(usd: number): string {
  if (Math.abs(usd) >= 1e6) return `$${plain(usd / 1e6)}M`;
  const text = plain(usd);
  const decimals = text.includes("e") ? null : (text.split(".")[1]?.length ?? 0);
  return decimals === 1 ? `$${text}0` : `$${text}`;
}

/** A plain number at a tick. */
export const numberTick = (value: number): string => plain(value);

/** A share of 0 to 1 at a tick, as a percentage. */
export const shareTick = (value: number): string => `${plain(value * 100)}%`;

/** A speed-up at a tick: `0.5×`, `2×`. */
export const speedTick = (value: number): string => `${plain(value, 3)}×`;

/** A speed-up with two decimals; below a tenth with two digits that say something. */
export const speedText = (value: number | null): string =>
  value === null ? UNKNOWN : `${value < 0.1 ? plain(value, 2) : numberText(value)}×`;

/** Seconds at a tick: `0`, `30 s`, `5 min`, `1 h 30`, `2 d`. */
export function secondsTick(seconds: number): string {
  if (seconds === 0) return "0";
  if (seconds < 60) return `${plain(seconds)} s`;
  if (seconds < 3600) return `${plain(seconds / 60)} min`;
  if (seconds >= 86_400 && seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  const minutes = Math.round((seconds % 3600) / 60);
  const hours = Math.floor(seconds / 3600);
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes}`;
}

export { durationText, numberText, UNKNOWN, usdText };

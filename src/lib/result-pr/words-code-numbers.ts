import type { Moved } from "../code/movement/movement-schema.ts";
import { roundHalfUp } from "../code/round.ts";

/** Numbers of the code benchmark as comments show them. Pure. */

export const NONE = "–";

const minus = (text: string): string => text.replace("-", "−");

/** Scores, slop, defect points, offsets, correlations. */
export const points = (value: number | null, digits = 2): string =>
  value === null ? NONE : minus(roundHalfUp(value, digits));

export const share = (value: number | null): string =>
  value === null ? NONE : `${roundHalfUp(value * 100, 0)}%`;

/** Unknown is never shown as nothing; small amounts keep what tells them from it. */
export const usd = (value: number | null): string =>
  value === null ? "unknown" : `$${roundHalfUp(value, value !== 0 && Math.abs(value) < 0.1 ? 4 : 2)}`;

/** `12 min 5 s`. */
export function duration(seconds: number | null): string {
  if (seconds === null) return NONE;
  const whole = Number(roundHalfUp(seconds, 0));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return minutes === 0 ? `${rest} s` : `${minutes} min${rest === 0 ? "" : ` ${rest} s`}`;
}

/** `7.53 → 7.61`; what does not differ as shown still says that it moved. */
export function moveWords(move: Moved | undefined, show: (value: number | null) => string): string {
  if (move === undefined) return "";
  const [before, after] = [show(move.before), show(move.after)];
  if (move.before === null) return `**${after}**`;
  return before === after && move.before !== move.after ? `${before} (barely)` : `${before} → **${after}**`;
}

/** `+0.08`: a difference with its sign; empty where there is none to give, or none that shows. */
export function difference({ before, after }: Moved, digits = 2): string {
  if (before === null || after === null) return "";
  const text = points(after - before, digits);
  if (Number(text.replace("−", "")) === 0) return "";
  return after > before ? `+${text}` : text;
}

/** `▲ 2` for two places up; ranks count downwards. */
export function rankWords({ before, after }: Moved): string {
  if (after === null) return before === null ? NONE : `${before} → not ranked`;
  if (before === null) return `**${after}** (new)`;
  if (before === after) return `${after}`;
  return before > after ? `${before} → **${after}** ▲` : `${before} → **${after}** ▼`;
}

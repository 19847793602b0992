import { instantMs } from "../../benchmarks/instant.ts";

/** `2026-11-05T09:00:04.1Z`: any number of fractional digits, `Z` or an offset. */
const TEXT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))$/;
/** 1990 and 2100: a number outside is no moment of a run, whatever its unit. */
const EARLIEST = 631_152_000_000;
const LATEST = 4_102_444_800_000;

/** Milliseconds since 1970 (UTC) of an ISO text, what is below a millisecond cut off; null when it is none. */
export function momentOfText(text: string): number | null {
  const match = TEXT.exec(text);
  if (match === null) return null;
  const [, date, clock, fraction = "", sign, hours = "0", minutes = "0"] = match;
  const ms = instantMs(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  if (ms === null || Number(hours) > 14 || Number(minutes) > 59) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return within(sign === "-" ? ms + offset : ms - offset);
}

/** A moment given as a number of milliseconds since 1970, whole or not; null when it is none. */
export const momentOfMs = (value: unknown): number | null =>
  typeof value === "number" ? within(Math.floor(value)) : null;

/** The same in seconds. */
export const momentOfSeconds = (value: unknown): number | null =>
  typeof value === "number" ? within(Math.floor(value * 1000)) : null;

/** An ISO text, or milliseconds. */
export const momentOf = (value: unknown): number | null =>
  typeof value === "string" ? momentOfText(value) : momentOfMs(value);

const within = (ms: number): number | null => (ms >= EARLIEST && ms < LATEST ? ms : null);

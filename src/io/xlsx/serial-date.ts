import { daysFromCivil, isCivil, serialToIso } from "../../lib/sheet/serial.ts";

/**
 * The date that a number cell under a date format shows, as ISO text; null when it shows none: in the
 * 1900 system day 0 and times without a day (a serial below 1), the 29 February 1900 that never was, and
 * in both systems anything negative or after the year 9999. Such a cell stays the number it stores.
 */
export const shownDate = (serial: number, date1904: boolean): string | null => serialToIso(serial, date1904);

/** 1970-01-01 in the 1900 system's count, and the difference of the two systems. */
const EPOCH_1900 = 25_569;
const OFFSET_1904 = 1462;
const SECONDS_PER_DAY = 86_400;

/**
 * The serial of an ISO date or date-time as a `t="d"` cell holds it, and its canonical text; null when
 * it is none. An offset other than `Z` is nothing a cell can hold, and a cell's time zone is nobody's.
 */
export function isoToSerial(text: string, date1904: boolean): { iso: string; serial: number } | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?Z?)?$/.exec(
    text.trim(),
  );
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  if (!isCivil(part(1), part(2), part(3)) || part(4) > 23 || part(5) > 59 || part(6) >= 60) return null;
  const days = daysFromCivil(part(1), part(2), part(3)) + EPOCH_1900;
  // Before March 1900 the 1900 system has not yet counted the day that never was.
  const day = date1904 ? days - OFFSET_1904 : days <= 60 ? days - 1 : days;
  const serial = day + ((part(4) * 60 + part(5)) * 60 + part(6)) / SECONDS_PER_DAY;
  const iso = shownDate(serial, date1904);
  return iso === null ? null : { iso, serial };
}

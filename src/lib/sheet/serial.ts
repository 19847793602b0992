/** Spreadsheet serial days and ISO dates, by calendar arithmetic alone: no clock, no time zone. */

const SECONDS_PER_DAY = 86_400;
/** 9999-12-31 in the 1900 system; Excel has no later date. */
const LAST_SERIAL = 2_958_465;

/** Days from 1970-01-01 of a proleptic Gregorian date (H. Hinnant, "chrono-compatible low-level date algorithms"). */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `daysFromCivil`. */
export function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** True when the calendar has this day. */
export function isCivil(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || year < 1 || year > 9999) return false;
  const civil = civilFromDays(daysFromCivil(year, month, day));
  return civil.month === month && civil.day === day;
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

export const isoDate = (year: number, month: number, day: number): string =>
  `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;

/**
 * ISO text of a serial day: `2024-06-30`, with `T10:15:00` when it has a time of day (to the nearest second). Null for what is
 * no day: negative, beyond 9999-12-31, and in the 1900 system what is below 1 and 60, 29 February 1900, which never was.
 */
export function serialToIso(serial: number, date1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < (date1904 ? 0 : 1)) return null;
  let day = Math.floor(serial);
  let seconds = Math.round((serial - day) * SECONDS_PER_DAY);
  if (seconds === SECONDS_PER_DAY) {
    day += 1;
    seconds = 0;
  }
  const in1900 = date1904 ? day + 1462 : day;
  if (in1900 > LAST_SERIAL || (!date1904 && day === 60)) return null;
  // Serial 1 is 1900-01-01; from 61 on the day that never was has been counted as well.
  const epoch = daysFromCivil(1899, 12, in1900 < 60 ? 31 : 30);
  const civil = civilFromDays(epoch + in1900);
  const date = isoDate(civil.year, civil.month, civil.day);
  if (seconds === 0) return date;
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${date}T${time.map((part) => pad(part, 2)).join(":")}`;
}

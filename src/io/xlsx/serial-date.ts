/**
 * Serial day numbers to calendar dates, by integer arithmetic only: no `Date`, so no time zone.
 *
 * 1900 system: 1 is 1900-01-01. Excel believes that 1900 was a leap year (serial 60 is 29 February
 * 1900, which never was), so days from 61 on count one more than the calendar has. 1904 system: 0 is
 * 1904-01-01.
 */

const MS_PER_DAY = 86_400_000;
/** Days from 1970-01-01 to 1899-12-31 and to 1904-01-01. */
const DAY_1900 = -25_568;
const DAY_1904 = -24_107;
/** 9999-12-31 as days since 1970-01-01: the last day a spreadsheet knows. */
const LAST_DAY = 2_932_896;

/**
 * ISO text of a stored serial, to the millisecond: `2024-06-30`, or with `T10:15:00[.250]` when the
 * serial has a time of day. Null when the serial names no calendar day: negative, below 1 or the
 * invented 60 in the 1900 system, or after the year 9999.
 */
export function serialToIso(serial: number, date1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 3_000_000) return null;
  const milliseconds = Math.round(serial * MS_PER_DAY);
  const whole = Math.floor(milliseconds / MS_PER_DAY);
  const rest = milliseconds - whole * MS_PER_DAY;
  let day: number;
  if (date1904) day = DAY_1904 + whole;
  else if (whole < 1 || whole === 60) return null;
  else day = DAY_1900 + (whole > 60 ? whole - 1 : whole);
  // 1900-01-01 is serial 1, so DAY_1900 is the day before it.
  if (day > LAST_DAY) return null;
  return rest === 0 ? dayToIso(day) : `${dayToIso(day)}T${timeText(rest)}`;
}

/**
 * Serial of an ISO date or date-time (a `t="d"` cell), and its canonical text; null when it is none.
 * An offset other than `Z` is not a thing a cell can hold.
 */
export function isoToSerial(text: string, date1904: boolean): { iso: string; serial: number } | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?Z?)?$/.exec(
    text.trim(),
  );
  if (match === null) return null;
  const [year, month, date, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = Math.round(Number(`0.${match[7] ?? "0"}`) * 1000);
  if (hour > 23 || minute > 59 || second > 59) return null;
  const day = isoDay(year, month, date);
  if (day === null || dayToIso(day) !== `${match[1]}-${match[2]}-${match[3]}`) return null;
  const whole = date1904 ? day - DAY_1904 : day - DAY_1900 + (day - DAY_1900 >= 60 ? 1 : 0);
  const rest = ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  const serial = whole + rest / MS_PER_DAY;
  const iso = serialToIso(serial, date1904);
  return iso === null ? null : { iso, serial };
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

function timeText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const fraction = milliseconds % 1000;
  const time = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
  return fraction === 0 ? time : `${time}.${pad(fraction, 3)}`;
}

/** Proleptic Gregorian date of a day number since 1970-01-01 (Hinnant's civil-from-days). */
function dayToIso(day: number): string {
  const shifted = day + 719_468;
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
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const date = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const calendarMonth = month < 10 ? month + 3 : month - 9;
  const year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(calendarMonth, 2)}-${pad(date, 2)}`;
}

/** Day number since 1970-01-01 of a date (Hinnant's days-from-civil); null for a month or day out of range. */
function isoDay(year: number, month: number, date: number): number | null {
  if (month < 1 || month > 12 || date < 1 || date > 31) return null;
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

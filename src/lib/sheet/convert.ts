import type { Conversion } from "./recipe-schema.ts";
import { canonicalBoolean, canonicalNumber } from "./scalar.ts";
import { isCivil, isoDate, serialToIso } from "./serial.ts";

/** What was taken from a cell, before conversion. */
export interface Taken {
  /** Canonical text. */
  readonly text: string;
  /** What the text stands for; `text` once a cell's text was cut or formatted. */
  readonly type: "text" | "number" | "date" | "boolean" | "error";
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH_NAMES = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
/** Longer texts are no number and no date; this keeps every pattern below at constant cost. */
const MAX_CONVERTED = 60;

/** The canonical scalar of the wanted type, or null when `taken` is nothing of the kind. */
export function convert(taken: Taken, to: Conversion, date1904: boolean): string | null {
  if (to === "text") return taken.text;
  if (taken.type === "error") return null;
  if (taken.text.length > MAX_CONVERTED) return null;
  switch (to) {
    case "number":
      return toNumber(taken);
    case "date":
      return toDate(taken, date1904);
    case "year":
      return toYear(taken, date1904);
    case "boolean":
      return toBoolean(taken);
  }
}

const GROUPED =
  /^(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?: [0-9]{3})+|[0-9]+)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?$/;

/** Thousands by comma or (no-break, thin) space, minus in any dash or parentheses, per cent. */
function toNumber(taken: Taken): string | null {
  if (taken.type === "number") return taken.text;
  if (taken.type !== "text") return null;
  let text = taken.text.trim().replace(/[\u00a0\u2009\u202f]/g, " ");
  const inParentheses = /^\((.*)\)$/s.exec(text);
  if (inParentheses?.[1] !== undefined) text = inParentheses[1].trim();
  const percent = text.endsWith("%");
  if (percent) text = text.slice(0, -1).trimEnd();
  const sign = /^[-+\u2212\u2013] ?/.exec(text)?.[0] ?? "";
  if (sign !== "" && inParentheses !== null) return null;
  text = text.slice(sign.length);
  if (!GROUPED.test(text) || !/[0-9]/.test(text)) return null;
  const plain = text.replace(/[, ]/g, "");
  // Shifting the exponent, not dividing, keeps 12.3% at 0.123.
  const [mantissa = "", exponent = "0"] = plain.toLowerCase().split("e");
  const magnitude = Number(`${mantissa}e${Number(exponent) - (percent ? 2 : 0)}`);
  if (!Number.isFinite(magnitude)) return null;
  return canonicalNumber(
    inParentheses !== null || (sign !== "" && !sign.startsWith("+")) ? -magnitude : magnitude,
  );
}

function toDate(taken: Taken, date1904: boolean): string | null {
  if (taken.type === "date") return taken.text;
  if (taken.type === "number") return serialToIso(Number(taken.text), date1904);
  return taken.type === "text" ? dateOfText(taken.text) : null;
}

/** Only forms that can be read in one way: never 03/04/2024. A month alone stands for its first day. */
function dateOfText(given: string): string | null {
  const text = given.trim().replace(/[\s,.]+/g, " ");
  const iso = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})$/.exec(text);
  if (iso) return civil(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dayFirst = /^([0-9]{1,2})[ -]?([a-z]+)[ -]?([0-9]{4})$/i.exec(text);
  if (dayFirst) return civil(Number(dayFirst[3]), monthOf(dayFirst[2]), Number(dayFirst[1]));
  const monthFirst = /^([a-z]+) ([0-9]{1,2}) ([0-9]{4})$/i.exec(text);
  if (monthFirst) return civil(Number(monthFirst[3]), monthOf(monthFirst[1]), Number(monthFirst[2]));
  const month = /^([a-z]+)[ -]?([0-9]{4})$/i.exec(text);
  if (month) return civil(Number(month[2]), monthOf(month[1]), 1);
  return null;
}

const civil = (year: number, month: number, day: number): string | null =>
  isCivil(year, month, day) ? isoDate(year, month, day) : null;

/** 1 to 12; 0 for a word that is no month in English. */
function monthOf(word: string | undefined): number {
  const lower = (word ?? "").toLowerCase();
  const full = MONTH_NAMES.indexOf(lower);
  return full >= 0 ? full + 1 : MONTHS.indexOf(lower === "sept" ? "sep" : lower) + 1;
}

function toYear(taken: Taken, date1904: boolean): string | null {
  const text = taken.text.trim();
  if ((taken.type === "number" || taken.type === "text") && /^[1-9][0-9]{3}$/.test(text)) return text;
  // A number that is no year is a mistake, not the day with that serial.
  if (taken.type === "number") return null;
  return toDate(taken, date1904)?.slice(0, 4) ?? null;
}

function toBoolean(taken: Taken): string | null {
  const word = taken.text.trim().toLowerCase();
  if (taken.type === "date") return null;
  if (word === "1" || word === "true" || word === "yes") return canonicalBoolean(true);
  return word === "0" || word === "false" || word === "no" ? canonicalBoolean(false) : null;
}

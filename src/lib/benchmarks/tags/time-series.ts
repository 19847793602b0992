import { evidenceOf, type TagPredicate } from "./evidence.ts";

/**
 * Some output (no constant) takes at least two different scalars and all of them are periods, see `isPeriod`. Tables of one
 * recipe count together.
 */
export const timeSeries: TagPredicate = (input) => {
  const scalars = new Map<string, Set<string>>();
  for (const { outputs } of evidenceOf(input)) {
    for (const output of outputs) {
      if (output.uses.length === 0) continue;
      const all = scalars.get(output.name) ?? new Set<string>();
      for (const scalar of output.scalars) all.add(scalar);
      scalars.set(output.name, all);
    }
  }
  return [...scalars.values()].some((all) => all.size >= 2 && [...all].every(isPeriod));
};

const YEAR = "(?:1[89]|20|21)[0-9]{2}";
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const PERIODS: readonly RegExp[] = [
  // 2022, 2022-06, 2022-06-30, with a time of day
  `${YEAR}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01])(?:T[0-9:.]+)?)?)?`,
  // 2022–2023
  `${YEAR}[-–/]${YEAR}`,
  // June 2022, Jun-2022, 30 June 2022, June quarter 2022, June Qtr 2022
  `(?:[0-3]?[0-9][ -])?${MONTH}(?: (?:quarter|qtr))?[ -]${YEAR}`,
  // June 30, 2022
  `${MONTH} [0-3]?[0-9], ${YEAR}`,
  // 2022 Q1, 2022-Q1, Q1 2022
  `${YEAR}[ -]?Q[1-4]`,
  `Q[1-4][ -]${YEAR}`,
].map((source) => new RegExp(`^(?:${source})$`, "i"));

/**
 * A date, month, quarter or year: `2022-06-30`, years 1800 to 2199, `2022-06`, `2022-23`, `2022–23`, `June 2022`, `Jun-2022`,
 * `June quarter 2022`, `30 June 2022`, `2022 Q1`, `Q1 2022`.
 */
export const isPeriod = (scalar: string): boolean =>
  PERIODS.some((period) => period.test(scalar)) || isSpanOfYears(scalar);

/** `2022-23`, `2022–23`, `2022/23`, also longer ones up to twenty years: `2019-22`, `1999-00`. */
function isSpanOfYears(scalar: string): boolean {
  const match = new RegExp(`^(${YEAR})[-–/]([0-9]{2})$`).exec(scalar);
  if (match === null) return false;
  const years = (Number(match[2]) - (Number(match[1]) % 100) + 100) % 100;
  return years >= 1 && years <= 20;
}

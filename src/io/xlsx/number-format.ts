/**
 * Number format codes: the built-in ones, and whether a code shows a calendar date.
 *
 * A value is a date when the section of its format that applies to it shows a year, a day or a month.
 * Formats that show only a time of day (`h:mm`) or elapsed time (`[h]:mm`) leave the stored number as it
 * is: published tables use them for durations, and neither names a day.
 */

/** ECMA-376 Part 1, 18.8.30: codes that files refer to by id only. 27–36 and 50–58 as for Chinese. */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: "General",
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"$"#,##0_);\\("$"#,##0\\)',
  6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
  7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "mm-dd-yy",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "m/d/yy h:mm",
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: "m-d-yy",
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: 'h"时"mm"分"',
  35: 'h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: "#,##0_);(#,##0)",
  38: "#,##0_);[Red](#,##0)",
  39: "#,##0.00_);(#,##0.00)",
  40: "#,##0.00_);[Red](#,##0.00)",
  41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: 'h"时"mm"分"',
  56: 'h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};

/** The code of a built-in format id; `General` for an id that nothing defines. */
export const builtInFormat = (id: number): string => BUILT_IN[id] ?? "General";

/** What one section of a format shows. */
export type SectionKind = "date" | "time" | "number";

interface Section {
  readonly kind: SectionKind;
  readonly applies: ((value: number) => boolean) | null;
}

/** Splits a code at the semicolons that are not quoted, escaped or in brackets. */
export function splitSections(code: string): string[] {
  const sections: string[] = [];
  let start = 0;
  for (let at = 0; at < code.length; at = skipLiteral(code, at) ?? at + 1) {
    if (code[at] === ";") {
      sections.push(code.slice(start, at));
      start = at + 1;
    }
  }
  sections.push(code.slice(start));
  return sections;
}

/** Index after the literal (quoted text, escape, padding, bracket) that starts at `at`, or null when none does. */
function skipLiteral(code: string, at: number): number | null {
  switch (code[at]) {
    case '"': {
      const end = code.indexOf('"', at + 1);
      return end === -1 ? code.length : end + 1;
    }
    case "\\":
    case "_":
    case "*":
      return at + 2;
    case "[": {
      const end = code.indexOf("]", at + 1);
      return end === -1 ? code.length : end + 1;
    }
    default:
      return null;
  }
}

/** What a single section shows: a date when it names a year, day or month, and no elapsed time. */
export function sectionKind(section: string): SectionKind {
  const letters: string[] = [];
  let elapsed = false;
  let at = 0;
  while (at < section.length) {
    const literalEnd = skipLiteral(section, at);
    if (literalEnd !== null) {
      if (section[at] === "[" && /^\[(?:h+|m+|s+)\]$/i.test(section.slice(at, literalEnd))) elapsed = true;
      at = literalEnd;
      continue;
    }
    const rest = section.slice(at, at + 7).toLowerCase();
    if (rest === "general") at += 7;
    else if (rest.startsWith("am/pm")) {
      letters.push("h");
      at += 5;
    } else if (rest.startsWith("a/p")) {
      letters.push("h");
      at += 3;
    } else if (/^e[+-]/.test(rest)) at += 2;
    else {
      const letter = rest[0] ?? "";
      if (/[ymdhsegb]/.test(letter) && letters.at(-1) !== letter) letters.push(letter);
      at++;
    }
  }
  if (elapsed) return "time";
  let time = false;
  for (const [index, letter] of letters.entries()) {
    if (letter === "h" || letter === "s") time = true;
    // `m` beside hours or seconds is minutes; anywhere else it is the month.
    else if (letter === "m" && (letters[index - 1] === "h" || letters[index + 1] === "s")) time = true;
    else return "date";
  }
  return time ? "time" : "number";
}

const CONDITION = /\[(<=|>=|<>|<|>|=)\s*(-?[0-9.]+)\]/;

function parseCondition(section: string): ((value: number) => boolean) | null {
  const match = CONDITION.exec(section);
  if (match === null) return null;
  const bound = Number(match[2]);
  switch (match[1]) {
    case "<=":
      return (value) => value <= bound;
    case ">=":
      return (value) => value >= bound;
    case "<>":
      return (value) => value !== bound;
    case "<":
      return (value) => value < bound;
    case ">":
      return (value) => value > bound;
    default:
      return (value) => value === bound;
  }
}

/**
 * Whether a number under this format shows a date: a function of the value, because sections apply to
 * positive, negative and zero values, or by a condition of their own.
 */
export function dateTest(code: string): (value: number) => boolean {
  const sections: Section[] = splitSections(code)
    .slice(0, 3)
    .map((section) => ({ kind: sectionKind(section), applies: parseCondition(section) }));
  if (sections.every(({ kind }) => kind !== "date")) return () => false;
  if (sections.every(({ kind }) => kind === "date")) return () => true;
  return (value) => sections[chooseSection(sections, value)]?.kind === "date";
}

function chooseSection(sections: readonly Section[], value: number): number {
  const defaults: ((value: number) => boolean)[] = [
    sections.length > 2 ? (number) => number > 0 : (number) => number >= 0,
    (number) => number < 0,
    () => true,
  ];
  const index = sections.findIndex((section, position) => (section.applies ?? defaults[position])?.(value));
  return index === -1 ? sections.length - 1 : index;
}

import type { Meter } from "./budget.ts";
import { convert, type Taken } from "./convert.ts";
import { displayedText } from "./display.ts";
import { withoutMarkers, withoutSuperscript } from "./footnotes.ts";
import type { Cell, Sheet } from "./model.ts";
import { compiledPattern, extractor } from "./pattern.ts";
import type { Conversion, Take } from "./recipe-schema.ts";
import { canonicalNumber, canonicalText, canonicalValue, squeeze, workOfText } from "./scalar.ts";
import { cutter, type SplitRule } from "./split.ts";

/** The keys that values and headers share (docs/recipe.md, From cell to scalar). */
export interface ReadingRule {
  readonly take?: Take | undefined;
  readonly strip_footnotes?: boolean | undefined;
  readonly trim?: boolean | undefined;
  readonly extract?: string | undefined;
  readonly as?: Conversion | undefined;
}

/** One scalar, nothing (`missing`), or a text that cannot be converted. */
export type Read =
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unconvertible"; readonly text: string };

const MISSING: Read = { kind: "missing" };

/** The steps before symbols: take, strip footnotes, trim. Null when the cell has no such thing. */
export function takeFrom(
  cell: Cell,
  sheet: Sheet,
  rule: ReadingRule,
  date1904: boolean,
  meter: Meter,
): Taken | null {
  const taken = rawOf(cell, sheet, rule, date1904, meter);
  if (taken === null || taken.type !== "text") return taken;
  meter.spend("work", workOfText(taken.text) + (cell.runs?.length ?? 0));
  let text = taken.text;
  if (rule.strip_footnotes === true) text = withoutMarkers(text);
  if (rule.trim !== false) text = squeeze(text);
  return { type: "text", text: canonicalText(text) };
}

/** Formatting a value costs as much as this many lookups; it is done once for each cell. */
const WORK_OF_FORMATTING = 15;

function shownText(cell: Cell, date1904: boolean, meter: Meter): string | null {
  const known = meter.shown.get(cell);
  if (known !== undefined) return known;
  meter.spend("work", WORK_OF_FORMATTING);
  const shown = displayedText(cell, date1904);
  meter.shown.set(cell, shown);
  return shown;
}

function rawOf(cell: Cell, sheet: Sheet, rule: ReadingRule, date1904: boolean, meter: Meter): Taken | null {
  const asText = (text: string | null): Taken | null => (text === null ? null : { type: "text", text });
  switch (rule.take ?? "value") {
    case "number_format":
      return asText(cell.format);
    case "comment":
      return asText(cell.comment);
    case "indent":
      return { type: "number", text: canonicalNumber(cell.indent) };
    case "sheet":
      return asText(sheet.name);
    case "text":
    case "value": {
      if (cell.type === "blank") return null;
      if (cell.type === "text") {
        const plain = rule.strip_footnotes === true ? withoutSuperscript(cell) : null;
        return asText(
          plain ?? (rule.take === "text" ? shownText(cell, date1904, meter) : canonicalValue(cell)),
        );
      }
      if (rule.take === "text") return asText(shownText(cell, date1904, meter));
      const text = canonicalValue(cell);
      return text === null ? null : { type: cell.type, text };
    }
  }
}

/** The steps after symbols: extract, split, convert; one result per output of `split`, else exactly one. */
export function finisher(
  rule: ReadingRule,
  split: SplitRule | undefined,
  meter: Meter,
  date1904: boolean,
): (taken: Taken) => Read[] {
  const extract = rule.extract === undefined ? null : extractor(compiledPattern(rule.extract, meter), meter);
  const cut = split === undefined ? null : cutter(split, meter);
  const finish = (taken: Taken): Read => {
    if (taken.text === "") return MISSING;
    if (rule.as === undefined) return { kind: "scalar", text: taken.text };
    const converted = convert(taken, rule.as, date1904);
    return converted === null
      ? { kind: "unconvertible", text: taken.text }
      : { kind: "scalar", text: converted };
  };
  const tidy = (text: string): Taken => ({ type: "text", text: rule.trim === false ? text : squeeze(text) });
  return (taken) => {
    let given: Taken | null = taken;
    if (extract !== null) {
      const group = extract(taken.text);
      given = group === null ? null : tidy(group);
    }
    if (cut === null) return [given === null ? MISSING : finish(given)];
    const pieces = given === null ? [] : cut(given.text);
    const reads: Read[] = [];
    for (const [index, name] of (split?.into ?? []).entries()) {
      if (name === null) continue;
      const piece = pieces[index];
      reads.push(piece === undefined ? MISSING : finish(tidy(piece)));
    }
    return reads;
  };
}

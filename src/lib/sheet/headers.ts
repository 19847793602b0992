import { formatAddress } from "./address.ts";
import type { Meter } from "./budget.ts";
import {
  AMBIGUOUS,
  headerFinder,
  type Lookup,
  MISSING,
  type Place,
  type SearchDirection,
} from "./directions.ts";
import type { FillRule } from "./fill.ts";
import { collectSpans, type Span } from "./header-cells.ts";
import type { Cell, Range, Sheet, Workbook } from "./model.ts";
import type { HeaderAssignment, HeaderState } from "./output.ts";
import type { Problems } from "./problems.ts";
import { finisher, takeFrom } from "./reading.ts";
import { DEFAULT_VALUE_NAME, type HeaderRule, type TableRule } from "./recipe-schema.ts";
import { canonicalScalar, canonicalText } from "./scalar.ts";
import { rangesBySheet, rangesOn, referencesOf } from "./scope.ts";
import { sheetNamed } from "./sheet-index.ts";
import { type CellTest, compileWhere, dependsOnPosition } from "./where.ts";

/** Assignments of one header rule to one value: one, or one for each output of `split`. */
export type HeaderResolver = (value: Cell) => readonly HeaderAssignment[];

/** Output names of a header in order; like every text of the table in NFC, so that two spellings are one name. */
export const outputNamesOf = (rule: HeaderRule): string[] =>
  (rule.split === undefined
    ? [rule.name ?? ""]
    : rule.split.into.filter((name): name is string => name !== null)
  ).map(canonicalText);

/** Output name of the value column. */
export const valueNameOf = (table: TableRule | undefined): string =>
  canonicalText(table?.values.name ?? DEFAULT_VALUE_NAME);

/** Everything about a header rule that does not depend on the sheet; gives a resolver for the values of one sheet. */
export function headerRule(
  rule: HeaderRule,
  pointer: string,
  workbook: Workbook,
  problems: Problems,
  meter: Meter,
): (sheet: Sheet, values: readonly Place[]) => HeaderResolver {
  const names = outputNamesOf(rule);
  if (rule.constant !== undefined) {
    const scalar = canonicalScalar(rule.constant);
    const constant = [
      { name: names[0] ?? "", direction: "constant", source: null, scalar, state: "ok" as const },
    ];
    return () => () => constant;
  }
  const direction = rule.direction ?? "self";
  const { date1904 } = workbook;
  const where = compileWhere(rule.where, meter);
  const finish = finisher(rule, rule.split, meter, date1904);
  const without = (state: HeaderState): HeaderAssignment[] =>
    names.map((name) => ({ name, direction, source: null, scalar: null, state }));
  const missing = without("missing");
  const ambiguous = without("ambiguous");

  const assign = (source: Cell, sheet: Sheet): readonly HeaderAssignment[] => {
    meter.spend("work", 6 + names.length);
    const taken = takeFrom(source, sheet, rule, date1904, meter);
    if (taken === null) return missing;
    const address = formatAddress(sheet.name, source.row, source.column);
    return finish(taken).map((read, index) => {
      const name = names[index] ?? "";
      if (read.kind === "scalar") return { name, direction, source: address, scalar: read.text, state: "ok" };
      if (read.kind === "unconvertible")
        problems.unconvertible(pointer, rule.as ?? "text", address, read.text);
      return missing[index] ?? { name, direction, source: null, scalar: null, state: "missing" };
    });
  };

  if (direction === "self") {
    return (sheet) => (value) => (where(value, sheet) ? assign(value, sheet) : missing);
  }
  const spansFor = spanCollector(rule, workbook, where, meter);
  return (sheet, values) => {
    const { spans, sheetOf } = spansFor(sheet);
    const find =
      direction === "fixed"
        ? fixedFinder(spans)
        : headerFinder(direction satisfies SearchDirection, spans, values, meter);
    const known = new Map<Cell, readonly HeaderAssignment[]>();
    return (value) => {
      const found = find(value);
      if (found.state === "missing") return missing;
      if (found.state === "ambiguous") return ambiguous;
      let assigned = known.get(found.source);
      if (assigned === undefined) {
        assigned = assign(found.source, sheetOf.get(found.source) ?? sheet);
        known.set(found.source, assigned);
      }
      return assigned;
    };
  };
}

/** The one header cell there is, whatever the value. */
function fixedFinder(spans: readonly Span[]): () => Lookup {
  const sources = new Set(spans.map((span) => span.source));
  const [source] = sources;
  const found: Lookup =
    source === undefined ? MISSING : sources.size > 1 ? AMBIGUOUS : { state: "ok", source };
  return () => found;
}

interface SheetSpans {
  readonly spans: readonly Span[];
  readonly sheetOf: ReadonlyMap<Cell, Sheet>;
}

/** Header spans for the values of a sheet: from ranges on that sheet if the rule names any, else from other sheets. */
function spanCollector(
  rule: HeaderRule,
  workbook: Workbook,
  where: CellTest,
  meter: Meter,
): (sheet: Sheet) => SheetSpans {
  const from = referencesOf(rule.from);
  const except = referencesOf(rule.except);
  const fill = fillRuleOf(rule, meter);
  const expandMerged = rule.merged === "expand";
  return (sheet) => {
    const own = rangesOn(from, sheet.name);
    const bySheet = own.length > 0 ? new Map([[sheet.name, own]]) : rangesBySheet(from);
    const spans: Span[] = [];
    const sheetOf = new Map<Cell, Sheet>();
    for (const [name, ranges] of bySheet) {
      const source = sheetNamed(workbook, name);
      if (source === undefined) continue;
      const holes: Range[] =
        name === sheet.name ? rangesOn(except, name) : (rangesBySheet(except).get(name) ?? []);
      const found = collectSpans({ sheet: source, ranges, except: holes, where, expandMerged, fill }, meter);
      for (const span of found) {
        spans.push(span);
        sheetOf.set(span.source, source);
      }
    }
    return { spans, sheetOf };
  };
}

function fillRuleOf(rule: HeaderRule, meter: Meter): FillRule | null {
  if (rule.fill === undefined) return null;
  if (typeof rule.fill === "string") return { direction: rule.fill, until: null };
  const { direction, until } = rule.fill;
  return {
    direction,
    until:
      until === undefined
        ? null
        : { test: compileWhere(until, meter), dependsOnPosition: dependsOnPosition(until) },
  };
}

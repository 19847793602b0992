import type { Layout } from "./layout.ts";
import { isYear } from "./layout.ts";
import type { ListedCell } from "./listed-cell.ts";

/** One thing that describes values: a label column, a header row, or the headings of sections. */
export interface Dimension {
  readonly place: "heading" | "label" | "header";
  /** Column of a label, position of a header row within its block; 0 for headings. */
  readonly index: number;
  readonly kind: "year" | "date" | "unit" | "id" | "text";
  /** What the sheet itself calls it, lower case; empty when it does not say. */
  readonly title: string;
  /** The same everywhere: a title or a metadata row rather than something that tells values apart. */
  readonly constant: boolean;
}

/** A dimension and the output it becomes. */
export interface NamedDimension {
  readonly name: string;
  readonly dimension: Dimension;
}

const UNIT =
  /^(?:\$.{0,10}|'?000.{0,10}|%|no\.?|number|per ?cent|index.{0,20}|rate|hours|persons|years|dollars)$/i;

function kindOf(cells: readonly ListedCell[]): Dimension["kind"] {
  const share = (test: (cell: ListedCell) => boolean): boolean =>
    cells.length > 0 && cells.filter(test).length >= cells.length * 0.8;
  if (share((cell) => cell.kind === "date")) return "date";
  if (share(isYear)) return "year";
  if (share((cell) => cell.kind === "text" && UNIT.test(cell.text.trim()))) return "unit";
  if (share((cell) => cell.kind === "text" && /^[A-Z]\d{5,}[A-Z]?$/.test(cell.text.trim()))) return "id";
  return "text";
}

const present = (cell: ListedCell | undefined): cell is ListedCell =>
  cell !== undefined && cell.kind !== "blank" && cell.text.trim() !== "";

/** All dimensions of a layout: headings, label columns from the left, header rows from the top. */
export function findDimensions(layout: Layout): Dimension[] {
  const { sheet, blocks, labelColumns, valueColumns } = layout;
  const [first] = blocks;
  if (first === undefined) return [];
  const cell = (row: number, column: number): ListedCell | undefined => sheet.rows.get(row)?.get(column);
  const title = (found: ListedCell | undefined): string =>
    present(found) && found.kind === "text" ? found.text.trim().toLowerCase() : "";
  const headings = blocks.flatMap((block) => block.headings);
  const lastLabel = labelColumns.at(-1) ?? 0;
  // Metadata rows (`Unit`, `Series ID`) say what they are in the label column, which then has no title itself.
  const isMetadata = first.headerRows.length > 3;
  const describe = (
    place: Dimension["place"],
    index: number,
    cells: readonly (ListedCell | undefined)[],
    name: string,
  ): Dimension => {
    const found = cells.filter(present);
    const constant = cells.length > 1 && new Set(found.map(({ text }) => text)).size <= 1;
    return { place, index, kind: kindOf(found), title: name, constant };
  };
  return [
    ...(headings.length > 0
      ? [
          describe(
            "heading",
            0,
            headings.map(({ row, column }) => cell(row, column)),
            "",
          ),
        ]
      : []),
    ...labelColumns.map((column) =>
      describe(
        "label",
        column,
        blocks.flatMap((block) => block.dataRows.map((row) => cell(row, column))),
        isMetadata
          ? ""
          : (first.headerRows.map((row) => title(cell(row, column))).find((text) => text !== "") ?? ""),
      ),
    ),
    ...first.headerRows.map((row, index) =>
      describe(
        "header",
        index,
        valueColumns.map((column) => cell(row, column)),
        isMetadata ? title(cell(row, lastLabel)) : "",
      ),
    ),
  ];
}

/** The output names that a task asks for, value last: what follows `Outputs … in this order:`. */
export function askedOutputs(task: string): string[] {
  const list = /\bOutputs?\b[^:.]*:\s*(.*)$/i.exec(task)?.[1] ?? "";
  const [sentence = ""] = withoutParentheses(list).split(/[.;]/);
  return sentence
    .split(/,|\band\b/)
    .map((name) => name.trim())
    .filter((name) => /^[\p{L}_][\p{L}\p{N}_ -]{0,60}$/u.test(name));
}

/** Drops what stands in parentheses, nested ones included. */
function withoutParentheses(text: string): string {
  let depth = 0;
  let kept = "";
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}

function wantedKind(name: string): Dimension["kind"] | null {
  if (/(?:^|_)id$/i.test(name)) return "id";
  if (/unit/i.test(name)) return "unit";
  if (/year/i.test(name)) return "year";
  if (/date|week|month|quarter|period|time/i.test(name)) return "date";
  return null;
}

/**
 * Gives each asked name a dimension: by what the sheet calls it, by its kind, then by order (headings, labels, header
 * rows). Names for which nothing is left are left out; without asked names all dimensions are kept.
 */
export function nameDimensions(
  names: readonly string[] | null,
  found: readonly Dimension[],
): NamedDimension[] {
  if (names === null)
    return found.map((dimension, at) => ({
      name: dimension.title === "" ? `${dimension.place}_${at + 1}` : dimension.title.slice(0, 60),
      dimension,
    }));
  const free = new Set(found);
  const chosen = new Map<string, Dimension>();
  const choose = (name: string, dimension: Dimension | undefined): void => {
    if (dimension === undefined || chosen.has(name)) return;
    chosen.set(name, dimension);
    free.delete(dimension);
  };
  const byPlace = { label: 0, header: 1, heading: 2 };
  for (const name of names) {
    const words = name.toLowerCase().replaceAll("_", " ");
    choose(
      name,
      [...free].find((dimension) => dimension.title === words),
    );
  }
  for (const name of names) {
    const kind = wantedKind(name);
    if (kind === null) continue;
    const ofKind = [...free]
      .filter((dimension) => dimension.kind === kind || (kind === "date" && dimension.kind === "year"))
      .sort((a, b) => byPlace[a.place] - byPlace[b.place]);
    choose(name, ofKind[0]);
  }
  for (const name of names) {
    if (chosen.has(name)) continue;
    const left = names.filter((each) => !chosen.has(each)).length;
    // A heading is the first to go when there are more dimensions than names.
    const candidates = [...free].filter((each) => each.place !== "heading" || free.size >= left);
    const telling = candidates.filter((each) => !each.constant);
    const plain = telling.filter((each) => each.kind === "text");
    choose(name, [plain, telling, candidates].find((list) => list.length > 0)?.[0]);
  }
  return names.flatMap((name) => {
    const dimension = chosen.get(name);
    return dimension === undefined ? [] : [{ name, dimension }];
  });
}

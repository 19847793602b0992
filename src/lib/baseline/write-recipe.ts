import type { Recipe } from "../sheet/recipe-schema.ts";
import { askedOutputs, findDimensions, type NamedDimension, nameDimensions } from "./dimensions.ts";
import { type Block, findLayout, isSymbol, type Layout } from "./layout.ts";
import type { ListedCell } from "./listed-cell.ts";
import type { ListedPrompt } from "./listing-parser.ts";

type Table = Recipe["tables"][number];
type Header = Table["headers"][number];

/**
 * Writes a recipe for what the prompt shows, or null when no sheet holds a block of numbers. Of the task's words only
 * the output names are read: what to leave out, how to treat symbols and which tables to tell apart is for contestants
 * that understand language. `simplicity` 0 uses all it found; 1 (a first revision) keeps one sheet, one block and
 * direct headers; 2 keeps the values alone.
 */
export function writeRecipe(prompt: ListedPrompt, simplicity: 0 | 1 | 2): Recipe | null {
  const found = prompt.sheets.map(findLayout).filter((layout) => layout !== null);
  const [first, ...others] = found;
  if (first === undefined) return null;
  const main = others.reduce((largest, layout) => (size(layout) > size(largest) ? layout : largest), first);
  // Sheets laid out alike hold one table; others are something else.
  const layouts = found.filter((layout) => shape(layout) === shape(main));
  const outputs = askedOutputs(prompt.task);
  const names = outputs.length > 1 ? outputs.slice(0, -1) : null;
  const value = outputs.at(-1) ?? "value";
  const wish: Wish = { names, value, simplicity };
  if (simplicity === 0) return { version: 1, tables: [writeTable(layouts, wish)] };
  return { version: 1, tables: [writeTable([{ ...main, blocks: main.blocks.slice(0, 1) }], wish)] };
}

const size = ({ blocks, valueColumns }: Layout): number =>
  valueColumns.length * blocks.reduce((rows, { dataRows }) => rows + dataRows.length, 0);

const shape = ({ blocks, labelColumns }: Layout): string =>
  `${labelColumns.join(" ")}/${blocks[0]?.headerRows.length ?? 0}`;

interface Wish {
  readonly names: readonly string[] | null;
  readonly value: string;
  readonly simplicity: 0 | 1 | 2;
}

function writeTable(layouts: readonly Layout[], wish: Wish): Table {
  const [main] = layouts;
  if (main === undefined) throw new RangeError("a table has at least one layout");
  const several = layouts.length > 1;
  const dimensions =
    wish.simplicity === 2 ? [] : tellApart(nameDimensions(wish.names, findDimensions(main)), wish.value);
  const address = (layout: Layout, text: string): string =>
    several ? `'${layout.sheet.name.replaceAll("'", "''")}'!${text}` : text;
  const each = (ranges: (layout: Layout) => readonly string[]): string[] =>
    layouts.flatMap((layout) => ranges(layout).map((range) => address(layout, range)));
  const headers = dimensions.flatMap((named) => {
    const header = writeHeader(named, layouts, each, wish);
    return header === null ? [] : [header];
  });
  return {
    sheet: several ? layouts.map((layout) => layout.sheet.name) : main.sheet.name,
    values: writeValues(layouts, each, wish),
    headers,
  };
}

/** Two columns under one title would give two outputs of one name; the later ones get a number. */
function tellApart(dimensions: readonly NamedDimension[], value: string): NamedDimension[] {
  const taken = new Set([value]);
  return dimensions.map(({ name, dimension }) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
    taken.add(free);
    return { name: free, dimension };
  });
}

const rectangle = (top: number, left: number, bottom: number, right: number): string =>
  top === bottom && left === right ? `R${top}C${left}` : `R${top}C${left}:R${bottom}C${right}`;

const span = (numbers: readonly number[]): [first: number, last: number] => [
  numbers[0] ?? 1,
  numbers.at(-1) ?? numbers[0] ?? 1,
];

const valueRanges = (layout: Layout): string[] => {
  const [left, right] = span(layout.valueColumns);
  return layout.blocks.map(({ dataRows }) => {
    const [top, bottom] = span(dataRows);
    return rectangle(top, left, bottom, right);
  });
};

function writeValues(
  layouts: readonly Layout[],
  each: (ranges: (layout: Layout) => readonly string[]) => string[],
  wish: Wish,
): Table["values"] {
  const inside = layouts.flatMap(cellsInside);
  const symbols = [...new Set(inside.filter(isSymbol).map((cell) => cell.text.trim()))].sort();
  const strays = inside.some((cell) => cell.kind === "text" && !isSymbol(cell));
  return {
    name: wish.value,
    from: each(valueRanges),
    ...(strays
      ? {
          where:
            symbols.length > 0
              ? { any: [{ type: "number" as const }, { equals: symbols }] }
              : { type: "number" as const },
        }
      : {}),
  };
}

function cellsInside(layout: Layout): ListedCell[] {
  const [left, right] = span(layout.valueColumns);
  return layout.blocks.flatMap(({ dataRows }) => {
    const [top, bottom] = span(dataRows);
    return [...layout.sheet.rows]
      .filter(([row]) => row >= top && row <= bottom)
      .flatMap(([, cells]) => [...cells].filter(([column]) => column >= left && column <= right))
      .map(([, cell]) => cell);
  });
}

function writeHeader(
  { name, dimension }: NamedDimension,
  layouts: readonly Layout[],
  each: (ranges: (layout: Layout) => readonly string[]) => string[],
  wish: Wish,
): Header | null {
  const plain = wish.simplicity > 0;
  const strip = layouts.some((layout) => hasMarks(layout)) ? { strip_footnotes: true } : {};
  if (dimension.place === "heading") {
    const from = each((layout) =>
      layout.blocks.flatMap(({ headings }) => headings.map(({ row, column }) => `R${row}C${column}`)),
    );
    const overValues = layouts.some((layout) =>
      layout.blocks.some(({ headings }) =>
        headings.some(({ column }) => layout.valueColumns.includes(column)),
      ),
    );
    return { name, from, direction: overValues ? "up-left" : "left-up", ...strip };
  }
  if (dimension.place === "label") {
    const column = dimension.index;
    const from = each((layout) =>
      layout.blocks.map(({ dataRows }) => {
        const [top, bottom] = span(dataRows);
        return rectangle(top, column, bottom, column);
      }),
    );
    const sparse = layouts.some((layout) =>
      layout.blocks.some((block) => isSparseColumn(layout, block, column)),
    );
    const headings = each((layout) =>
      layout.blocks.flatMap(({ headings: lone }) =>
        lone.filter((cell) => cell.column === column).map(({ row }) => `R${row}C${column}`),
      ),
    );
    const except = sparse ? headings.filter((cell) => insideSome(cell, from)) : [];
    return {
      name,
      from,
      ...(except.length > 0 ? { except } : {}),
      direction: sparse && !plain ? "left-up" : "left",
      ...strip,
    };
  }
  const rowOf = (block: Block): number | undefined => block.headerRows[dimension.index];
  const from = each((layout) => {
    const [left, right] = span(layout.valueColumns);
    return layout.blocks.flatMap((block) => {
      const row = rowOf(block);
      return row === undefined ? [] : [rectangle(row, left, row, right)];
    });
  });
  if (from.length === 0) return null;
  const inRow = (test: (layout: Layout, row: number) => boolean): boolean =>
    layouts.some((layout) =>
      layout.blocks.some((block) => {
        const row = rowOf(block);
        return row !== undefined && test(layout, row);
      }),
    );
  const merged = inRow(isMergedRow);
  const sparse = !merged && inRow(isSparseRow);
  return {
    name,
    from,
    direction: sparse && !plain ? "up-left" : "up",
    ...(merged ? { merged: "expand" as const } : {}),
    ...strip,
  };
}

const isEmpty = (cell: ListedCell | undefined): boolean =>
  cell === undefined || cell.kind === "blank" || cell.text.trim() === "";

const isSparseColumn = (layout: Layout, block: Block, column: number): boolean =>
  block.dataRows.some((row) => isEmpty(layout.sheet.rows.get(row)?.get(column)));

const isSparseRow = (layout: Layout, row: number): boolean =>
  layout.valueColumns.some((column) => isEmpty(layout.sheet.rows.get(row)?.get(column)));

function isMergedRow(layout: Layout, row: number): boolean {
  const [left, right] = span(layout.valueColumns);
  return layout.sheet.merges.some(
    (range) => range.top <= row && range.bottom >= row && range.left >= left && range.left <= right,
  );
}

/** Marks glued to labels: superscript runs, or `(a)` right after a word. */
const hasMarks = (layout: Layout): boolean =>
  [...layout.sheet.rows.values()].some((cells) =>
    [...cells.values()].some(
      (cell) =>
        cell.kind === "text" && (cell.marks !== "" || /\S\((?:[a-z]{1,2}|\d{1,2})\)$/.test(cell.text)),
    ),
  );

function insideSome(cell: string, ranges: readonly string[]): boolean {
  const place = /^(.*!)?R(\d+)C(\d+)$/.exec(cell);
  return ranges.some((range) => {
    const parts = /^(.*!)?R(\d+)C\d+(?::R(\d+)C\d+)?$/.exec(range);
    if (place === null || parts === null || place[1] !== parts[1]) return false;
    const row = Number(place[2]);
    return row >= Number(parts[2]) && row <= Number(parts[3] ?? parts[2]);
  });
}

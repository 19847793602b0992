import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_BUDGET, Meter } from "../../../src/lib/sheet/budget.ts";
import { headerFinder, type SearchDirection } from "../../../src/lib/sheet/directions.ts";
import type { Cell, Range } from "../../../src/lib/sheet/model.ts";
import { DIRECTIONS, type Direction, type HeaderRule } from "../../../src/lib/sheet/recipe-schema.ts";
import { cellOf, executed, merge, sheetFrom } from "./workbooks.ts";

/**
 * The slow twin: every position of a small grid is asked by the definitions in docs/recipe.md, without any index. It shares
 * no code with the engine.
 */

const SIZE = 9;
type Grid = (string | null)[][];
type Answer = string | null | "ambiguous";

/** Signed distance on the side the direction names (positive: the header lies there), and displacement across. */
function measure(direction: Direction, value: [number, number], header: [number, number]) {
  const [side, second = ""] = direction.split("-");
  const down = header[0] - value[0];
  const right = header[1] - value[1];
  const along = { up: -down, down, left: -right, right }[side as "up"];
  const vertical = side === "up" || side === "down";
  const across = vertical ? right : down;
  const allowed =
    second === ""
      ? across === 0
      : second === "left" || second === "up"
        ? across <= 0
        : second === "right" || second === "down"
          ? across >= 0
          : true;
  return { along, across: Math.abs(across), allowed: allowed && along > 0 };
}

function slowLookup(grid: Grid, direction: Direction, value: [number, number]): Answer {
  const candidates: { along: number; across: number; id: string }[] = [];
  for (let row = 1; row <= SIZE; row += 1) {
    for (let column = 1; column <= SIZE; column += 1) {
      const id = grid[row]?.[column] ?? null;
      if (id === null) continue;
      const { allowed, along, across } = measure(direction, value, [row, column]);
      if (allowed) candidates.push({ along, across, id });
    }
  }
  const nearestLine = Math.min(...candidates.map((each) => each.along));
  const onLine = candidates.filter((each) => each.along === nearestLine);
  const nearest = Math.min(...onLine.map((each) => each.across));
  const ids = new Set(onLine.filter((each) => each.across === nearest).map((each) => each.id));
  if (ids.size === 0) return null;
  return ids.size === 1 ? ([...ids][0] ?? null) : "ambiguous";
}

const emptyGrid = (): Grid =>
  Array.from({ length: SIZE + 1 }, () => new Array<string | null>(SIZE + 1).fill(null));

const position = fc.integer({ min: 1, max: SIZE });
const places = fc.uniqueArray(fc.tuple(position, position), {
  selector: ([row, column]) => row * 100 + column,
  maxLength: 14,
});
const searching = DIRECTIONS.filter((each) => each !== "fixed" && each !== "self") as SearchDirection[];

/** Random disjoint rectangles: each keeps only if it meets none before it. */
const rectangles = fc
  .array(fc.tuple(position, position, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), {
    maxLength: 5,
  })
  .map((list) => {
    const kept: Range[] = [];
    for (const [top, left, height, width] of list) {
      const range = merge(top, left, Math.min(SIZE, top + height), Math.min(SIZE, left + width));
      const meets = kept.some(
        (each) =>
          each.top <= range.bottom &&
          range.top <= each.bottom &&
          each.left <= range.right &&
          range.left <= each.right,
      );
      if (!meets) kept.push(range);
    }
    return kept;
  });
const idOf = (row: number, column: number): string => `R${row}C${column}`;

describe.each(searching)("direction %s", (direction) => {
  it("agrees with the slow twin for single cells", () => {
    fc.assert(
      fc.property(places, places, (headers, values) => {
        const grid = emptyGrid();
        const spans = headers.map(([row, column]) => {
          grid[row]![column] = idOf(row, column);
          return { top: row, bottom: row, left: column, right: column, source: cellOf(row, column, "h") };
        });
        const asked = values.map(([row, column]) => ({ row, column }));
        const find = headerFinder(direction, spans, asked, new Meter(DEFAULT_BUDGET));
        for (const value of asked) {
          const found = find(value);
          const answer =
            found.state === "ok"
              ? idOf(found.source.row, found.source.column)
              : found.state === "missing"
                ? null
                : "ambiguous";
          expect(answer).toBe(slowLookup(grid, direction, [value.row, value.column]));
        }
      }),
      { numRuns: 400 },
    );
  });

  it("agrees with the slow twin through the engine: merged areas, exceptions, fill and until", () => {
    const fills = fc.constantFrom(undefined, "right", "left", "down", "up");
    const rule = fc.record({ expand: fc.boolean(), fill: fills, until: fc.boolean() });
    const range = fc
      .tuple(position, position, position, position)
      .map(([a, b, c, d]) => merge(Math.min(a, b), Math.min(c, d), Math.max(a, b), Math.max(c, d)));
    fc.assert(
      fc.property(
        places,
        places,
        rectangles,
        fc.array(range, { minLength: 1, maxLength: 2 }),
        fc.option(range),
        rule,
        (headers, values, merges, from, except, given) => {
          const kindOf = (row: number, column: number) => (row * 7 + column * 3) % 4;
          // Kind 0 is left out by `where`; kind 1 is a header at which `until` stops.
          const cells: Cell[] = headers.map(([row, column]) =>
            cellOf(row, column, `${["out", "stop", "in", "in"][kindOf(row, column)]} ${idOf(row, column)}`),
          );
          const at = new Map(cells.map((cell) => [idOf(cell.row, cell.column), cell]));
          const occupied = values.filter(([row, column]) => !at.has(idOf(row, column)));
          const sheet = sheetFrom([...cells, ...occupied.map(([row, column]) => cellOf(row, column, 1))], {
            merges,
          });
          const workbook = { sheets: [sheet], date1904: false };
          const text = (each: Range) => `R${each.top}C${each.left}:R${each.bottom}C${each.right}`;
          const used = sheet.used;
          if (used === null || occupied.length === 0) return;
          // A range that meets no cell is refused before anything is looked up.
          if (
            from.some(
              (each) =>
                each.top > used.bottom ||
                each.bottom < used.top ||
                each.left > used.right ||
                each.right < used.left,
            )
          )
            return;
          const header: HeaderRule = {
            name: "h",
            from: from.map(text),
            where: { type: "text", not: { glob: "out*" } },
            direction,
            ...(except === null ? {} : { except: [text(except)] }),
            ...(given.expand ? { merged: "expand" as const } : {}),
            ...(given.fill === undefined
              ? {}
              : { fill: given.until ? { direction: given.fill, until: { glob: "stop*" } } : given.fill }),
          } as HeaderRule;
          const execution = executed(workbook, {
            values: { from: [`R1C1:R${used.bottom}C${used.right}`], where: { type: "number" } },
            headers: [header],
          });
          const grid = slowGrid(
            at,
            merges,
            from,
            except === null ? [] : [except],
            given.expand,
            given.fill,
            given.until,
          );
          for (const [index, address] of execution.valueTrace.entries()) {
            const [, row, column] = /R(\d+)C(\d+)/.exec(address) ?? [];
            const assignment = execution.headerTrace[index]?.[0];
            const answer =
              assignment?.state === "ok"
                ? assignment.source?.replace("S!", "")
                : assignment?.state === "missing"
                  ? null
                  : "ambiguous";
            expect(answer).toBe(slowLookup(grid, direction, [Number(row), Number(column)]));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Header cells as docs/recipe.md tells them, written cell by cell. */
function slowGrid(
  cells: Map<string, Cell>,
  merges: Range[],
  from: Range[],
  except: Range[],
  expand: boolean,
  fill: string | undefined,
  until: boolean,
): Grid {
  const inside = (range: Range, row: number, column: number) =>
    row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
  const isFrom = (row: number, column: number) => from.some((each) => inside(each, row, column));
  const isExcept = (row: number, column: number) => except.some((each) => inside(each, row, column));
  const textAt = (row: number, column: number) => {
    const value = cells.get(idOf(row, column))?.value;
    return typeof value === "string" ? value : null;
  };
  const isHeader = (text: string | null) => text !== null && !text.startsWith("out");
  const grid = emptyGrid();
  for (let row = 1; row <= SIZE; row += 1) {
    for (let column = 1; column <= SIZE; column += 1) {
      if (!isFrom(row, column) || isExcept(row, column)) continue;
      const area = expand ? merges.find((each) => inside(each, row, column)) : undefined;
      if (area !== undefined && isHeader(textAt(area.top, area.left)))
        grid[row]![column] = idOf(area.top, area.left);
      else if (isHeader(textAt(row, column))) grid[row]![column] = idOf(row, column);
    }
  }
  if (fill === undefined) return grid;
  const filled = grid.map((row) => [...row]);
  const [stepRow, stepColumn] = { right: [0, 1], left: [0, -1], down: [1, 0], up: [-1, 0] }[
    fill as "right"
  ] as [number, number];
  for (let row = 1; row <= SIZE; row += 1) {
    for (let column = 1; column <= SIZE; column += 1) {
      const id = grid[row]![column] ?? null;
      if (id === null) continue;
      if (until && cells.get(id)?.value?.toString().startsWith("stop")) continue;
      for (let r = row + stepRow, c = column + stepColumn; isFrom(r, c); r += stepRow, c += stepColumn) {
        if (grid[r]![c] !== null) break;
        if (isExcept(r, c)) continue;
        if (until && textAt(r, c)?.startsWith("stop")) break;
        filled[r]![c] = id;
      }
    }
  }
  return filled;
}

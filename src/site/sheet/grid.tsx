import type { JSX } from "preact";
import type { GridCell, GridMark, SheetGrid } from "../../lib/explain/grid.ts";
import type { Track } from "../../lib/picture/layout.ts";
import { cutText, safeText } from "../../lib/picture/text.ts";
import { Hidden, Text } from "../ui/text.tsx";
import { countText } from "./format.ts";

/** Characters of a cell that are drawn. */
const CELL_TEXT = 36;

/** Each mark has a sign and a word besides its colour and frame. */
export const MARKS: Readonly<
  Record<GridMark, { readonly sign: string; readonly word: string; readonly means: string }>
> = {
  same: { sign: "✓", word: "same", means: "taken, with the same row of the table" },
  moved: { sign: "↕", word: "moved", means: "taken, with the same cells in another row of the table" },
  headers: {
    sign: "≈",
    word: "other headers",
    means: "taken, with the same cells, though a header was found another way",
  },
  wrong: { sign: "≠", word: "wrong", means: "taken, with other cells in its row of the table" },
  missing: { sign: "−", word: "missing", means: "a value of the reference that the recipe does not take" },
  extra: { sign: "+", word: "extra", means: "taken, though the reference does not" },
};

interface GridProps {
  readonly grid: SheetGrid;
  /** Whose cells are marked; unique on the page. */
  readonly who: string;
}

/** A part of a sheet as a table of its cells, each marked as what the reference or a recipe made of it. */
export function Grid({ grid, who }: GridProps): JSX.Element {
  const { region, sheet } = grid;
  const caption = `${who}: sheet ${safeText(sheet)}, R${region.top}C${region.left} to R${region.bottom}C${region.right}`;
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable with the keyboard. */}
      <section class="scroll" aria-label={caption} tabIndex={0}>
        <table class="sheet-grid">
          <caption>
            <bdi>{caption}</bdi>
          </caption>
          <thead>
            <tr>
              <td />
              {grid.columns.map((track) => (
                <th key={trackName(track, "C")} scope="col">
                  {trackName(track, "C")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.rows.map(({ track, cells }) => (
              <tr key={trackName(track, "R")}>
                <th scope="row">{trackName(track, "R")}</th>
                {track.kind === "fold" ? (
                  <td class="sheet-fold" colSpan={grid.columns.length}>
                    {countText(track.last - track.first + 1, "row")} alike
                  </td>
                ) : (
                  grid.columns.map((column, index) => (
                    <Cell key={trackName(column, "C")} column={column} cell={cells[index] ?? null} />
                  ))
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <GridWords grid={grid} />
    </div>
  );
}

const trackName = (track: Track, letter: "R" | "C"): string =>
  track.kind === "line" ? `${letter}${track.index}` : `${letter}${track.first}…${letter}${track.last}`;

function Cell({ column, cell }: { readonly column: Track; readonly cell: GridCell | null }): JSX.Element {
  if (column.kind === "fold") return <td class="sheet-fold">⋯</td>;
  if (cell === null) return <td />;
  const mark = cell.mark === null ? null : MARKS[cell.mark];
  const kind = cell.mark === null ? `cell-${cell.role}` : `cell-${cell.role} cell-${cell.mark}`;
  return (
    <td class={kind}>
      {mark === null ? null : (
        <>
          <span class="sheet-sign" aria-hidden="true">
            {mark.sign}
          </span>
          <Hidden>{`${mark.word}: `}</Hidden>
        </>
      )}
      {cell.role === "header" ? <span class="sheet-letters">{`${cell.letters}: `}</span> : null}
      <Text>{cutText(cell.text, CELL_TEXT)}</Text>
    </td>
  );
}

/** What the letters stand for, and what of the sheet is not drawn. */
function GridWords({ grid }: Pick<GridProps, "grid">): JSX.Element {
  const { folded, cut } = grid.hidden;
  return (
    <>
      {grid.outputs.length === 0 ? null : (
        <p class="soft">
          Headers:{" "}
          {grid.outputs.map(({ letters, name, direction }, index) => (
            <span key={letters}>
              {index === 0 ? "" : "; "}
              <code>{letters}</code> gives <Text>{name}</Text> ({direction})
            </span>
          ))}
          .
        </p>
      )}
      {folded.rows + folded.columns === 0 ? null : (
        <p class="soft">
          Folded, because they look alike: {countText(folded.rows, "row")} and{" "}
          {countText(folded.columns, "column")}.
        </p>
      )}
      {cut.rows + cut.columns === 0 ? null : (
        <p class="soft">
          The sheet is too large to be drawn whole: {countText(cut.rows, "row")} below and{" "}
          {countText(cut.columns, "column")} to the right are cut off.
        </p>
      )}
    </>
  );
}

/** How cells of a grid look, in words; with `marked` also what a recipe made of them. */
export const Legend = ({ marked }: { readonly marked: boolean }): JSX.Element => (
  <ul class="sheet-legend">
    <li>
      <span class="sheet-key cell-value">12</span> a value: solid frame, bold
    </li>
    <li>
      <span class="sheet-key cell-header">
        <span class="sheet-letters">a: </span>2023
      </span>{" "}
      a header, with the letter of its output: dashed frame
    </li>
    <li>
      <span class="sheet-key cell-unused">note</span> not used: dotted frame, italic
    </li>
    {marked
      ? Object.entries(MARKS).map(([mark, { sign, word, means }]) => (
          <li key={mark}>
            <span class={`sheet-key cell-value cell-${mark}`}>
              <span class="sheet-sign">{sign}</span>12
            </span>{" "}
            {word}: {means}
          </li>
        ))
      : null}
  </ul>
);

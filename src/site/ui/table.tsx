import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Scroll } from "./scroll.tsx";
import { Tip } from "./tip.tsx";

export interface Column {
  readonly id: string;
  readonly title: string;
  /** Numbers stand right. */
  readonly side?: "left" | "right";
  /** What the column holds, in a sentence; on hover and focus. */
  readonly hint?: string;
  /** The order that a first press on its title gives. Without it the column does not sort. */
  readonly sort?: "high" | "low";
}

export interface TableRow {
  readonly key: string;
  /** One a column; the first is the row's header. */
  readonly cells: readonly ComponentChildren[];
  /** Anchor of the row. */
  readonly id?: string;
  readonly class?: string;
}

export interface Sorting {
  readonly column: string;
  readonly direction: "high" | "low";
}

interface DataTableProps {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** Said in place of a table without rows. */
  readonly none?: string;
  readonly sorting?: Sorting | null;
  readonly onSort?: (sorting: Sorting) => void;
}

/** Up to so many rows a browser draws at once without anybody waiting; longer tables come in pages. */
const MOST_ROWS = 1000;
const PAGE_ROWS = 250;

/** A table in a region of its own that scrolls sideways; its first column stays. Long ones come in pages. */
export function DataTable({ caption, columns, rows, none, sorting, onSort }: DataTableProps): JSX.Element {
  const [page, setPage] = useState(0);
  if (rows.length === 0) return <p class="none">{none ?? "Nothing to show here."}</p>;
  const pages = rows.length > MOST_ROWS ? Math.ceil(rows.length / PAGE_ROWS) : 1;
  const here = Math.min(page, pages - 1);
  const shown = pages === 1 ? rows : rows.slice(here * PAGE_ROWS, (here + 1) * PAGE_ROWS);
  return (
    <>
      <Scroll label={`Table: ${caption}`}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnTitle key={column.id} column={column} sorting={sorting ?? null} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.key} id={row.id} class={row.class}>
                {columns.map(({ id, side }, index) =>
                  index === 0 ? (
                    <th key={id} scope="row" class={side}>
                      {row.cells[index]}
                    </th>
                  ) : (
                    <td key={id} class={side}>
                      {row.cells[index]}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {pages === 1 ? null : (
        <Paging caption={caption} page={here} pages={pages} rows={rows.length} onPage={setPage} />
      )}
    </>
  );
}

interface PagingProps {
  readonly caption: string;
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  readonly rows: number;
  readonly onPage: (page: number) => void;
}

function Paging({ caption, page, pages, rows, onPage }: PagingProps): JSX.Element {
  const first = page * PAGE_ROWS + 1;
  return (
    <nav class="paging" aria-label={`Pages of: ${caption}`}>
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span aria-live="polite">{`Rows ${first} to ${Math.min(rows, first + PAGE_ROWS - 1)} of ${rows}`}</span>
      <button type="button" class="button" disabled={page === pages - 1} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}

interface ColumnTitleProps {
  readonly column: Column;
  readonly sorting: Sorting | null;
  readonly onSort: DataTableProps["onSort"];
}

function ColumnTitle({ column, sorting, onSort }: ColumnTitleProps): JSX.Element {
  const { id, title, side, hint, sort } = column;
  const sorted = sorting?.column === id ? sorting.direction : null;
  const next = sorted === null ? sort : sorted === "high" ? "low" : "high";
  return (
    <th
      scope="col"
      class={side}
      aria-sort={sorted === null ? undefined : sorted === "high" ? "descending" : "ascending"}
    >
      {onSort === undefined || next === undefined ? (
        title
      ) : (
        <button type="button" class="sort" onClick={() => onSort({ column: id, direction: next })}>
          {title}
          <span aria-hidden="true">{sorted === null ? "" : sorted === "high" ? " ↓" : " ↑"}</span>
        </button>
      )}
      {hint === undefined ? null : (
        <>
          {" "}
          <Tip text={hint}>
            <span aria-hidden="true">?</span>
            <span class="hidden">{`about ${title}`}</span>
          </Tip>
        </>
      )}
    </th>
  );
}

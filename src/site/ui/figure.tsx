import type { ComponentChildren, JSX } from "preact";
import { DataTable } from "./table.tsx";

interface FigureProps {
  readonly id: string;
  readonly title: string;
  /** What the chart shows, in a sentence under its title. */
  readonly description: string;
  /** Every datum of the chart; the first column names the row. */
  readonly table: {
    readonly columns: readonly { readonly title: string; readonly side?: "left" | "right" }[];
    readonly rows: readonly (readonly ComponentChildren[])[];
  };
  readonly note?: ComponentChildren;
  /** The drawing. */
  readonly children: ComponentChildren;
}

/** A chart with the table behind it. */
export const Figure = ({ id, title, description, table, note, children }: FigureProps): JSX.Element => (
  <figure id={id} class="figure" aria-labelledby={`${id}-title`}>
    <figcaption>
      <h3 id={`${id}-title`}>{title}</h3>
      <p class="soft">{description}</p>
    </figcaption>
    <div class="drawing">{children}</div>
    {note === undefined ? null : <div class="soft note">{note}</div>}
    <details>
      <summary>Show as a table</summary>
      <DataTable
        caption={title}
        columns={table.columns.map(({ title: name, side }, index) => ({
          id: String(index),
          title: name,
          ...(side === undefined ? {} : { side }),
        }))}
        rows={table.rows.map((cells, index) => ({ key: String(index), cells }))}
      />
    </details>
  </figure>
);

/** What executing a recipe gives: the tidy table and both traces (design, section 4.1). */

/** A canonical scalar of a tidy table: what the CSV will say, before quoting. `""` is blank. */
export type Scalar = string;

export interface TidyTable {
  /** Resolved output names; `table` first when the recipe has several tables; the value last. */
  readonly columns: readonly string[];
  /** Canonical text per cell; every row has `columns.length` cells. */
  readonly rows: readonly (readonly Scalar[])[];
}

export type HeaderState = "ok" | "missing" | "ambiguous";

/** How one header was resolved for one value cell. */
export interface HeaderAssignment {
  readonly name: string;
  readonly direction: string;
  /** `sheet!R1C1` of the chosen header cell; null for constants, missing and ambiguous headers. */
  readonly source: string | null;
  readonly scalar: Scalar | null;
  readonly state: HeaderState;
}

export interface Execution {
  readonly table: TidyTable;
  /** `sheet!R1C1` of the value cell of each row of the table. */
  readonly valueTrace: readonly string[];
  /** Header assignments of each row of the table, in recipe order. */
  readonly headerTrace: readonly (readonly HeaderAssignment[])[];
}

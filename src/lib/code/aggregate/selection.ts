/** Which configurations a view shows: one a model, one a lab, or every effort level. */
export const EFFORT_VIEWS = ["best-per-model", "best-per-lab", "all"] as const;
export type EffortView = (typeof EFFORT_VIEWS)[number];

/** The column that ranks a view, and decides which effort level is a model's or a lab's best. */
export const SCORE_COLUMNS = ["final", "council"] as const;
export type ScoreColumn = (typeof SCORE_COLUMNS)[number];

/** What a page or a terminal has selected. A filter by vendor only hides rows, so it is the page's own business. */
export interface Selection {
  /** Configuration of a lead; null for all leads. */
  readonly lead: string | null;
  /** Id of a task; null for the overall view. */
  readonly task: string | null;
  readonly efforts: EffortView;
  /** One replicate on its own; null for all of them combined. */
  readonly replicate: number | null;
  readonly column: ScoreColumn;
}

/** What is shown before anybody selects anything. */
export const FIRST_SELECTION: Selection = {
  lead: null,
  task: null,
  efforts: "best-per-model",
  replicate: null,
  column: "final",
};

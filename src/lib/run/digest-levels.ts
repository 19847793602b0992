/** How much a digest tells. The finest level at which all asked sheets fit is used for all of them. */
export interface DigestLevel {
  /** What numbers of one column must share to count as alike. */
  readonly like: "style and format" | "style" | "nothing";
  /** Rows alike from which on numbers are summed up. */
  readonly numberRows: number;
  /** Rows alike from which on labels are summed up too. */
  readonly labelRows: number;
  /** Distinct values of a column that are shown, and for each the row spans. */
  readonly distinct: number;
  readonly places: number;
  /** Characters of a text that are shown. */
  readonly text: number;
  /** Pieces of a line, and lines of a sheet, that are shown. */
  readonly pieces: number;
  readonly lines: number;
}

/** No limit. */
export const ALL = Number.POSITIVE_INFINITY;

/** Finest first. Every limit counts what it leaves out. */
export const DIGEST_LEVELS: readonly DigestLevel[] = [
  {
    like: "style and format",
    numberRows: 6,
    labelRows: ALL,
    distinct: ALL,
    places: ALL,
    text: ALL,
    pieces: ALL,
    lines: ALL,
  },
  {
    like: "style",
    numberRows: 6,
    labelRows: 24,
    distinct: 60,
    places: 12,
    text: 400,
    pieces: ALL,
    lines: ALL,
  },
  { like: "style", numberRows: 4, labelRows: 8, distinct: 16, places: 4, text: 160, pieces: 400, lines: 600 },
  { like: "nothing", numberRows: 3, labelRows: 4, distinct: 6, places: 2, text: 60, pieces: 80, lines: 120 },
  { like: "nothing", numberRows: 3, labelRows: 3, distinct: 3, places: 1, text: 24, pieces: 12, lines: 24 },
];

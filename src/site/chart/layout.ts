import type { Box } from "./labels.ts";

/**
 * Every chart is drawn twice, and CSS shows one: for wide containers, and for narrow ones (a phone of 360 px shows a unit
 * as about a pixel). Lengths are in viewBox units.
 */
export interface Layout {
  readonly id: "wide" | "narrow";
  readonly width: number;
  /** Of labels; ticks and notes are a little smaller. */
  readonly fontSize: number;
  readonly tickSize: number;
  readonly scatter: {
    readonly height: number;
    readonly left: number;
    readonly bottom: number;
    readonly band: number;
    /** Columns that a label may take. */
    readonly label: number;
    readonly marker: number;
    /** Whose labels may stand away from their marks: in a narrow drawing many leader lines confuse. */
    readonly leaders: "front" | "all";
  };
  readonly bars: {
    /** Width of the column of names beside the bars; 0 when names stand above them. */
    readonly names: number;
    readonly values: number;
    readonly row: number;
    readonly bar: number;
  };
}

export const WIDE: Layout = {
  id: "wide",
  width: 760,
  fontSize: 12.5,
  tickSize: 12,
  scatter: { height: 460, left: 52, bottom: 48, band: 132, label: 30, marker: 5.5, leaders: "all" },
  bars: { names: 214, values: 92, row: 28, bar: 14 },
};

export const NARROW: Layout = {
  id: "narrow",
  width: 340,
  fontSize: 12,
  tickSize: 11.5,
  scatter: { height: 400, left: 36, bottom: 44, band: 58, label: 20, marker: 5.5, leaders: "front" },
  bars: { names: 0, values: 0, row: 42, bar: 14 },
};

export const LAYOUTS: readonly Layout[] = [WIDE, NARROW];

/** A box by its edges. */
export const boxOf = (left: number, top: number, right: number, bottom: number): Box => ({
  x: left,
  y: top,
  width: Math.max(0, right - left),
  height: Math.max(0, bottom - top),
});

/** Fewer digits in the page than a double has. */
export const at = (value: number): number => Number(value.toFixed(2));

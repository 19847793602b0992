import type { Box, Segment } from "./labels.ts";
import type { MarkLook } from "./look.ts";

/** What a chart of quality against cost is drawn from. */

export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface ScatterPoint {
  readonly key: string;
  readonly look: MarkLook;
  readonly y: number;
  /** USD; null for what lies in the band apart. */
  readonly x: number | null;
  readonly yRange: Range | null;
  readonly xRange: Range | null;
  readonly onFront: boolean;
  /** All of it in words, for `aria-label`. */
  readonly description: string;
  /** The lines below the name that are shown on hover and focus. */
  readonly tip: readonly string[];
}

export interface ScatterInput {
  readonly points: readonly ScatterPoint[];
  /** Corners of the step front, from cheap to dear. */
  readonly steps: readonly { readonly x: number; readonly y: number }[];
  /** USD; null without a budget line. */
  readonly budget: number | null;
  readonly yTick?: (value: number) => string;
}

export interface ScatterMark {
  readonly point: ScatterPoint;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Ends of the ranges, from low to high; null without one. */
  readonly vertical: Segment | null;
  readonly horizontal: Segment | null;
  /** Others at the very same place. */
  readonly sharing: readonly string[];
}

/** The line of a budget and where its words stand; `outside` when the axis does not reach it. */
export interface BudgetMark {
  readonly x: number;
  readonly text: string;
  readonly label: Box;
  readonly outside: boolean;
}

/** With more points than these only the front is labelled, and only the front can be reached by keyboard. */
export const CROWD = 150;

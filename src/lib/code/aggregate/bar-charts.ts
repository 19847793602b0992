import { baselineLabel } from "../score/speed.ts";
import type { DataIndex } from "./index-data.ts";
import type { Spread } from "./nest.ts";
import type { Row } from "./row.ts";
import type { Selection } from "./selection.ts";
import { rowsBy } from "./shown.ts";

export interface SpeedChart {
  /** Fastest first; from timings alone. */
  readonly bars: readonly SpeedBar[];
  /** From instruction counts: a chart of their own, since the two are not comparable. */
  readonly proxies: readonly SpeedBar[];
  /** Expert baselines of the task; none in the overall view, where there is no one workload. */
  readonly baselines: readonly BaselineMark[];
  /** Configurations without a speed, and why. */
  readonly without: readonly { readonly configuration: string; readonly reason: string }[];
}

export interface SpeedBar {
  readonly configuration: string;
  readonly vendor: string;
  readonly speedup: number;
  readonly range: Spread | null;
  /** Entries behind it, of the finished ones. */
  readonly n: number;
  readonly of: number;
}

export interface BaselineMark {
  readonly id: string;
  /** With a `*` when it does not meet the contestants' contract. */
  readonly label: string;
  readonly speedup: number;
  readonly note: string | null;
}

/** (Methodology, "Speed".) */
export function speedChart(rows: readonly Row[], { task }: Selection, index: DataIndex): SpeedChart {
  const barsOf = (kind: "speed" | "proxy"): SpeedBar[] =>
    rowsBy(rows, (row) => row[kind].value, "high-first").flatMap((row) => {
      const { value, spread, n } = row[kind];
      return value === null
        ? []
        : {
            configuration: row.configuration,
            vendor: row.vendor,
            speedup: value,
            range: spread,
            n,
            of: row.coverage.finished,
          };
    });
  return {
    bars: barsOf("speed"),
    proxies: barsOf("proxy"),
    baselines: (task === null ? [] : (index.tasks.get(task)?.baselines ?? []))
      .flatMap(({ id, title, speedup, note }) =>
        speedup === null ? [] : { id, label: baselineLabel({ title, note }), speedup, note },
      )
      .toSorted((a, b) => b.speedup - a.speedup),
    without: rows
      .filter(({ speed, proxy }) => speed.value === null && proxy.value === null)
      .map((row) => ({ configuration: row.configuration, reason: noSpeedBecause(row) })),
  };
}

function noSpeedBecause({ coverage, speed, proxy }: Row): string {
  if (coverage.finished === 0) return "did not finish";
  return [...speed.reasons, ...proxy.reasons].join("; ") || "not measured";
}

/** One bar of the time chart: measured to the end of `seconds`, from there estimated to `extended`. */
export interface TimeChartBar {
  readonly configuration: string;
  readonly vendor: string;
  readonly seconds: number;
  readonly extended: number | null;
  readonly factor: number | null;
  readonly basis: "assumed" | "measured" | null;
  readonly fast: boolean;
  readonly range: Spread | null;
  /** Nothing finished: the bar is what was spent, hatched. */
  readonly hatched: boolean;
  /** Mean seconds of unfinished runs beside finished ones: a hatched bar of its own. Null without them. */
  readonly unfinished: number | null;
  readonly dnf: number;
}

/** Quickest first, hatched ones last. (Methodology, "Time and fast mode".) */
export function timeChart(rows: readonly Row[]): TimeChartBar[] {
  const bars = rowsBy(rows, ({ time }) => time.value, "low-first").flatMap((row): TimeChartBar[] => {
    const { value, extended, factor, basis, spread } = row.time;
    if (value === null) return [];
    const hatched = row.coverage.finished === 0;
    return [
      {
        configuration: row.configuration,
        vendor: row.vendor,
        seconds: value,
        extended,
        factor,
        basis,
        fast: row.fast.n > 0,
        range: spread,
        hatched,
        unfinished: hatched ? null : row.dnf.seconds,
        dnf: row.dnf.n,
      },
    ];
  });
  return [...bars.filter(({ hatched }) => !hatched), ...bars.filter(({ hatched }) => hatched)];
}

export interface SlopBar {
  readonly configuration: string;
  readonly vendor: string;
  readonly slop: number;
  readonly range: Spread | null;
}

/** Least slop first. (Methodology, "Slop score".) */
export const slopChart = (rows: readonly Row[]): SlopBar[] =>
  rowsBy(rows, ({ slop }) => slop.value, "low-first").flatMap(({ configuration, vendor, slop }) =>
    slop.value === null ? [] : { configuration, vendor, slop: slop.value, range: slop.spread },
  );

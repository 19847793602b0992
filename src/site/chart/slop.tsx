import type { JSX } from "preact";
import type { SlopBar } from "../../lib/code/aggregate/bar-charts.ts";
import { Bars, type BarsProps, barsTable, type ValueBar } from "./bars.tsx";
import type { ChartTable } from "./frame.tsx";
import type { LookOf } from "./look.ts";

/** Slop of the code benchmark's configurations. (Methodology, "Slop score".) */

export interface SlopProps {
  readonly id: string;
  readonly bars: readonly SlopBar[];
  readonly lookOf: LookOf;
}

const MEASURE: Pick<BarsProps, "measure"> = { measure: "slop points" };

const valuesOf = ({ bars, lookOf }: Pick<SlopProps, "bars" | "lookOf">): ValueBar[] =>
  bars.map(({ configuration, slop, range }) => ({
    key: configuration,
    look: lookOf(configuration),
    value: slop,
    range,
  }));

export const Slop = ({ id, bars, lookOf }: SlopProps): JSX.Element => (
  <Bars
    {...MEASURE}
    id={id}
    title="Slop"
    description={`Slop points of ${bars.length} configurations, the least first: severity-weighted findings a judge. Less is better.`}
    bars={valuesOf({ bars, lookOf })}
    none="No configuration has been judged yet."
  />
);

export const slopTable = (props: Pick<SlopProps, "bars" | "lookOf">): ChartTable =>
  barsTable({ ...MEASURE, bars: valuesOf(props) });

import type { JSX } from "preact";
import type { BaselineMark, SpeedBar, SpeedChart } from "../../lib/code/aggregate/bar-charts.ts";
import { BarDrawing } from "./bar-drawing.tsx";
import type { Bar } from "./bar-plan.ts";
import { spanText } from "./bars.tsx";
import { type ChartTable, NothingToDraw } from "./frame.tsx";
import { fullName, type LookOf } from "./look.ts";
import { speedText, speedTick } from "./units.ts";

/** Speed-ups over the reference. (Methodology, "Speed".) */

export interface SpeedProps {
  /** Unique on the page. */
  readonly id: string;
  readonly chart: SpeedChart;
  readonly lookOf: LookOf;
}

/** More configurations without a speed than these are not named one by one under the chart. */
const MOST_NAMED = 5;
const REFERENCE = "reference 1×";

/** Timings alone; instruction counts are in `SpeedProxies`. */
export function Speed({ id, chart: { bars, baselines }, lookOf }: SpeedProps): JSX.Element {
  if (bars.length === 0) return <NothingToDraw why="No configuration was timed in this selection." />;
  const experts =
    baselines.length === 0 ? "" : ` Expert baselines: ${baselines.map(baselineText).join(", ")}.`;
  return (
    <BarDrawing
      id={id}
      title="Speed"
      description={`Speed-up of ${bars.length} configurations over the reference, the fastest first, on a log scale around 1×; right of it is faster.${experts}`}
      input={{
        scale: "log",
        format: speedTick,
        rules: [
          { key: "reference", value: 1, text: REFERENCE },
          ...baselines.map(({ id: key, label, speedup }) => ({
            key,
            value: speedup,
            text: `${label} ${speedText(speedup)}`,
          })),
        ],
        bars: bars.map((bar) => speedBar(bar, lookOf, "timings")),
      }}
    />
  );
}

/** Instruction counts, in a chart of their own because they do not compare with timings; nothing without any. */
export function SpeedProxies({ id, chart: { proxies }, lookOf }: SpeedProps): JSX.Element | null {
  if (proxies.length === 0) return null;
  return (
    <>
      <p class="chart-heading">By instruction counts, which are not timings</p>
      <BarDrawing
        id={id}
        title="Instruction counts"
        description={`Of ${proxies.length} configurations only instructions were counted: instructions of the reference by those of the candidate. They are not timings and do not compare with them.`}
        input={{
          scale: "log",
          format: speedTick,
          rules: [{ key: "reference", value: 1, text: REFERENCE }],
          bars: proxies.map((bar) => speedBar(bar, lookOf, "instruction counts")),
        }}
      />
    </>
  );
}

const baselineText = ({ label, speedup }: BaselineMark): string => `${label} ${speedText(speedup)}`;

function speedBar({ configuration, speedup, range, n, of }: SpeedBar, lookOf: LookOf, kind: string): Bar {
  const look = lookOf(configuration);
  const said = [
    `${speedText(speedup)} the speed of the reference by ${kind}`,
    ...(range === null ? [] : [`range ${spanText(range, speedText)} over ${range.n} runs`]),
    `measured in ${n} of ${of} finished entries`,
  ];
  return {
    key: configuration,
    look,
    part: null,
    value: speedup,
    extended: null,
    range,
    hatched: false,
    words: null,
    text: speedText(speedup),
    description: said.join(", "),
    tip: [look.vendor.name, ...said],
  };
}

/** Why some baselines have a `*`, and who has no bar. */
export function speedNotes({ chart, lookOf }: Pick<SpeedProps, "chart" | "lookOf">): string[] {
  return [
    ...chart.baselines.flatMap(({ label, note }) => (note === null ? [] : [`${label}: ${note}`])),
    ...(chart.proxies.length === 0
      ? []
      : ["Instruction counts have a chart of their own: they are not comparable with timings."]),
    ...(chart.without.length > MOST_NAMED
      ? [`${chart.without.length} configurations have no speed; the table says why.`]
      : chart.without.map(
          ({ configuration, reason }) => `${fullName(lookOf(configuration))}: no speed, ${reason}`,
        )),
  ];
}

/** Every datum of both charts. */
export const speedTable = ({ chart, lookOf }: Pick<SpeedProps, "chart" | "lookOf">): ChartTable => ({
  columns: [
    { title: "Configuration" },
    { title: "Lab" },
    { title: "Measured by" },
    { title: "Speed-up", side: "right" },
    { title: "Range", side: "right" },
    { title: "Entries", side: "right" },
  ],
  rows: [
    ...chart.bars.map((bar) => speedCells(bar, lookOf, "timings")),
    ...chart.baselines.map(({ label, speedup, note }) => [
      label,
      "–",
      note === null ? "expert baseline" : `expert baseline; ${note}`,
      speedText(speedup),
      "–",
      "–",
    ]),
    ...chart.proxies.map((bar) => speedCells(bar, lookOf, "instruction counts")),
    ...chart.without.map(({ configuration, reason }) => {
      const look = lookOf(configuration);
      return [fullName(look), look.vendor.name, reason, "–", "–", "–"];
    }),
  ],
});

function speedCells(
  { configuration, speedup, range, n, of }: SpeedBar,
  lookOf: LookOf,
  kind: string,
): string[] {
  const look = lookOf(configuration);
  return [
    fullName(look),
    look.vendor.name,
    kind,
    speedText(speedup),
    range === null ? "–" : `${spanText(range, speedText)} (${range.n} runs)`,
    `${n}/${of}`,
  ];
}

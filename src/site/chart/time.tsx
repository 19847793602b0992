import type { JSX } from "preact";
import type { TimeChartBar } from "../../lib/code/aggregate/bar-charts.ts";
import { BarDrawing } from "./bar-drawing.tsx";
import type { Bar } from "./bar-plan.ts";
import { spanText } from "./bars.tsx";
import { type ChartTable, NothingToDraw } from "./frame.tsx";
import { fullName, type LookOf } from "./look.ts";
import { durationText, numberText, secondsTick } from "./units.ts";

/** Wall time. (Methodology, "Time and fast mode" and "Did not finish".) */

export interface TimeProps {
  /** Unique on the page. */
  readonly id: string;
  readonly bars: readonly TimeChartBar[];
  readonly lookOf: LookOf;
}

export function Time({ id, bars, lookOf }: TimeProps): JSX.Element {
  if (bars.length === 0) return <NothingToDraw why="No time is known in this selection." />;
  return (
    <BarDrawing
      id={id}
      title="Time"
      description={describeTime(bars)}
      input={{
        scale: "time",
        format: secondsTick,
        rules: [],
        bars: bars.flatMap((bar) => barsOf(bar, lookOf)),
      }}
    />
  );
}

function describeTime(bars: readonly TimeChartBar[]): string {
  const count = (holds: (bar: TimeChartBar) => boolean): number => bars.filter(holds).length;
  const [fast, hatched] = [count((bar) => bar.extended !== null), count((bar) => bar.hatched)];
  return [
    `Wall time of ${bars.length} configurations, the quickest first.`,
    ...(fast === 0
      ? []
      : [`${fast} ran on a faster service tier; the outline goes on to their time at the standard tier.`]),
    ...(hatched === 0
      ? []
      : [`${hatched} did not finish at all: their bars are hatched and say what was spent.`]),
  ].join(" ");
}

/** `estimated ×2` or `measured ×1.8`; null without an extension. */
export function extensionText({
  extended,
  factor,
  basis,
}: Pick<TimeChartBar, "extended" | "factor" | "basis">): string | null {
  if (extended === null || factor === null || basis === null) return null;
  return `${basis === "assumed" ? "estimated" : "measured"} ×${Number(numberText(factor))}`;
}

function barsOf(bar: TimeChartBar, lookOf: LookOf): Bar[] {
  const { configuration, seconds, extended, fast, range, hatched, unfinished, dnf } = bar;
  const look = lookOf(configuration);
  const extension = extensionText(bar);
  const said = [
    `${durationText(seconds)}${hatched ? ", did not finish" : ""}${fast ? ", on a faster service tier" : ""}`,
    ...(extension === null ? [] : [`at the standard tier ${durationText(extended)}, ${extension}`]),
    ...(range === null ? [] : [`range ${spanText(range, durationText)} over ${range.n} runs`]),
    ...(dnf === 0 || hatched ? [] : [`${runs(dnf)} did not finish`]),
  ];
  const shared = { look, hatched, range: null, extended: null, tip: [look.vendor.name, ...said] };
  const words = [
    ...(hatched ? [`did not finish (${runs(dnf)})`] : []),
    ...(extension === null ? [] : [extension]),
  ];
  return [
    {
      ...shared,
      key: configuration,
      part: null,
      value: seconds,
      extended,
      range,
      words: words.length === 0 ? null : words.join(", "),
      text: `${fast ? "⚡ " : ""}${durationText(seconds)}`,
      description: said.join(", "),
    },
    ...(unfinished === null || hatched
      ? []
      : [
          {
            ...shared,
            key: `${configuration} unfinished`,
            part: `unfinished: ${runs(dnf)}`,
            value: unfinished,
            hatched: true,
            words: "did not finish",
            text: durationText(unfinished),
            description: `did not finish, ${durationText(unfinished)} on average over ${runs(dnf)}`,
          },
        ]),
  ];
}

const runs = (n: number): string => `${n} ${n === 1 ? "run" : "runs"}`;

/** How to read outlines, hatching and ⚡, as far as they are there. */
export function timeNotes(bars: readonly TimeChartBar[]): string[] {
  const any = (holds: (bar: TimeChartBar) => boolean): boolean => bars.some(holds);
  return [
    ...(any(({ fast }) => fast)
      ? ["⚡ ran on a faster service tier. The outline goes on to the time at the standard tier."]
      : []),
    ...(any(({ basis }) => basis === "assumed")
      ? ["“estimated ×2” is an assumption, not a measurement."]
      : []),
    ...(any(({ basis }) => basis === "measured")
      ? ["“measured” factors come from the same configuration on both tiers."]
      : []),
    ...(any(({ hatched, unfinished }) => hatched || unfinished !== null)
      ? ["Hatched bars are runs that did not finish: time without a score."]
      : []),
    ...(any(({ range }) => range !== null) ? ["The line over a bar is the range over repeat runs."] : []),
  ];
}

/** Every datum of the chart. */
export const timeTable = ({ bars, lookOf }: Pick<TimeProps, "bars" | "lookOf">): ChartTable => ({
  columns: [
    { title: "Configuration" },
    { title: "Lab" },
    { title: "Measured", side: "right" },
    { title: "Range", side: "right" },
    { title: "Standard tier", side: "right" },
    { title: "Factor" },
    { title: "Did not finish", side: "right" },
    { title: "Time of unfinished runs", side: "right" },
  ],
  rows: bars.map((bar) => {
    const look = lookOf(bar.configuration);
    return [
      `${fullName(look)}${bar.fast ? " ⚡" : ""}`,
      look.vendor.name,
      bar.hatched ? "–" : durationText(bar.seconds),
      bar.range === null ? "–" : `${spanText(bar.range, durationText)} (${bar.range.n} runs)`,
      durationText(bar.extended),
      extensionText(bar) ?? "–",
      bar.dnf === 0 ? "–" : runs(bar.dnf),
      durationText(bar.hatched ? bar.seconds : bar.unfinished),
    ];
  }),
});

import type { JSX } from "preact";
import { BarDrawing } from "./bar-drawing.tsx";
import type { BarScale } from "./bar-plan.ts";
import { type ChartTable, NothingToDraw } from "./frame.tsx";
import { fullName, type MarkLook } from "./look.ts";
import type { Range } from "./scatter-input.ts";
import { numberText, numberTick } from "./units.ts";

/** Plain bars: one number a row, in the order given. */

export interface ValueBar {
  readonly key: string;
  readonly look: MarkLook;
  readonly value: number;
  /** Drawn over the bar; null without one. */
  readonly range: Range | null;
}

export interface BarsProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly bars: readonly ValueBar[];
  /** What the number is, as the table calls it. */
  readonly measure: string;
  readonly scale?: BarScale;
  /** The number beside its bar and in the table; two decimals by default. */
  readonly text?: (value: number) => string;
  /** The number at a tick. */
  readonly tick?: (value: number) => string;
  /** Said in place of a chart without bars. */
  readonly none?: string;
}

export function Bars({
  id,
  title,
  description,
  bars,
  scale = "linear",
  text = numberText,
  tick = numberTick,
  measure,
  none = "There is nothing to compare yet.",
}: BarsProps): JSX.Element {
  if (bars.length === 0) return <NothingToDraw why={none} />;
  return (
    <BarDrawing
      id={id}
      title={title}
      description={description}
      input={{
        scale,
        format: tick,
        rules: [],
        bars: bars.map(({ key, look, value, range }) => {
          const said = [
            `${measure} ${text(value)}`,
            ...(range === null ? [] : [`range ${spanText(range, text)}`]),
          ];
          return {
            key,
            look,
            value,
            range,
            part: null,
            extended: null,
            hatched: false,
            words: null,
            text: text(value),
            description: said.join(", "),
            tip: [look.vendor.name, ...said],
          };
        }),
      }}
    />
  );
}

/** Every datum of `Bars`. */
export const barsTable = ({
  bars,
  measure,
  text = numberText,
}: Pick<BarsProps, "bars" | "measure" | "text">): ChartTable => ({
  columns: [
    { title: "Configuration" },
    { title: "Lab" },
    { title: measure, side: "right" },
    { title: "Range", side: "right" },
  ],
  rows: bars.map(({ look, value, range }) => [
    fullName(look),
    look.vendor.name,
    text(value),
    range === null ? "–" : spanText(range, text),
  ]),
});

export const spanText = ({ min, max }: Range, text: (value: number) => string): string =>
  `${text(min)} to ${text(max)}`;

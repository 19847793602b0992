import type { JSX } from "preact";
import { type BarRow, type BarsInput, type BarsPlan, barName, MOST_BARS, planBars } from "./bar-plan.ts";
import { Frame, Mark } from "./frame.tsx";
import { at, type Layout } from "./layout.ts";
import { vendorPaint } from "./look.ts";
import { Marker } from "./marker.tsx";

/** Draws horizontal bars. */

export interface BarDrawingProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly input: BarsInput;
}

export const BarDrawing = ({ id, title, description, input }: BarDrawingProps): JSX.Element => (
  <Frame
    id={id}
    title={title}
    description={description}
    heightOf={(layout) => planBars(input, layout).height}
    tips={input.bars
      .slice(0, MOST_BARS)
      .map((bar, place) => ({ id: `${id}-tip-${place}`, title: barName(bar), lines: bar.tip }))}
    draw={(layout, own) => {
      const plan = planBars(input, layout);
      const vendors = [
        ...new Map(
          input.bars.filter(({ hatched }) => hatched).map(({ look }) => [look.vendor.id, look.vendor]),
        ).values(),
      ];
      return (
        <>
          {vendors.length === 0 ? null : (
            <defs>
              {vendors.map((vendor) => (
                <pattern
                  key={vendor.id}
                  id={hatchId(own, vendor.id)}
                  width="6"
                  height="6"
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <line
                    class="chart-hatch"
                    x1="0"
                    y1="0"
                    x2="0"
                    y2="6"
                    stroke={vendorPaint(vendor)}
                    stroke-width="3.2"
                  />
                </pattern>
              ))}
            </defs>
          )}
          <Grid plan={plan} layout={layout} />
          <Rules plan={plan} layout={layout} />
          {plan.rows.map((row, place) => (
            <Row key={row.bar.key} row={row} layout={layout} own={own} tip={`${id}-tip-${place}`} />
          ))}
          {plan.rest === null ? null : (
            <text class="chart-part" x={plan.rest.x} y={at(plan.rest.y)} font-size={layout.fontSize}>
              {plan.rest.text}
            </text>
          )}
        </>
      );
    }}
  />
);

const hatchId = (own: string, vendor: string): string => `${own}-hatch-${vendor}`;

interface PlanProps {
  readonly plan: BarsPlan;
  readonly layout: Layout;
}

const Grid = ({ plan: { plot, axis, origin }, layout }: PlanProps): JSX.Element => (
  <g class="chart-axes" font-size={layout.tickSize}>
    {axis.ticks.map((tick) => (
      <g key={tick.value}>
        <line
          class="chart-grid"
          x1={at(tick.at)}
          x2={at(tick.at)}
          y1={at(plot.y)}
          y2={at(plot.y + plot.height + 4)}
        />
        <text
          class="chart-tick"
          x={at(tick.at)}
          y={at(plot.y + plot.height + layout.tickSize + 7)}
          text-anchor="middle"
        >
          {tick.text}
        </text>
      </g>
    ))}
    <line
      class="chart-axis"
      x1={at(origin)}
      x2={at(origin)}
      y1={at(plot.y)}
      y2={at(plot.y + plot.height + 4)}
    />
  </g>
);

interface RowProps {
  readonly row: BarRow;
  readonly layout: Layout;
  readonly own: string;
  readonly tip: string;
}

function Row({
  row: { bar, row, name, number, box, extension, range, words },
  layout,
  own,
  tip,
}: RowProps): JSX.Element {
  const paint = vendorPaint(bar.look.vendor);
  // Who speaks to the page says what stands there: the name begins with the words that are seen.
  const seen = [barName(bar), bar.text, ...(words === null ? [] : [words.text])].join(" ");
  const shape = { x: at(box.x), y: at(box.y), width: at(Math.max(box.width, 1)), height: at(box.height) };
  return (
    <Mark kind="chart-row" href={bar.look.href} label={`${seen}: ${bar.description}`} tip={tip}>
      <rect class="chart-target" x={row.x} y={at(row.y)} width={row.width} height={row.height} />
      {bar.part === null ? (
        <Marker vendor={bar.look.vendor} x={name.x - 12} y={name.y - layout.fontSize * 0.35} size={5} />
      ) : null}
      <text
        class={bar.part === null ? "chart-name chart-halo" : "chart-part chart-halo"}
        x={name.x}
        y={at(name.y)}
        font-size={layout.fontSize}
      >
        {name.text}
      </text>{" "}
      <text class="chart-halo" x={number.x} y={at(number.y)} font-size={layout.fontSize} text-anchor="end">
        {bar.text}
      </text>{" "}
      {bar.hatched ? (
        <rect
          {...shape}
          class="chart-hatched"
          fill={`url(#${hatchId(own, bar.look.vendor.id)})`}
          stroke={paint}
        />
      ) : (
        <rect {...shape} class="chart-bar" fill={paint} />
      )}
      {extension === null ? null : (
        <rect
          class="chart-extension"
          x={at(extension.x)}
          y={at(extension.y + 0.75)}
          width={at(extension.width)}
          height={at(extension.height - 1.5)}
          stroke={paint}
        />
      )}
      {range === null ? null : <RangeLine range={range} />}
      {words === null ? null : (
        <text
          class="chart-words chart-halo"
          x={at(words.x)}
          y={at(words.y)}
          font-size={layout.tickSize}
          text-anchor={words.anchor}
        >
          {words.text}
        </text>
      )}
    </Mark>
  );
}

/** Over its bar, on a ground of its own, so that it is seen on and beside the bar. */
function RangeLine({
  range: { from, to, y },
}: {
  readonly range: NonNullable<BarRow["range"]>;
}): JSX.Element {
  const path = `M${at(from)} ${at(y)}H${at(to)}M${at(from)} ${at(y - 4)}v8M${at(to)} ${at(y - 4)}v8`;
  return (
    <>
      <path class="chart-range-ground" d={path} />
      <path class="chart-range-line" d={path} />
    </>
  );
}

/** Behind the bars; all lines first, since words have a ground of their own on which no other line may lie. */
const Rules = ({ plan: { rules, plot }, layout }: PlanProps): JSX.Element => (
  <g class="chart-rules">
    {rules.map(({ key, x, label }) => (
      <line
        key={key}
        x1={at(x)}
        x2={at(x)}
        y1={at(label.y + label.height - 2)}
        y2={at(plot.y + plot.height)}
      />
    ))}
    {rules.map(({ key, text, label }) => (
      <text
        key={key}
        class="chart-halo"
        x={at(label.x)}
        y={at(label.y + layout.tickSize)}
        font-size={layout.tickSize}
      >
        {text}
      </text>
    ))}
  </g>
);

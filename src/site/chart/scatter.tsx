import type { JSX } from "preact";
import { Frame, Mark, type TipText, Unread } from "./frame.tsx";
import type { Segment } from "./labels.ts";
import { at, type Layout } from "./layout.ts";
import { fullName, vendorPaint } from "./look.ts";
import { Marker } from "./marker.tsx";
import { CROWD, type ScatterInput, type ScatterMark, type ScatterPoint } from "./scatter-input.ts";
import { planScatter, type ScatterPlan } from "./scatter-plan.ts";

import { fitText, textLength, wrapText } from "./text-length.ts";

/** Draws a chart of quality against cost. */

export interface ScatterProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly input: ScatterInput;
  /** Words along the axes. */
  readonly yTitle: string;
  readonly xTitle: string;
}

/** How far around a mark the pointer finds it: 24 pixels across at least, also on a narrow screen. */
const REACH = 13;
const CAP = 3.5;
const BAND_TITLE = "cost unknown or 0";

export function Scatter({ id, title, description, input, yTitle, xTitle }: ScatterProps): JSX.Element {
  const crowded = input.points.length > CROWD;
  // Nobody wants to step through hundreds of marks: in a crowd the others have a browser's own tip, and the table.
  const reachable = ({ onFront }: ScatterPoint): boolean => !crowded || onFront;
  const placeOf = new Map(input.points.map(({ key }, place) => [key, place]));
  const tips = input.points.flatMap((point, place): TipText[] =>
    reachable(point)
      ? [{ id: tipId(id, place), title: fullName(point.look), lines: tipLines(input, point) }]
      : [],
  );
  return (
    <Frame
      id={id}
      title={title}
      description={description}
      heightOf={({ scatter }) => scatter.height}
      tips={tips}
      draw={(layout) => {
        const plan = planScatter(input, layout);
        return (
          <>
            <Axes plan={plan} layout={layout} yTitle={yTitle} xTitle={xTitle} />
            <Band plan={plan} layout={layout} />
            <Steps plan={plan} />
            <Budget plan={plan} layout={layout} />
            <Ranges plan={plan} />
            <Unread kind="chart-markers">
              {plan.marks.map(({ point, x, y, size }) => (
                <Marker key={point.key} vendor={point.look.vendor} x={x} y={y} size={size}>
                  {reachable(point) ? null : <title>{point.description}</title>}
                </Marker>
              ))}
            </Unread>
            <Labels plan={plan} layout={layout} />
            {plan.marks
              .filter(({ point }) => reachable(point))
              .map((mark) => (
                <Dot key={mark.point.key} mark={mark} tip={tipId(id, placeOf.get(mark.point.key) ?? 0)} />
              ))}
          </>
        );
      }}
    />
  );
}

const tipId = (id: string, place: number): string => `${id}-tip-${place}`;

function tipLines({ points }: ScatterInput, { key, x, y, tip }: ScatterPoint): string[] {
  const others = points.filter((point) => point.key !== key && point.x === x && x !== null && point.y === y);
  if (others.length === 0) return [...tip];
  return [...tip, `at the same place: ${others.map(({ look }) => fullName(look)).join(", ")}`];
}

interface PlanProps {
  readonly plan: ScatterPlan;
}
type DrawProps = PlanProps & { readonly layout: Layout };

function Axes({
  plan: { plot, xAxis, yAxis },
  layout,
  yTitle,
  xTitle,
}: DrawProps & Pick<ScatterProps, "yTitle" | "xTitle">): JSX.Element {
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height];
  return (
    <g class="chart-axes" font-size={layout.tickSize}>
      {yAxis.ticks.map((tick) => (
        <g key={tick.value}>
          <line class="chart-grid" x1={at(plot.x)} x2={at(right)} y1={at(tick.at)} y2={at(tick.at)} />
          <text
            class="chart-tick"
            x={at(plot.x - 6)}
            y={at(tick.at + layout.tickSize * 0.35)}
            text-anchor="end"
          >
            {tick.text}
          </text>
        </g>
      ))}
      {xAxis.ticks.map((tick) => (
        <g key={tick.value}>
          <line class="chart-grid" x1={at(tick.at)} x2={at(tick.at)} y1={at(plot.y)} y2={at(bottom)} />
          <text class="chart-tick" x={at(tick.at)} y={at(bottom + layout.tickSize + 5)} text-anchor="middle">
            {tick.text}
          </text>
        </g>
      ))}
      <line class="chart-axis" x1={at(plot.x)} x2={at(right)} y1={at(bottom)} y2={at(bottom)} />
      <text class="chart-title" x={at(right)} y={at(bottom + layout.tickSize * 2 + 14)} text-anchor="end">
        {fitText(xTitle, right, layout.tickSize * 1.08)}
      </text>
      <text class="chart-title" x={0} y={layout.tickSize}>
        {yTitle}
      </text>
    </g>
  );
}

/** Apart from the axis, so that an unknown cost never looks like a low one. */
function Band({ plan: { band }, layout }: DrawProps): JSX.Element | null {
  if (band === null) return null;
  const middle = band.x + band.width / 2;
  const columns = Math.floor(band.width / textLength("n", layout.tickSize));
  return (
    <g class="chart-band">
      <rect x={at(band.x)} y={at(band.y)} width={at(band.width)} height={at(band.height)} />
      <text class="chart-tick" font-size={layout.tickSize} text-anchor="middle">
        {wrapText(BAND_TITLE, columns).map((line, place) => (
          <tspan
            key={line}
            x={at(middle)}
            y={at(band.y + band.height + 4 + (place + 1) * (layout.tickSize + 1))}
          >
            {line}
          </tspan>
        ))}
      </text>
    </g>
  );
}

/** The best score for a budget: level from each corner to the next and then up, and level on to the dear end. */
function Steps({ plan: { steps, plot } }: PlanProps): JSX.Element | null {
  const [first, ...others] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return null;
  const path = others.map(({ x, y }) => `L${at(x)} ${at(y)}`).join("");
  return (
    <g class="chart-front">
      {others.length === 0 ? null : <path class="chart-steps" d={`M${at(first.x)} ${at(first.y)}${path}`} />}
      <path class="chart-beyond" d={`M${at(last.x)} ${at(last.y)}H${at(plot.x + plot.width)}`} />
    </g>
  );
}

function Budget({ plan: { budget, plot }, layout }: DrawProps): JSX.Element | null {
  if (budget === null) return null;
  const { x, text, label, outside } = budget;
  return (
    <g class="chart-budget">
      {outside ? null : (
        <line x1={at(x)} x2={at(x)} y1={at(label.y + label.height)} y2={at(plot.y + plot.height)} />
      )}
      <text
        font-size={layout.fontSize}
        x={at(label.x + label.width / 2)}
        y={at(label.y + layout.fontSize)}
        text-anchor="middle"
      >
        {text}
      </text>
    </g>
  );
}

const Ranges = ({ plan: { marks } }: PlanProps): JSX.Element => (
  <g class="chart-ranges">
    {marks.flatMap(({ point, vertical, horizontal }) =>
      [vertical, horizontal].map((range, side) =>
        range === null ? null : (
          <path
            key={`${point.key} ${side}`}
            class="chart-range"
            stroke={vendorPaint(point.look.vendor)}
            d={side === 0 ? verticalRange(range) : horizontalRange(range)}
          />
        ),
      ),
    )}
  </g>
);

const verticalRange = ({ x1: x, y1, y2 }: Segment): string =>
  `M${at(x)} ${at(y1)}V${at(y2)}M${at(x - CAP)} ${at(y1)}h${2 * CAP}M${at(x - CAP)} ${at(y2)}h${2 * CAP}`;

const horizontalRange = ({ x1, x2, y1: y }: Segment): string =>
  `M${at(x1)} ${at(y)}H${at(x2)}M${at(x1)} ${at(y - CAP)}v${2 * CAP}M${at(x2)} ${at(y - CAP)}v${2 * CAP}`;

function Labels({ plan: { labels, marks }, layout }: DrawProps): JSX.Element {
  const front = new Set(marks.filter(({ point }) => point.onFront).map(({ point }) => point.key));
  return (
    <Unread kind="chart-labels" fontSize={layout.fontSize}>
      {labels.map(({ key, text, x, y, anchor, leader }) => (
        <g key={key} class={front.has(key) ? "chart-label on-front" : "chart-label"}>
          {leader === null ? null : (
            <line
              class="chart-leader"
              x1={at(leader.x1)}
              y1={at(leader.y1)}
              x2={at(leader.x2)}
              y2={at(leader.y2)}
            />
          )}
          <text x={at(x)} y={at(y)} text-anchor={anchor}>
            {text}
          </text>
        </g>
      ))}
    </Unread>
  );
}

/** What pointer and keyboard reach: over everything drawn, and invisible until it has the focus. */
const Dot = ({
  mark: { point, x, y, sharing },
  tip,
}: {
  readonly mark: ScatterMark;
  readonly tip: string;
}): JSX.Element => (
  <Mark
    kind="chart-dot"
    href={point.look.href}
    label={
      sharing.length === 0
        ? point.description
        : `${point.description}; at the same place as ${sharing.join(", ")}`
    }
    tip={tip}
    focusable
  >
    <circle class="chart-target" cx={at(x)} cy={at(y)} r={REACH} />
  </Mark>
);

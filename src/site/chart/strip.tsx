import type { JSX } from "preact";
import type { LeadsCompared } from "../../lib/code/aggregate/leads.ts";
import type { LeadSummary } from "../../lib/code/score/leads.ts";
import { type ChartTable, Frame, Mark, NothingToDraw } from "./frame.tsx";
import { at, type Layout } from "./layout.ts";
import { fullName, type LookOf } from "./look.ts";
import { Marker } from "./marker.tsx";
import { planStrips, type StripRow } from "./strip-plan.ts";
import { numberText } from "./units.ts";

/** Leads by the median of what ran from their briefs. (Methodology, "Comparing leads".) */

export interface LeadStripsProps {
  /** Unique on the page. */
  readonly id: string;
  readonly compared: LeadsCompared;
  /** Of leads and of the configurations in their strips; both are configurations. */
  readonly lookOf: LookOf;
}

export function LeadStrips({ id, compared: { leads }, lookOf }: LeadStripsProps): JSX.Element {
  if (leads.length === 0) return <NothingToDraw why="No lead has runs in this selection." />;
  const nameOf = (lead: string): string => fullName(lookOf(lead));
  const planOf = (layout: Layout) => planStrips(leads, nameOf, layout);
  return (
    <Frame
      id={id}
      title="Leads compared"
      description={describeLeads(leads, nameOf)}
      heightOf={(layout) => planOf(layout).height}
      tips={leads.map((lead, place) => ({
        id: `${id}-tip-${place}`,
        title: nameOf(lead.lead),
        lines: factsOf(lead),
      }))}
      draw={(layout) => {
        const { plot, axis, rows } = planOf(layout);
        return (
          <>
            <g class="chart-axes" font-size={layout.tickSize}>
              {axis.ticks.map((tick) => (
                <g key={tick.value}>
                  <line
                    class="chart-grid"
                    x1={at(tick.at)}
                    x2={at(tick.at)}
                    y1={at(plot.y)}
                    y2={at(plot.y + plot.height)}
                  />
                  <text
                    class="chart-tick"
                    x={at(tick.at)}
                    y={at(plot.y + plot.height + layout.tickSize + 5)}
                    text-anchor="middle"
                  >
                    {tick.text}
                  </text>
                </g>
              ))}
            </g>
            {rows.map((row, place) => (
              <Strip
                key={row.lead.lead}
                row={row}
                lookOf={lookOf}
                layout={layout}
                tip={`${id}-tip-${place}`}
              />
            ))}
          </>
        );
      }}
    />
  );
}

const factsOf = ({ median, mean, strip }: LeadSummary): string[] =>
  median === null
    ? ["no score yet"]
    : [
        `median ${numberText(median)}`,
        `mean ${numberText(mean)}`,
        `${strip.length} configurations from ${numberText(strip.at(-1)?.final ?? null)} to ${numberText(strip[0]?.final ?? null)}`,
      ];

function describeLeads(leads: readonly LeadSummary[], nameOf: (lead: string) => string): string {
  const medians = leads.flatMap(({ lead, median }) =>
    median === null ? [] : `${nameOf(lead)} ${numberText(median)}`,
  );
  return `Final score of every configuration that ran from each lead's briefs, and the median: ${
    medians.length === 0 ? "no lead has a score yet" : medians.join(", ")
  }.`;
}

interface StripProps {
  readonly row: StripRow;
  readonly lookOf: LookOf;
  readonly layout: Layout;
  readonly tip: string;
}

function Strip({
  row: { lead, row, name, number, y, reach, scores, median },
  lookOf,
  layout,
  tip,
}: StripProps): JSX.Element {
  const look = lookOf(lead.lead);
  const shown = lead.median === null ? "no score yet" : numberText(lead.median);
  return (
    <Mark
      kind="chart-row"
      href={look.href}
      label={`${fullName(look)} ${shown}: ${factsOf(lead).join(", ")}`}
      tip={tip}
      focusable
    >
      <rect class="chart-target" x={row.x} y={at(row.y)} width={row.width} height={at(row.height)} />
      <Marker vendor={look.vendor} x={name.x - 12} y={name.y - layout.fontSize * 0.35} size={5} />
      <text class="chart-name chart-halo" x={name.x} y={at(name.y)} font-size={layout.fontSize}>
        {name.text}
      </text>{" "}
      <text
        x={number.x}
        y={at(number.y)}
        font-size={layout.fontSize}
        text-anchor="end"
        class="chart-strong chart-halo"
      >
        {shown}
      </text>
      <path
        class="chart-score"
        d={scores.map((x) => `M${at(x)} ${at(y - reach)}V${at(y + reach)}`).join("")}
      />
      {median === null ? null : (
        <path class="chart-median" d={`M${at(median)} ${at(y - reach - 3)}V${at(y + reach + 3)}`} />
      )}
    </Mark>
  );
}

/** Median, mean and every score of the strips, a column a lead. */
export function leadStripsTable({
  compared: { leads },
  lookOf,
}: Pick<LeadStripsProps, "compared" | "lookOf">): ChartTable {
  const scores = leads.map(
    ({ strip }) => new Map(strip.map(({ configuration, final }) => [configuration, final])),
  );
  const configurations = [
    ...new Set(leads.flatMap(({ strip }) => strip.map(({ configuration }) => configuration))),
  ];
  return {
    columns: [
      { title: "Configuration" },
      ...leads.map(({ lead }) => ({ title: fullName(lookOf(lead)), side: "right" as const })),
    ],
    rows: [
      ["Median", ...leads.map(({ median }) => numberText(median))],
      ["Mean", ...leads.map(({ mean }) => numberText(mean))],
      ["Configurations", ...leads.map(({ strip }) => String(strip.length))],
      ...configurations.map((configuration) => [
        fullName(lookOf(configuration)),
        ...scores.map((own) => numberText(own.get(configuration) ?? null)),
      ]),
    ],
  };
}

export const LEAD_STRIPS_NOTE =
  "Each thin line is one configuration; the strong line and the number are their median, which one breakdown hardly moves. The mean is shown on hover and in the table.";

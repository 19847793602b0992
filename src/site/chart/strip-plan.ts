import type { LeadSummary } from "../../lib/code/score/leads.ts";
import { cutText } from "../../lib/picture/text.ts";
import type { Box } from "./labels.ts";
import { boxOf, type Layout } from "./layout.ts";
import { type Axis, linearAxis, linearDomain } from "./scale.ts";
import { textLength } from "./text-length.ts";
import { numberTick } from "./units.ts";

/** Geometry of the leads' strips: what stands where, before anything is drawn. */

export interface StripRow {
  readonly lead: LeadSummary;
  readonly row: Box;
  readonly name: { readonly text: string; readonly x: number; readonly y: number };
  readonly number: { readonly x: number; readonly y: number };
  /** Line on which the scores lie, and how far each mark reaches up and down. */
  readonly y: number;
  readonly reach: number;
  /** One a configuration. */
  readonly scores: readonly number[];
  readonly median: number | null;
}

export interface StripPlan {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  readonly axis: Axis;
  readonly rows: readonly StripRow[];
}

const AXIS_HEIGHT = 26;
const TOP = 6;

/** @param nameOf the lead's name, in safe text */
export function planStrips(
  leads: readonly LeadSummary[],
  nameOf: (lead: string) => string,
  layout: Layout,
): StripPlan {
  const { names, values } = layout.bars;
  const above = names === 0;
  const height = above ? 50 : 36;
  const [left, right] = [above ? 12 : names, layout.width - (above ? 12 : values)];
  const axis = linearAxis(linearDomain(leads.flatMap(({ strip }) => strip.map(({ final }) => final))), {
    extent: { from: left, to: right },
    format: numberTick,
    fontSize: layout.tickSize,
  });
  const columns = Math.floor((above ? layout.width - 90 : names - 34) / textLength("n", layout.fontSize));
  const rows = leads.map((lead, place): StripRow => {
    const row = boxOf(0, TOP + place * height, layout.width, TOP + (place + 1) * height);
    const baseline = above ? row.y + layout.fontSize + 4 : row.y + height / 2 + layout.fontSize * 0.35;
    return {
      lead,
      row,
      name: { text: cutText(nameOf(lead.lead), columns), x: above ? 28 : 22, y: baseline },
      number: { x: layout.width - (above ? 10 : 4), y: baseline },
      y: above ? row.y + height - 18 : row.y + height / 2,
      reach: 8,
      scores: lead.strip.map(({ final }) => axis.at(final)),
      median: lead.median === null ? null : axis.at(lead.median),
    };
  });
  const plot = boxOf(left, TOP, right, TOP + leads.length * height);
  return { width: layout.width, height: plot.y + plot.height + AXIS_HEIGHT, plot, axis, rows };
}

import { mean } from "../../stats/describe.ts";
import { type Known, known, unknown } from "../../stats/known.ts";

/** One judge's score of one entry, 0 … 10. */
export interface SeatScore {
  readonly judge: string;
  readonly score: number;
}

/**
 * The panel of a run: the judges who scored every live entry (one that finished), in order of their ids. A judge who saw
 * only some packs is none of it. Of a run without live entries it is empty. (Methodology, "Council".)
 * @param live for each live entry the judges who scored it
 */
export function panelOf(live: readonly (readonly string[])[]): string[] {
  const [first, ...others] = live;
  const rest = others.map((judges) => new Set(judges));
  return [...new Set(first)].filter((judge) => rest.every((judges) => judges.has(judge))).sort();
}

/** Council score: the mean of the panel's scores of an entry, 0 … 10. (Methodology, "Council".) */
export function councilScore(seats: readonly SeatScore[], panel: readonly string[]): Known {
  if (panel.length === 0) return unknown("no judge scored every live entry of the run");
  const scores = seats.filter(({ judge }) => panel.includes(judge)).map(({ score }) => score);
  if (scores.length < panel.length) return unknown("the panel did not score this entry");
  return known(mean(scores) as number);
}

/**
 * Cross-vendor score: the mean of the panel's judges whose vendor is not the entry's own. (Methodology, "Council".)
 * @param sameVendor the judges of the entry's vendor
 */
export function crossVendorScore(
  seats: readonly SeatScore[],
  panel: readonly string[],
  sameVendor: ReadonlySet<string>,
): Known {
  const others = panel.filter((judge) => !sameVendor.has(judge));
  if (panel.length > 0 && others.length === 0)
    return unknown("every judge of the panel is of the entry's vendor");
  return councilScore(seats, others);
}

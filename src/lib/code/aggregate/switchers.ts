import { byText } from "../score/order.ts";
import { type DataIndex, scopeOf } from "./index-data.ts";
import type { Selection } from "./selection.ts";

/** What a page offers to select; null for a switcher that would have nothing to switch. */
export interface Switchers {
  /** All leads with runs, when there is more than one. */
  readonly leads: readonly string[] | null;
  readonly tasks: readonly { readonly id: string; readonly title: string }[] | null;
  /** The selection's replicates, when it has more than one. (Methodology, "Repeat runs".) */
  readonly replicates: readonly number[] | null;
  /** Whether some model or lab has more than one configuration. */
  readonly efforts: boolean;
}

/** Which switchers appear, and with what. */
export function switchersOf(index: DataIndex, selection: Selection): Switchers {
  const all = scopeOf(index, { ...selection, lead: null, task: null, replicate: null });
  const { replicates, results } = scopeOf(index, { ...selection, replicate: null });
  const configurations = new Map(results.map(({ entry }) => [entry.configuration, entry.vendor]));
  return {
    leads: all.leads.length > 1 ? all.leads.toSorted(byText) : null,
    tasks:
      all.tasks.length > 1 ? all.tasks.map((id) => ({ id, title: index.tasks.get(id)?.title ?? id })) : null,
    replicates: replicates.length > 1 ? replicates : null,
    efforts: new Set(configurations.values()).size < configurations.size,
  };
}

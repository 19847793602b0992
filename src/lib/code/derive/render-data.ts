import type { Data, EntryData } from "./data-schema.ts";
import type { DataHead } from "./derive.ts";

const BEFORE = ["vendors", "models", "judges", "tasks", "runs"] as const satisfies readonly (keyof Data)[];
const AFTER = ["defects", "fast_factors"] as const satisfies readonly (keyof Data)[];

/** One entry as `data.json` holds it: a line, so that a change shows as the lines that changed. */
export const renderEntry = (entry: EntryData): string => JSON.stringify(entry);

/** What stands in `data.json` before and after the lines of its entries. Keys stand in the order of the schema. */
export function renderFrame(head: DataHead): { before: string; after: string } {
  const { schema_version, synthetic, source, pricing_rule } = head;
  const scalars = JSON.stringify({ schema_version, synthetic, source, pricing_rule }).slice(0, -1);
  const list = (key: (typeof BEFORE)[number] | (typeof AFTER)[number]): string => {
    const lines = head[key].map((item) => `\n${JSON.stringify(item)}`);
    return `,\n${JSON.stringify(key)}: [${lines.join(",")}${lines.length === 0 ? "]" : "\n]"}`;
  };
  return {
    before: `${scalars}${BEFORE.map(list).join("")},\n"entries": [\n`,
    after: `\n]${AFTER.map(list).join("")}}\n`,
  };
}

/** The text of `data.json`: the same data gives the same bytes. */
export function renderData({ entries, ...head }: Data): string {
  const { before, after } = renderFrame(head);
  return before + entries.map(renderEntry).join(",\n") + after;
}

import type { Data } from "./data-schema.ts";

/** Keys of `data.json` whose values are lists with one item a line, so that a change shows as the lines that changed. */
const LISTS = [
  "vendors",
  "models",
  "judges",
  "tasks",
  "runs",
  "entries",
  "defects",
  "fast_factors",
] as const satisfies readonly (keyof Data)[];

/**
 * The text of `data.json` in pieces, so that a hundred rounds need not be one string: the same data gives the same bytes.
 * Keys stand in the order of the schema.
 */
export function* renderData(data: Data): Generator<string> {
  const { schema_version, synthetic, source, pricing_rule } = data;
  const head = { schema_version, synthetic, source, pricing_rule };
  yield JSON.stringify(head).slice(0, -1);
  for (const key of LISTS) {
    yield `,\n${JSON.stringify(key)}: [`;
    let separator = "\n";
    for (const item of data[key]) {
      yield `${separator}${JSON.stringify(item)}`;
      separator = ",\n";
    }
    yield data[key].length === 0 ? "]" : "\n]";
  }
  yield "}\n";
}

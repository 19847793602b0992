import { requestsOf, type Tokens, type Usage, wallSeconds } from "../schema/usage-schema.ts";

const COLUMNS = [
  ["requests", null],
  ["uncached", "uncached_input"],
  ["reads", "cache_read"],
  ["writes 5m", "cache_write_5m"],
  ["writes 1h", "cache_write_1h"],
  ["writes", "cache_write"],
  ["output", "output"],
  ["reasoning", "reasoning"],
] as const satisfies readonly (readonly [string, keyof Tokens | null])[];

interface Row {
  readonly names: readonly string[];
  readonly sums: number[];
}

/** What a person checks before committing a usage document: tokens by model and tier, times, and what was assumed. */
export function renderUsageTable(usage: Usage): string {
  const groups = new Map<string, Row>();
  const all: Row = { names: ["all", ""], sums: COLUMNS.map(() => 0) };
  for (const request of requestsOf(usage)) {
    const names = [request.model, request.tier];
    const key = JSON.stringify(names);
    const row = groups.get(key) ?? { names, sums: COLUMNS.map(() => 0) };
    groups.set(key, row);
    for (const [index, [, bucket]] of COLUMNS.entries())
      for (const { sums } of [row, all])
        sums[index] = (sums[index] ?? 0) + (bucket === null ? 1 : request[bucket]);
  }
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  if (rows.length > 1) rows.push(all);
  const unit = usage.per === "request" ? "requests" : `${usage.per}s`;
  const table = [
    ["model", "tier", ...COLUMNS.map(([title]) => (title === "requests" ? unit : title))],
    ...rows.map(({ names, sums }) => [...names, ...sums.map(grouped)]),
  ];
  return `${layOut(table)}${notes(usage)}`;
}

function notes(usage: Usage): string {
  const lines = [
    `${usage.harness} ${usage.harness_version ?? "(version unknown)"}, ${usage.logs.length} logs`,
    `wall clock ${wallSeconds(usage)} s, from ${usage.first_event_at} to ${usage.last_event_at}`,
    `recorded by the harness: ${usage.cost_recorded_usd === null ? "nothing" : `${usage.cost_recorded_usd} USD`}`,
  ];
  if (usage.assumptions.length > 0) lines.push(`assumed: ${usage.assumptions.join(", ")}`);
  if (usage.skipped_lines > 0) lines.push(`skipped lines: ${usage.skipped_lines}`);
  return `${lines.join("\n")}\n`;
}

const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

function layOut(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const cell = (text: string, column: number): string =>
    column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return table.map((row) => `${row.map(cell).join("  ").trimEnd()}\n`).join("");
}

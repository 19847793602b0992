import { METRIC_LIST } from "../benchmarks/metrics.ts";
import type { ResultDocument, ResultMember } from "../benchmarks/result-schema.ts";
import { usd } from "./progress.ts";

/** A result as a person reads it after a run: members, components, composite, calls and cost. Plain text, no colour. */
export function summaryText(document: ResultDocument): string {
  const header = ["member", "status", "calls", ...METRIC_LIST.map(({ id }) => SHORT[id]), "why"];
  const rows = document.members.map((member) => [
    member.id,
    member.status,
    String(member.attempts.length),
    ...METRIC_LIST.map(({ id }) => share(member.metrics[id])),
    why(member),
  ]);
  const mean = [
    "mean",
    "",
    String(document.totals.calls),
    ...METRIC_LIST.map(({ id }) => document.components[id].toFixed(6)),
    "",
  ];
  const { totals, cost } = document;
  const money =
    cost.total_usd === null
      ? "cost not reported"
      : `${usd(cost.total_usd)}${cost.complete ? "" : " reported, not of every call"}`;
  return [
    ...table([header, ...rows, mean]),
    "",
    `composite ${document.composite.toFixed(6)} (${document.composite_version}): ${totals.passed} passed, ${totals.partial} partial, ${totals.failed} failed, ${totals.skipped} skipped of ${totals.members}`,
    `${totals.calls} calls · ${totals.prompt_tokens ?? "unknown"} prompt tokens, ${totals.completion_tokens ?? "unknown"} completion tokens · ${money}`,
  ].join("\n");
}

const SHORT: Readonly<Record<keyof ResultMember["metrics"], string>> = {
  deterministic_pass_rate: "executes",
  exact_output_match: "exact",
  cell_match_rate: "cells",
  value_address_f1: "addresses",
  header_accuracy: "headers",
};

const share = ({ numerator, denominator }: { numerator: number; denominator: number }): string =>
  (numerator / denominator).toFixed(4);

const why = (member: ResultMember): string =>
  member.reason === null ? "" : `${member.reason.code} (${member.reason.fault})`;

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column >= 2 && column < row.length - 1
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

import { METRIC_LIST } from "../benchmarks/metrics.ts";
import type { ResultDocument, ResultMember } from "../benchmarks/result-schema.ts";
import { usd } from "./progress.ts";
import { renderTable } from "./table.ts";

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
    ...renderTable([header, ...rows, mean], NUMERIC),
    "",
    `composite ${document.composite.toFixed(6)} (${document.composite_version}): ${totals.passed} passed, ${totals.partial} partial, ${totals.failed} failed, ${totals.skipped} skipped of ${totals.members}`,
    `${totals.calls} calls · ${totals.prompt_tokens ?? "unknown"} prompt tokens, ${totals.completion_tokens ?? "unknown"} completion tokens · ${money}`,
    ...promptLine(document),
  ].join("\n");
}

function promptLine({ prompt }: ResultDocument): string[] {
  if (prompt.measured === undefined) return [];
  const { tokenizer, prompts, total_tokens, largest_tokens } = prompt.measured;
  return [
    `prompt mode ${prompt.mode}: ${prompts} first prompts of ${total_tokens} tokens, ${largest_tokens} at most (${tokenizer})`,
  ];
}

/** Calls and metrics. */
const NUMERIC = [2, ...METRIC_LIST.map((_, at) => at + 3)];

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

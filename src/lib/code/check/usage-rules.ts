import { instantMs } from "../../benchmarks/instant.ts";
import type { Finding } from "../../findings.ts";
import { parseConfiguration } from "../schema/names.ts";
import type { Usage } from "../schema/usage-schema.ts";
import { type Catalogue, notAMoment } from "./catalogue.ts";
import { problem } from "./problem.ts";

/**
 * Usage of an agent that is one configuration. Helpers may be other models, but when every model of the log is listed and
 * none is the agent's own, the log is another's, and would be priced as that one.
 */
export function checkAgent(
  usage: Usage,
  configuration: string,
  at: string,
  logNames: Catalogue["logNames"],
): Finding[] {
  const findings = checkUsage(usage, at);
  const own = parseConfiguration(configuration).model;
  const named = usage.models.map((name) => logNames.get(name) ?? null);
  if (named.length > 0 && named.every((model) => model !== null && model !== own))
    findings.push(
      problem("code-usage-other-model", `${at}/models`, "This is the usage of another model.", {
        expected: `${own}, or a name that data/models.json lists for it`,
        actual: usage.models.join(", ").slice(0, 300),
        hint: "Import the logs of this agent; add the name to the model's log_names if it is written so.",
      }),
    );
  return findings;
}

/** Rows refer to listed models and tiers, parts are not larger than what they are part of, times run forward. */
export function checkUsage(usage: Usage, at: string): Finding[] {
  const findings: Finding[] = [];
  const first = instantMs(usage.first_event_at);
  const last = instantMs(usage.last_event_at);
  if (first === null) findings.push(notAMoment(`${at}/first_event_at`, usage.first_event_at));
  if (last === null) findings.push(notAMoment(`${at}/last_event_at`, usage.last_event_at));
  if (first !== null && last !== null && last < first)
    findings.push(
      problem("code-data-time-order", `${at}/last_event_at`, "The last event is before the first.", {
        expected: `not before ${usage.first_event_at}`,
        actual: usage.last_event_at,
      }),
    );
  const span = first === null || last === null ? null : last - first;
  for (const [index, row] of usage.requests.entries()) {
    const [offset = -1, model = 0, tier = 0] = row;
    const output = row[8] ?? 0;
    const reasoning = row[9] ?? 0;
    const pointer = `${at}/requests/${index}`;
    if (model >= usage.models.length || tier >= usage.tiers.length)
      findings.push(
        problem("code-usage-reference", pointer, "The row refers to a model or tier that is not listed.", {
          expected: `models below ${usage.models.length}, tiers below ${usage.tiers.length}`,
          actual: `model ${model}, tier ${tier}`,
        }),
      );
    if (reasoning > output)
      findings.push(
        problem("code-usage-reasoning", pointer, "Reasoning is a part of the output and cannot exceed it.", {
          expected: `at most ${output}`,
          actual: String(reasoning),
        }),
      );
    if (span !== null && offset > span)
      findings.push(
        problem("code-usage-outside", pointer, "The request lies after the last event.", {
          expected: `at most ${span} ms after the first event`,
          actual: String(offset),
        }),
      );
  }
  return findings;
}

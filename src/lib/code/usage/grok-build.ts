import type { Outcome } from "../../findings.ts";
import type { Usage } from "../schema/usage-schema.ts";
import type { LogFile, LogPlace } from "./log-file.ts";
import { momentOfMs, momentOfSeconds } from "./moment.ts";
import { Reading } from "./reading.ts";
import { at, type Json, objectAt, objectOf, textAt } from "./values.ts";

/** Billing is given in ticks of 10⁻¹⁰ USD. */
const TICKS_PER_USD = 10_000_000_000;

interface Turn {
  readonly usage: Json;
  readonly ms: number | null;
  readonly place: LogPlace;
}

/**
 * Usage of a run by Grok Build, from `updates.jsonl`. One row is a turn, for each model of it, not a request: bands by the size
 * of a prompt cannot be decided exactly. A turn can be logged twice; it counts once, by its prompt. A parent's figures hold
 * those of its finished sub-agents, so that sessions must be named where there are several.
 *
 * Cached reads and cache writes are parts of the input, reasoning is a part of the output.
 *
 * @param sessions only these sessions; needed where the files hold several
 */
export function importGrokBuild(files: readonly LogFile[], sessions: readonly string[] = []): Outcome<Usage> {
  const reading = new Reading(files);
  const turns = new Map<string, Turn>();
  const found = new Set<string>();
  for (const file of files)
    for (const { value, place } of reading.events(file)) {
      const params = objectAt(value, "params");
      const session = textAt(params, "sessionId") ?? "";
      found.add(session);
      if (sessions.length > 0 && !sessions.includes(session)) continue;
      const ms = momentIn(value, params);
      reading.addTime(ms, place);
      const update = objectAt(params, "update");
      const usage = objectAt(update, "usage");
      if (textAt(update, "sessionUpdate") !== "turn_completed" || usage === null) continue;
      const prompt = textAt(update, "prompt_id") ?? textAt(update, "promptId");
      const key = prompt ?? `line ${place.path}:${place.line}`;
      const before = turns.get(key);
      if (before === undefined || size(before.usage) <= size(usage)) turns.set(key, { usage, ms, place });
    }
  if (found.size > 1 && sessions.length === 0)
    reading.error(
      "code-usage-session",
      null,
      "The logs hold several sessions, and a parent's figures hold those of its sub-agents.",
      {
        expected: "--log-session <id> for each session that is no sub-agent",
        actual: found.size > 8 ? `${found.size} sessions` : [...found].sort().join(", "),
      },
    );
  reading.missSessions(sessions, (session) => found.has(session));
  let ticks: number | null = 0;
  for (const turn of turns.values()) {
    addTurn(turn, reading);
    const billed = at(turn.usage, "costUsdTicks");
    const isWhole = typeof billed === "number" && billed >= 0 && at(turn.usage, "costIsPartial") !== true;
    ticks = ticks === null || !isWhole ? null : ticks + billed;
  }
  return reading.finish("grok-build", {
    harness_version: null,
    per: "turn",
    cost_recorded_usd: ticks === null ? null : ticks / TICKS_PER_USD,
  });
}

/** A fork stamps the lines that it copies anew; the agent's own time stays. */
function momentIn(value: Json, params: Json | null): number | null {
  const own = objectAt(value, "_meta") ?? objectAt(params, "_meta");
  return momentOfMs(at(own, "agentTimestampMs")) ?? momentOfSeconds(at(value, "timestamp"));
}

const size = (usage: Json): number => {
  const [input, output] = [at(usage, "inputTokens"), at(usage, "outputTokens")];
  return (typeof input === "number" ? input : 0) + (typeof output === "number" ? output : 0);
};

const KEYS = [
  "inputTokens",
  "cachedReadTokens",
  "cacheCreationTokens",
  "outputTokens",
  "reasoningTokens",
  "totalTokens",
] as const;
type Counts = Record<(typeof KEYS)[number], number>;

function addTurn({ usage, ms, place }: Turn, reading: Reading): void {
  const whole = countsOf(usage, place, reading);
  const byModel = Object.entries(objectAt(usage, "modelUsage") ?? {});
  if (whole === null) return;
  if (at(usage, "usageIsIncomplete") === true) {
    reading.assume("usage-incomplete");
    reading.warn("code-usage-incomplete", place, "Grok says that the usage of this turn is incomplete.", {
      hint: "The run's tokens and cost are too low. Say so in the pull request.",
    });
  }
  if (whole.inputTokens + whole.outputTokens === 0) return;
  if (byModel.length === 0) {
    reading.noModel(place);
    return;
  }
  const parts = byModel.map(([model, part]) => ({ model, counts: countsOf(objectOf(part), place, reading) }));
  let sum = 0;
  for (const { model, counts } of parts) {
    if (counts === null) continue;
    sum += counts.inputTokens + counts.outputTokens;
    reading.addRequest({
      at: ms,
      model: model === "" ? "?" : model,
      uncached_input: counts.inputTokens - counts.cachedReadTokens - counts.cacheCreationTokens,
      cache_read: counts.cachedReadTokens,
      cache_write: counts.cacheCreationTokens,
      output: counts.outputTokens,
      reasoning: counts.reasoningTokens,
    });
  }
  const all = whole.inputTokens + whole.outputTokens;
  if (sum !== all) reading.sumError(place, `models that sum up to ${all} tokens`, String(sum));
}

/** Null when they contradict each other, which is a finding. */
function countsOf(usage: Json | null, place: LogPlace, reading: Reading): Counts | null {
  const counts = reading.counts(usage, KEYS, place);
  if (counts === null) return null;
  const { inputTokens: input, outputTokens: output } = counts;
  if (counts.cachedReadTokens + counts.cacheCreationTokens > input || counts.reasoningTokens > output) {
    reading.sumError(place, `cached tokens within ${input}, reasoning within ${output}`, "more than that");
    return null;
  }
  if (at(usage, "totalTokens") !== undefined && counts.totalTokens !== input + output) {
    reading.sumError(place, `totalTokens ${input + output}`, `totalTokens ${counts.totalTokens}`);
    return null;
  }
  return counts;
}

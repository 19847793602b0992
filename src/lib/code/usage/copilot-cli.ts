import type { Outcome } from "../../findings.ts";
import type { Usage } from "../schema/usage-schema.ts";
import type { LogFile, LogPlace } from "./log-file.ts";
import { type LogEvent, Reading } from "./reading.ts";
import { type Json, objectAt, objectOf, textAt } from "./values.ts";

/**
 * Usage of a run by Copilot CLI, from `events.jsonl`: the figures that each `session.shutdown` gives for each model. A resumed
 * session has several, which add up. A killed process writes none: its usage is unknown, and an error says so. One row is what
 * a model used between two shutdowns, not a request.
 *
 * @param files `events.jsonl` of the run's sessions, one each
 * @param sessions only these
 */
export function importCopilotCli(
  files: readonly LogFile[],
  sessions: readonly string[] = [],
): Outcome<Usage> {
  const reading = new Reading(files);
  const seen = new Set<string>();
  let version: string | null = null;
  const found = new Set<string>();
  for (const file of files) {
    const events = [...reading.events(file)];
    const session = sessionOf(events) ?? file.name;
    found.add(session);
    if (sessions.length > 0 && !sessions.includes(session)) {
      reading.leaveOut(file.name);
      continue;
    }
    if (sessions.length === 0) reading.addSession(session);
    let open: LogPlace | null = null;
    for (const { value, place } of events) {
      const ms = reading.time(value, "timestamp", place);
      const data = objectAt(value, "data");
      const type = textAt(value, "type");
      version = (type === "session.start" ? textAt(data, "copilotVersion") : null) ?? version;
      if (type === "assistant.message" || type === "user.message") open = place;
      if (type !== "session.shutdown") continue;
      open = null;
      const key = textAt(value, "id") ?? `line ${place.path}:${place.line}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const [model, metrics] of Object.entries(objectAt(data, "modelMetrics") ?? {}))
        addModel(model, objectAt(objectOf(metrics), "usage"), ms, place, reading);
    }
    if (open !== null)
      reading.error(
        "code-usage-incomplete",
        open,
        "Work was done after the last `session.shutdown`, and its usage is not logged.",
        {
          hint: "A killed process, or `/new`, loses it. Usage is unknown then, not 0: run it again and leave with `/exit`.",
        },
      );
  }
  reading.missSessions(sessions, (session) => found.has(session));
  return reading.finish("copilot-cli", { harness_version: version, per: "session", cost_recorded_usd: null });
}

const sessionOf = (events: readonly LogEvent[]): string | null =>
  events.reduce<string | null>(
    (id, { value }) =>
      id ?? (textAt(value, "type") === "session.start" ? textAt(objectAt(value, "data"), "sessionId") : null),
    null,
  );

const KEYS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** Input holds the cache reads. Whether it holds the writes, and output the reasoning, is assumed where figures do not show it. */
function addModel(
  model: string,
  usage: Json | null,
  ms: number | null,
  place: LogPlace,
  reading: Reading,
): void {
  const counts = reading.counts(usage, KEYS, place);
  if (counts === null) return;
  const { inputTokens: input, cacheReadTokens: read, cacheWriteTokens: write } = counts;
  const { outputTokens: output, reasoningTokens: reasoning } = counts;
  if (read > input) {
    reading.sumError(place, `cache reads within the input, ${input}`, String(read));
    return;
  }
  if (input + output + write === 0) return;
  const areWritesInside = read + write <= input;
  const isReasoningInside = reasoning <= output;
  if (write > 0 && areWritesInside) reading.assume("cache-writes-in-input");
  if (reasoning > 0 && isReasoningInside) reading.assume("reasoning-in-output");
  reading.addRequest({
    at: ms,
    model: model === "" ? "?" : model,
    uncached_input: input - read - (areWritesInside ? write : 0),
    cache_read: read,
    cache_write: write,
    output: isReasoningInside ? output : output + reasoning,
    reasoning,
  });
}

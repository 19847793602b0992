import type { Outcome } from "../../findings.ts";
import type { Usage } from "../schema/usage-schema.ts";
import type { LogFile, LogPlace } from "./log-file.ts";
import { momentOf } from "./moment.ts";
import { Reading } from "./reading.ts";
import { at, has, type Json, objectAt, textAt } from "./values.ts";

/**
 * Usage of a run by Qwen Code, from `chats/<session>.jsonl`. Cached tokens are a part of the prompt. Thoughts stand beside the
 * candidates or inside them: the total of each line says which.
 *
 * @param files sessions of one run, in any order; lines that a resumed session copied count once, by their `uuid`
 * @param sessions only these
 */
export function importQwenCode(files: readonly LogFile[], sessions: readonly string[] = []): Outcome<Usage> {
  const reading = new Reading(files);
  const lines = new Map<string, { value: Json; place: LogPlace }>();
  let version: { text: string; ms: number } | null = null;
  const found = new Set<string>();
  for (const file of files)
    for (const { value, place } of reading.events(file)) {
      const session = textAt(value, "sessionId") ?? "";
      found.add(session);
      if (sessions.length > 0 && !sessions.includes(session)) continue;
      const ms = reading.time(value, "timestamp", place) ?? 0;
      const text = textAt(value, "version");
      if (text !== null && (version === null || ms >= version.ms)) version = { text, ms };
      if (at(value, "type") !== "assistant" || objectAt(value, "usageMetadata") === null) continue;
      if (sessions.length === 0) reading.addSession(session);
      const id = textAt(value, "uuid") ?? `line ${place.path}:${place.line}`;
      lines.set(id, { value, place });
    }
  reading.missSessions(sessions, (session) => found.has(session));
  for (const { value, place } of lines.values()) addLine(value, place, reading);
  return reading.finish("qwen-code", {
    harness_version: version?.text ?? null,
    per: "request",
    cost_recorded_usd: null,
  });
}

const KEYS = [
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "toolUsePromptTokenCount",
  "totalTokenCount",
] as const;

function addLine(line: Json, place: LogPlace, reading: Reading): void {
  const usage = objectAt(line, "usageMetadata");
  const counts = reading.counts(usage, KEYS, place);
  if (counts === null) return;
  const { promptTokenCount: prompt, cachedContentTokenCount: cached } = counts;
  const { candidatesTokenCount: candidates, thoughtsTokenCount: thoughts } = counts;
  const tool = counts.toolUsePromptTokenCount;
  if (cached > prompt) {
    reading.sumError(place, `cached tokens within the prompt, ${prompt}`, String(cached));
    return;
  }
  const beside = prompt + tool + candidates + thoughts;
  const total = has(usage, "totalTokenCount") ? counts.totalTokenCount : beside;
  const areInside = total === beside - thoughts && thoughts <= candidates;
  if (total !== beside && !areInside) {
    reading.sumError(
      place,
      `total ${beside}, or ${beside - thoughts} with thoughts inside`,
      `total ${total}`,
    );
    return;
  }
  if (beside === 0) return;
  const model = textAt(line, "model");
  if (model === null) {
    reading.noModel(place);
    return;
  }
  reading.addRequest({
    at: momentOf(at(line, "timestamp")),
    model,
    uncached_input: prompt - cached + tool,
    cache_read: cached,
    output: total === beside ? candidates + thoughts : candidates,
    reasoning: thoughts,
  });
}

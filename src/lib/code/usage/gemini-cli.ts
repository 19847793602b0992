import type { Outcome } from "../../findings.ts";
import type { Usage } from "../schema/usage-schema.ts";
import type { LogFile, LogPlace } from "./log-file.ts";
import { momentOf } from "./moment.ts";
import { type LogEvent, Reading } from "./reading.ts";
import { at, type Json, listAt, objectAt, objectOf, textAt } from "./values.ts";

interface Message {
  readonly value: Json;
  readonly place: LogPlace;
}

/**
 * Usage of a run by Gemini CLI, from `chats/session-*.json` or `.jsonl`, those of its sub-agents included. A message is
 * written again as it grows: the last one with an id counts, of those with tokens. What was rewound was billed all the same.
 *
 * Cached tokens are a part of the input; thoughts are no part of the output; what tools put into the prompt is input.
 *
 * @param files sessions of one run, in any order
 * @param sessions only these; those of sub-agents have to be named too
 */
export function importGeminiCli(files: readonly LogFile[], sessions: readonly string[] = []): Outcome<Usage> {
  const reading = new Reading(files);
  const messages = new Map<string, Message>();
  const read = inOrder(files.map((file) => readMessages(file, reading)));
  reading.missSessions(sessions, (id) => read.some((session) => session.id === id));
  for (const { id, name, isMain, messages: found } of read) {
    if (sessions.length > 0 && !sessions.includes(id)) {
      reading.leaveOut(name);
      continue;
    }
    if (sessions.length === 0 && isMain) reading.addSession(id);
    for (const message of found) {
      addTimes(message, reading);
      const key = textAt(message.value, "id") ?? `line ${message.place.path}:${message.place.line}`;
      const isLess = objectAt(message.value, "tokens") === null && messages.has(key);
      if (!isLess) messages.set(key, message);
    }
  }
  for (const { value, place } of messages.values()) addMessage(value, place, reading);
  return reading.finish("gemini-cli", { harness_version: null, per: "request", cost_recorded_usd: null });
}

interface Session {
  readonly name: string;
  /** As the log says, else the name of its file. */
  readonly id: string;
  /** False for a sub-agent's. */
  readonly isMain: boolean;
  /** The last moment, in milliseconds since 1970: of two copies of a session, the one that was written on. */
  readonly last: number;
  readonly messages: readonly Message[];
}

const inOrder = (sessions: readonly Session[]): Session[] =>
  [...sessions].sort((a, b) => a.last - b.last || (a.name < b.name ? -1 : 1));

function readMessages(file: LogFile, reading: Reading): Session {
  const messages: Message[] = [];
  let [last, id, isMain] = [0, file.name, true];
  for (const event of reading.events(file)) {
    id = textAt(event.value, "sessionId") ?? id;
    if (textAt(event.value, "kind") === "subagent") isMain = false;
    for (const value of messagesOf(event)) {
      messages.push({ value, place: event.place });
      last = Math.max(last, momentOf(at(value, "timestamp")) ?? 0);
    }
  }
  return { name: file.name, id, isMain, last, messages };
}

function addTimes({ value, place }: Message, reading: Reading): void {
  reading.time(value, "timestamp", place);
  for (const key of ["toolCalls", "thoughts"])
    for (const part of listAt(value, key)) {
      const inner = objectOf(part);
      if (inner !== null) reading.time(inner, "timestamp", place);
    }
}

/** A whole session, an update of its fields, or one message a line. */
function messagesOf({ value }: LogEvent): Json[] {
  const lists = [listAt(value, "messages"), listAt(objectAt(value, "$set"), "messages")];
  const inside = lists
    .flat()
    .map(objectOf)
    .filter((message) => message !== null);
  return textAt(value, "type") === null ? inside : [value, ...inside];
}

const KEYS = ["input", "output", "cached", "thoughts", "tool", "total"] as const;

function addMessage(message: Json, place: LogPlace, reading: Reading): void {
  const tokens = objectAt(message, "tokens");
  if (textAt(message, "type") !== "gemini" || tokens === null) return;
  const counts = reading.counts(tokens, KEYS, place);
  if (counts === null) return;
  const { input, output, cached, thoughts, tool, total } = counts;
  const sum = input + output + thoughts + tool;
  if (cached > input) {
    reading.sumError(place, `cached tokens within the input, ${input}`, String(cached));
    return;
  }
  if (Object.hasOwn(tokens, "total") && total !== sum) {
    reading.sumError(place, `total ${sum}: input, output, thoughts and tool`, `total ${total}`);
    return;
  }
  if (sum === 0) return;
  const model = textAt(message, "model");
  if (model === null) {
    reading.noModel(place);
    return;
  }
  reading.addRequest({
    at: momentOf(at(message, "timestamp")),
    model,
    uncached_input: input - cached + tool,
    cache_read: cached,
    output: output + thoughts,
    reasoning: thoughts,
  });
}

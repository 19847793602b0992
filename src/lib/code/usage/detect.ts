import type { Harness } from "../schema/usage-schema.ts";
import { type LogFile, logValues } from "./log-file.ts";
import { at, type Json, objectAt, objectOf, textAt } from "./values.ts";

/** What a file's content shows it to be; a `stream` is what a harness prints, not what it keeps. */
export type Kind = Harness | "claude-stream" | "codex-stream" | "opencode-stream";

/** Values that are looked at before a file counts as unknown. */
const LOOKED_AT = 200;

/** The first value that belongs to one harness only decides. Null when none does. */
export function detectKind(file: LogFile): Kind | null {
  let looked = 0;
  for (const line of logValues(file.bytes)) {
    if (++looked > LOOKED_AT) return null;
    const value = line.kind === "value" ? objectOf(line.value) : null;
    if (value === null) continue;
    const kind = SIGNS.find(([, shows]) => shows(value))?.[0];
    if (kind !== undefined) return kind;
  }
  return null;
}

type Sign = readonly [kind: Kind, shows: (value: Json) => boolean];

const ROLLOUT: ReadonlySet<unknown> = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "token_usage_record",
]);
const CODEX_STREAM: ReadonlySet<unknown> = new Set(["thread.started", "turn.started", "turn.completed"]);
const TABLES: ReadonlySet<unknown> = new Set(["session", "session_v2", "message", "session_message", "part"]);

const SIGNS: readonly Sign[] = [
  ["codex", (value) => ROLLOUT.has(at(value, "type")) && objectAt(value, "payload") !== null],
  ["codex-stream", (value) => CODEX_STREAM.has(at(value, "type"))],
  ["grok-build", (value) => textAt(objectAt(value, "params", "update"), "sessionUpdate") !== null],
  [
    "copilot-cli",
    (value) =>
      /^session\.(?:start|shutdown|resume)$/.test(textAt(value, "type") ?? "") &&
      objectAt(value, "data") !== null,
  ],
  [
    "qwen-code",
    (value) =>
      textAt(value, "sessionId") !== null &&
      (objectAt(value, "usageMetadata") !== null || Array.isArray(at(objectAt(value, "message"), "parts"))),
  ],
  ["qwen-code", (value) => at(value, "type") === "assistant" && objectAt(value, "usageMetadata") !== null],
  [
    "gemini-cli",
    (value) =>
      textAt(value, "projectHash") !== null ||
      (at(value, "type") === "gemini" && textAt(value, "id") !== null),
  ],
  ["claude-code", isTranscript],
  ["claude-stream", (value) => textAt(value, "session_id") !== null && textAt(value, "type") !== null],
  ["opencode-stream", (value) => textAt(value, "sessionID") !== null && objectAt(value, "part") !== null],
  ["opencode", isOpenCode],
];

function isTranscript(value: Json): boolean {
  if (textAt(value, "sessionId") === null) return false;
  const message = objectAt(value, "message");
  return typeof at(value, "isSidechain") === "boolean" || at(message, "content") !== undefined;
}

function isOpenCode(value: Json): boolean {
  if (TABLES.has(at(value, "table"))) return objectAt(value, "row") !== null;
  if (objectAt(value, "info") !== null && Array.isArray(at(value, "messages"))) return true;
  const message = objectAt(value, "message");
  if (textAt(message, "providerID") !== null) return true;
  if (textAt(value, "sessionID") !== null)
    return textAt(value, "role") !== null || textAt(value, "messageID") !== null;
  return textAt(value, "projectID") !== null && objectAt(value, "time") !== null;
}

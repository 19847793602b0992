import type { Log } from "./context.ts";

/** The bot's log: one JSON object a line, never a text from a webhook, a pull request or an answer of GitHub's. */

export const LOG_LEVELS = ["debug", "info", "warn", "error", "fatal"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Longest text of a field, in UTF-16 units. */
const MAX_TEXT = 300;
/** Stack frames of an error that are kept. */
const MAX_FRAMES = 6;

/**
 * Errors whose message is our own or names no more than our own code. Others quote what they were about: a parser its
 * input, GitHub's client the answer.
 */
const PLAIN = new Set(["Error", "TypeError", "RangeError", "ArtifactError", "AbortError", "TimeoutError"]);

/** What is said of an error. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const status = "status" in error && typeof error.status === "number" ? { status: error.status } : {};
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...status,
    ...(PLAIN.has(error.name) && !("status" in error) ? { message: error.message.slice(0, MAX_TEXT) } : {}),
    at: frames.slice(0, MAX_FRAMES).map((line) => line.trim()),
  };
}

function field(value: unknown): unknown {
  if (value instanceof Error) return describeError(value);
  if (typeof value === "string") return value.slice(0, MAX_TEXT);
  if (Array.isArray(value)) return value.slice(0, 10).map(field);
  return typeof value === "number" || typeof value === "boolean" || value === null ? value : typeof value;
}

/** A log that writes lines of this level and above. */
export function createLog(level: LogLevel, write: (line: string) => void, now: () => number): Log {
  const from = LOG_LEVELS.indexOf(level);
  const at =
    (name: LogLevel) =>
    (fields: object, message: string): void => {
      if (LOG_LEVELS.indexOf(name) < from) return;
      const plain = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, field(value)]));
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level: name, message, ...plain })}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

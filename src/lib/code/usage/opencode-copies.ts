import type { Message, Part } from "./opencode-messages.ts";
import type { Reading } from "./reading.ts";
import { at, type Json, objectAt, textAt } from "./values.ts";

export const isAssistant = ({ value }: Message): boolean => textAt(value, "role") === "assistant";

export const isStep = ({ value }: Part): boolean => textAt(value, "type") === "step-finish";

/** As the log names the model, in either layout. */
export const modelOf = (message: Json): string | null =>
  textAt(message, "modelID") ??
  textAt(objectAt(message, "model"), "id") ??
  textAt(objectAt(message, "model"), "modelID");

/** Assistants without the copies that forks made in other sessions; of copies, the one with most steps. */
export function withoutCopies(
  messages: readonly Message[],
  parts: ReadonlyMap<string, readonly Part[]>,
): Message[] {
  const kept = new Map<string, Message>();
  const stepsOf = ({ id }: Message): number => (parts.get(id) ?? []).filter(isStep).length;
  const sorted = messages
    .filter(isAssistant)
    .sort((a, b) => stepsOf(b) - stepsOf(a) || (a.session < b.session ? -1 : a.session > b.session ? 1 : 0));
  for (const message of sorted) {
    const copy = keyOf(message);
    const before = kept.get(copy);
    if (before === undefined) kept.set(copy, message);
    else if (before.session === message.session) kept.set(`${copy} ${message.id}`, message);
  }
  return [...kept.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A run that began as a fork of another holds that other's messages, which the store cannot tell from its own. */
export function warnOfCopies(
  messages: readonly Message[],
  others: readonly Message[],
  reading: Reading,
): void {
  const elsewhere = new Map(others.filter(isAssistant).map((message) => [keyOf(message), message.session]));
  const copies = messages.filter(isAssistant).flatMap((message) => elsewhere.get(keyOf(message)) ?? []);
  if (copies.length === 0) return;
  reading.warn(
    "code-usage-fork",
    null,
    "Messages stand in another session as well: one is a fork of the other.",
    {
      actual: `${copies.length} messages, also in ${[...new Set(copies)].sort().slice(0, 8).join(", ")}`,
      hint: "Name both if both are this run. If it began as a fork, its usage holds what was used before it.",
    },
  );
}

/** What a copy keeps: times, model and tokens. */
const keyOf = ({ value }: Message): string =>
  JSON.stringify([
    at(objectAt(value, "time"), "created") ?? null,
    at(objectAt(value, "time"), "completed") ?? null,
    modelOf(value),
    figures(objectAt(value, "tokens")),
    figures(objectAt(value, "tokens", "cache")),
  ]);

const figures = (object: Json | null): unknown[] =>
  ["input", "output", "reasoning", "total", "read", "write"].map((key) => {
    const value = at(object, key);
    return typeof value === "number" ? value : null;
  });

import type { Outcome } from "../../findings.ts";
import type { Usage } from "../schema/usage-schema.ts";
import { CACHE_LIFETIME_ASSUMED } from "./claude-usage.ts";
import type { LogFile } from "./log-file.ts";
import { momentOf } from "./moment.ts";
import { isAssistant, isStep, modelOf, warnOfCopies, withoutCopies } from "./opencode-copies.ts";
import { type Contents, type Message, type Part, readStores, type Store } from "./opencode-messages.ts";
import { opencodeTokens } from "./opencode-tokens.ts";
import { Reading } from "./reading.ts";
import { at, type Json, objectAt, textAt } from "./values.ts";

const STORES: readonly Store[] = ["database", "export", "tree"];

/**
 * Usage of a run by OpenCode: from its database, from `opencode export`, or from the older JSON tree; of several, the first in
 * this order. A message with several steps keeps only the tokens of its last one, so the `step-finish` parts are read, and the
 * message where it has none. A fork copies messages under new ids, with the same times and tokens: they count once.
 *
 * @param sessions only these sessions, with their sub-agents; needed where a store holds several, since it holds everything
 *   that was ever done on a machine
 */
export function importOpenCode(files: readonly LogFile[], sessions: readonly string[] = []): Outcome<Usage> {
  const reading = new Reading(files);
  const stores = readStores(files, reading);
  const store = STORES.find((kind) => stores.has(kind));
  const contents = store === undefined ? undefined : stores.get(store);
  if (stores.size > 1)
    reading.notice(
      "code-usage-one-store",
      null,
      `The ${store} was read, and nothing else: the others hold parts of it.`,
      {
        actual: [...stores.keys()].join(", "),
      },
    );
  let cost: number | null = null;
  let version: string | null = null;
  if (contents !== undefined && store !== undefined) {
    const wanted = wantedSessions(contents, store, sessions, reading);
    const { messages, others, parts } = oneLayout(contents, wanted, reading);
    const kept = withoutCopies(messages, parts);
    warnOfCopies(messages, others, reading);
    for (const message of messages) addTimes(message, parts.get(message.id) ?? [], reading);
    const used = new Set(
      [...messages, ...messages.flatMap(({ id }) => parts.get(id) ?? [])].map(({ place }) => place.path),
    );
    for (const { name } of files) if (!used.has(name)) reading.leaveOut(name);
    for (const message of kept) {
      const billed = addRequests(message, parts.get(message.id) ?? [], reading);
      if (billed !== null) cost = (cost ?? 0) + billed;
    }
    version =
      [...contents.sessions.values()]
        .flatMap(({ id, version: text }) => (wanted(id) && text !== null ? [text] : []))
        .sort()
        .at(-1) ?? null;
  }
  return reading.finish("opencode", {
    harness_version: version,
    per: "request",
    cost_recorded_usd: cost === null ? null : Math.round(cost * 1e12) / 1e12,
  });
}

/** Says of a session whether it belongs to the run. */
function wantedSessions(
  { sessions, messages, newer }: Contents,
  store: Store,
  named: readonly string[],
  reading: Reading,
): (session: string) => boolean {
  const all = new Set([...messages, ...newer].map(({ session }) => session));
  const rootOf = (id: string): string => {
    const seen = new Set<string>();
    let at = id;
    for (let parent = sessions.get(at)?.parent; parent && !seen.has(at); parent = sessions.get(at)?.parent) {
      if (named.includes(at)) return at;
      seen.add(at);
      at = parent;
    }
    return at;
  };
  const roots = [...new Set([...all].map(rootOf))].sort();
  reading.missSessions(named, (id) => all.has(id) || sessions.has(id));
  if (named.length > 0) return (id) => named.includes(rootOf(id));
  if (store !== "export" && roots.length > 1)
    reading.error(
      "code-usage-session",
      null,
      "The store holds several sessions, and nothing says which are of this run.",
      {
        expected: "--log-session <id>, once for each session that is no sub-agent",
        actual: roots.length > 8 ? `${roots.length} sessions` : roots.join(", "),
      },
    );
  for (const root of roots) reading.addSession(root);
  return () => true;
}

/** Messages by time, and their parts, of the one layout that holds all of them. */
function oneLayout(
  { messages: older, newer, parts }: Contents,
  wanted: (session: string) => boolean,
  reading: Reading,
): { messages: Message[]; others: Message[]; parts: Map<string, Part[]> } {
  const inOlder = once(older.filter(({ session }) => wanted(session)));
  const inNewer = once(newer.filter(({ session }) => wanted(session)));
  const idsOf = (messages: readonly Message[]): Set<string> =>
    new Set(messages.filter(isAssistant).map(({ id }) => id));
  const [olderIds, newerIds] = [idsOf(inOlder), idsOf(inNewer)];
  const missing = (of: Set<string>, from: Set<string>): number =>
    [...of].filter((id) => !from.has(id)).length;
  const useNewer = newerIds.size > 0 && missing(olderIds, newerIds) === 0;
  if (!useNewer && missing(newerIds, olderIds) > 0)
    reading.error(
      "code-usage-layouts",
      null,
      "Neither of the two layouts of the database holds all messages.",
      {
        actual: `${missing(olderIds, newerIds)} only in message, ${missing(newerIds, olderIds)} only in session_message`,
        hint: "Let OpenCode finish its migration, or give `opencode export` of each session.",
      },
    );
  const byMessage = new Map<string, Part[]>();
  const seen = new Set<string>();
  for (const part of parts) {
    const key = JSON.stringify([part.message, part.id]);
    if (seen.has(key)) continue;
    seen.add(key);
    const before = byMessage.get(part.message);
    if (before === undefined) byMessage.set(part.message, [part]);
    else before.push(part);
  }
  const others = (useNewer ? newer : older).filter(({ session }) => !wanted(session));
  return { messages: useNewer ? inNewer : inOlder, others, parts: useNewer ? new Map() : byMessage };
}

/** A message that stands there twice under one id is one message: the last that was written. */
const once = (messages: readonly Message[]): Message[] => [
  ...new Map(messages.map((message) => [message.id, message])).values(),
];

function addTimes({ value, row, place }: Message, parts: readonly Part[], reading: Reading): void {
  const before = objectAt(value, "time");
  const created = before === null ? null : reading.time(before, "created", place);
  if (before !== null) reading.time(before, "completed", place);
  if (created === null) reading.addTime(row, place);
  for (const part of parts)
    for (const time of [objectAt(part.value, "time"), objectAt(part.value, "state", "time")])
      for (const key of ["start", "end"]) if (time !== null) reading.time(time, key, part.place);
}

/** Adds the requests of a message; gives what OpenCode says it billed, null when it does not say. */
function addRequests(message: Message, parts: readonly Part[], reading: Reading): number | null {
  const { value, place } = message;
  const created = momentOf(at(objectAt(value, "time"), "created")) ?? message.row;
  const steps = parts.filter(isStep);
  const given = steps.length > 0 ? steps : [{ value, place, row: created }];
  for (const step of given) {
    const tokens = opencodeTokens(objectAt(step.value, "tokens"), step.place, reading);
    if (tokens === null) continue;
    const model = modelOf(value);
    if (model === null) {
      reading.noModel(place);
      continue;
    }
    const provider = textAt(value, "providerID") ?? textAt(objectAt(value, "model"), "providerID") ?? "";
    if (tokens.cache_write > 0 && /anthropic|claude/i.test(`${provider} ${model}`))
      reading.assume(CACHE_LIFETIME_ASSUMED);
    const ended = momentOf(at(objectAt(step.value, "time"), "end"));
    reading.addRequest({ at: ended ?? step.row ?? created, model, ...tokens });
  }
  const own = costAt(value, place, reading);
  return (
    own ??
    steps.reduce<number | null>((sum, step) => {
      const cost = costAt(step.value, step.place, reading);
      return cost === null ? sum : (sum ?? 0) + cost;
    }, null)
  );
}

function costAt(value: Json, place: Message["place"], reading: Reading): number | null {
  const cost = at(value, "cost") ?? null;
  if (typeof cost === "number" && Number.isFinite(cost) && cost >= 0) return cost;
  if (cost !== null)
    reading.warn("code-usage-cost", place, "The recorded cost is no amount, and was left out.", {
      expected: "USD, from 0",
    });
  return null;
}

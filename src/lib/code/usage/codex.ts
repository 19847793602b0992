import type { Outcome } from "../../findings.ts";
import type { Usage } from "../schema/usage-schema.ts";
import { codexRequests, totalsIn } from "./codex-thread.ts";
import type { LogFile, LogPlace } from "./log-file.ts";
import { type LogEvent, Reading } from "./reading.ts";
import { at, objectAt, textAt } from "./values.ts";

/** What one thread wrote, in order. */
export interface Thread {
  readonly id: string;
  /** The thread that this one was copied from; null when it began by itself. */
  readonly parent: string | null;
  /** The thread whose sub-agent this is. */
  readonly spawnedBy: string | null;
  /** When its file began: milliseconds since 1970, null when the log does not say. */
  readonly began: number | null;
  /** The names of its files. */
  readonly files: readonly string[];
  /** Of every event. */
  readonly times: readonly Moment[];
  /** Those that say what was used, by which model and how. */
  readonly events: readonly LogEvent[];
}

interface Moment {
  readonly ms: number;
  readonly place: LogPlace;
}

interface Part {
  readonly name: string;
  /** Null in a file that does not say whose it is. */
  readonly id: string | null;
  readonly parent: string | null;
  readonly spawnedBy: string | null;
  readonly first: number | null;
  readonly times: readonly Moment[];
  readonly events: readonly LogEvent[];
}

const KINDS: ReadonlySet<unknown> = new Set(["session_meta", "turn_context", "token_usage_record"]);
const MESSAGES: ReadonlySet<unknown> = new Set(["token_count", "thread_settings_applied"]);

/**
 * Usage of a run by Codex, from its `rollout-*.jsonl` files: those of the thread, of its sub-agents, of the threads that it was
 * forked from or into. A file under `archived_sessions/` is left out when the active one of the same thread is there.
 *
 * @param files rollouts of one run, in any order
 * @param sessions only these threads, with their sub-agents
 */
export function importCodex(files: readonly LogFile[], sessions: readonly string[] = []): Outcome<Usage> {
  const reading = new Reading(files);
  const parts = files.map((file) => readPart(file, reading));
  const threads = joinThreads(parts, reading);
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  const versions: { text: string; ms: number }[] = [];
  reading.missSessions(sessions, (id) => byId.has(id));
  for (const thread of threads) {
    const isWanted = sessions.length === 0 || isOf(thread, sessions, byId);
    for (const name of isWanted ? [] : thread.files) reading.leaveOut(name);
    if (!isWanted) continue;
    if (sessions.length === 0 && thread.parent === null && thread.spawnedBy === null)
      reading.addSession(thread.id);
    addThread(thread, byId, reading);
    const version = textAt(objectAt(thread.events.find(isMeta)?.value, "payload"), "cli_version");
    if (version !== null) versions.push({ text: version, ms: thread.began ?? 0 });
  }
  return reading.finish("codex", {
    harness_version: versions.sort((a, b) => b.ms - a.ms)[0]?.text ?? null,
    per: "request",
    cost_recorded_usd: null,
  });
}

function addThread(given: Thread, byId: ReadonlyMap<string, Thread>, reading: Reading): void {
  const thread = { ...given, parent: given.parent ?? copiedFrom(given, byId) };
  // What a fork copied from before its own beginning is its parent's time.
  for (const { ms, place } of thread.times)
    if (thread.parent === null || thread.began === null || ms >= thread.began) reading.addTime(ms, place);
  const parent = thread.parent === null ? undefined : byId.get(thread.parent);
  if (thread.parent !== null && parent === undefined)
    reading.warn(
      "code-usage-fork",
      thread.events[0]?.place ?? null,
      "This thread is a fork, and its parent's log is not among the files.",
      {
        expected: `also the rollout of ${thread.parent}`,
        hint: "Without it, the copied events are told from its own by their time only.",
      },
    );
  codexRequests(thread, parent === undefined ? null : totalsIn(parent), reading);
}

/**
 * Sub-agents start at zero; those of some versions hold their parent's events as a fork does, and do not say so. That their
 * first two totals are totals of the parent, five figures each, shows it.
 */
function copiedFrom(thread: Thread, byId: ReadonlyMap<string, Thread>): string | null {
  const spawner = byId.get(thread.spawnedBy ?? "");
  const first = [...totalsIn(thread)].slice(0, 2);
  if (spawner === undefined || first.length < 2) return null;
  const totals = totalsIn(spawner);
  return first.every((total) => totals.has(total)) ? spawner.id : null;
}

/** Whether a thread is one of those named, or a sub-agent of one. */
function isOf(thread: Thread, named: readonly string[], byId: ReadonlyMap<string, Thread>): boolean {
  const seen = new Set<string>();
  for (let at: Thread | undefined = thread; at !== undefined && !seen.has(at.id); ) {
    if (named.includes(at.id)) return true;
    seen.add(at.id);
    at = byId.get(at.spawnedBy ?? "");
  }
  return false;
}

const isMeta = ({ value }: LogEvent): boolean => textAt(value, "type") === "session_meta";

/** A file, with the first `session_meta` as its own: a fork holds its parent's as well. */
function readPart(file: LogFile, reading: Reading): Part {
  const times: Moment[] = [];
  const events: LogEvent[] = [];
  for (const event of reading.events(file)) {
    const { value, place } = event;
    const ms = reading.moment(value, "timestamp", place);
    if (ms !== null) times.push({ ms, place });
    const payload = objectAt(value, "payload");
    const kind = at(value, "type");
    if (KINDS.has(kind) || (kind === "event_msg" && MESSAGES.has(at(payload, "type")))) events.push(event);
  }
  const meta = objectAt(events.find(isMeta)?.value, "payload");
  return {
    name: file.name,
    id: textAt(meta, "id") ?? textAt(meta, "session_id"),
    parent: textAt(meta, "forked_from_id"),
    spawnedBy: textAt(meta, "parent_thread_id"),
    first: times[0]?.ms ?? null,
    times,
    events,
  };
}

/** Files of the same thread in the order of their beginnings; lines that are there already are copies. */
function joinThreads(parts: readonly Part[], reading: Reading): Thread[] {
  const active = new Set(parts.filter(({ name }) => !isArchived(name)).map(({ id }) => id));
  const isCopy = ({ name, id }: Part): boolean => id !== null && isArchived(name) && active.has(id);
  for (const { name } of parts.filter(isCopy)) reading.leaveOut(name);
  const kept = parts.filter((part) => !isCopy(part));
  const ids = [...new Set(kept.flatMap(({ id }) => (id === null ? [] : [id])))].sort();
  for (const { id, name } of kept)
    if (id === null && ids.length !== 1)
      reading.error(
        "code-usage-thread",
        { path: name, line: 1 },
        "The file does not say which thread it is of.",
        {
          expected: "a `session_meta` line",
          hint: "Give the whole rollout, from its beginning.",
        },
      );
  return ids.map((id) => {
    const own = kept
      .filter((part) => part.id === id || (part.id === null && ids.length === 1))
      .sort((a, b) => (a.first ?? 0) - (b.first ?? 0) || (a.name < b.name ? -1 : 1));
    const seen = new Set<string>();
    const meta = own.find((part) => part.id === id);
    return {
      id,
      parent: meta?.parent ?? null,
      spawnedBy: meta?.spawnedBy ?? null,
      began: own[0]?.first ?? null,
      files: own.map(({ name }) => name),
      times: own.flatMap(({ times }) => times),
      events: own.flatMap(({ events }) => events.filter(({ text }) => !seen.has(text) && seen.add(text))),
    };
  });
}

const isArchived = (name: string): boolean => name.split("/").includes("archived_sessions");

import type { Thread } from "./codex.ts";
import type { LogPlace } from "./log-file.ts";
import { momentOfText } from "./moment.ts";
import type { Reading } from "./reading.ts";
import { at, type Counts, has, type Json, objectAt, textAt } from "./values.ts";

const PARTS = [
  "input_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "output_tokens",
  "reasoning_output_tokens",
] as const;
const KEYS = [...PARTS, "total_tokens"] as const;
type Totals = Counts<(typeof KEYS)[number]>;

/** What is in force when a response is logged. */
interface Setting {
  model: string | null;
  tier: string;
}

/** One response of a thread. */
interface Counted {
  readonly totals: Totals;
  readonly ms: number | null;
  readonly setting: Readonly<Setting>;
  readonly place: LogPlace;
}

const ZERO: Totals = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: 0,
};

/**
 * Adds what a thread used. `token_usage_record` lines are preferred where a thread has them: one for each response, unique by
 * its id, of this thread only. Else from `token_count`: differences of the cumulative `total_token_usage`, since the same event
 * is often written again; where a total goes down, a new counter began, and `last_token_usage` counts.
 *
 * Cached input and cache writes are parts of the input, reasoning is a part of the output.
 *
 * @param parentTotals the totals that the parent of a fork has logged; null when there is no parent, or no log of it
 */
export function codexRequests(
  thread: Thread,
  parentTotals: ReadonlySet<string> | null,
  reading: Reading,
): void {
  const setting: Setting = { model: null, tier: "standard" };
  const counter = new Counter(thread, parentTotals, reading);
  const records = new Map<string, Counted>();
  for (const { value, place } of thread.events) {
    const text = textAt(value, "timestamp");
    const ms = text === null ? null : momentOfText(text);
    const payload = objectAt(value, "payload");
    const kind = textAt(value, "type");
    const message = kind === "event_msg" ? textAt(payload, "type") : null;
    if (kind === "turn_context") setting.model = textAt(payload, "model") ?? setting.model;
    else if (message === "thread_settings_applied") applySettings(payload, thread.id, setting);
    else if (message === "token_count") counter.add(payload, { ms, setting: { ...setting }, place });
    else if (kind === "token_usage_record")
      addRecord(records, payload, thread.id, { ms, setting: { ...setting }, place }, reading);
  }
  if (records.size > 0) compareCounts(records, counter.counted, thread, reading);
  for (const counted of records.size > 0 ? records.values() : counter.counted) addRequest(counted, reading);
}

function applySettings(payload: Json | null, thread: string, setting: Setting): void {
  const of = textAt(payload, "thread_id");
  const settings = objectAt(payload, "thread_settings");
  if (settings === null || (of !== null && of !== thread)) return;
  setting.model = textAt(settings, "model") ?? setting.model;
  if (Object.hasOwn(settings, "service_tier")) setting.tier = tierOf(textAt(settings, "service_tier"));
}

/** `fast` is how older versions and configurations call `priority`. */
function tierOf(named: string | null): string {
  if (named === null || named === "default" || named === "auto") return "standard";
  return named === "fast" ? "priority" : named;
}

type At = Omit<Counted, "totals">;

function addRecord(
  records: Map<string, Counted>,
  payload: Json | null,
  thread: string,
  at: At,
  reading: Reading,
): void {
  if ((textAt(payload, "thread_id") ?? thread) !== thread) return;
  const totals = totalsOf(objectAt(payload, "usage"), at.place, reading);
  if (totals === null || !isWhole(totals, at.place, reading)) return;
  const id = textAt(payload, "response_id") ?? `line ${at.place.path}:${at.place.line}`;
  const before = records.get(id);
  if (before === undefined) records.set(id, { ...at, totals });
  else if (keyOf(before.totals) !== keyOf(totals))
    reading.sumError(at.place, `what line ${before.place.line} says of ${id}`, describe(totals));
}

/** Two ways of counting the same: a difference is worth a look, since a log may have gained its records half way. */
function compareCounts(
  records: ReadonlyMap<string, Counted>,
  counts: readonly Counted[],
  { events }: Thread,
  reading: Reading,
): void {
  const sum = (of: Iterable<Counted>): number =>
    [...of].reduce((so, { totals }) => so + totals.input_tokens + totals.output_tokens, 0);
  const [recorded, counted] = [sum(records.values()), sum(counts)];
  if (counts.length === 0 || recorded === counted) return;
  reading.warn(
    "code-usage-two-counts",
    events[0]?.place ?? null,
    "The records of single responses and the thread's counter differ; the records were read.",
    {
      expected: `${counted} tokens by \`token_count\``,
      actual: `${recorded} tokens by \`token_usage_record\``,
      hint: "Did an older version write the first part of this thread? Then usage is missing.",
    },
  );
}

/** Follows the cumulative counter of one thread. */
class Counter {
  readonly counted: Counted[] = [];
  readonly #thread: Thread;
  readonly #parentTotals: ReadonlySet<string> | null;
  readonly #reading: Reading;
  #before: Totals = ZERO;
  /** Whether copied events of a fork's parent may still come. */
  #isReplay: boolean;

  constructor(thread: Thread, parentTotals: ReadonlySet<string> | null, reading: Reading) {
    this.#thread = thread;
    this.#parentTotals = parentTotals;
    this.#reading = reading;
    this.#isReplay = thread.parent !== null;
  }

  add(payload: Json | null, at: At): void {
    const info = objectAt(payload, "info");
    // Without, it is about rate limits only.
    if (info === null) return;
    const totals = totalsOf(objectAt(info, "total_token_usage"), at.place, this.#reading);
    if (totals === null) return;
    const before = this.#before;
    this.#before = totals;
    if (this.#isReplay && this.#isCopy(totals, at.ms)) return;
    // A fork that copied no events still counts on from its parent.
    const isFirstOfFork = this.#isReplay && before === ZERO;
    this.#isReplay = false;
    if (keyOf(before) === keyOf(totals)) return;
    const last = objectAt(info, "last_token_usage");
    if (isFirstOfFork || PARTS.some((key) => totals[key] < before[key])) this.#addLast(last, at);
    else this.#addDifference(before, totals, last, at);
  }

  /** Copies are what the parent logged; without its log, what has the second of the fork or a time from before it. */
  #isCopy(totals: Totals, ms: number | null): boolean {
    if (this.#parentTotals !== null) return this.#parentTotals.has(keyOf(totals));
    const { began } = this.#thread;
    return began !== null && ms !== null && ms < (Math.floor(began / 1000) + 1) * 1000;
  }

  #addLast(last: Json | null, at: At): void {
    const totals = last === null ? null : totalsOf(last, at.place, this.#reading);
    if (totals !== null) this.#push(totals, at);
    else if (last === null)
      this.#reading.sumError(at.place, "`last_token_usage`, since the total began anew", "there is none");
  }

  #addDifference(before: Totals, totals: Totals, last: Json | null, at: At): void {
    const difference = Object.fromEntries(KEYS.map((key) => [key, totals[key] - before[key]])) as Totals;
    const single = last === null ? null : this.#reading.counts(last, KEYS, at.place);
    if (single !== null && sumOf(single) > 0 && sumOf(single) !== sumOf(difference)) {
      this.#reading.assume("several-responses-in-one-row");
      this.#reading.warn(
        "code-usage-merged",
        at.place,
        "The counter rose by more than the last response: events between are missing, and one row stands for several responses.",
        { expected: `${sumOf(difference)} tokens`, actual: `${sumOf(single)} in \`last_token_usage\`` },
      );
    }
    this.#push(difference, at);
  }

  #push(totals: Totals, at: At): void {
    if (sumOf(totals) > 0 && isWhole(totals, at.place, this.#reading)) this.counted.push({ ...at, totals });
  }
}

/** The totals that a thread's counter went through, as keys. */
export function totalsIn({ events }: Thread): ReadonlySet<string> {
  const totals = new Set<string>();
  for (const { value } of events) {
    const usage = objectAt(value, "payload", "info", "total_token_usage");
    if (usage !== null)
      totals.add(
        KEYS.slice(0, 5)
          .map((key) => String(at(usage, key) ?? 0))
          .join(" "),
      );
  }
  return totals;
}

const keyOf = (totals: Totals): string => PARTS.map((key) => String(totals[key])).join(" ");

const sumOf = (totals: Totals): number => totals.input_tokens + totals.output_tokens;

/** A usage object, checked: its parts lie inside what they are parts of. Null when it cannot be read, which is a finding. */
function totalsOf(usage: Json | null, place: LogPlace, reading: Reading): Totals | null {
  if (usage === null) return null;
  const totals = reading.counts(usage, KEYS, place);
  if (totals === null) return null;
  const { input_tokens: input, output_tokens: output } = totals;
  const parts = totals.cached_input_tokens + totals.cache_write_input_tokens;
  if (parts > input || totals.reasoning_output_tokens > output) {
    reading.sumError(
      place,
      "cached input and cache writes within the input, reasoning within the output",
      describe(totals),
    );
    return null;
  }
  return has(usage, "total_tokens") ? totals : { ...totals, total_tokens: input + output };
}

/**
 * `total_tokens` of one response is input and output. Of a cumulative total it need not be: when the context window overflows,
 * Codex sets the total to the size of the window and all parts to 0, and counts on from there.
 */
function isWhole(totals: Totals, place: LogPlace, reading: Reading): boolean {
  if (totals.total_tokens === sumOf(totals)) return true;
  reading.sumError(place, `total_tokens ${sumOf(totals)}`, `total_tokens ${totals.total_tokens}`);
  return false;
}

const describe = (totals: Totals): string => KEYS.map((key) => `${key} ${totals[key]}`).join(", ");

function addRequest({ totals, ms, setting, place }: Counted, reading: Reading): void {
  if (setting.model === null) {
    reading.noModel(place);
    return;
  }
  reading.addRequest({
    at: ms,
    model: setting.model,
    tier: setting.tier,
    uncached_input: totals.input_tokens - totals.cached_input_tokens - totals.cache_write_input_tokens,
    cache_read: totals.cached_input_tokens,
    cache_write: totals.cache_write_input_tokens,
    output: totals.output_tokens,
    reasoning: totals.reasoning_output_tokens,
  });
}

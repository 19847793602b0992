import { instantText } from "../../benchmarks/instant.ts";
import { digestOf } from "../../digest.ts";
import { type Finding, hasErrors, type Outcome } from "../../findings.ts";
import { type Harness, type RequestRow, type Usage, usageSchema } from "../schema/usage-schema.ts";
import { type LogFile, type LogPlace, logValues, MAX_LINE_BYTES } from "./log-file.ts";
import { momentOf } from "./moment.ts";
import { at, type Json, objectOf } from "./values.ts";

/** More in one request is no count of tokens, and 100,000 such rows still sum exactly. */
const MAX_TOKENS = 10_000_000_000;
/** Of one code; the rest is counted. */
const MAX_ALIKE = 20;
const LONG_GAP_MS = 600_000;
const MINUTE_MS = 60_000;

/** A request as it was read; buckets left out are 0. */
export interface ReadRequest {
  /** Milliseconds since 1970; null when the log does not say. */
  readonly at: number | null;
  readonly model: string;
  readonly tier?: string;
  readonly uncached_input: number;
  readonly cache_read?: number;
  readonly cache_write_5m?: number;
  readonly cache_write_1h?: number;
  readonly cache_write?: number;
  readonly output: number;
  readonly reasoning?: number;
}

/** One JSON value of a log that is an object, and where it stands. */
export interface LogEvent {
  readonly value: Json;
  readonly text: string;
  readonly place: LogPlace;
}

type Details = Partial<Pick<Finding, "expected" | "actual" | "hint">>;
type Head = Pick<Usage, "harness_version" | "per" | "cost_recorded_usd">;

/** Collects what an importer reads out of the logs of one run, and makes one usage document of it. */
export class Reading {
  readonly #files: readonly LogFile[];
  readonly #findings: Finding[] = [];
  readonly #alike = new Map<string, number>();
  readonly #assumptions = new Set<string>();
  readonly #requests: ReadRequest[] = [];
  readonly #times: { ms: number; place: LogPlace }[] = [];
  readonly #sessions = new Set<string>();
  readonly #leftOut = new Set<string>();
  #skipped = 0;

  constructor(files: readonly LogFile[]) {
    this.#files = files;
  }

  /** Events of one file, in its order. What is no JSON object is skipped and counted. */
  *events(file: LogFile): Generator<LogEvent> {
    for (const line of logValues(file.bytes)) {
      const place = { path: file.name, line: line.line };
      const value = line.kind === "value" ? objectOf(line.value) : null;
      if (line.kind === "too-long")
        this.error("code-usage-line-length", place, "This line is longer than is read.", {
          expected: `at most ${MAX_LINE_BYTES} bytes`,
          actual: `${line.bytes} bytes`,
          hint: "Its usage would be missing. Look what wrote it.",
        });
      else if (line.kind === "value" && value !== null) yield { value, text: line.text, place };
      else if (line.kind === "broken") this.skip(place, line.reason, line.half);
      else this.skip(place, "it is no object");
    }
  }

  /** Counts a line, or a row, that cannot be read. `half`: the last one of a file, not ended. */
  skip(place: LogPlace, reason: string, half = false): void {
    this.#skipped++;
    this.#add(half ? "notice" : "warning", "code-usage-line", place, `A line was skipped: ${reason}.`, {
      hint: half
        ? "The last line of a log that is still written is often half there: import again when the run has ended."
        : "If it held usage, that is missing here. Copy the log again.",
    });
  }

  error(code: string, place: Partial<LogPlace> | null, message: string, details: Details = {}): void {
    this.#add("error", code, place, message, details);
  }

  warn(code: string, place: Partial<LogPlace> | null, message: string, details: Details = {}): void {
    this.#add("warning", code, place, message, details);
  }

  notice(code: string, place: Partial<LogPlace> | null, message: string, details: Details = {}): void {
    this.#add("notice", code, place, message, details);
  }

  #add(
    severity: Finding["severity"],
    code: string,
    place: Partial<LogPlace> | null,
    message: string,
    details: Details,
  ): void {
    const alike = `${severity} ${code}`;
    const seen = (this.#alike.get(alike) ?? 0) + 1;
    this.#alike.set(alike, seen);
    if (seen <= MAX_ALIKE) this.#findings.push({ code, severity, message, ...place, ...details });
  }

  /** Something that the log left open. */
  assume(assumption: string): void {
    this.#assumptions.add(assumption);
  }

  /** Names a file that says nothing about this run after all: it is not among the logs of the document. */
  leaveOut(name: string): void {
    this.#leftOut.add(name);
  }

  /** Names a session whose usage is read, other than that of sub-agents. */
  addSession(session: string): void {
    this.#sessions.add(session);
  }

  /** An error for each session that was asked for and is not there. */
  missSessions(named: readonly string[], found: (session: string) => boolean): void {
    for (const session of named)
      if (!found(session))
        this.error("code-usage-session", null, "The logs have no such session.", { actual: session });
  }

  /** A moment of the contestant, in milliseconds since 1970. */
  addTime(ms: number | null, place: LogPlace): void {
    if (ms !== null) this.#times.push({ ms, place });
  }

  /** The moment at a key; null when there is none, with a warning for what is no moment. */
  moment(object: Json, key: string, place: LogPlace): number | null {
    const value = at(object, key) ?? null;
    if (value === null) return null;
    const ms = momentOf(value);
    if (ms === null)
      this.warn("code-usage-time", place, "A time of the log is no moment.", {
        expected: "ISO 8601 with a zone, or milliseconds since 1970",
        actual: shown(value),
        hint: "The event is read without its time.",
      });
    return ms;
  }

  /** The same; it also counts for the wall clock. */
  time(object: Json, key: string, place: LogPlace): number | null {
    const ms = this.moment(object, key, place);
    this.addTime(ms, place);
    return ms;
  }

  /**
   * Counts by the names of their keys, a missing or null one as 0. Null, with a finding for each, when one is no count:
   * negative, fractional, text, or too large to be tokens.
   */
  counts<Key extends string>(
    object: Json | null,
    keys: readonly Key[],
    place: LogPlace,
  ): Record<Key, number> | null {
    let sound = true;
    const counts = {} as Record<Key, number>;
    for (const key of keys) {
      const value = at(object, key) ?? 0;
      counts[key] = 0;
      if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS)
        counts[key] = value + 0;
      else {
        sound = false;
        this.error("code-usage-count", place, `\`${key}\` is no count of tokens.`, {
          expected: `a whole number from 0 to ${MAX_TOKENS}`,
          actual: shown(value),
          hint: "Copy the log again, as the harness wrote it.",
        });
      }
    }
    return sound ? counts : null;
  }

  /** Figures of the log that contradict each other under every known reading. */
  sumError(place: LogPlace, expected: string, actual: string): void {
    this.error("code-usage-sum", place, "The figures of this event fit no known reading.", {
      expected,
      actual,
      hint: "The format may have changed. Nothing is guessed: report it with the version of the harness.",
    });
  }

  /** One request. All buckets 0 is no usage. */
  addRequest(request: ReadRequest): void {
    this.#requests.push(request);
  }

  /** A request whose event names no model. */
  noModel(place: LogPlace): void {
    this.error("code-usage-model", place, "The log does not say which model used these tokens.", {
      hint: "A file's name is no evidence. Give the whole log, from its beginning.",
    });
  }

  /** The document, or the findings that say why there is none. */
  finish(harness: Harness, head: Head): Outcome<Usage> {
    const { first, last } = this.#span();
    const rows = this.#rows(first);
    if (this.#requests.length === 0 && !hasErrors(this.#findings))
      this.error("code-usage-none", null, "The logs hold no usage.", {
        hint: "Usage is unknown then, not 0. A killed harness may not have written it.",
      });
    if (first === null && !hasErrors(this.#findings))
      this.error("code-usage-no-time", null, "No event of the logs has a time.", {
        hint: "Without one there is no wall clock. Give the log that the harness keeps, not its output.",
      });
    const usage: Usage = {
      harness,
      harness_version: head.harness_version?.slice(0, 60) ?? null,
      logs: this.#logs(),
      first_event_at: instantText(first ?? 0),
      last_event_at: instantText(last ?? 0),
      models: rows.models,
      tiers: rows.tiers,
      requests: rows.requests,
      per: head.per,
      cost_recorded_usd: head.cost_recorded_usd,
      assumptions: [...this.#assumptions].sort(),
      skipped_lines: this.#skipped,
    };
    this.#gaps();
    this.#severalSessions();
    const found = this.#allFindings();
    if (hasErrors(found)) return { ok: false, findings: found };
    const checked = usageSchema.safeParse(usage);
    if (checked.success) return { ok: true, value: usage, findings: found };
    const issue = checked.error.issues[0];
    const tooMuch: Finding = {
      code: "code-usage-limit",
      severity: "error",
      message: "The logs hold more than one usage document does.",
      actual: `${issue?.path.join("/") ?? ""}: ${issue?.message ?? ""}`,
      hint: "Are they the logs of one run? For OpenCode, give its export instead of the folder.",
    };
    return { ok: false, findings: [...found, tooMuch] };
  }

  #span(): { first: number | null; last: number | null } {
    let [first, last]: [number | null, number | null] = [null, null];
    const moments = [...this.#times.map(({ ms }) => ms), ...this.#requests.map(({ at }) => at)];
    for (const ms of moments) {
      if (ms === null) continue;
      if (first === null || ms < first) first = ms;
      if (last === null || ms > last) last = ms;
    }
    return { first, last };
  }

  #rows(first: number | null): Pick<Usage, "models" | "tiers" | "requests"> {
    const models = [...new Set(this.#requests.map(({ model }) => model))].sort();
    const tiers = [...new Set(this.#requests.map(({ tier }) => tier ?? "standard"))].sort();
    const [modelAt, tierAt] = [indexOf(models), indexOf(tiers)];
    const requests = this.#requests.map(
      (request): RequestRow => [
        request.at === null || first === null ? -1 : request.at - first,
        modelAt(request.model),
        tierAt(request.tier ?? "standard"),
        request.uncached_input,
        request.cache_read ?? 0,
        request.cache_write_5m ?? 0,
        request.cache_write_1h ?? 0,
        request.cache_write ?? 0,
        request.output,
        request.reasoning ?? 0,
      ],
    );
    return { models, tiers, requests: requests.sort(byColumns) };
  }

  #logs(): Usage["logs"] {
    return this.#files
      .filter(({ name }) => !this.#leftOut.has(name))
      .map(({ name, bytes, source }) => ({
        name: name.slice(-300),
        ...(source ?? { sha256: digestOf(bytes), bytes: bytes.length }),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.sha256 < b.sha256 ? -1 : 1));
  }

  /** Time in which nothing was logged counts as wall clock; a person should know of it. */
  #gaps(): void {
    const times = this.#times.sort((a, b) => a.ms - b.ms);
    for (const [index, { ms, place }] of times.entries()) {
      const before = times[index - 1];
      if (before === undefined || ms - before.ms <= LONG_GAP_MS) continue;
      this.warn("code-usage-gap", place, "Nothing was logged for more than ten minutes before this event.", {
        actual: `${Math.round((ms - before.ms) / MINUTE_MS)} minutes from ${instantText(before.ms)}`,
        hint: "It counts as wall clock. Say in the pull request whether the run was paused.",
      });
    }
  }

  /** Right for a run that was resumed; wrong for a folder that holds other runs too. */
  #severalSessions(): void {
    if (this.#sessions.size < 2) return;
    const names = [...this.#sessions].sort();
    this.warn("code-usage-several-sessions", null, "Usage of several sessions was added up.", {
      actual: names.length > 8 ? `${names.length} sessions` : names.join(", "),
      hint: "Are all of them this run? --log-session <id> reads only the ones that it names, with their sub-agents.",
    });
  }

  #allFindings(): Finding[] {
    const more = [...this.#alike].filter(([, seen]) => seen > MAX_ALIKE);
    return [
      ...this.#findings,
      ...more.map(
        ([alike, seen]): Finding => ({
          code: "code-usage-more",
          severity: "notice",
          message: `${seen - MAX_ALIKE} more findings like these are not shown: ${alike}.`,
        }),
      ),
    ];
  }
}

function indexOf(names: readonly string[]): (name: string) => number {
  const places = new Map(names.map((name, index) => [name, index]));
  return (name) => places.get(name) ?? -1;
}

function byColumns(a: RequestRow, b: RequestRow): number {
  for (const [column, value] of a.entries()) {
    const difference = value - (b[column] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A value of a log, short enough to show. */
export function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

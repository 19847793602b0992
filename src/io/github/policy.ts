import type { ProbotOctokit } from "probot";

/**
 * How the bot's client treats GitHub's limits and failures (field lessons F30, F31). It replaces the throttling and
 * retry plugins that Probot brings: those repeat a POST whose answer was lost, which doubles comments, and keep three
 * seconds between comments even against a hub on loopback.
 */

/** A client authenticated for one installation. */
export type Client = ProbotOctokit;

/** Where time comes from: the system's, or a simulation's. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export interface Timing {
  readonly clock: Clock;
  /** Least time between two writes. GitHub asks for one second. Milliseconds. */
  readonly writeSpacingMs: number;
  /** First pause before asking again; doubles with each try. Milliseconds. */
  readonly backoffMs: number;
  /** Longest that a `retry-after` is waited for; beyond it reconciling takes over. Milliseconds. */
  readonly longestWaitMs: number;
  /** One request may take this long. Milliseconds. */
  readonly timeoutMs: number;
  /** How often a read is asked, and a write is looked after. */
  readonly tries: number;
}

export const GITHUB_TIMING: Timing = {
  clock: SYSTEM_CLOCK,
  writeSpacingMs: 1_000,
  backoffMs: 1_000,
  longestWaitMs: 10 * 60_000,
  timeoutMs: 30_000,
  tries: 4,
};

interface HttpError {
  readonly status: number;
  readonly message: string;
  readonly response?:
    | { readonly headers?: Readonly<Record<string, string | number | undefined>> }
    | undefined;
}

const asHttpError = (error: unknown): HttpError | null =>
  error instanceof Error && "status" in error && typeof error.status === "number"
    ? (error as Error & HttpError)
    : null;

/** HTTP status of a failed request, or null when there was no answer. */
export const statusOf = (error: unknown): number | null => asHttpError(error)?.status ?? null;

/** Milliseconds to wait when GitHub refused because of a rate limit; null when it refused for another reason. */
export function limitedFor(error: unknown, now: number): number | null {
  const http = asHttpError(error);
  if (http === null || (http.status !== 403 && http.status !== 429)) return null;
  const headers = http.response?.headers ?? {};
  const after = Number(headers["retry-after"]);
  if (Number.isFinite(after)) return Math.max(0, after * 1000);
  if (String(headers["x-ratelimit-remaining"] ?? "") === "0") {
    return Math.max(0, Number(headers["x-ratelimit-reset"] ?? 0) * 1000 - now) + 1000;
  }
  return http.status === 429 || /secondary rate/i.test(http.message) ? 60_000 : null;
}

/** True when asking again later can help: no answer, a server's fault, a conflict with somebody else's change. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === null ? isNetworkError(error) : status >= 500 || status === 408 || status === 409;
}

const isNetworkError = (error: unknown): boolean =>
  error instanceof Error && /abort|timeout|fetch failed|ECONN|socket/i.test(`${error.name} ${error.message}`);

/**
 * An Octokit plugin: every request has a time limit; reads are repeated a few times with growing pauses; writes are
 * spaced and sent exactly once; a rate limit pauses everything until it is over.
 */
export function requestPolicy(timing: Timing): (octokit: Client) => Record<string, never> {
  const { clock } = timing;
  let pausedUntil = 0;
  let nextWrite = 0;
  const pause = async (write: boolean): Promise<void> => {
    const now = clock.now();
    let start = Math.max(now, pausedUntil);
    if (write) {
      start = Math.max(start, nextWrite);
      nextWrite = start + timing.writeSpacingMs;
    }
    if (start > now) await clock.sleep(start - now);
  };
  return (octokit) => {
    octokit.hook.wrap("request", async (request, options) => {
      const write = options.method !== "GET" && options.method !== "HEAD";
      for (let attempt = 1; ; attempt += 1) {
        await pause(write);
        try {
          const signal = AbortSignal.timeout(timing.timeoutMs);
          return await request({ ...options, request: { ...options.request, signal } });
        } catch (error) {
          const limit = limitedFor(error, clock.now());
          if (limit !== null)
            pausedUntil = Math.max(pausedUntil, clock.now() + Math.min(limit, timing.longestWaitMs));
          const again =
            limit === null ? isPassing(error) && statusOf(error) !== 409 : limit <= timing.longestWaitMs;
          if (write || !again || attempt >= timing.tries) throw error;
          if (limit === null) await clock.sleep(timing.backoffMs * 2 ** (attempt - 1));
        }
      }
    });
    return {};
  };
}

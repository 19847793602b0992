import { ApiError } from "./http.ts";
import { SECONDARY_LIMIT } from "./limits.ts";
import type { Identity } from "./tokens.ts";

/** One way in which GitHub answers beyond a secondary limit. */
export interface SecondaryAnswer {
  readonly status: 403 | 429;
  readonly retryAfter: boolean;
}

/** GitHub's rates. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export interface RateLimits {
  readonly installationPerHour: number;
  /** `GITHUB_TOKEN`, for each repository. */
  readonly workflowPerHour: number;
  readonly userPerHour: number;
  readonly anonymousPerHour: number;
  /** A read costs one point, a write five. */
  readonly pointsPerMinute: number;
  readonly creatingPerMinute: number;
  readonly creatingPerHour: number;
  readonly concurrent: number;
  /** GitHub promises none of these, so refusals take turns among them. */
  readonly secondaryAnswers: readonly SecondaryAnswer[];
}

export const GITHUB_RATES: RateLimits = {
  installationPerHour: 5_000,
  workflowPerHour: 1_000,
  userPerHour: 5_000,
  anonymousPerHour: 60,
  pointsPerMinute: 900,
  creatingPerMinute: 80,
  creatingPerHour: 500,
  concurrent: 100,
  secondaryAnswers: [
    { status: 403, retryAfter: true },
    { status: 403, retryAfter: false },
    { status: 429, retryAfter: true },
    { status: 429, retryAfter: false },
  ],
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What makes something that people see: issues, comments, pull requests, reviews, reactions, check runs and merges. */
const CREATES = [
  /^POST \/repos\/[^/]+\/[^/]+\/(issues|pulls|check-runs|merges|forks)\/?$/,
  /^POST \/repos\/[^/]+\/[^/]+\/(issues|pulls)\/\d+\/(comments|reviews)\/?$/,
  /^POST \/repos\/.*\/reactions\/?$/,
  /^PUT \/repos\/[^/]+\/[^/]+\/pulls\/\d+\/merge\/?$/,
];

/** Amounts over a sliding window. */
class Window {
  readonly #span: number;
  readonly #entries: { readonly at: number; readonly amount: number }[] = [];
  #sum = 0;

  constructor(span: number) {
    this.#span = span;
  }

  sum(now: number): number {
    for (let oldest = this.#entries[0]; oldest !== undefined; oldest = this.#entries[0]) {
      if (oldest.at > now - this.#span) break;
      this.#sum -= oldest.amount;
      this.#entries.shift();
    }
    return this.#sum;
  }

  add(now: number, amount: number): void {
    this.#entries.push({ at: now, amount });
    this.#sum += amount;
  }

  /** Milliseconds until the oldest entry leaves. */
  wait(now: number): number {
    const oldest = this.#entries[0];
    return oldest === undefined ? 0 : oldest.at + this.#span - now;
  }
}

interface Account {
  readonly limit: number;
  /** "installation ID 5001", "user ID 7": how refusals name it. */
  readonly name: string;
  used: number;
  reset: number;
  readonly points: Window;
  readonly creatingMinute: Window;
  readonly creatingHour: Window;
  concurrent: number;
}

interface Core {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly reset: number;
}

/** Who has asked how much, by the hub's clock. */
export class Rates {
  readonly #limits: RateLimits | null;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  #refusals = 0;

  /** @param limits null: nothing is ever refused. */
  constructor(limits: RateLimits | null, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Counts a request in; the function it returns counts it out of those under way.
   * @throws ApiError 403 or 429 beyond a limit. What is refused costs nothing.
   */
  admit(identity: Identity, method: string, path: string): () => void {
    const account = this.#account(identity);
    if (this.#limits !== null) {
      if (account.used >= account.limit && path !== "/rate_limit")
        throw this.#primary(account.name, identity);
      const waitMs = this.#overSecondary(account, this.#limits, method, path);
      if (waitMs !== null) throw this.#secondary(identity, this.#limits, waitMs);
    }
    if (path !== "/rate_limit") account.used += 1;
    account.concurrent += 1;
    return () => {
      account.concurrent -= 1;
    };
  }

  /** Milliseconds until the limit that is reached lets one more through; null (and counted) when none is. */
  #overSecondary(account: Account, limits: RateLimits, method: string, path: string): number | null {
    const { points, creatingMinute, creatingHour } = account;
    const now = this.#now();
    if (account.concurrent >= limits.concurrent) return MINUTE_MS;
    const cost = method === "GET" ? 1 : 5;
    if (points.sum(now) + cost > limits.pointsPerMinute) return points.wait(now);
    if (CREATES.some((pattern) => pattern.test(`${method} ${path}`))) {
      if (creatingHour.sum(now) >= limits.creatingPerHour) return creatingHour.wait(now);
      if (creatingMinute.sum(now) >= limits.creatingPerMinute) return creatingMinute.wait(now);
      creatingMinute.add(now, 1);
      creatingHour.add(now, 1);
    }
    points.add(now, cost);
    return null;
  }

  core(identity: Identity): Core {
    const { limit, used, reset } = this.#account(identity);
    return { limit, used, remaining: Math.max(0, limit - used), reset: Math.floor(reset / 1000) };
  }

  headers(identity: Identity): Record<string, string> {
    const { limit, used, remaining, reset } = this.core(identity);
    return {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-used": String(used),
      "x-ratelimit-reset": String(reset),
      "x-ratelimit-resource": "core",
    };
  }

  #primary(name: string, identity: Identity): ApiError {
    return new ApiError(403, `API rate limit exceeded for ${name}.`, { headers: this.headers(identity) });
  }

  #secondary(identity: Identity, limits: RateLimits, waitMs: number): ApiError {
    const answers = limits.secondaryAnswers;
    const answer = answers[this.#refusals % answers.length] ?? { status: 403, retryAfter: true };
    this.#refusals += 1;
    const after = answer.retryAfter ? { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1000))) } : {};
    return new ApiError(answer.status, SECONDARY_LIMIT, { headers: { ...this.headers(identity), ...after } });
  }

  #account(identity: Identity): Account {
    const { key, name, limit } = this.#whose(identity);
    const now = this.#now();
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = {
        limit,
        name,
        used: 0,
        reset: now + HOUR_MS,
        points: new Window(MINUTE_MS),
        creatingMinute: new Window(MINUTE_MS),
        creatingHour: new Window(HOUR_MS),
        concurrent: 0,
      };
      this.#accounts.set(key, account);
    }
    if (account.reset <= now) {
      account.used = 0;
      account.reset = now + HOUR_MS;
    }
    return account;
  }

  #whose(identity: Identity): { key: string; name: string; limit: number } {
    const limits = this.#limits ?? GITHUB_RATES;
    switch (identity.kind) {
      case "anonymous":
        return { key: "anonymous", name: "127.0.0.1", limit: limits.anonymousPerHour };
      case "app":
        return { key: "app", name: "the app", limit: limits.installationPerHour };
      case "installation": {
        const name = `installation ID ${identity.installationId}`;
        return { key: name, name, limit: limits.installationPerHour };
      }
      case "workflow": {
        const name = `repository ID ${identity.repositoryId}`;
        return { key: name, name, limit: limits.workflowPerHour };
      }
      case "user": {
        const name = `user ID ${identity.account.id}`;
        return { key: name, name, limit: limits.userPerHour };
      }
    }
  }
}

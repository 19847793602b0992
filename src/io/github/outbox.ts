import { isPassing, limitedFor, statusOf, type Timing } from "./policy.ts";

/**
 * The one way out for writes that must happen exactly once. An attempt looks at what is there, decides, and writes;
 * when the answer is lost or GitHub asks to wait, it looks again before it writes again. A newer wish for the same
 * thing replaces one that is still waiting (field lessons F30, F31).
 */
export class Outbox {
  readonly #timing: Timing;
  readonly #newest = new Map<string, number>();

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /** Waits before a new look at what may have happened. Milliseconds. */
  pause(ms: number): Promise<void> {
    return this.#timing.clock.sleep(ms);
  }

  /**
   * Runs `attempt` until it succeeds, at most `timing.tries` times. `fresh` is false only the first time: afterwards
   * nothing remembered may be believed. Gives null when a newer wish for `key` took over.
   * @throws what the last attempt threw.
   */
  async ensure<T>(key: string, attempt: (fresh: boolean) => Promise<T>): Promise<T | null> {
    const mine = (this.#newest.get(key) ?? 0) + 1;
    this.#newest.set(key, mine);
    for (let count = 1; ; count += 1) {
      if (this.#newest.get(key) !== mine) return null;
      try {
        const value = await attempt(count > 1);
        if (this.#newest.get(key) === mine) this.#newest.delete(key);
        return value;
      } catch (error) {
        const limit = limitedFor(error, this.#timing.clock.now());
        const again =
          limit === null ? isPassing(error) || statusOf(error) === 404 : limit <= this.#timing.longestWaitMs;
        if (!again || count >= this.#timing.tries) throw error;
        // A limit already pauses the client itself.
        if (limit === null) await this.pause(this.#timing.backoffMs * 2 ** (count - 1));
      }
    }
  }
}

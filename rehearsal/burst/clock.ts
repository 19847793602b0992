import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../src/io/github/policy.ts";

/** Turns of the event loop without anything under way after which the world counts as waiting for the clock. */
const QUIET_TURNS = 8;
/** Before a jump it is quiet for a thousandth of it, at least and at most so long: what runs in other threads is not seen. */
const QUIET_MS = { least: 1, most: 60 } as const;

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still while anything is under way, and then jumps to the next moment that somebody waits for. Hours
 * of pauses take no time, and no pause is shorter than it should be.
 */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  #underWay = 0;
  readonly #sleepers: Sleeper[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#order += 1;
      this.#sleepers.push({ at: this.#now + Math.max(0, ms), order: this.#order, wake });
    });
  }

  /** Counts work that has to end before time may pass: requests, a person's push, a workflow's step. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Does `work` at that moment. */
  async at(moment: number, work: () => Promise<void>): Promise<void> {
    await this.sleep(moment - this.#now);
    await this.during(work);
  }

  /** Lets time pass until `end`, or until nobody waits for anything any more. */
  async run(end: number): Promise<void> {
    for (;;) {
      await this.#quiet(QUIET_MS.least);
      const next = this.#next();
      const jump = Math.min(next?.at ?? Number.POSITIVE_INFINITY, end) - this.#now;
      await this.#quiet(Math.min(QUIET_MS.most, jump / 1000));
      // Somebody may want less by now.
      if (this.#next() !== next) continue;
      if (next === undefined || next.at > end) {
        this.#now = Math.max(this.#now, end);
        return;
      }
      this.#sleepers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }

  #next(): Sleeper | undefined {
    this.#sleepers.sort((a, b) => a.at - b.at || a.order - b.order);
    return this.#sleepers[0];
  }

  async #quiet(ms: number): Promise<void> {
    let since = performance.now();
    for (let quiet = 0; quiet < QUIET_TURNS || performance.now() - since < ms; quiet += 1) {
      await turn();
      if (this.#underWay === 0) continue;
      quiet = -1;
      since = performance.now();
    }
  }
}

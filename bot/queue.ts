/** Work in order, one piece at a time; work that waits under the same key is replaced by the newer. */
export class Queue {
  readonly #waiting = new Map<string, () => Promise<void>>();
  readonly #failed: (key: string, error: unknown) => void;
  #running: Promise<void> | null = null;

  /** `failed` hears of work that threw; the queue goes on. */
  constructor(failed: (key: string, error: unknown) => void) {
    this.#failed = failed;
  }

  add(key: string, work: () => Promise<void>): void {
    this.#waiting.set(key, work);
    this.#running ??= this.#drain();
  }

  /** Drops what waits; what runs goes on to its end. */
  clear(): void {
    this.#waiting.clear();
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #drain(): Promise<void> {
    // The caller goes on first: a webhook is answered before its work begins.
    await Promise.resolve();
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) break;
      const [key, work] = next;
      this.#waiting.delete(key);
      try {
        await work();
      } catch (error) {
        this.#failed(key, error);
      }
    }
    this.#running = null;
  }
}

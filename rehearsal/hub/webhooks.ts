import { createHmac, randomUUID } from "node:crypto";
import type { FaultBox, WebhookFault } from "./faults.ts";
import type { Json } from "./http.ts";

/** Payloads above this are not delivered, as on GitHub. */
const PAYLOAD_BYTES = 25 * 1024 * 1024;
/** Time the receiver has for its answer, on GitHub and here unless a test cannot wait so long. */
export const ANSWER_MS = 10_000;

export interface Delivery {
  /** `X-GitHub-Delivery`; a redelivery keeps it. */
  readonly id: string;
  /** The number of this attempt in the app's list of deliveries. */
  readonly number: number;
  readonly event: string;
  readonly action: string | null;
  readonly payload: Json;
  readonly at: string;
  /** An attempt that somebody asked for again. */
  readonly redelivery: boolean;
  /** HTTP status of the receiver; null while under way or when it did not answer. */
  status: number | null;
  error: string | null;
  /** Whether the app's own list of deliveries shows it. */
  listed: boolean;
}

export interface WebhookTarget {
  url: string | null;
  readonly secret: string;
  /** Events the app subscribes to; `*` is every event. */
  readonly events: readonly string[];
}

export interface WebhookOptions {
  readonly now: () => number;
  readonly faults: FaultBox;
  readonly answerMs: number;
}

interface Held {
  readonly delivery: Delivery;
  /** Milliseconds since 1970, or null: it waits for others. */
  readonly due: number | null;
  overtakenBy: number;
}

/** Signs and sends webhooks to the app, once each: what the receiver does not answer in time is not sent again. */
export class Webhooks {
  readonly target: WebhookTarget;
  readonly deliveries: Delivery[] = [];
  readonly #options: WebhookOptions;
  readonly #pending = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #held: Held[] = [];

  constructor(target: WebhookTarget, options: WebhookOptions) {
    this.target = target;
    this.#options = options;
  }

  get held(): number {
    return this.#held.length;
  }

  /** Queues one event for delivery; never waits for the receiver. */
  deliver(event: string, action: string | null, payload: Json): void {
    const { events } = this.target;
    if (!events.includes("*") && !events.includes(event)) return;
    const delivery = this.#record(randomUUID(), event, action, payload, false);
    const fault = this.#options.faults.webhook(delivery);
    if (fault !== null && this.#play(delivery, fault)) return;
    this.#leave(delivery);
  }

  /** Sends a past delivery again under its own id. @throws when there is none of this id. */
  redeliver(id: string): Delivery {
    const old = this.deliveries.find((candidate) => candidate.id === id);
    if (old === undefined) throw new Error(`No webhook delivery ${id}`);
    const again = this.#record(old.id, old.event, old.action, old.payload, true);
    this.#track(this.#send(again));
    return again;
  }

  /** Lets go what is due by now. */
  tick(): void {
    if (this.#held.length === 0) return;
    const now = this.#options.now();
    const due = this.#held.filter((held) => held.overtakenBy <= 0 && (held.due ?? now) <= now);
    if (due.length === 0) return;
    this.#held = this.#held.filter((held) => !due.includes(held));
    this.#sendAfterOthers(due);
  }

  /** Lets go whatever is held back, the longest held first, one after the other. */
  async release(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#sendAfterOthers(held);
    await this.idle();
  }

  /** Resolves when nothing is under way; what is held back is not under way. */
  async idle(): Promise<void> {
    this.tick();
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#held = [];
    await this.idle();
  }

  #record(id: string, event: string, action: string | null, payload: Json, redelivery: boolean): Delivery {
    const at = new Date(this.#options.now()).toISOString();
    const number = this.deliveries.length + 1;
    const fate = { status: null, error: null, listed: true };
    const delivery: Delivery = { id, number, event, action, payload, at, redelivery, ...fate };
    this.deliveries.push(delivery);
    return delivery;
  }

  /** True when the delivery does not leave now. */
  #play(delivery: Delivery, fault: WebhookFault): boolean {
    switch (fault.kind) {
      case "lose":
        delivery.error = "lost";
        delivery.listed = fault.listed === true;
        return true;
      case "double":
        this.#track(this.#send(delivery));
        return false;
      case "late":
        this.#held.push({ delivery, due: this.#options.now() + fault.ms, overtakenBy: 0 });
        return true;
      case "overtaken":
        this.#held.push({ delivery, due: null, overtakenBy: fault.by });
        return true;
    }
  }

  #leave(delivery: Delivery): void {
    this.#track(this.#send(delivery));
    for (const held of this.#held) held.overtakenBy -= 1;
    this.tick();
  }

  /** What was held back arrives after what has overtaken it. */
  #sendAfterOthers(held: readonly Held[]): void {
    const others = Promise.all(this.#pending);
    this.#track(
      (async () => {
        await others;
        for (const { delivery } of held) await this.#send(delivery);
      })(),
    );
  }

  #track(work: Promise<void>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }

  async #send(delivery: Delivery): Promise<void> {
    const { url, secret } = this.target;
    if (url === null || this.#stop.signal.aborted) {
      delivery.error = "no webhook URL";
      return;
    }
    const body = Buffer.from(JSON.stringify(delivery.payload), "utf8");
    if (body.length > PAYLOAD_BYTES) {
      delivery.error = `payload of ${body.length} bytes is above ${PAYLOAD_BYTES}`;
      delivery.listed = false;
      return;
    }
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "GitHub-Hookshot/rehearsal",
          "x-github-event": delivery.event,
          "x-github-delivery": delivery.id,
          "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
        },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(this.#options.answerMs), this.#stop.signal]),
      });
      await answer.arrayBuffer();
      delivery.status = answer.status;
      delivery.error = null;
    } catch (error) {
      delivery.error = error instanceof Error ? error.message : String(error);
    }
  }
}

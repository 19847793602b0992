import { createHmac, randomUUID } from "node:crypto";
import type { Json } from "./http.ts";

/** Payloads above this are not delivered, as on GitHub. */
const PAYLOAD_BYTES = 25 * 1024 * 1024;
/** Time the receiver has for its answer. */
const ANSWER_MS = 10_000;

export interface Delivery {
  /** `X-GitHub-Delivery`; a redelivery keeps it. */
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: Json;
  readonly at: string;
  /** HTTP status of the receiver; null while under way or when it did not answer. */
  status: number | null;
  error: string | null;
}

export interface WebhookTarget {
  url: string | null;
  readonly secret: string;
  /** Events the app subscribes to; `*` is every event. */
  readonly events: readonly string[];
}

/** Signs and sends webhooks to the app. Every delivery passes through `#send`, the one place where faults can be played. */
export class Webhooks {
  readonly target: WebhookTarget;
  readonly deliveries: Delivery[] = [];
  readonly #pending = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(target: WebhookTarget) {
    this.target = target;
  }

  /** Queues one event for delivery; never waits for the receiver. */
  deliver(event: string, action: string | null, payload: Json): void {
    const { events } = this.target;
    if (!events.includes("*") && !events.includes(event)) return;
    const at = new Date().toISOString();
    const delivery: Delivery = { id: randomUUID(), event, action, payload, at, status: null, error: null };
    this.deliveries.push(delivery);
    this.#track(this.#send(delivery));
  }

  /** Sends a past delivery again under its own id. @throws when there is none of this id. */
  redeliver(id: string): void {
    const delivery = this.deliveries.find((candidate) => candidate.id === id);
    if (delivery === undefined) throw new Error(`No webhook delivery ${id}`);
    this.#track(this.#send(delivery));
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.idle();
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
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.#stop.signal]),
      });
      await answer.arrayBuffer();
      delivery.status = answer.status;
      delivery.error = null;
    } catch (error) {
      delivery.error = error instanceof Error ? error.message : String(error);
    }
  }
}

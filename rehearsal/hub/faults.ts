import { createHash } from "node:crypto";
import { isObject, type Json } from "./http.ts";

/** A request as tests see it before the hub does anything about it. */
export interface SeenCall {
  /** 1 for the first request of this hub. */
  readonly number: number;
  readonly method: string;
  /** Without query and without the prefix `/api/v3`, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** Login of who asks (`assay[bot]`, `mia`); `app` for the app's JWT; null without credentials. */
  readonly by: string | null;
}

/**
 * What can go wrong with a request. `when: "after"` means that the hub has done everything, webhooks included, and only
 * the answer is lost.
 */
export type RequestFault =
  /** 502, as GitHub's front door gives it. */
  | { readonly kind: "bad-gateway"; readonly when: "before" | "after" }
  /** The connection is reset. */
  | { readonly kind: "reset"; readonly when: "before" | "after" }
  /** No answer, until the client gives up or the hub closes. */
  | { readonly kind: "no-answer"; readonly when: "before" | "after" }
  /** A secondary limit; `retryAfter` in seconds, null without the header. Nothing is done. */
  | {
      readonly kind: "secondary-limit";
      readonly retryAfter: number | null;
      readonly status?: 403 | 429;
    }
  /** 409 in the words of a moved head, though nothing moved: GitHub does so now and then on a merge. Nothing is done. */
  | { readonly kind: "conflict" };

/** A webhook as tests see it before it leaves. */
export interface SeenWebhook {
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: Json;
}

export type WebhookFault =
  /** It never leaves; `listed` says whether the app's list of deliveries shows it (as failed), so that it can be asked for again. */
  | { readonly kind: "lose"; readonly listed?: boolean }
  /** It is sent twice at once, under one id. */
  | { readonly kind: "double" }
  /** It leaves so many milliseconds later by the hub's clock. */
  | { readonly kind: "late"; readonly ms: number }
  /** It leaves after so many later webhooks have left. */
  | { readonly kind: "overtaken"; readonly by: number };

export interface FaultRule<Subject, Fault> {
  /** Which ones are concerned; all when absent. */
  readonly where?: (subject: Subject) => boolean;
  readonly fault: Fault;
  /** Share of the concerned ones that are hit, 0 to 1; all when absent. Drawn from the seed. */
  readonly chance?: number;
  /** How many are hit at most; no end when absent. */
  readonly times?: number;
}

export interface PlayedFault {
  readonly what: string;
  readonly fault: RequestFault | WebhookFault;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
type Hook = (call: SeenCall) => RequestFault | void | Promise<RequestFault | void>;

/** Everything a test can make go wrong. Each function that adds something returns one that takes it away again. */
export interface Faults {
  /** Seed of all chances: the same seed and the same requests give the same faults. */
  readonly seed: number;
  /**
   * Calls back before each request, and waits: here a test pushes by force or ends the bot. What the hook returns is
   * played. Requests the hook itself makes come here too: tell them apart by `by`.
   */
  beforeRequest(hook: Hook): () => void;
  onRequest(rule: FaultRule<SeenCall, RequestFault>): () => void;
  onWebhook(rule: FaultRule<SeenWebhook, WebhookFault>): () => void;
  /** Webhooks that are held back now. */
  readonly held: number;
  /** Lets every webhook go that is held back, and waits for the answers. */
  release(): Promise<void>;
  /** Everything that was played, in order. */
  readonly played: readonly PlayedFault[];
  /** Takes all hooks and rules away. What is held back stays held back. */
  clear(): void;
}

/** What a webhook is about, by a name that is the same in every run. */
function subjectOf({ number, issue, workflow_run, check_run, after }: Json): string {
  const within = [issue, workflow_run, check_run].find(isObject);
  return String(number ?? within?.number ?? within?.head_sha ?? after ?? "");
}

interface ActiveRule<Subject, Fault> extends FaultRule<Subject, Fault> {
  readonly number: number;
  left: number;
}

/** The rules, and the draws: a draw depends on the seed, the rule and how often this very thing was asked before. */
export class FaultBox {
  readonly seed: number;
  readonly played: PlayedFault[] = [];
  readonly #hooks = new Set<Hook>();
  readonly #requests = new Set<ActiveRule<SeenCall, RequestFault>>();
  readonly #webhooks = new Set<ActiveRule<SeenWebhook, WebhookFault>>();
  readonly #counts = new Map<string, number>();
  #rules = 0;
  #requestsSeen = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  beforeRequest(hook: Hook): () => void {
    this.#hooks.add(hook);
    return () => this.#hooks.delete(hook);
  }

  onRequest(rule: FaultRule<SeenCall, RequestFault>): () => void {
    const active = this.#activate(rule);
    this.#requests.add(active);
    return () => this.#requests.delete(active);
  }

  onWebhook(rule: FaultRule<SeenWebhook, WebhookFault>): () => void {
    const active = this.#activate(rule);
    this.#webhooks.add(active);
    return () => this.#webhooks.delete(active);
  }

  clear(): void {
    this.#hooks.clear();
    this.#requests.clear();
    this.#webhooks.clear();
  }

  /** What happens to this request, or null; hooks come first and win over rules. */
  async request(seen: Omit<SeenCall, "number">): Promise<RequestFault | null> {
    this.#requestsSeen += 1;
    const call = { ...seen, number: this.#requestsSeen };
    const what = `${call.method} ${call.path}`;
    for (const hook of [...this.#hooks]) {
      const fault = await hook(call);
      if (fault) return this.#play(what, fault);
    }
    return this.#pick(this.#requests, call, `${call.by} ${what}`, what);
  }

  webhook(webhook: SeenWebhook): WebhookFault | null {
    const { event, action, payload } = webhook;
    const what = action === null ? event : `${event}.${action}`;
    return this.#pick(this.#webhooks, webhook, `${what} ${subjectOf(payload)}`, what);
  }

  #activate<Subject, Fault>(rule: FaultRule<Subject, Fault>): ActiveRule<Subject, Fault> {
    this.#rules += 1;
    return { ...rule, number: this.#rules, left: rule.times ?? Number.POSITIVE_INFINITY };
  }

  #pick<Subject, Fault extends RequestFault | WebhookFault>(
    rules: Iterable<ActiveRule<Subject, Fault>>,
    subject: Subject,
    key: string,
    what: string,
  ): Fault | null {
    for (const rule of rules) {
      if (rule.left <= 0 || rule.where?.(subject) === false) continue;
      if (rule.chance !== undefined && this.#draw(rule.number, key) >= rule.chance) continue;
      rule.left -= 1;
      return this.#play(what, rule.fault);
    }
    return null;
  }

  #play<Fault extends RequestFault | WebhookFault>(what: string, fault: Fault): Fault {
    this.played.push({ what, fault });
    return fault;
  }

  /** A number from 0 up to 1 that does not depend on what happens to other pull requests meanwhile. */
  #draw(rule: number, key: string): number {
    const name = `${rule} ${key}`;
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    const digest = createHash("sha256").update(`${this.seed} ${name} ${count}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  }
}

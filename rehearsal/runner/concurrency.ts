/** Concurrency groups and job slots. */
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import { asBoolean, asText, evaluateToken, onlyKeys, type Scope } from "./expressions.ts";

/** How a member of a group treats the others. */
export interface GroupRequest {
  readonly group: string;
  readonly cancelInProgress: boolean;
  /** `max`: up to 100 wait in order; otherwise the newest waiting one displaces the one before it. */
  readonly queue: "single" | "max";
  /** Ends this member: it waits or runs and a newer one wants its place. */
  readonly cancel: (reason: string) => void;
}

interface Member {
  readonly request: GroupRequest;
  readonly start: (admitted: boolean) => void;
}

interface Group {
  running: Member | null;
  waiting: Member[];
}

const LONGEST_QUEUE = 100;

/** At most one member of a group runs; by default one more waits. Names are case-insensitive. */
export class ConcurrencyGroups {
  readonly #groups = new Map<string, Group>();

  /**
   * Waits for the group. Resolves to a function that leaves it, or to `null` when this member was displaced while it
   * waited or its `signal` was aborted.
   */
  async enter(request: GroupRequest, signal: AbortSignal): Promise<(() => void) | null> {
    const key = request.group.toLowerCase();
    const group = this.#groups.get(key) ?? { running: null, waiting: [] };
    this.#groups.set(key, group);
    if (request.queue === "single") {
      for (const displaced of group.waiting.splice(0)) displaced.start(false);
    } else if (group.waiting.length >= LONGEST_QUEUE) return null;
    const reason = `a newer run wants concurrency group '${request.group}'`;
    if (request.cancelInProgress) group.running?.request.cancel(reason);
    let onAbort = () => {};
    const admitted = await new Promise<boolean>((resolve) => {
      const member: Member = { request, start: resolve };
      onAbort = () => {
        group.waiting = group.waiting.filter((other) => other !== member);
        resolve(false);
      };
      if (signal.aborted) return resolve(false);
      signal.addEventListener("abort", onAbort, { once: true });
      if (group.running === null) {
        group.running = member;
        resolve(true);
      } else group.waiting.push(member);
    });
    signal.removeEventListener("abort", onAbort);
    return admitted ? () => this.#leave(key, group) : null;
  }

  #leave(key: string, group: Group): void {
    group.running = group.waiting.shift() ?? null;
    group.running?.start(true);
    if (group.running === null) this.#groups.delete(key);
  }
}

/** A counting semaphore, first come first served. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Reads `concurrency`. @throws Error for what GitHub refuses: no group, `queue: max` with `cancel-in-progress`. */
export function readConcurrency(
  token: TemplateToken | undefined,
  scope: Scope,
  cancel: (reason: string) => void,
): GroupRequest | null {
  if (token === undefined) return null;
  const value = evaluateToken(token, scope);
  const settings = new Map(
    typeof value === "object" && value !== null ? Object.entries(value) : [["group", value] as const],
  );
  onlyKeys(Object.fromEntries(settings), ["group", "cancel-in-progress", "queue"], "concurrency");
  const group = asText(settings.get("group") ?? null, "concurrency group");
  if (group === "") throw new Error("the concurrency group is empty");
  const cancelInProgress = asBoolean(settings.get("cancel-in-progress") ?? false, "cancel-in-progress");
  const queue = asText(settings.get("queue") ?? "single", "queue");
  if (queue !== "single" && queue !== "max") throw new Error(`queue must be single or max, not ${queue}`);
  if (queue === "max" && cancelInProgress) {
    throw new Error("queue: max cannot be combined with cancel-in-progress: true");
  }
  return { group, cancelInProgress, queue, cancel };
}

import type { VirtualClock } from "./clock.ts";

/** A line from one life of the bot to the hub. */
export interface Line {
  readonly url: string;
  /** Requests that went over it. */
  readonly calls: number;
  /** From now on nothing gets through, and answers under way are lost: the process is gone. */
  cut(): void;
}

interface State {
  calls: number;
  cut: boolean;
}

/**
 * Takes the place of `fetch` in this process: the clock stands still while a request is under way, and each life of the
 * bot speaks to the hub under a host name of its own, which can be cut off.
 */
export class Wires {
  readonly #fetch = globalThis.fetch;
  readonly #target: string;
  readonly #lines = new Map<string, State>();

  constructor(target: string, clock: VirtualClock) {
    this.#target = target;
    globalThis.fetch = (input, init) => clock.during(() => this.#send(input, init));
  }

  line(): Line {
    const host = `http://life-${this.#lines.size + 1}.invalid`;
    const state: State = { calls: 0, cut: false };
    this.#lines.set(host, state);
    return {
      url: host,
      get calls() {
        return state.calls;
      },
      cut: () => {
        state.cut = true;
      },
    };
  }

  restore(): void {
    globalThis.fetch = this.#fetch;
  }

  async #send(input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]): Promise<Response> {
    const url = input instanceof Request ? input.url : String(input);
    const [host = ""] = /^http:\/\/life-\d+\.invalid/.exec(url) ?? [];
    const line = this.#lines.get(host);
    if (line === undefined) return this.#fetch(input, init);
    const gone = new TypeError("fetch failed");
    if (line.cut) throw gone;
    line.calls += 1;
    const answer = await this.#fetch(url.replace(host, this.#target), init);
    // Read to its end here, so that the clock knows when the answer has really arrived.
    const body = await answer.arrayBuffer();
    if (line.cut) throw gone;
    const empty = [204, 205, 304].includes(answer.status);
    const copy = new Response(empty ? null : body, { status: answer.status, headers: answer.headers });
    // A made response has no address of its own, and paging asks for it.
    return Object.defineProperty(copy, "url", { value: url });
  }
}

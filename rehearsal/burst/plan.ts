/** What people do in a burst: a seeded list of events, the same for the same seed. Pure. */

export type Deed =
  /** Opens a pull request: with an honest result, with a raised score, or with none at all. */
  | { readonly do: "open"; readonly pull: number; readonly brings: "honest" | "raised" | "nothing" }
  /** Pushes to it: an honest result instead of what was there, or a raised one. */
  | { readonly do: "push"; readonly pull: number; readonly brings: "honest" | "raised" }
  | { readonly do: "merge"; readonly pull: number }
  | { readonly do: "chat"; readonly pull: number; readonly says: "talk" | "quoted" | "stranger" }
  | { readonly do: "close"; readonly pull: number };

export interface Event {
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly deed: Deed;
}

/** Numbers from 0 up to 1 from a seed (mulberry32). */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SETTLED_MS = 5 * 60_000;

/**
 * `count` events within `within` milliseconds. A quarter open pull requests; the others happen to one that is open by
 * then: a push, somebody asking for a merge, talk, commands that are none, now and then a closing. Merges that are asked
 * for afterwards come on top.
 */
export function planBurst(seed: number, count: number, within: number): Event[] {
  const draw = draws(seed);
  const times = Array.from({ length: count }, () => Math.floor(draw() * within)).sort((a, b) => a - b);
  const open: number[] = [];
  const pushed = new Map<number, number>();
  let pulls = 0;
  const brings = (): "honest" | "raised" => (draw() < 0.85 ? "honest" : "raised");
  const events = times.map((at): Event => {
    const pull = open[Math.floor(draw() * open.length)];
    if (pull === undefined || draw() < 0.25) {
      pulls += 1;
      open.push(pulls);
      pushed.set(pulls, at);
      const what = draw() < 0.08 ? "nothing" : brings();
      return { at, deed: { do: "open", pull: pulls, brings: what } };
    }
    const kind = draw();
    if (kind < 0.45) {
      pushed.set(pull, at);
      return { at, deed: { do: "push", pull, brings: brings() } };
    }
    if (kind < 0.75) {
      // A maintainer mostly asks for what has had the time to get its verdict.
      const settled = open.filter((candidate) => at - (pushed.get(candidate) ?? 0) > SETTLED_MS);
      return { at, deed: { do: "merge", pull: settled[Math.floor(draw() * settled.length)] ?? pull } };
    }
    if (kind < 0.97) {
      const says = (["talk", "quoted", "stranger"] as const)[Math.floor(draw() * 3)] ?? "talk";
      return { at, deed: { do: "chat", pull, says } };
    }
    open.splice(open.indexOf(pull), 1);
    return { at, deed: { do: "close", pull } };
  }); // In the hour after it a maintainer goes through every other one that is still open.
  const later = open
    .filter((pull) => pull % 2 === 0)
    .map((pull): Event => {
      return { at: within + SETTLED_MS + Math.floor(draw() * 60 * 60_000), deed: { do: "merge", pull } };
    });
  return [...events, ...later];
}

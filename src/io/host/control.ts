const STEPS = 12_000_000;
const TRIES = 5;

/**
 * Milliseconds that a fixed piece of work takes here now, the shortest of five, to a tenth: whole-number arithmetic that stays in the
 * registers. What holds a processor back without saying so (heat, power, slow cores) shows in it (F65).
 */
export function measureControl(): number {
  let shortest = Number.POSITIVE_INFINITY;
  let state = 1;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const start = performance.now();
    for (let step = 0; step < STEPS; step += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
    }
    shortest = Math.min(shortest, performance.now() - start);
  }
  // A loop whose outcome nobody looks at might be left out.
  if (state === 0) throw new RangeError("a register shift came to zero");
  return Math.round(shortest * 10) / 10;
}

import { median } from "../stats/describe.ts";
import { WARM_UP } from "./rule.ts";

/**
 * Whether a host is warm: the medians of the last two whole blocks of samples differ by less than 1%, on every side. So at least six
 * samples of each side are discarded; how many at most is a matter of time and the harness's.
 * @param sides every side's samples so far, oldest first
 */
export function isWarm(sides: readonly (readonly number[])[]): boolean {
  return sides.every((samples) => {
    const blocks = Math.floor(samples.length / WARM_UP.block);
    const before = blockMedian(samples, blocks - 2);
    const last = blockMedian(samples, blocks - 1);
    return before !== null && last !== null && Math.abs(last / before - 1) < WARM_UP.within;
  });
}

const blockMedian = (samples: readonly number[], block: number): number | null =>
  block < 0 ? null : median(samples.slice(block * WARM_UP.block, (block + 1) * WARM_UP.block));

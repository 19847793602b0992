import { randomFrom } from "../../src/lib/stats/random.ts";
import type { SuiteCategory, SuiteRandom } from "../../src/lib/task/kit.ts";

/** The random choices of a suite, from a seed of the test's. */
export function suiteRandom(seed: string): SuiteRandom {
  const random = randomFrom(seed);
  return {
    below: (bound) => random.below(bound),
    float: () => random.float(),
    bytes: (length) => Uint8Array.from({ length }, () => random.below(256)),
    shuffled: (items) => random.shuffled(items),
  };
}

/** What the cases of some categories ask, without the byte that names the operation. */
export function contentsOf(categories: readonly SuiteCategory[], seed: string): Buffer[] {
  const random = suiteRandom(seed);
  return categories.flatMap(({ cases }) =>
    Array.from(cases(random), ({ content }) => Buffer.from(content).subarray(1)),
  );
}

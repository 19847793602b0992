/** Which pull requests a look at everything takes in full. Pure. */

export interface Candidate {
  readonly number: number;
  /** It has no verdict, or somebody asked something there: it cannot wait. */
  readonly urgent: boolean;
  /** In which pass it was looked at last; 0: never. */
  readonly looked: number;
}

/** All urgent ones, and `budget` of the others: those first that were looked at longest ago. */
export function chooseLooks(candidates: readonly Candidate[], budget: number): ReadonlySet<number> {
  const quiet = candidates
    .filter(({ urgent }) => !urgent)
    .sort((a, b) => a.looked - b.looked || a.number - b.number)
    .slice(0, budget);
  return new Set([...candidates.filter(({ urgent }) => urgent), ...quiet].map(({ number }) => number));
}

import type { ModelResults } from "./index-build.ts";
import type { IndexEntry, IndexWithdrawal } from "./index-schema.ts";
import { byAge } from "./rank.ts";

const dated = (entry: IndexEntry) => ({ ...entry, path: entry.file });

/** The results of one model in one suite while they come and go: always knows which one counts. */
export class ModelHistory {
  readonly #results: IndexEntry[] = [];
  readonly #gone = new Set<string>();
  readonly #suiteDigest: string;
  readonly #compare: ReturnType<typeof byAge>;
  #latest: IndexEntry | null = null;

  /**
   * @param content what stood before the first change
   * @param suiteDigest results of another digest are results of another suite
   * @param order file names in first-parent merge order, oldest first, for equal finish times
   */
  constructor(content: ModelResults, suiteDigest: string, order: readonly string[]) {
    this.#suiteDigest = suiteDigest;
    this.#compare = byAge(order);
    for (const result of content.results) this.addResult(result);
    for (const withdrawal of content.withdrawals) this.addWithdrawal(withdrawal);
  }

  /** The youngest result that is neither superseded nor withdrawn; null when there is none. */
  get latest(): IndexEntry | null {
    return this.#latest;
  }

  addResult(result: IndexEntry): void {
    this.#results.push(result);
    if (result.supersedes !== null) this.#takeOff(result.supersedes);
    this.#latest = this.#younger(this.#latest, result);
  }

  addWithdrawal({ withdraws }: IndexWithdrawal): void {
    this.#takeOff(withdraws);
  }

  #takeOff(digest: string): void {
    this.#gone.add(digest);
    if (this.#latest?.digest !== digest) return;
    this.#latest = null;
    for (const result of this.#results) this.#latest = this.#younger(this.#latest, result);
  }

  #younger(known: IndexEntry | null, result: IndexEntry): IndexEntry | null {
    if (result.suite_digest !== this.#suiteDigest || this.#gone.has(result.digest)) return known;
    return known === null || this.#compare(dated(result), dated(known)) > 0 ? result : known;
  }
}

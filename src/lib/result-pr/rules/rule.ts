import type { Finding } from "../../findings.ts";
import type { ResultPrFacts } from "../facts.ts";

/** One rule of a pull request with results. Each lies in a file of its own and is registered in `index.ts`. */
export interface Rule {
  readonly id: string;
  /** What a pull request must satisfy, in one sentence. */
  readonly title: string;
  readonly check: (facts: ResultPrFacts) => Finding[];
}

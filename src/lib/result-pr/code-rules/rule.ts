import type { Finding } from "../../findings.ts";
import type { CodePrFacts } from "../code-facts.ts";

/** One rule of a pull request with facts of the code benchmark. Each lies in a file of its own and is registered in `index.ts`. */
export interface CodeRule {
  readonly id: string;
  /** What a pull request must satisfy, in one sentence. */
  readonly title: string;
  readonly check: (facts: CodePrFacts) => Finding[];
}

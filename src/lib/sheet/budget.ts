import type { RE2JS } from "re2js";
import type { Finding } from "../findings.ts";
import type { Cell } from "./model.ts";

/**
 * What executing one recipe may cost. Counts, not time: the same recipe ends the same way on every machine. The default is
 * several times what the largest tables of statistics offices need (83,000 values with six headers), and small enough
 * that using all of it takes about a second.
 */
export interface Budget {
  /** Cells looked at while collecting values and headers. */
  readonly cells: number;
  /** Rows of the tidy table. */
  readonly rows: number;
  /** Characters of the tidy table. */
  readonly output: number;
  /** Lookups, steps of lookups, tests of conditions, and fields of the tidy table. */
  readonly work: number;
  /** Pattern work: characters matched times the size of the compiled pattern. */
  readonly patterns: number;
}
export type Resource = keyof Budget;

export const DEFAULT_BUDGET: Budget = {
  cells: 1_000_000,
  rows: 500_000,
  output: 64_000_000,
  work: 10_000_000,
  patterns: 40_000_000,
};

/** Cells that one list of ranges may span, whatever the sheet holds; checked before a workbook is looked at. */
export const MAX_SPANNED_CELLS = 5_000_000;

const WORDS: Readonly<Record<Resource, { message: string; hint: string }>> = {
  cells: {
    message: "The recipe looks at too many cells.",
    hint: "Make the ranges as small as the table.",
  },
  rows: {
    message: "The recipe gives too many rows.",
    hint: "Make the value ranges as small as the table, or drop blanks.",
  },
  output: {
    message: "The recipe gives too much text.",
    hint: "Take shorter headers, for example by `extract`.",
  },
  work: {
    message: "The recipe needs too many lookups.",
    hint: "Use smaller ranges, fewer headers or simpler conditions.",
  },
  patterns: {
    message: "The recipe's patterns need too much work.",
    hint: "Use smaller patterns: no large counted repeats.",
  },
};

/** Thrown inside the engine only; `executeRecipe` turns it into its findings. */
export class Stop extends Error {
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    super("stopped");
    this.findings = findings;
  }
}

/** Counts what an execution uses up and stops it when a budget is passed; keeps what it should not pay for twice. */
export class Meter {
  private readonly left: Record<Resource, number>;
  private readonly budget: Budget;
  /** JSON pointer of the rule at work, for the finding. */
  pointer = "";
  /** Compiled patterns by source. */
  readonly patterns = new Map<string, RE2JS>();
  /** Texts of cells as displayed. */
  readonly shown = new Map<Cell, string | null>();

  constructor(budget: Budget) {
    this.budget = budget;
    this.left = { ...budget };
  }

  /** @throws Stop when the budget for `resource` is used up. */
  spend(resource: Resource, amount: number): void {
    this.left[resource] -= amount;
    if (this.left[resource] < 0) {
      throw new Stop([
        {
          code: `recipe-budget-${resource}`,
          severity: "error",
          message: WORDS[resource].message,
          pointer: this.pointer,
          expected: `at most ${this.budget[resource]}`,
          hint: WORDS[resource].hint,
        },
      ]);
    }
  }
}

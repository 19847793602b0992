import type { Finding } from "../findings.ts";

/** Addresses one finding names; more are counted. */
const MAX_NAMED = 5;
const MAX_QUOTED = 60;

interface Problem {
  readonly code: string;
  readonly pointer: string;
  readonly expected: string;
  readonly hint: string;
  readonly message: (count: number) => string;
  readonly places: Set<string>;
  count: number;
}

/** Gathers what goes wrong at single cells into one finding for each rule, so that thousands of cells stay readable. */
export class Problems {
  private readonly byRule = new Map<string, Problem>();

  unconvertible(pointer: string, to: string, address: string, text: string): void {
    const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
    this.add(pointer, `${address} ${JSON.stringify(quoted)}`, {
      code: "recipe-conversion",
      expected: to,
      hint: "Leave these cells out by `where` or `except`, list texts that are no values under `symbols`, cut the text by `extract`, or drop `as`.",
      message: (count) => `${cells(count)} cannot be converted by \`as\`.`,
    });
  }

  missingHeader(pointer: string, name: string, address: string): void {
    this.add(pointer, address, {
      code: "recipe-header-missing",
      expected: `a header "${name}" for every value, as \`missing\` is "error"`,
      hint: "Widen `from`, add `fill` or `merged`, or choose another direction.",
      message: (count) => `${count === 1 ? "1 value has" : `${count} values have`} no such header.`,
    });
  }

  findings(): Finding[] {
    return [...this.byRule.values()].map(({ code, pointer, expected, hint, message, places, count }) => ({
      code,
      severity: "error",
      message: message(count),
      pointer,
      expected,
      actual: `${[...places].join(", ")}${count > places.size ? ", …" : ""}`,
      hint,
    }));
  }

  private add(pointer: string, place: string, problem: Omit<Problem, "pointer" | "places" | "count">): void {
    const key = `${problem.code} ${pointer}`;
    let known = this.byRule.get(key);
    if (known === undefined) {
      known = { ...problem, pointer, places: new Set(), count: 0 };
      this.byRule.set(key, known);
    }
    known.count += 1;
    if (known.places.size < MAX_NAMED) known.places.add(place);
  }
}

const cells = (count: number): string => (count === 1 ? "1 cell" : `${count} cells`);

import type { Finding } from "../../findings.ts";

type Details = Partial<Pick<Finding, "expected" | "actual" | "hint">>;

/** An error of one file, at a JSON pointer. */
export const problem = (code: string, pointer: string, message: string, details: Details = {}): Finding => ({
  code,
  severity: "error",
  message,
  pointer,
  ...details,
});

/** Worth a look: an acceptable fact that a maintainer should see. */
export const doubt = (code: string, pointer: string, message: string, details: Details = {}): Finding => ({
  ...problem(code, pointer, message, details),
  severity: "warning",
});

/** One error for each value that was there before, at the later place. */
export function repeated(
  values: readonly string[],
  pointerOf: (index: number) => string,
  what: string,
): Finding[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [
      problem("code-data-repeated", pointerOf(index), `This ${what} is there already.`, {
        actual: value,
        hint: "Each appears once.",
      }),
    ];
  });
}

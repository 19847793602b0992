import type { Finding } from "../findings.ts";

/** Collects what the rules of one document find; every finding names a place in that document. */
export class ResultFindings {
  readonly findings: Finding[] = [];
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  error(code: string, pointer: string, message: string, more: Partial<Finding> = {}): void {
    this.findings.push({ code, severity: "error", message, path: this.path, pointer, ...more });
  }

  /** An `error` that says both numbers, when they differ. */
  differs(
    code: string,
    pointer: string,
    message: string,
    expected: unknown,
    actual: unknown,
    hint?: string,
  ): void {
    if (expected === actual) return;
    this.error(code, pointer, message, {
      expected: String(expected),
      actual: String(actual),
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

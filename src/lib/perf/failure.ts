import type { Finding } from "../findings.ts";

/** How a program can fail. */
export type FaultKind = "start" | "crash" | "timeout" | "protocol" | "memory" | "output-size" | "affinity";

/** Why there is no speed: the candidate's fault, or ours (the reference, the host, the harness). */
export interface Failure {
  readonly whose: "candidate" | "ours";
  readonly kind: FaultKind | "output" | "calibration";
  readonly metric: string;
  /** What it did, as the rest of a sentence about the program. */
  readonly message: string;
}

const CODES: Readonly<Record<Failure["kind"], string>> = {
  start: "perf-candidate-start",
  crash: "perf-candidate-crash",
  timeout: "perf-candidate-timeout",
  protocol: "perf-candidate-protocol",
  memory: "perf-candidate-memory",
  "output-size": "perf-candidate-output-size",
  affinity: "perf-candidate-affinity",
  output: "perf-candidate-output",
  calibration: "perf-ours",
};

/** The finding about a measurement that came to nothing. */
export function failureFinding({ whose, kind, metric, message }: Failure): Finding {
  if (whose === "ours")
    return {
      code: "perf-ours",
      severity: "error",
      message: `${metric}: the reference could not be measured: ${message}.`,
      hint: "This is not the candidate's fault.",
    };
  return {
    code: CODES[kind],
    severity: "error",
    message: `${metric}: the candidate has no speed: ${message}.`,
    hint: "docs/perf.md says what the harness and a program say to each other.",
  };
}

/** The exit code of what measures: 0 measured, 2 the candidate's fault, 3 ours, 1 anything else. */
export function perfExit(findings: readonly Finding[]): number {
  const codes = findings.filter(({ severity }) => severity === "error").map(({ code }) => code);
  if (codes.length === 0) return 0;
  if (codes.includes("perf-ours")) return 3;
  return codes.some((code) => code.startsWith("perf-candidate-")) ? 2 : 1;
}

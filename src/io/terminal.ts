import type { Finding } from "../lib/findings.ts";

/** How a stream wants its text. */
export interface TerminalStyle {
  readonly colour: boolean;
}

/** Where a command prints: `process.stdout`, `process.stderr`, or a recorder in a test. */
export interface TextSink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Colour only for a terminal, and never against the wish in `NO_COLOR` (https://no-color.org). */
export function styleFor(
  sink: TextSink,
  env: Readonly<Record<string, string | undefined>> = process.env,
): TerminalStyle {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return { colour: false };
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "" && env.FORCE_COLOR !== "0") {
    return { colour: true };
  }
  return { colour: sink.isTTY === true };
}

/**
 * Text from a file, made safe to print: control and bidirectional-override characters become visible
 * escapes, so that a sheet name cannot move the cursor, clear the screen or reverse a line.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    if (character === "\r") return "\\r";
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}

const RED = "\u001b[31m";
const YELLOW = "\u001b[33m";
const CYAN = "\u001b[36m";
const DIM = "\u001b[2m";
const RESET = "\u001b[0m";

const SEVERITY_COLOUR = { error: RED, warning: YELLOW, notice: CYAN } as const;

/**
 * One finding as a person reads it: `file:line:col code message`, then what was expected and found,
 * the pointer where there is no line, and the hint, each on its own indented line.
 */
export function formatFinding(finding: Finding, style: TerminalStyle = { colour: false }): string {
  const paint = (code: string, text: string): string => (style.colour ? `${code}${text}${RESET}` : text);
  let place = finding.path === undefined ? "" : printable(finding.path);
  if (finding.line !== undefined) {
    place += `:${finding.line}`;
    if (finding.column !== undefined) place += `:${finding.column}`;
  }
  if (place !== "") place += " ";
  const code = paint(SEVERITY_COLOUR[finding.severity], finding.code);
  const severity = finding.severity === "error" ? "" : ` (${finding.severity})`;
  const lines = [`${place}${code}${severity} ${printable(finding.message)}`];
  const detail = (label: string, text: string | undefined): void => {
    if (text !== undefined) lines.push(paint(DIM, `    ${label}: ${printable(text)}`));
  };
  if (finding.pointer !== undefined && finding.pointer !== "") detail("at", finding.pointer);
  detail("expected", finding.expected);
  detail("actual", finding.actual);
  detail("hint", finding.hint);
  return lines.join("\n");
}

/** Prints findings, worst first and otherwise in the order given, one blank-line-free block each. */
export function printFindings(
  findings: readonly Finding[],
  sink: TextSink = process.stderr,
  style: TerminalStyle = styleFor(sink),
): void {
  const order = { error: 0, warning: 1, notice: 2 } as const;
  const sorted = [...findings].sort((a, b) => order[a.severity] - order[b.severity]);
  for (const finding of sorted) sink.write(`${formatFinding(finding, style)}\n`);
}

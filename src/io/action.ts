import { randomUUID } from "node:crypto";
import * as core from "@actions/core";
import type { z } from "zod";
import type { Finding } from "../lib/findings.ts";

/** What the doors of the actions share: typed inputs, logs that nobody else can write commands into, failure. */

/** Annotations of one step that GitHub shows, by kind; more are dropped without a word. */
const ANNOTATIONS = 10;
/** Lines of findings in a log. */
const LOG_LINES = 200;

/** Reads the inputs that a schema names. @throws Error with one line that names each wrong input. */
export function readInputs<T extends z.ZodRawShape>(schema: z.ZodObject<T>): z.output<z.ZodObject<T>> {
  const raw = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, core.getInput(name)]));
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => `input ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(wrong.join("; "));
}

/** A line without anything that moves a cursor, ends it early, or turns it around. */
export const plainLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });

/**
 * Prints lines that may hold a pull request's own words. The runner reads no command in between, because nobody can
 * know the token that ends the silence (F06).
 */
export function printUntrusted(lines: readonly string[], token: string = randomUUID()): void {
  const body = lines.slice(0, LOG_LINES).map((line) => `${plainLine(line)}\n`);
  const more = lines.length > LOG_LINES ? [`and ${lines.length - LOG_LINES} more\n`] : [];
  process.stdout.write([`::stop-commands::${token}\n`, ...body, ...more, `::${token}::\n`].join(""));
}

/** One finding in one line: place, code, message, both sides, hint. */
export function findingLine(finding: Finding): string {
  const place = [finding.path, finding.line, finding.column].filter((part) => part !== undefined).join(":");
  const sides = [
    finding.expected === undefined ? "" : ` expected ${finding.expected};`,
    finding.actual === undefined ? "" : ` found ${finding.actual};`,
  ].join("");
  const at = finding.pointer === undefined ? "" : ` at ${finding.pointer}`;
  const hint = finding.hint === undefined ? "" : ` (${finding.hint})`;
  return `${finding.severity} ${finding.code} ${place}${at}: ${finding.message}${sides}${hint}`;
}

const SAFE_PATH = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,300}$/;

/** Findings in the log, and the first of them as annotations: our own sentences at plain paths, never quoted words. */
export function announce(findings: readonly Finding[]): void {
  printUntrusted(findings.map(findingLine));
  const shown = { error: 0, warning: 0, notice: 0 };
  for (const { severity, code, message, path, line, column } of findings) {
    shown[severity] += 1;
    if (shown[severity] > ANNOTATIONS) continue;
    const place =
      path !== undefined && SAFE_PATH.test(path)
        ? {
            file: path,
            ...(line === undefined ? {} : { startLine: line }),
            ...(column === undefined ? {} : { startColumn: column }),
          }
        : {};
    // The toolkit escapes what would end the command early; control characters go first.
    ANNOTATE[severity](plainLine(message).slice(0, 500), { title: code, ...place });
  }
}

const ANNOTATE = { error: core.error, warning: core.warning, notice: core.notice };

/** Ends the step as failed, in one line, without a stack trace: the message is for whoever reads the run. */
export function failStep(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  core.setFailed(plainLine(message).slice(0, 1000));
}

/** The folder a step may write into. */
export const scratchFolder = (name: string): string => `${process.env.RUNNER_TEMP ?? process.cwd()}/${name}`;

/** The checkout the step runs in. */
export const workspace = (): string => process.env.GITHUB_WORKSPACE ?? process.cwd();

/** The log of a job, masked, with the time in front of each line as GitHub stores it. */
import type { Masks } from "./masks.ts";

export class JobLog {
  readonly #masks: Masks;
  readonly #onLine: (line: string) => void;
  readonly #lines: string[] = [];

  constructor(masks: Masks, onLine: (line: string) => void) {
    this.#masks = masks;
    this.#onLine = onLine;
  }

  /** Adds text; each of its lines becomes a line of the log. */
  write(text: string): void {
    for (const line of this.#masks.apply(text).split(/\r?\n/)) {
      this.#lines.push(`${new Date().toISOString()} ${line}`);
      this.#onLine(line);
    }
  }

  error(message: string): void {
    this.write(`##[error]${message}`);
  }

  warning(message: string): void {
    this.write(`##[warning]${message}`);
  }

  group(title: string, lines: readonly string[]): void {
    this.write(`##[group]${title}`);
    for (const line of lines) this.write(line);
    this.write("##[endgroup]");
  }

  /** Everything so far. */
  text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}

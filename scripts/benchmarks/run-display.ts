import { printable, type TextSink } from "../../src/io/terminal.ts";
import type { RunEvent } from "../../src/jobs/run-benchmark.ts";
import {
  duration,
  estimateRun,
  progressBar,
  progressText,
  type RunProgress,
} from "../../src/lib/run/progress.ts";

const BAR_WIDTH = 24;

/** Shows a run as it goes: one line that redraws itself on a terminal, one line per event elsewhere. */
export class RunDisplay {
  readonly #sink: TextSink;
  #drawn = false;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  show(event: RunEvent): void {
    switch (event.type) {
      case "started":
        this.line(
          event.resumed
            ? `Going on with run ${event.run}: ${progressText(event.progress)}`
            : `Run ${event.run}: ${event.progress.members.length} members`,
        );
        return;
      case "not-asked":
        this.line(`${event.member}: skipped, ${printable(event.reason.message)}`);
        return;
      case "pausing":
        this.line(`Waiting ${duration(event.ms)}, as the provider asks`);
        return;
      case "calling":
        this.#draw(event.progress, `${event.step.member}, attempt ${event.step.attempt} …`);
        return;
      case "answered":
        this.line(`${event.step.member}, attempt ${event.step.attempt}: ${event.status ?? event.outcome}`);
        if (this.#sink.isTTY === true) this.#draw(event.progress, "");
        else this.line(`  ${progressText(event.progress)}`);
        return;
      case "finished":
        this.#erase();
    }
  }

  /** A line that stays. */
  line(text: string): void {
    this.#erase();
    this.#sink.write(`${text}\n`);
  }

  #draw(progress: RunProgress, what: string): void {
    if (this.#sink.isTTY !== true) return;
    this.#erase();
    const { settled, askable } = estimateRun(progress);
    const text = `${progressBar(settled, askable, BAR_WIDTH)} ${progressText(progress)}${what === "" ? "" : ` · ${what}`}`;
    // Longer than the terminal, the line would wrap and could not be taken back.
    this.#sink.write(text.slice(0, (process.stderr.columns ?? 80) - 1));
    this.#drawn = true;
  }

  #erase(): void {
    if (this.#drawn) this.#sink.write("\r\u001b[2K");
    this.#drawn = false;
  }
}

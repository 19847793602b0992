const SAME_WISH_MS = 300;

/** Ctrl-C once: no further call, the one in flight is waited for and kept. Twice: it is abandoned. */
export function listenForStop(display: { line(text: string): void }) {
  const asked = new AbortController();
  const insisted = new AbortController();
  let exitCode = 130;
  let askedAt = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: NodeJS.Signals): void => {
    // A terminal signals every process of the group, and wrappers may pass theirs on: that is one wish, not two.
    if (performance.now() - askedAt < SAME_WISH_MS) return;
    askedAt = performance.now();
    exitCode = signal === "SIGTERM" ? 143 : 130;
    if (asked.signal.aborted) {
      insisted.abort();
      return;
    }
    asked.abort();
    display.line(
      "Stopping after the call in flight; once more abandons it (it then counts, and is asked again).",
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    asked: asked.signal,
    insisted: insisted.signal,
    exitCode: () => exitCode,
    end() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

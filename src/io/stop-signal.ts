/** Does work that ends cleanly when this process is told to stop (Ctrl-C, a job that is cancelled): the first word aborts the signal, a second one kills. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  process.once("SIGINT", abort).once("SIGTERM", abort);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", abort).off("SIGTERM", abort);
  }
}

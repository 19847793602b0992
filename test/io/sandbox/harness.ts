import { startSandboxed } from "../../../src/io/sandbox/run.ts";
import type { SandboxOrder } from "../../../src/lib/sandbox/order.ts";

/*
 * A harness as a process of its own, for tests that need another user, an open descriptor, or a harness that dies or hangs:
 *   node harness.mjs <order as JSON> [block <milliseconds>]
 * Prints "started", then the outcome or the code of the refusal, as JSON.
 */
const [text = "", mode, time = "0"] = process.argv.slice(2);
try {
  const running = await startSandboxed(JSON.parse(text) as SandboxOrder);
  running.stdin.end();
  let stdout = "";
  running.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  running.stderr.resume();
  process.stdout.write("started\n");
  if (mode === "block") {
    // Until the guest surely runs; then this process looks at nothing any more.
    await new Promise((resolve) => setTimeout(resolve, 300));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(time));
  }
  const result = await running.ended;
  process.stdout.write(`${JSON.stringify({ ...result, stdout })}\n`);
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ refused: (error as { code?: string }).code ?? String(error) })}\n`,
  );
}

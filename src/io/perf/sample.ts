import { type ChildProcess, spawn } from "node:child_process";
import type { FaultKind } from "../../lib/perf/failure.ts";
import {
  encodeGo,
  encodeMessage,
  type MessageReader,
  type ProgramWord,
  readMessage,
} from "../../lib/perf/wire.ts";
import { type ProcessFacts, readProcessFacts } from "./process-facts.ts";

/** Bounds of one sample. Memory is bounded where Linux tells of it. */
export interface SampleLimits {
  /** For each answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly maxMemoryBytes: number;
}

/** Where and how a program is started. */
export interface Surroundings {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly core: number | null;
  readonly limits: SampleLimits;
}

/** What a program is to do. */
export interface Work {
  readonly content: Uint8Array;
  readonly iterations: number;
  readonly salt: Uint8Array;
}

export interface Sample {
  /** From just before `go` is written until the whole answer is here, in nanoseconds of the monotonic clock. */
  readonly ns: number;
  readonly output: Uint8Array;
  /** Involuntary context switches while it worked; null where the platform does not tell. */
  readonly switches: number | null;
  readonly peakBytes: number | null;
}

/** What a program did in place of its work. */
export interface Fault {
  readonly kind: FaultKind;
  readonly message: string;
}
export type SampleOutcome =
  | { readonly ok: true; readonly sample: Sample }
  | { readonly ok: false; readonly fault: Fault };

/** How long a program may take to end after its last answer, and how often its memory is looked at. */
const GRACE_MS = 2000;
const WATCH_MS = 100;

/** Exit codes by which a shell, and taskset, say that a program cannot be started. */
const NOT_STARTED: readonly number[] = [126, 127];

/**
 * Takes one sample of a fresh process: gives it the case, waits until it is ready, says "go", and times from outside until the answer
 * is whole. Every process of its group is gone afterwards. Its standard error is not read.
 */
export async function runSample(
  argv: readonly string[],
  work: Work,
  surroundings: Surroundings,
): Promise<SampleOutcome> {
  const conversation = new Conversation(argv, surroundings);
  try {
    return { ok: true, sample: await talk(conversation, work, surroundings) };
  } catch (error) {
    if (error instanceof FaultError) return { ok: false, fault: error.fault };
    throw error;
  } finally {
    conversation.stop();
  }
}

class FaultError extends Error {
  readonly fault: Fault;
  constructor(kind: FaultKind, message: string) {
    super(message);
    this.fault = { kind, message };
  }
}

async function talk(
  conversation: Conversation,
  { content, iterations, salt }: Work,
  { limits, core }: Surroundings,
): Promise<Sample> {
  const ready = conversation.expect("ready", 0);
  conversation.write(encodeMessage("case", content));
  await ready;
  const before = conversation.facts();
  // Whatever it wrote by now came before its order to work.
  await new Promise((resolve) => setImmediate(resolve));
  const done = conversation.expect("done", limits.maxOutputBytes);
  const start = process.hrtime.bigint();
  conversation.write(encodeGo(iterations, salt));
  const { content: output, at } = await done;
  const after = conversation.facts();
  checkFacts(after, limits, core);
  conversation.write(encodeMessage("end"));
  await conversation.end();
  return {
    ns: Number(at - start),
    output,
    switches: before === null || after === null ? null : Math.max(0, after.switches - before.switches),
    peakBytes: after?.peakBytes ?? null,
  };
}

function checkFacts(facts: ProcessFacts | null, limits: SampleLimits, core: number | null): void {
  if (facts === null) return;
  if (facts.peakBytes > limits.maxMemoryBytes) throw tooMuchMemory(facts.peakBytes, limits.maxMemoryBytes);
  if (core !== null && facts.cores.some((cores) => cores !== String(core)))
    throw new FaultError("affinity", `it left core ${core} and may use ${facts.cores.join(" and ")}`);
}

const tooMuchMemory = (bytes: number, limit: number): FaultError =>
  new FaultError("memory", `it used ${bytes} bytes of memory; the limit is ${limit}`);

interface Message {
  readonly content: Uint8Array;
  readonly at: bigint;
}

/** One process, and the one answer that it owes. */
class Conversation {
  readonly #child: ChildProcess;
  readonly #timeoutMs: number;
  readonly #watch: NodeJS.Timeout;
  #expected: { reader: MessageReader; resolve: (message: Message) => void; timer: NodeJS.Timeout } | null =
    null;
  #reject: (fault: FaultError) => void = () => undefined;
  /** The first thing that went wrong; later ones follow from it. */
  #fault: FaultError | null = null;
  #wasReady = false;
  readonly #exit: Promise<void>;

  constructor(argv: readonly string[], { cwd, env, core, limits }: Surroundings) {
    const pinned = core === null ? argv : ["taskset", "-c", String(core), ...argv];
    const [program = "", ...rest] = pinned;
    this.#timeoutMs = limits.timeoutMs;
    // A group of its own, so that nothing it starts outlives it.
    this.#child = spawn(program, rest, { cwd, env, stdio: ["pipe", "pipe", "ignore"], detached: true });
    this.#child.on("error", (error) =>
      this.#fail(new FaultError("start", `it could not be started: ${error.message}`)),
    );
    // A program that ends early closes its input; its end tells the story.
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stdout?.on("data", (chunk: Buffer) => this.#take(chunk, process.hrtime.bigint()));
    this.#exit = new Promise((resolve) => {
      this.#child.on("exit", (code, signal) => {
        const end = (): void => {
          if (code !== 0) this.#fail(this.#crash(code, signal));
          resolve();
        };
        // What it wrote last is read before its end is looked at; what it started may keep its output open.
        setImmediate(end);
        this.#child.on("close", () => {
          end();
          if (this.#expected !== null) this.#fail(new FaultError("crash", "it ended before it answered"));
        });
      });
    });
    this.#watch = setInterval(() => {
      const peak = this.facts()?.peakBytes ?? 0;
      if (peak > limits.maxMemoryBytes) this.#fail(tooMuchMemory(peak, limits.maxMemoryBytes));
    }, WATCH_MS);
  }

  write(message: Uint8Array): void {
    this.#child.stdin?.write(message);
  }

  facts(): ProcessFacts | null {
    return this.#child.pid === undefined ? null : readProcessFacts(this.#child.pid);
  }

  /** Waits for one message. @throws FaultError when something else comes, or nothing. */
  expect(word: ProgramWord, maxBytes: number): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#fault !== null) return reject(this.#fault);
      const timer = setTimeout(
        () => this.#fail(new FaultError("timeout", `no "${word}" within ${this.#timeoutMs} ms`)),
        this.#timeoutMs,
      );
      this.#expected = { reader: readMessage(word, maxBytes), resolve, timer };
    });
  }

  /** Waits until it has ended by itself, but not for ever. @throws FaultError when it crashed, or wrote more. */
  async end(): Promise<void> {
    const { promise, cancel } = after(GRACE_MS);
    await Promise.race([this.#exit, promise]);
    cancel();
    if (this.#fault !== null) throw this.#fault;
  }

  /** Ends it and everything that it started. */
  stop(): void {
    clearInterval(this.#watch);
    if (this.#expected !== null) clearTimeout(this.#expected.timer);
    this.#fault ??= new FaultError("crash", "it was stopped");
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // Nobody of the group is left.
    }
  }

  #take(chunk: Buffer, at: bigint): void {
    if (this.#expected === null) {
      this.#fail(new FaultError("protocol", "it wrote something that nobody had asked for"));
      return;
    }
    const { reader, resolve, timer } = this.#expected;
    const reading = reader.take(chunk);
    if (reading.state === "more") return;
    if (reading.state === "garbage") this.#fail(new FaultError("protocol", reading.why));
    else if (reading.state === "too-large")
      this.#fail(new FaultError("output-size", `its output has ${reading.bytes} bytes`));
    else {
      clearTimeout(timer);
      this.#expected = null;
      this.#wasReady = true;
      resolve({ content: reading.content, at });
    }
  }

  #crash(code: number | null, signal: NodeJS.Signals | null): FaultError {
    if (!this.#wasReady && code !== null && NOT_STARTED.includes(code))
      return new FaultError("start", `it could not be started (exit code ${code})`);
    return new FaultError(
      "crash",
      `it ended with ${signal === null ? `exit code ${code}` : `signal ${signal}`}`,
    );
  }

  #fail(fault: FaultError): void {
    this.#fault ??= fault;
    if (this.#expected !== null) clearTimeout(this.#expected.timer);
    this.#expected = null;
    this.#reject(this.#fault);
  }
}

function after(ms: number): { readonly promise: Promise<void>; readonly cancel: () => void } {
  let cancel = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    cancel = () => clearTimeout(timer);
  });
  return { promise, cancel };
}

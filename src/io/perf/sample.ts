import type { FaultKind } from "../../lib/perf/failure.ts";
import {
  encodeGo,
  encodeMessage,
  type MessageReader,
  type ProgramWord,
  readMessage,
} from "../../lib/perf/wire.ts";
import type { Launch, Launched } from "./launch.ts";
import type { ProcessFacts } from "./process-facts.ts";

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
  /** How programs are started: as processes of this host, or in a sandbox. */
  readonly launch: Launch;
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

/**
 * Takes one sample of a fresh process: gives it the case, waits until it is ready, says "go", and times from outside until the answer
 * is whole. Every process of its group is gone afterwards. Its standard error is not read.
 */
export async function runSample(
  argv: readonly string[],
  work: Work,
  surroundings: Surroundings,
): Promise<SampleOutcome> {
  const launched = await surroundings.launch(argv, surroundings);
  const conversation = new Conversation(launched, surroundings);
  try {
    return { ok: true, sample: await talk(conversation, work, surroundings) };
  } catch (error) {
    if (error instanceof FaultError) return { ok: false, fault: error.fault };
    throw error;
  } finally {
    await conversation.stop();
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

/** One program, and the one answer that it owes. */
class Conversation {
  readonly #program: Launched;
  readonly #timeoutMs: number;
  readonly #watch: NodeJS.Timeout;
  #expected: { reader: MessageReader; resolve: (message: Message) => void; timer: NodeJS.Timeout } | null =
    null;
  #reject: (fault: FaultError) => void = () => undefined;
  /** The first thing that went wrong; later ones follow from it. */
  #fault: FaultError | null = null;
  #wasReady = false;
  readonly #exit: Promise<void>;

  constructor(program: Launched, { limits }: Surroundings) {
    this.#program = program;
    this.#timeoutMs = limits.timeoutMs;
    // A program that ends early closes its input; its end tells the story.
    program.stdin.on("error", () => undefined);
    program.stdout.on("data", (chunk: Buffer) => this.#take(chunk, process.hrtime.bigint()));
    this.#exit = program.ended.then((end) => {
      if (end !== null)
        this.#fail(new FaultError(end.started || this.#wasReady ? "crash" : "start", end.how));
    });
    // How it ended says more than that it fell silent.
    void Promise.all([this.#exit, program.silent]).then(() => {
      if (this.#expected !== null) this.#fail(new FaultError("crash", "it ended before it answered"));
    });
    this.#watch = setInterval(() => {
      const peak = this.facts()?.peakBytes ?? 0;
      if (peak > limits.maxMemoryBytes) this.#fail(tooMuchMemory(peak, limits.maxMemoryBytes));
    }, WATCH_MS);
  }

  write(message: Uint8Array): void {
    this.#program.stdin.write(message);
  }

  facts(): ProcessFacts | null {
    return this.#program.facts();
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
  async stop(): Promise<void> {
    clearInterval(this.#watch);
    if (this.#expected !== null) clearTimeout(this.#expected.timer);
    this.#fault ??= new FaultError("crash", "it was stopped");
    await this.#program.stop();
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

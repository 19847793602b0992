/**
 * Our program around the deliverable; speaks the protocol of docs/perf.md. The case's first byte says what is asked:
 *
 *   0  parse each document and tell all that happened. Content: times { depth (4 bytes; all bits set: the default), number of
 *      chunks (4), their sizes (4 each), the document }. Answer: JSON, a list of texts for each document (see `Log`).
 *   1  work for the clock. Content: bytes of a chunk (4), number of places (4), size of the document (4), the document, times
 *      { offset (4), lowest byte (1), number of bytes (1) }. Before each iteration the state chooses a byte for each place, so no two
 *      iterations parse the same document. Answer: 8 bytes that hang on everything that was told.
 *
 * Numbers are unsigned, the least significant byte first.
 */
import { readSync, writeSync } from "node:fs";
import type * as Deliverable from "../reference/json-stream.ts";

const place = "./entry/json-stream.js";
const { JsonStream, JsonStreamError } = (await import(place)) as typeof Deliverable;

const DEFAULT_DEPTH = 0xffffffff;

function readAll(bytes: number): Buffer {
  const all = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; ) {
    const got = readSync(0, all, at, bytes - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return all;
}

function say(word: string, content: Uint8Array): void {
  const message = Buffer.alloc(5 + content.length);
  message.write(word, "latin1");
  message.writeUInt32LE(content.length, 1);
  message.set(content, 5);
  for (let at = 0; at < message.length; ) at += writeSync(1, message, at);
}

class Input {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    this.#at += 1;
    return this.#bytes.readUInt8(this.#at - 1);
  }

  number(): number {
    this.#at += 4;
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  bytes(count: number): Buffer {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

/** What happened, in its order: a text for each event, `|` for each call that came back, `!code@offset` for each that did not. */
class Log implements Deliverable.JsonHandler {
  readonly texts: string[] = [];
  beginObject(): void {
    this.texts.push("{");
  }
  key(name: string): void {
    this.texts.push(`k${name}`);
  }
  endObject(): void {
    this.texts.push("}");
  }
  beginArray(): void {
    this.texts.push("[");
  }
  endArray(): void {
    this.texts.push("]");
  }
  string(value: string): void {
    this.texts.push(`s${value}`);
  }
  number(text: string): void {
    this.texts.push(`n${text}`);
  }
  boolean(value: boolean): void {
    this.texts.push(value === true ? "true" : value === false ? "false" : "?");
  }
  null(): void {
    this.texts.push("null");
  }

  /** Whether the call came back. */
  call(work: () => void): boolean {
    try {
      work();
      this.texts.push("|");
      return true;
    } catch (error) {
      const isOurs = error instanceof JsonStreamError && error instanceof Error;
      this.texts.push(isOurs ? `!${error.code}@${error.offset}` : "?");
      return false;
    }
  }
}

/** Pushes chunk by chunk until one fails, ends; then pushes and ends once more. */
function told(maxDepth: number, chunks: readonly Buffer[]): string[] {
  const log = new Log();
  const stream = maxDepth === DEFAULT_DEPTH ? new JsonStream(log) : new JsonStream(log, { maxDepth });
  for (const chunk of chunks) {
    // In the middle of other bytes, which change when the call has come back.
    const memory = new Uint8Array(chunk.length + 16).fill(0x20);
    memory.set(chunk, 8);
    const cameBack = log.call(() => stream.push(memory.subarray(8, 8 + chunk.length)));
    memory.fill(0x5d);
    if (!cameBack) break;
  }
  log.call(() => stream.end());
  log.call(() => stream.push(Uint8Array.of(0x20)));
  log.call(() => stream.end());
  return log.texts;
}

function answerDocuments(input: Input): void {
  const logs: string[][] = [];
  while (!input.isDone) {
    const maxDepth = input.number();
    const sizes = Array.from({ length: input.number() }, () => input.number());
    logs.push(
      told(
        maxDepth,
        sizes.map((size) => input.bytes(size)),
      ),
    );
  }
  say("D", new TextEncoder().encode(JSON.stringify(logs)));
}

interface Workload {
  readonly chunk: number;
  readonly document: Uint8Array;
  readonly spots: readonly { readonly offset: number; readonly lowest: number; readonly choices: number }[];
}

function expand(input: Input): Workload {
  const chunk = input.number();
  const count = input.number();
  const document = Uint8Array.from(input.bytes(input.number()));
  const spots = Array.from({ length: count }, () => ({
    offset: input.number(),
    lowest: input.byte(),
    choices: input.byte(),
  }));
  return { chunk, document, spots };
}

/** Folds all that is told into one number; of a text its length, both ends and a unit that the state chooses. */
class Sum implements Deliverable.JsonHandler {
  #state: number;

  constructor(state: number) {
    this.#state = state;
  }

  get state(): number {
    return this.#state >>> 0;
  }

  beginObject(): void {
    this.#add(1);
  }
  key(name: string): void {
    this.#text(2, name);
  }
  endObject(): void {
    this.#add(3);
  }
  beginArray(): void {
    this.#add(4);
  }
  endArray(): void {
    this.#add(5);
  }
  string(value: string): void {
    this.#text(6, value);
  }
  number(text: string): void {
    this.#text(7, text);
  }
  boolean(value: boolean): void {
    this.#add(value ? 8 : 9);
  }
  null(): void {
    this.#add(10);
  }

  #add(value: number): void {
    const mixed = Math.imul(this.#state ^ value, 0x9e3779b1);
    this.#state = mixed ^ (mixed >>> 15);
  }

  #text(kind: number, text: string): void {
    const { length } = text;
    this.#add(kind + length * 16);
    if (length === 0) return;
    this.#add(text.charCodeAt(0) + (text.charCodeAt(length - 1) << 16));
    this.#add(text.charCodeAt((this.#state >>> 0) % length));
  }
}

function work({ chunk, document, spots }: Workload, iterations: number, salt: Buffer): Buffer {
  let first = salt.readUInt32LE(0);
  let second = salt.readUInt32LE(4);
  for (let left = iterations; left > 0; left -= 1) {
    for (const { offset, lowest, choices } of spots) {
      first = Math.imul(first ^ (second + offset), 0x85ebca6b);
      first ^= first >>> 13;
      document[offset] = lowest + ((first >>> 0) % choices);
    }
    const sum = new Sum(first);
    const stream = new JsonStream(sum);
    for (let at = 0; at < document.length; at += chunk) stream.push(document.subarray(at, at + chunk));
    stream.end();
    second = sum.state;
    first = Math.imul(first ^ second, 0xc2b2ae35) >>> 0;
  }
  const answer = Buffer.alloc(8);
  answer.writeUInt32LE(first >>> 0, 0);
  answer.writeUInt32LE(second, 4);
  return answer;
}

let documents = new Input(Buffer.alloc(0));
let workload: Workload | null = null;
for (;;) {
  const head = readAll(5);
  const content = readAll(head.readUInt32LE(1));
  const word = String.fromCharCode(head[0] ?? 0);
  if (word === "C") {
    documents = new Input(content);
    workload = documents.byte() === 1 ? expand(documents) : null;
    say("R", Buffer.alloc(0));
  } else if (word === "G") {
    if (workload === null) answerDocuments(documents);
    else say("D", work(workload, content.readUInt32LE(0), content.subarray(4, 12)));
  } else process.exit(0);
}

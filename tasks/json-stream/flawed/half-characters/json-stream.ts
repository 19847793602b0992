import { type JsonErrorCode, type JsonHandler, type JsonOptions, JsonStreamError } from "./events.ts";
import { NumberReader } from "./number-reader.ts";
import { StringReader } from "./string-reader.ts";

export * from "./events.ts";

/** What may come next, white space aside. */
const VALUE = 0;
const VALUE_OR_END = 1;
const COMMA_OR_END = 2;
const KEY_OR_END = 3;
const KEY = 4;
const COLON = 5;
/** Within a token. */
const IN_KEY = 6;
const IN_STRING = 7;
const IN_NUMBER = 8;
const IN_WORD = 9;
const NOTHING = 10;

const WORDS = ["true", "false", "null"] as const;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Reads one JSON text (RFC 8259) in chunks and tells a handler what it holds. */
export class JsonStream {
  readonly #handler: JsonHandler;
  readonly #maxDepth: number;
  readonly #strings = new StringReader();
  readonly #numbers = new NumberReader();
  #state = VALUE;
  /** Of each open object the keys that it has had; null for an array. The innermost is last. */
  readonly #open: (Set<string> | null)[] = [];
  #word: (typeof WORDS)[number] = "null";
  #letters = 0;
  /** Bytes of earlier chunks. */
  #base = 0;
  #failure: JsonStreamError | null = null;

  constructor(handler: JsonHandler, { maxDepth = 512 }: JsonOptions = {}) {
    this.#handler = handler;
    this.#maxDepth = maxDepth;
  }

  /** Takes the next bytes of the document, any number of them; keeps none. */
  push(chunk: Uint8Array): void {
    this.#guarded(() => {
      for (let at = 0; at < chunk.length; ) at = this.#read(chunk, at);
      this.#base += chunk.length;
    });
  }

  /** Says that there are no more. */
  end(): void {
    this.#guarded(() => {
      if (this.#state === IN_NUMBER && this.#numbers.isComplete) this.#endNumber();
      if (this.#state !== NOTHING) throw new JsonStreamError("unexpected-end", this.#base);
    });
    this.#failure = new JsonStreamError("closed", this.#base);
  }

  #guarded(work: () => void): void {
    if (this.#failure !== null) throw this.#failure;
    try {
      work();
    } catch (error) {
      if (error instanceof JsonStreamError) this.#failure = error;
      throw error;
    }
  }

  /** Takes what stands at `at`: a token or a part of one; returns where the next one is. */
  #read(chunk: Uint8Array, at: number): number {
    switch (this.#state) {
      case IN_KEY:
      case IN_STRING:
        return this.#readString(chunk, at);
      case IN_NUMBER:
        return this.#readNumber(chunk, at);
      case IN_WORD:
        return this.#readWord(chunk, at);
      default:
        return this.#readStart(chunk, at);
    }
  }

  #readString(chunk: Uint8Array, at: number): number {
    const end = this.#strings.read(chunk, at, this.#base);
    if (!this.#strings.isDone) return end;
    const text = this.#strings.take();
    if (this.#state === IN_KEY) {
      const keys = this.#open.at(-1) as Set<string>;
      const size = keys.size;
      if (keys.add(text).size === size) throw this.#fault("duplicate-key", end - 1);
      this.#state = COLON;
      this.#handler.key(text);
    } else {
      this.#endValue();
      this.#handler.string(text);
    }
    return end;
  }

  #readNumber(chunk: Uint8Array, at: number): number {
    const end = this.#numbers.read(chunk, at);
    if (end === chunk.length) return end;
    if (!this.#numbers.isComplete) throw this.#fault("bad-number", end);
    this.#endNumber();
    return end;
  }

  #endNumber(): void {
    this.#endValue();
    this.#handler.number(this.#numbers.take());
  }

  #readWord(chunk: Uint8Array, at: number): number {
    if (chunk[at] !== this.#word.charCodeAt(this.#letters)) throw this.#fault("unexpected-byte", at);
    this.#letters += 1;
    if (this.#letters < this.#word.length) return at + 1;
    this.#endValue();
    if (this.#word === "null") this.#handler.null();
    else this.#handler.boolean(this.#word === "true");
    return at + 1;
  }

  /** Space, punctuation, or the first byte of a token. */
  #readStart(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number;
    if (isSpace(byte)) return at + 1;
    const state = this.#state;
    if (state === VALUE || (state === VALUE_OR_END && byte !== 0x5d)) this.#beginValue(byte, at);
    else if (byte === 0x22 && (state === KEY || state === KEY_OR_END)) this.#beginString(IN_KEY);
    else if (byte === 0x3a && state === COLON) this.#state = VALUE;
    else if (byte === 0x2c && state === COMMA_OR_END) this.#state = this.#open.at(-1) === null ? VALUE : KEY;
    else if (byte === 0x5d || byte === 0x7d) this.#close(byte, at);
    else throw this.#fault(state === NOTHING ? "trailing-data" : "unexpected-byte", at);
    return at + 1;
  }

  #beginValue(byte: number, at: number): void {
    if (byte === 0x22) {
      this.#beginString(IN_STRING);
    } else if (byte === 0x7b || byte === 0x5b) {
      if (this.#open.length >= this.#maxDepth) throw this.#fault("too-deep", at);
      const isObject = byte === 0x7b;
      this.#open.push(isObject ? new Set() : null);
      this.#state = isObject ? KEY_OR_END : VALUE_OR_END;
      if (isObject) this.#handler.beginObject();
      else this.#handler.beginArray();
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      this.#numbers.begin(byte);
      this.#state = IN_NUMBER;
    } else {
      const word = WORDS.find((text) => text.charCodeAt(0) === byte);
      if (word === undefined) throw this.#fault("unexpected-byte", at);
      this.#word = word;
      this.#letters = 1;
      this.#state = IN_WORD;
    }
  }

  #beginString(state: number): void {
    this.#strings.begin();
    this.#state = state;
  }

  #close(byte: number, at: number): void {
    const state = this.#state;
    const isObject = byte === 0x7d;
    const fits =
      state === COMMA_OR_END
        ? (this.#open.at(-1) === null) !== isObject
        : state === (isObject ? KEY_OR_END : VALUE_OR_END);
    if (!fits) throw this.#fault(state === NOTHING ? "trailing-data" : "unexpected-byte", at);
    this.#open.pop();
    this.#endValue();
    if (isObject) this.#handler.endObject();
    else this.#handler.endArray();
  }

  #endValue(): void {
    this.#state = this.#open.length === 0 ? NOTHING : COMMA_OR_END;
  }

  #fault(code: JsonErrorCode, at: number): JsonStreamError {
    return new JsonStreamError(code, this.#base + at);
  }
}

import { type JsonErrorCode, JsonStreamError } from "./events.ts";
import { TextBuilder } from "./text-builder.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** What the next byte belongs to. */
const PLAIN = 0;
const CONTINUATION = 1;
const ESCAPE = 2;
const HEX = 3;
/** A high surrogate has been read: `\u` of the low one must follow. */
const LOW_BACKSLASH = 4;
const LOW_U = 5;

/** What the letter of an escape stands for; 0 for those that there are not. */
const ESCAPES = new Uint8Array(256);
for (const [letter, meant] of ['""', "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"])
  ESCAPES[(letter as string).charCodeAt(0)] = (meant as string).charCodeAt(0);

/** 1 for bytes that stand for themselves in a string. */
const IS_PLAIN = new Uint8Array(256).fill(1, 0x20, 0x80);
IS_PLAIN[QUOTE] = 0;
IS_PLAIN[BACKSLASH] = 0;

/** Reads one string from behind its opening quote, in as many pieces as it comes. */
export class StringReader {
  readonly #text = new TextBuilder();
  #state = PLAIN;
  /** What a sequence or escape has said so far, and how many bytes of it are still to come. */
  #code = 0;
  #left = 0;
  /** What the next continuation byte may be. */
  #least = 0x80;
  #most = 0xbf;
  #high = 0;
  isDone = false;

  begin(): void {
    this.isDone = false;
  }

  /** Takes bytes from `at` on until the string or the chunk ends; returns where that is, behind the closing quote. */
  read(chunk: Uint8Array, at: number, base: number): number {
    let index = at;
    while (index < chunk.length) {
      if (this.#state === PLAIN) {
        const start = index;
        while (IS_PLAIN[chunk[index] as number] === 1) index += 1;
        this.#text.addAscii(chunk, start, index);
        if (index >= chunk.length) break;
      }
      const byte = chunk[index] as number;
      const fault = this.#step(byte);
      if (fault !== null) throw new JsonStreamError(fault, base + index);
      index += 1;
      if (this.isDone) break;
    }
    return index;
  }

  take(): string {
    return this.#text.take();
  }

  #step(byte: number): JsonErrorCode | null {
    switch (this.#state) {
      case PLAIN:
        return this.#special(byte);
      case CONTINUATION:
        return this.#continuation(byte);
      case ESCAPE:
        return this.#escape(byte);
      case HEX:
        return this.#hex(byte);
      case LOW_BACKSLASH:
        this.#state = LOW_U;
        return byte === BACKSLASH ? null : "lone-surrogate";
      default:
        this.#beginHex();
        return byte === LOWER_U ? null : "lone-surrogate";
    }
  }

  /** A byte that does not stand for itself. */
  #special(byte: number): JsonErrorCode | null {
    if (byte === QUOTE) this.isDone = true;
    else if (byte === BACKSLASH) this.#state = ESCAPE;
    else if (byte < 0x20) return "control-character";
    else return this.#lead(byte);
    return null;
  }

  /** The first byte of a sequence of UTF-8, as in table 3-7 of the Unicode standard. */
  #lead(byte: number): JsonErrorCode | null {
    if (byte < 0xc2 || byte > 0xf4) return "invalid-utf8";
    this.#left = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#code = byte & (0x3f >> this.#left);
    if (byte === 0xe0) this.#least = 0xa0;
    if (byte === 0xed) this.#most = 0x9f;
    if (byte === 0xf0) this.#least = 0x90;
    if (byte === 0xf4) this.#most = 0x8f;
    this.#state = CONTINUATION;
    return null;
  }

  #continuation(byte: number): JsonErrorCode | null {
    if (byte < this.#least || byte > this.#most) return "invalid-utf8";
    this.#least = 0x80;
    this.#most = 0xbf;
    this.#code = (this.#code << 6) | (byte & 0x3f);
    this.#left -= 1;
    if (this.#left > 0) return null;
    this.#text.addCodePoint(this.#code);
    this.#state = PLAIN;
    return null;
  }

  #escape(byte: number): JsonErrorCode | null {
    if (byte === LOWER_U) {
      this.#beginHex();
      return null;
    }
    const meant = ESCAPES[byte] as number;
    if (meant === 0) return "bad-escape";
    this.#text.add(meant);
    this.#state = PLAIN;
    return null;
  }

  #beginHex(): void {
    this.#state = HEX;
    this.#code = 0;
    this.#left = 4;
  }

  #hex(byte: number): JsonErrorCode | null {
    const digit = hexDigit(byte);
    if (digit < 0) return "bad-escape";
    this.#code = (this.#code << 4) | digit;
    this.#left -= 1;
    if (!this.#canBeUnit()) return "lone-surrogate";
    if (this.#left === 0) this.#endHex();
    return null;
  }

  /** Whether the digits so far can begin what must come here: a low surrogate behind a high one, else anything but that. */
  #canBeUnit(): boolean {
    const known = 4 - this.#left;
    if (this.#high !== 0 && known === 1) return this.#code === 0xd;
    if (known !== 2) return true;
    const isLow = this.#code >= 0xdc && this.#code <= 0xdf;
    return isLow === (this.#high !== 0);
  }

  #endHex(): void {
    const isHigh = this.#code >= 0xd800 && this.#code <= 0xdbff;
    this.#high = isHigh ? this.#code : 0;
    this.#text.add(this.#code);
    this.#state = isHigh ? LOW_BACKSLASH : PLAIN;
  }
}

/** −1 for what is no digit. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

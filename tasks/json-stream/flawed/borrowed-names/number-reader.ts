import { TextBuilder } from "./text-builder.ts";

/** Where in a number one is: what may come next. */
const AFTER_MINUS = 0;
const AFTER_ZERO = 1;
const IN_INTEGER = 2;
const AFTER_POINT = 3;
const IN_FRACTION = 4;
const AFTER_E = 5;
const AFTER_SIGN = 6;
const IN_EXPONENT = 7;
/** The byte does not belong to the number. */
const END = -1;

const isComplete = (state: number): boolean =>
  state === AFTER_ZERO || state === IN_INTEGER || state === IN_FRACTION || state === IN_EXPONENT;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Reads one number, in as many pieces as it comes. */
export class NumberReader {
  readonly #text = new TextBuilder();
  #state = END;

  /** Whether all bytes so far are a number. */
  get isComplete(): boolean {
    return isComplete(this.#state);
  }

  /** Starts with `-` or a digit. */
  begin(byte: number): void {
    this.#state = byte === 0x2d ? AFTER_MINUS : byte === 0x30 ? AFTER_ZERO : IN_INTEGER;
    this.#text.add(byte);
  }

  /** Takes the bytes from `at` on that belong to the number; returns where they end. */
  read(chunk: Uint8Array, at: number): number {
    let state = this.#state;
    let index = at;
    for (; index < chunk.length; index += 1) {
      const byte = chunk[index] as number;
      const next = stateAfter(state, byte);
      if (next === END) break;
      state = next;
      this.#text.add(byte);
    }
    this.#state = state;
    return index;
  }

  take(): string {
    return this.#text.take();
  }
}

function stateAfter(state: number, byte: number): number {
  if (isDigit(byte)) {
    if (state === IN_INTEGER || state === IN_FRACTION || state === IN_EXPONENT) return state;
    if (state === AFTER_MINUS) return byte === 0x30 ? AFTER_ZERO : IN_INTEGER;
    if (state === AFTER_ZERO) return END;
    return state === AFTER_POINT ? IN_FRACTION : IN_EXPONENT;
  }
  if (byte === 0x2e) return state === AFTER_ZERO || state === IN_INTEGER ? AFTER_POINT : END;
  if (byte === 0x65 || byte === 0x45) return isComplete(state) && state !== IN_EXPONENT ? AFTER_E : END;
  if (byte === 0x2b || byte === 0x2d) return state === AFTER_E ? AFTER_SIGN : END;
  return END;
}

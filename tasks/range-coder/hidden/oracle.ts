/*
 * What SPEC.md says, written from it alone. The encoder never carries: it keeps what is added at each byte as a sum and makes digits of
 * the sums at the very end. The decoder knows no canonical end either: it encodes again what it read, and compares.
 */

const WHOLE = 2 ** 32 - 1;
const NARROW = 2 ** 24;

/** The errors by the number with which the driver names them. */
export const STATUS = { ok: 0, header: 1, tooLong: 2, badCode: 3, checksum: 4, tail: 5 } as const;
export type Status = keyof typeof STATUS;

/** Thrown where a decoder has to give up. */
export class Wrong extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super(status);
    this.status = status;
  }
}

/** The probability of false, learned at two speeds. */
export class BitModel {
  #fast = 32768;
  #slow = 32768;

  get share(): number {
    return Math.floor((this.#fast + this.#slow) / 32);
  }

  learn(bit: boolean): void {
    const towards = (estimate: number, shift: number): number =>
      bit
        ? estimate - Math.floor(estimate / 2 ** shift)
        : estimate + Math.floor((65536 - estimate) / 2 ** shift);
    this.#fast = towards(this.#fast, 4);
    this.#slow = towards(this.#slow, 7);
  }
}

export class SymbolModel {
  #counts: number[];

  constructor(symbols: number) {
    this.#counts = Array<number>(symbols).fill(1);
  }

  get size(): number {
    return this.#counts.length;
  }

  get total(): number {
    return this.before(this.size);
  }

  before(symbol: number): number {
    return this.#counts.slice(0, symbol).reduce((sum, count) => sum + count, 0);
  }

  count(symbol: number): number {
    return this.#counts[symbol] ?? 0;
  }

  learn(symbol: number): void {
    this.#counts[symbol] = this.count(symbol) + 24;
    if (this.total > 8192) this.#counts = this.#counts.map((count) => Math.ceil(count / 2));
  }
}

/** A decision together with what is known of it. */
export type Decision =
  | { readonly kind: "bit"; readonly model: BitModel; readonly value: boolean }
  | { readonly kind: "symbol"; readonly model: SymbolModel; readonly value: number }
  | { readonly kind: "number"; readonly bits: number; readonly value: number };

/** The parts of a number of `bits` bits, from the highest one: 16 bits each, the last what is left. */
function partsOf(bits: number): { shift: number; width: number }[] {
  const parts: { shift: number; width: number }[] = [];
  for (let left = Math.min(bits, 32); left > 0; ) {
    const width = Math.min(left, 16);
    left -= width;
    parts.push({ shift: left, width });
  }
  return parts;
}

export class Encoder {
  /** What was added while so many bytes had been shifted out: each is below 2³², and weighs 256 times the next one. */
  readonly #sums: number[] = [0];
  #range = WHOLE;

  put(decision: Decision): void {
    if (decision.kind === "number") {
      for (const { shift, width } of partsOf(decision.bits)) {
        const unit = Math.floor(this.#range / 2 ** width);
        const part = Math.floor(decision.value / 2 ** shift) % 2 ** width;
        this.#narrow(unit * part, unit);
      }
      return;
    }
    if (decision.kind === "bit") {
      const bound = Math.floor(this.#range / 4096) * decision.model.share;
      if (decision.value) this.#narrow(bound, this.#range - bound);
      else this.#narrow(0, bound);
      decision.model.learn(decision.value);
      return;
    }
    const { model, value } = decision;
    const unit = Math.floor(this.#range / model.total);
    const offset = unit * model.before(value);
    this.#narrow(offset, value === model.size - 1 ? this.#range - offset : unit * model.count(value));
    model.learn(value);
  }

  #narrow(offset: number, width: number): void {
    this.#sums[this.#sums.length - 1] = (this.#sums.at(-1) ?? 0) + offset;
    this.#range = width;
    while (this.#range < NARROW) {
      this.#range *= 256;
      this.#sums.push(0);
    }
  }

  /** The shortest string of bytes whose number, with zeros behind it, lies in the range. */
  finish(): Uint8Array {
    const digits = new Uint8Array(this.#sums.length + 3);
    let carried = 0;
    for (let at = digits.length - 1; at >= 0; at -= 1) {
      // The lowest digit of each sum stands three places behind it.
      const sum = carried + (this.#sums[at - 3] ?? 0);
      digits[at] = sum % 256;
      carried = Math.floor(sum / 256);
    }
    const low = digits.slice();
    for (let zeros = 4; zeros >= 0; zeros -= 1) {
      const end = low.slice();
      if (roundUp(end, zeros) && difference(low, end) < this.#range) return withoutZeros(end);
    }
    throw new Error("every range holds its own low end");
  }
}

/** Makes the last bytes zero, upwards; false when the number outgrows its bytes. */
function roundUp(digits: Uint8Array, zeros: number): boolean {
  const from = Math.max(0, digits.length - zeros);
  const isRound = digits.subarray(from).every((digit) => digit === 0);
  digits.fill(0, from);
  if (isRound) return true;
  for (let at = from - 1; at >= 0; at -= 1) {
    digits[at] = (digits[at] ?? 0) + 1;
    if (digits[at] !== 0) return true;
  }
  return false;
}

/** `end` − `low`, which differ by less than 2³² + 2⁸. */
function difference(low: Uint8Array, end: Uint8Array): number {
  return end.reduce((sum, digit, at) => sum * 256 + digit - (low[at] ?? 0), 0);
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  let size = bytes.length;
  while (size > 0 && bytes[size - 1] === 0) size -= 1;
  return bytes.slice(0, size);
}

/** Reads decisions; models are asked to be those of a fresh encoder. */
export class Decoder {
  readonly #stream: Uint8Array;
  readonly #again = new Encoder();
  #at = 4;
  #code: number;
  #range = WHOLE;

  constructor(stream: Uint8Array) {
    this.#stream = stream;
    this.#code = [0, 1, 2, 3].reduce((code, at) => code * 256 + (stream[at] ?? 0), 0);
    if (this.#code >= this.#range) throw new Wrong("badCode");
  }

  /** @param twin a model in the same state as `model`, for encoding again */
  bit(model: BitModel, twin: BitModel): boolean {
    const bound = Math.floor(this.#range / 4096) * model.share;
    const value = this.#code >= bound;
    this.#narrow(value ? bound : 0, value ? this.#range - bound : bound);
    model.learn(value);
    this.#again.put({ kind: "bit", model: twin, value });
    return value;
  }

  symbol(model: SymbolModel, twin: SymbolModel): number {
    const unit = Math.floor(this.#range / model.total);
    const place = Math.floor(this.#code / unit);
    let [value, before] = [0, 0];
    while (value < model.size - 1 && place >= before + model.count(value)) {
      before += model.count(value);
      value += 1;
    }
    const offset = unit * before;
    this.#narrow(offset, value === model.size - 1 ? this.#range - offset : unit * model.count(value));
    model.learn(value);
    this.#again.put({ kind: "symbol", model: twin, value });
    return value;
  }

  number(bits: number): number {
    let value = 0;
    for (const { width } of partsOf(bits)) {
      const unit = Math.floor(this.#range / 2 ** width);
      const part = Math.floor(this.#code / unit);
      if (part >= 2 ** width) throw new Wrong("badCode");
      this.#narrow(unit * part, unit);
      value = value * 2 ** width + part;
    }
    this.#again.put({ kind: "number", bits, value });
    return value;
  }

  finish(): void {
    const own = this.#again.finish();
    const isSame = own.length === this.#stream.length && own.every((byte, at) => byte === this.#stream[at]);
    if (!isSame) throw new Wrong("tail");
  }

  #narrow(offset: number, width: number): void {
    this.#code -= offset;
    this.#range = width;
    while (this.#range < NARROW) {
      this.#range *= 256;
      this.#code = this.#code * 256 + (this.#stream[this.#at] ?? 0);
      this.#at += 1;
    }
  }
}

const models = () => ({
  same: Array.from({ length: 256 }, () => new BitModel()),
  high: Array.from({ length: 16 }, () => new SymbolModel(16)),
  low: Array.from({ length: 256 }, () => new BitModel()),
});
type Models = ReturnType<typeof models>;

function checksum(data: Uint8Array): number {
  return data.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}

/** The model at an index that is in its table by construction. */
function at<T>(table: readonly T[], index: number): T {
  const model = table[index];
  if (model === undefined) throw new RangeError(`no model ${index}`);
  return model;
}

/** Packs data; `edit` may change the decisions, as no compressor does, for streams that are wrong in one place. */
export function compress(data: Uint8Array, edit: (sum: number) => number = (sum) => sum): Uint8Array {
  const { same, high, low } = models();
  const encoder = new Encoder();
  let before = 0;
  for (const byte of data) {
    encoder.put({ kind: "bit", model: at(same, before), value: byte === before });
    if (byte !== before) longWay(encoder, { high, low }, before, byte);
    before = byte;
  }
  encoder.put({ kind: "number", bits: 32, value: edit(checksum(data)) });
  return packed(data.length, encoder.finish());
}

/** One byte that is said to differ from the zero before it, and is another or the same: then no compressor says so. */
export function compressOtherByte(byte: number): Uint8Array {
  const { same, high, low } = models();
  const encoder = new Encoder();
  encoder.put({ kind: "bit", model: at(same, 0), value: false });
  longWay(encoder, { high, low }, 0, byte);
  encoder.put({ kind: "number", bits: 32, value: checksum(Uint8Array.of(byte)) });
  return packed(1, encoder.finish());
}

function longWay(encoder: Encoder, { high, low }: Omit<Models, "same">, before: number, byte: number): void {
  const top = byte >> 4;
  encoder.put({ kind: "symbol", model: at(high, before >> 4), value: top });
  let node = 1;
  for (let place = 3; place >= 0; place -= 1) {
    const bit = (byte >> place) & 1;
    encoder.put({ kind: "bit", model: at(low, top * 16 + node), value: bit === 1 });
    node = node * 2 + bit;
  }
}

/** The mark, a length, and a stream. */
export function packed(length: number, stream: Uint8Array): Uint8Array {
  return Uint8Array.from([0x52, ...lengthBytes(length), ...stream]);
}

export function lengthBytes(length: number): number[] {
  return length < 128 ? [length] : [(length % 128) + 128, ...lengthBytes(Math.floor(length / 128))];
}

export interface Unpacked {
  readonly status: Status;
  readonly data: Uint8Array;
}

export function decompress(bytes: Uint8Array, limit: number): Unpacked {
  try {
    return { status: "ok", data: unpack(bytes, limit) };
  } catch (error) {
    if (error instanceof Wrong) return { status: error.status, data: new Uint8Array(0) };
    throw error;
  }
}

function unpack(bytes: Uint8Array, limit: number): Uint8Array {
  const { length, size } = headOf(bytes);
  if (length > limit) throw new Wrong("tooLong");
  const decoder = new Decoder(bytes.subarray(size));
  const [own, twin] = [models(), models()];
  const data = new Uint8Array(length);
  let before = 0;
  for (let index = 0; index < length; index += 1) {
    if (!decoder.bit(at(own.same, before), at(twin.same, before))) {
      const top = decoder.symbol(at(own.high, before >> 4), at(twin.high, before >> 4));
      let node = 1;
      while (node < 16) {
        const place = top * 16 + node;
        node = node * 2 + (decoder.bit(at(own.low, place), at(twin.low, place)) ? 1 : 0);
      }
      const byte = top * 16 + node - 16;
      if (byte === before) throw new Wrong("badCode");
      before = byte;
    }
    data[index] = before;
  }
  if (decoder.number(32) !== checksum(data)) throw new Wrong("checksum");
  decoder.finish();
  return data;
}

/** The length, and the size of the head. Only what `lengthBytes` writes is a head. */
function headOf(bytes: Uint8Array): { length: number; size: number } {
  const end = bytes.subarray(1).findIndex((byte) => byte < 128);
  if (bytes[0] !== 0x52 || end < 0 || end > 4) throw new Wrong("header");
  const length = bytes.subarray(1, end + 2).reduceRight((sum, byte) => sum * 128 + (byte % 128), 0);
  if (length > 2 ** 32 - 1 || lengthBytes(length).length !== end + 1) throw new Wrong("header");
  return { length, size: end + 2 };
}

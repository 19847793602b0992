/** So many units are turned into text at a time. */
const ROOM = 1024;

/** Collects UTF-16 units and makes a text of them. */
export class TextBuilder {
  readonly #units = Array<number>(ROOM).fill(0);
  #count = 0;
  #text = "";

  add(unit: number): void {
    if (this.#count === ROOM) this.#flush();
    this.#units[this.#count] = unit;
    this.#count += 1;
  }

  /** Units that stand in `bytes` as they are: ASCII. */
  addAscii(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (this.#count === ROOM) this.#flush();
      const end = Math.min(to, at + ROOM - this.#count);
      for (; at < end; at += 1) {
        this.#units[this.#count] = bytes[at] as number;
        this.#count += 1;
      }
    }
  }

  addCodePoint(code: number): void {
    if (code < 0x10000) {
      this.add(code);
    } else {
      this.add(0xd7c0 + (code >> 10));
      this.add(0xdc00 + (code & 0x3ff));
    }
  }

  /** The whole text; the next one begins. */
  take(): string {
    this.#flush();
    const text = this.#text;
    this.#text = "";
    return text;
  }

  #flush(): void {
    this.#text += String.fromCharCode(...this.#units.slice(0, this.#count));
    this.#count = 0;
  }
}

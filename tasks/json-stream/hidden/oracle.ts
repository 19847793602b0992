/**
 * What SPEC.md demands for a document: first everything that happens and with which byte, from the document as a whole; then, from
 * that and the chunks, the log that driver/driver.ts must write. Plain and slow; shares nothing with the reference.
 */

/** Something that is told, or the error that ends it, with the byte that decides it; the length of the document stands for its end. */
export interface Happening {
  readonly at: number;
  readonly text: string;
}

export interface Outcome {
  readonly told: readonly Happening[];
  readonly error: { readonly at: number; readonly code: string } | null;
}

class Fault extends Error {
  readonly code: string;
  readonly at: number;
  constructor(code: string, at: number) {
    super(code);
    this.code = code;
    this.at = at;
  }
}

export function read(document: Uint8Array, maxDepth: number): Outcome {
  const reader = new Reader(document, maxDepth);
  try {
    reader.document();
    return { told: reader.told, error: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { told: reader.told, error };
  }
}

/** The log of the driver for chunks of these sizes, which are the whole document. */
export function logOf(document: Uint8Array, sizes: readonly number[], maxDepth = 512): string[] {
  const { told, error } = read(document, maxDepth);
  const log: string[] = [];
  let next = 0;
  const tellUpTo = (end: number): void => {
    for (; next < told.length && (told[next]?.at ?? 0) < end; next += 1) log.push(told[next]?.text ?? "");
  };
  let pushed = 0;
  let failed = false;
  for (const size of sizes) {
    pushed += size;
    tellUpTo(pushed);
    failed = error !== null && error.at < pushed;
    if (failed) break;
    log.push("|");
  }
  const failure = error === null ? "" : `!${error.code}@${error.at}`;
  if (failed) return [...log, failure, failure, failure, failure];
  tellUpTo(document.length + 1);
  const closed = `!closed@${document.length}`;
  return error === null ? [...log, "|", closed, closed] : [...log, failure, failure, failure];
}

const text = (words: string): number[] => Array.from(words, (letter) => letter.charCodeAt(0));
const [QUOTE = 0, BACKSLASH = 0, COMMA = 0, COLON = 0] = text('"\\,:');

class Reader {
  readonly told: Happening[] = [];
  readonly #bytes: Uint8Array;
  readonly #maxDepth: number;
  #at = 0;

  constructor(bytes: Uint8Array, maxDepth: number) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
  }

  document(): void {
    this.#space();
    this.#value(0);
    this.#space();
    if (this.#at < this.#bytes.length) throw new Fault("trailing-data", this.#at);
  }

  #peek(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Fault("unexpected-end", this.#at);
    return byte;
  }

  #tell(words: string, at = this.#at): void {
    this.told.push({ at, text: words });
  }

  #space(): void {
    while (text(" \t\n\r").includes(this.#bytes[this.#at] ?? 0)) this.#at += 1;
  }

  #value(depth: number): void {
    const letter = String.fromCharCode(this.#peek());
    if (letter === '"') this.#tell(`s${this.#string()}`, this.#at - 1);
    else if (letter === "{" || letter === "[") {
      if (depth >= this.#maxDepth) throw new Fault("too-deep", this.#at);
      this.#tell(letter);
      this.#at += 1;
      if (letter === "{") this.#object(depth + 1);
      else this.#array(depth + 1);
    } else if (letter === "-" || /[0-9]/.test(letter)) this.#number();
    else if (letter === "t" || letter === "f" || letter === "n") this.#word(letter);
    else throw new Fault("unexpected-byte", this.#at);
  }

  #word(letter: "t" | "f" | "n"): void {
    const word = { t: "true", f: "false", n: "null" }[letter];
    for (const byte of text(word)) {
      if (this.#peek() !== byte) throw new Fault("unexpected-byte", this.#at);
      this.#at += 1;
    }
    this.#tell(word, this.#at - 1);
  }

  /** The longest beginning that could still become a number, told with the byte behind it. */
  #number(): void {
    let end = this.#at;
    while (text("+-.0123456789eE").includes(this.#bytes[end] ?? 0)) end += 1;
    const rest = String.fromCharCode(...this.#bytes.subarray(this.#at, end));
    const begun = /^-?(?:(?:0|[1-9][0-9]*)(?:(?:\.[0-9]+)?[eE][+-]?[0-9]*|\.[0-9]*)?)?/.exec(rest)?.[0] ?? "";
    this.#at += begun.length;
    if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(begun)) {
      this.#peek();
      throw new Fault("bad-number", this.#at);
    }
    this.#tell(`n${begun}`);
  }

  #array(depth: number): void {
    this.#space();
    if (this.#peek() !== text("]")[0])
      for (;;) {
        this.#space();
        this.#value(depth);
        this.#space();
        if (this.#peek() !== COMMA) break;
        this.#at += 1;
      }
    this.#close("]");
  }

  #object(depth: number): void {
    const names: string[] = [];
    this.#space();
    if (this.#peek() !== text("}")[0])
      for (;;) {
        this.#space();
        if (this.#peek() !== QUOTE) throw new Fault("unexpected-byte", this.#at);
        const name = this.#string();
        if (names.includes(name)) throw new Fault("duplicate-key", this.#at - 1);
        names.push(name);
        this.#tell(`k${name}`, this.#at - 1);
        this.#space();
        if (this.#peek() !== COLON) throw new Fault("unexpected-byte", this.#at);
        this.#at += 1;
        this.#space();
        this.#value(depth);
        this.#space();
        if (this.#peek() !== COMMA) break;
        this.#at += 1;
      }
    this.#close("}");
  }

  #close(bracket: string): void {
    if (this.#peek() !== bracket.charCodeAt(0)) throw new Fault("unexpected-byte", this.#at);
    this.#tell(bracket);
    this.#at += 1;
  }

  /** From the opening quote to behind the closing one. */
  #string(): string {
    const parts: string[] = [];
    this.#at += 1;
    for (;;) {
      const byte = this.#peek();
      if (byte === QUOTE) {
        this.#at += 1;
        return parts.join("");
      }
      if (byte < 0x20) throw new Fault("control-character", this.#at);
      if (byte === BACKSLASH) parts.push(this.#escape());
      else parts.push(this.#character());
    }
  }

  /** One character of UTF-8: table 3-7 of the Unicode standard, row by row. */
  #character(): string {
    const first = this.#peek();
    const row = ROWS.find(([from, to]) => first >= from && first <= to);
    if (row === undefined) throw new Fault("invalid-utf8", this.#at);
    const bytes = [first];
    this.#at += 1;
    for (const [least, most] of row[2]) {
      const byte = this.#peek();
      if (byte < least || byte > most) throw new Fault("invalid-utf8", this.#at);
      bytes.push(byte);
      this.#at += 1;
    }
    const lead = [0x7f, 0x7f, 0x1f, 0x0f, 0x07][bytes.length] ?? 0;
    return String.fromCodePoint(
      bytes.slice(1).reduce((code, byte) => code * 64 + (byte - 0x80), first & lead),
    );
  }

  #escape(): string {
    this.#at += 1;
    const letter = String.fromCharCode(this.#peek());
    if (letter !== "u") {
      const meant = SHORT[letter];
      if (meant === undefined) throw new Fault("bad-escape", this.#at);
      this.#at += 1;
      return meant;
    }
    this.#at += 1;
    const unit = this.#unit("0123456789abcdef", "0123456789ab");
    if (unit < 0xd800 || unit > 0xdbff) return String.fromCharCode(unit);
    for (const byte of text("\\u")) {
      if (this.#peek() !== byte) throw new Fault("lone-surrogate", this.#at);
      this.#at += 1;
    }
    return String.fromCharCode(unit, this.#unit("d", "cdef"));
  }

  /** Four hexadecimal digits: the first one of `first`, and behind a `d` the second one of `second`, which keeps surrogates apart. */
  #unit(first: string, second: string): number {
    let digits = "";
    for (let index = 0; index < 4; index += 1) {
      const digit = String.fromCharCode(this.#peek()).toLowerCase();
      if (!/^[0-9a-f]$/.test(digit)) throw new Fault("bad-escape", this.#at);
      const isAllowed = index === 0 ? first.includes(digit) : digits !== "d" || second.includes(digit);
      if (!isAllowed) throw new Fault("lone-surrogate", this.#at);
      digits += digit;
      this.#at += 1;
    }
    return Number.parseInt(digits, 16);
  }
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

type Bounds = readonly [least: number, most: number];
const ANY: Bounds = [0x80, 0xbf];

/** First bytes from and to, and what may follow each. */
const ROWS: readonly (readonly [from: number, to: number, rest: readonly Bounds[]])[] = [
  [0x00, 0x7f, []],
  [0xc2, 0xdf, [ANY]],
  [0xe0, 0xe0, [[0xa0, 0xbf], ANY]],
  [0xe1, 0xec, [ANY, ANY]],
  [0xed, 0xed, [[0x80, 0x9f], ANY]],
  [0xee, 0xef, [ANY, ANY]],
  [0xf0, 0xf0, [[0x90, 0xbf], ANY, ANY]],
  [0xf1, 0xf3, [ANY, ANY, ANY]],
  [0xf4, 0xf4, [[0x80, 0x8f], ANY, ANY]],
];

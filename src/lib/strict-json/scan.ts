import { pointerToken } from "./pointer.ts";

/**
 * The one JSON scanner: a loop over an explicit stack (nothing in the input can overflow ours), which builds the value,
 * refuses what `JSON.parse` quietly changes, and, on request, notes where each value starts.
 */

export interface ScanProblem {
  readonly code: string;
  readonly message: string;
  /** Index into the text, in UTF-16 code units. */
  readonly offset: number;
  readonly pointer: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly hint?: string;
}

/**
 * Where a value starts, and for a container that holds something, where its parts do. A tree, not a table of pointers:
 * one long key above many values would stand in each of their pointers.
 */
export type Place =
  | number
  | { readonly start: number; readonly items: readonly Place[] }
  | { readonly start: number; readonly members: ReadonlyMap<string, Place> };

export type ScanResult =
  | { readonly ok: true; readonly value: unknown; readonly place: Place }
  | { readonly ok: false; readonly problem: ScanProblem };

export interface ScanOptions {
  readonly maxDepth: number;
  /** Note the place of every value, not only of the document. */
  readonly places?: boolean;
}

/** Keys that reach an object's prototype in careless code. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const MAX_DIGITS = 17;
const MAX_INTEGER = 2 ** 53;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** Any character but the quote, the backslash, control characters and surrogates. */
const PLAIN_TEXT = /[ !#-[\]-\ud7ff\ue000-\uffff]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

interface ArrayFrame {
  readonly kind: "array";
  readonly value: unknown[];
  readonly start: number;
  readonly items: Place[];
}
interface ObjectFrame {
  readonly kind: "object";
  readonly value: Record<string, unknown>;
  readonly start: number;
  readonly members: Map<string, Place>;
  /** Key whose value is being read. */
  next: string;
}
type Frame = ArrayFrame | ObjectFrame;

/** Thrown inside this file only; `scanJson` turns it into a result. */
class Refusal extends Error {
  readonly problem: Omit<ScanProblem, "pointer">;
  constructor(problem: Omit<ScanProblem, "pointer">) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Scans a whole document. Never throws. */
export function scanJson(text: string, options: ScanOptions): ScanResult {
  const scanner = new Scanner(text, options);
  try {
    return { ok: true, ...scanner.run() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, problem: { ...error.problem, pointer: scanner.pointer() } };
  }
}

class Scanner {
  private readonly text: string;
  private readonly options: ScanOptions;
  private readonly stack: Frame[] = [];
  private at = 0;

  constructor(text: string, options: ScanOptions) {
    this.text = text;
    this.options = options;
  }

  /** Where the scanner stands: the value it was about to read, or is reading. */
  pointer(): string {
    let pointer = "";
    for (const frame of this.stack) pointer += `/${pointerToken(stepOf(frame))}`;
    return pointer;
  }

  run(): { value: unknown; place: Place } {
    for (;;) {
      this.skipSpace();
      let place: Place = this.at;
      let value = this.open(this.at);
      // A scalar or an empty container is complete at once; it may complete its parents too.
      while (value !== OPENED) {
        const frame = this.stack.at(-1);
        this.skipSpace();
        if (frame === undefined) {
          if (this.at < this.text.length) this.refuseHere("nothing after the document");
          return { value, place };
        }
        if (frame.kind === "array") {
          frame.value.push(value);
          if (this.options.places === true) frame.items.push(place);
        } else {
          frame.value[frame.next] = value;
          if (this.options.places === true) frame.members.set(frame.next, place);
        }
        value = this.separator(frame);
        place = frame;
      }
    }
  }

  /** Reads a scalar, or opens a container and leaves the scanner before its first value. */
  private open(start: number): unknown {
    const char = this.text[start];
    if (char === "{" || char === "[") return this.openContainer(char, start);
    if (char === '"') return this.string();
    if (char === "-" || (char !== undefined && char >= "0" && char <= "9")) return this.number();
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const) {
      if (this.text.startsWith(word, start)) {
        this.at += word.length;
        return value;
      }
    }
    return this.refuseHere("a value");
  }

  private openContainer(char: "{" | "[", start: number): unknown {
    if (this.stack.length >= this.options.maxDepth) {
      throw new Refusal({
        code: "json-too-deep",
        message: `The document is nested more than ${this.options.maxDepth} levels deep.`,
        offset: start,
        expected: `at most ${this.options.maxDepth} levels`,
      });
    }
    this.at += 1;
    this.skipSpace();
    if (char === "[") {
      if (this.take("]")) return [];
      this.stack.push({ kind: "array", value: [], start, items: [] });
      return OPENED;
    }
    if (this.take("}")) return {};
    const frame: ObjectFrame = { kind: "object", value: {}, start, members: new Map(), next: "" };
    this.stack.push(frame);
    this.key(frame);
    return OPENED;
  }

  /** After a value inside `frame`: a comma (more to come) or its end, which gives the container itself. */
  private separator(frame: Frame): unknown {
    if (this.take(",")) {
      if (frame.kind === "object") {
        this.skipSpace();
        this.key(frame);
      }
      return OPENED;
    }
    if (this.take(frame.kind === "array" ? "]" : "}")) {
      this.stack.pop();
      return frame.value;
    }
    return this.refuseHere(frame.kind === "array" ? "',' or ']'" : "',' or '}'");
  }

  private key(frame: ObjectFrame): void {
    const start = this.at;
    if (this.text[start] !== '"') this.refuseHere("a key in double quotes");
    const key = this.string();
    frame.next = key;
    if (FORBIDDEN_KEYS.has(key)) {
      throw new Refusal({
        code: "json-forbidden-key",
        message: "This key is not allowed in any document.",
        offset: start,
        actual: key,
        hint: "Rename or remove the key.",
      });
    }
    if (Object.hasOwn(frame.value, key)) {
      throw new Refusal({
        code: "json-duplicate-key",
        message: "An object has the same key twice (compared after unescaping).",
        offset: start,
        actual: key.length > 60 ? `${key.slice(0, 60)}…` : key,
        hint: "Keep one of the two.",
      });
    }
    this.skipSpace();
    if (!this.take(":")) this.refuseHere("':'");
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    let result = "";
    for (;;) {
      PLAIN_TEXT.lastIndex = this.at;
      const plain = PLAIN_TEXT.exec(this.text)?.[0] ?? "";
      result += plain;
      this.at += plain.length;
      const char = this.text[this.at];
      if (char === undefined) {
        this.at = start;
        throw new Refusal({
          code: "json-syntax",
          message: "A string is not closed.",
          offset: start,
          expected: "a closing double quote",
        });
      }
      if (char === '"') {
        this.at += 1;
        return result;
      }
      if (char === "\\") result += this.escape();
      else if (char < " ") this.refuseHere("an escape (such as \\n) instead of a control character");
      else result += this.surrogates(char, this.at, this.at + 1);
    }
  }

  /** Reads one escape, or a pair of `\u` escapes that make one character. */
  private escape(): string {
    const start = this.at;
    const letter = this.text[start + 1] ?? "";
    if (letter !== "u") {
      const plain = ESCAPES[letter];
      if (plain === undefined)
        this.refuseHere('an escape: \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits');
      this.at += 2;
      return plain ?? "";
    }
    return this.surrogates(this.hex(start), start, start + 6);
  }

  private hex(start: number): string {
    const digits = this.text.slice(start + 2, start + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      this.at = start;
      this.refuseHere("four hex digits after \\u");
    }
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** Accepts one code unit that ends at `end`; a high surrogate must be followed by a low one, written either way. */
  private surrogates(unit: string, start: number, end: number): string {
    const code = unit.charCodeAt(0);
    this.at = end;
    if (code < 0xd800 || code > 0xdfff) return unit;
    if (code < 0xdc00) {
      const escaped = this.text.startsWith("\\u", end);
      const low = escaped ? this.hex(end) : (this.text[end] ?? "");
      if (/^[\udc00-\udfff]$/.test(low)) {
        this.at = end + (escaped ? 6 : 1);
        return unit + low;
      }
    }
    throw new Refusal({
      code: "json-lone-surrogate",
      message: "A string holds half of a surrogate pair, which is no character.",
      offset: start,
      actual: `U+${code.toString(16).toUpperCase()}`,
    });
  }

  private number(): number {
    const start = this.at;
    NUMBER.lastIndex = start;
    const written = NUMBER.exec(this.text)?.[0];
    if (written === undefined) return this.refuseHere("a number");
    if (/^[0-9.eE+-]/.test(this.text.slice(start + written.length, start + written.length + 1))) {
      return this.refuseHere(
        "a number as JSON writes it (no leading zero or plus, digits on both sides of the point)",
      );
    }
    this.at += written.length;
    const value = Number(written);
    const digits = written
      .replace(/[eE].*$/, "")
      .replace(/[-.]/g, "")
      .replace(/^0+/, "");
    const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written;
    if (!Number.isFinite(value) || (value === 0 && digits !== "")) {
      throw new Refusal({
        code: "json-number-range",
        message: "A number is too large or too small to be held.",
        offset: start,
        actual: shown,
      });
    }
    if (digits.length > MAX_DIGITS || isInexactInteger(value, digits)) {
      throw new Refusal({
        code: "json-number-precision",
        message: "A number has more digits than can be held exactly.",
        offset: start,
        expected: `at most ${MAX_DIGITS} digits, whole numbers up to ${MAX_INTEGER}`,
        actual: shown,
        hint: "Write it as a string, or with fewer digits.",
      });
    }
    return value;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  private refuseHere(expected: string): never {
    const found = this.text.codePointAt(this.at);
    throw new Refusal({
      code: "json-syntax",
      message: "The document is not JSON.",
      offset: this.at,
      expected,
      actual: found === undefined ? "the end of the document" : describe(found),
    });
  }
}

/** Marks that a container was opened (or continued) and its next value has to be read. */
const OPENED: unique symbol = Symbol("opened");

const stepOf = (frame: Frame): string => (frame.kind === "array" ? String(frame.value.length) : frame.next);

/** 2^53 itself is exact, but 2^53 + 1 reads as the same number: there only the digits tell. */
const isInexactInteger = (value: number, digits: string): boolean =>
  Number.isInteger(value) && Math.abs(value) >= MAX_INTEGER && digits !== String(MAX_INTEGER);

const describe = (code: number): string =>
  code > 0x20 && code < 0x7f
    ? `'${String.fromCharCode(code)}'`
    : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

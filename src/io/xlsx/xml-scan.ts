import { XlsxFault } from "./fault.ts";

/** What the scanner stands on. */
export const OPEN = 1;
export const CLOSE = 2;
export const TEXT = 3;
export const END = 0;
export type XmlEvent = typeof OPEN | typeof CLOSE | typeof TEXT | typeof END;

const SLASH = 47;
const GREATER = 62;
const BANG = 33;
const QUESTION = 63;
const COLON = 58;
const DOUBLE = 34;
const SINGLE = 39;
const EQUALS = 61;

/** No part of a workbook nests a tenth as deep. */
const MAX_DEPTH = 256;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * A quick pull scanner over one XML part. It reports elements by local name, so `<x:row>` and `<row>`
 * are the same, checks that tags nest, and refuses document types (entity bombs need one). It hands out
 * slices of the source and decodes nothing unless asked: a worksheet is mostly tags.
 */
export class XmlScanner {
  /** Local name of the element just opened or closed. */
  name = "";
  /** An opened element without content; its CLOSE still follows. */
  selfClosing = false;
  /** Depth of the element just opened (root is 1). */
  depth = 0;

  /** Counts what its reader keeps. @throws XlsxFault past the cap. */
  readonly hold: (items: number) => void;
  readonly #text: string;
  readonly #part: string;
  readonly #stack: string[] = [];
  #at = 0;
  #attributesStart = 0;
  #attributesEnd = 0;
  #textStart = 0;
  #textEnd = 0;
  #isCdata = false;
  #pendingClose = false;
  #sawRoot = false;
  /** Whether the part holds, anywhere, what no text of XML may. */
  readonly #suspect: boolean;

  /** `hold` counts what is kept of the part (`ZipArchive.hold`). */
  constructor(text: string, part: string, hold: (items: number) => void) {
    this.#text = text;
    this.#part = part;
    this.hold = hold;
    this.#suspect = NO_TEXT.test(text);
  }

  /** Moves to the next event. @throws XlsxFault when the part is not well formed. */
  next(): XmlEvent {
    if (this.#pendingClose) {
      this.#pendingClose = false;
      return this.#pop();
    }
    const text = this.#text;
    for (;;) {
      const at = this.#at;
      if (at >= text.length) {
        if (this.#stack.length > 0) throw this.fault(`it ends inside <${this.#stack.at(-1)}>`);
        if (!this.#sawRoot) throw this.fault("it holds no element");
        return END;
      }
      const open = text.indexOf("<", at);
      if (open !== at) {
        const end = open === -1 ? text.length : open;
        this.#at = end;
        if (this.#stack.length === 0) {
          if (text.slice(at, end).trim() !== "") throw this.fault("it has text outside its root element");
          continue;
        }
        this.#textStart = at;
        this.#textEnd = end;
        this.#isCdata = false;
        return TEXT;
      }
      const code = text.charCodeAt(at + 1);
      if (code === SLASH) return this.#close(at + 2);
      if (code === BANG) {
        if (this.#markup(at)) return TEXT;
        continue;
      }
      if (code === QUESTION) {
        const end = text.indexOf("?>", at + 2);
        if (end === -1) throw this.fault("an instruction is not closed");
        this.#at = end + 2;
        continue;
      }
      return this.#open(at + 1);
    }
  }

  /** Skips what is left of the element just opened, its CLOSE included. */
  skip(): void {
    const depth = this.depth;
    while (this.next() !== CLOSE || this.depth !== depth) {
      // Nothing in it is wanted.
    }
  }

  /** Raw (still escaped) value of an unprefixed attribute of the element just opened. */
  attribute(name: string): string | undefined {
    return this.#attribute(name, false);
  }

  /** Decoded value of the first attribute `prefix:name`, whatever its prefix; of a plain one when there is none. */
  prefixedAttribute(name: string): string | undefined {
    const raw = this.#attribute(name, true) ?? this.#attribute(name, false);
    return raw === undefined ? undefined : this.decode(raw);
  }

  #attribute(name: string, prefixed: boolean): string | undefined {
    const text = this.#text;
    const end = this.#attributesEnd;
    let at = this.#attributesStart;
    while (at < end) {
      while (at < end && isSpace(text.charCodeAt(at))) at++;
      if (at >= end) return undefined;
      const start = at;
      while (at < end && text.charCodeAt(at) !== EQUALS && !isSpace(text.charCodeAt(at))) at++;
      const nameEnd = at;
      while (at < end && isSpace(text.charCodeAt(at))) at++;
      if (text.charCodeAt(at) !== EQUALS || at >= end) throw this.fault("an attribute has no value");
      at++;
      while (at < end && isSpace(text.charCodeAt(at))) at++;
      const quote = text.charCodeAt(at);
      if (quote !== DOUBLE && quote !== SINGLE) throw this.fault("an attribute is not quoted");
      const valueEnd = text.indexOf(quote === DOUBLE ? '"' : "'", at + 1);
      if (valueEnd === -1 || valueEnd >= end) throw this.fault("an attribute is not closed");
      const own = nameEnd - name.length;
      if (
        (prefixed ? own > start + 1 && text.charCodeAt(own - 1) === COLON : own === start) &&
        text.startsWith(name, own)
      )
        return text.slice(at + 1, valueEnd);
      at = valueEnd + 1;
    }
    return undefined;
  }

  /** Decoded value of an unprefixed attribute. */
  value(name: string): string | undefined {
    const raw = this.attribute(name);
    return raw === undefined ? undefined : this.decode(raw);
  }

  /** The text just reported, still escaped; a CDATA section is escaped for the occasion. */
  rawText(): string {
    const slice = this.#text.slice(this.#textStart, this.#textEnd);
    return this.#isCdata ? escapeXml(slice) : slice;
  }

  /**
   * Raw text of the element just opened, up to and including its CLOSE. Elements inside it are ignored
   * with their text: the text of `<v>`, `<t>` has none.
   */
  rawContent(): string {
    const depth = this.depth;
    let content = "";
    for (;;) {
      const event = this.next();
      if (event === TEXT) content = content === "" ? this.rawText() : content + this.rawText();
      else if (event === OPEN) this.skip();
      else if (event === CLOSE && this.depth === depth) return content;
    }
  }

  /** Decoded text of the element just opened, up to and including its CLOSE. */
  content(): string {
    return this.decode(this.rawContent());
  }

  /** The raw text given, when it is one that XML allows. @throws XlsxFault */
  checked(raw: string): string {
    if (this.#suspect && NO_TEXT.test(raw)) throw this.fault("it has a character that no text may hold");
    return raw;
  }

  /** Resolves character and predefined entities and XML's line ends. */
  decode(raw: string): string {
    const text = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
    if (!text.includes("&")) return text;
    return text.replace(/&([^;&<]{0,32});?/g, (match, entity: string) => {
      const known = ENTITIES.get(entity);
      if (known !== undefined && match.endsWith(";")) return known;
      const number = /^#(?:x0*([0-9a-fA-F]{1,6})|0*([0-9]{1,7}))$/.exec(entity);
      const point =
        number === null
          ? -1
          : Number.parseInt(number[1] ?? number[2] ?? "", number[1] === undefined ? 10 : 16);
      if (!isCharacter(point) || !match.endsWith(";")) throw this.fault(`it has an unknown entity ${match}`);
      return String.fromCodePoint(point);
    });
  }

  /** A `xlsx-malformed-xml` fault at the scanner's place in this part. */
  fault(why: string): XlsxFault {
    return new XlsxFault(
      "xlsx-malformed-xml",
      `The workbook's part "${this.#part}" is not sound XML: ${why}.`,
      {
        actual: `near character ${this.#at + 1} of ${this.#part}`,
        hint: "Open the file in a spreadsheet program and save it again.",
      },
    );
  }

  #open(start: number): XmlEvent {
    const text = this.#text;
    let at = start;
    let nameStart = start;
    let code = text.charCodeAt(at);
    while (code !== GREATER && code !== SLASH && !isSpace(code)) {
      if (code === COLON) nameStart = at + 1;
      at++;
      code = text.charCodeAt(at);
      if (at >= text.length) throw this.fault("a tag is not closed");
    }
    const nameEnd = at;
    while (code !== GREATER) {
      if (code === DOUBLE || code === SINGLE) {
        at = text.indexOf(code === DOUBLE ? '"' : "'", at + 1);
        if (at === -1) throw this.fault("an attribute is not closed");
      }
      at++;
      if (at >= text.length) throw this.fault("a tag is not closed");
      code = text.charCodeAt(at);
    }
    if (nameEnd === nameStart) throw this.fault("a tag has no name");
    if (this.#stack.length === 0) {
      if (this.#sawRoot) throw this.fault("it has two root elements");
      this.#sawRoot = true;
    }
    if (this.#stack.length >= MAX_DEPTH) throw this.fault(`it nests more than ${MAX_DEPTH} elements`);
    this.selfClosing = text.charCodeAt(at - 1) === SLASH && at > nameEnd;
    this.#pendingClose = this.selfClosing;
    this.#attributesStart = nameEnd;
    this.#attributesEnd = this.selfClosing ? at - 1 : at;
    this.name = text.slice(nameStart, nameEnd);
    // Prefixed and plain names share the stack: the full name must match at the end.
    this.#stack.push(nameStart === start ? this.name : text.slice(start, nameEnd));
    this.depth = this.#stack.length;
    this.#at = at + 1;
    return OPEN;
  }

  #close(start: number): XmlEvent {
    const text = this.#text;
    const expected = this.#stack.at(-1);
    if (expected === undefined || !text.startsWith(expected, start)) {
      throw this.fault(expected === undefined ? "an end tag opens nothing" : `<${expected}> is not closed`);
    }
    let at = start + expected.length;
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== GREATER) throw this.fault(`<${expected}> is not closed`);
    this.#at = at + 1;
    return this.#pop();
  }

  #pop(): XmlEvent {
    this.depth = this.#stack.length;
    const full = this.#stack.pop() ?? "";
    const colon = full.indexOf(":");
    this.name = colon === -1 ? full : full.slice(colon + 1);
    return CLOSE;
  }

  /** Comments are passed over (false); a CDATA section is text (true). */
  #markup(at: number): boolean {
    const text = this.#text;
    if (text.startsWith("<!--", at)) {
      const end = text.indexOf("-->", at + 4);
      if (end === -1) throw this.fault("a comment is not closed");
      this.#at = end + 3;
      return false;
    }
    if (text.startsWith("<![CDATA[", at) && this.#stack.length > 0) {
      const end = text.indexOf("]]>", at + 9);
      if (end === -1) throw this.fault("a CDATA section is not closed");
      this.#textStart = at + 9;
      this.#textEnd = end;
      this.#isCdata = true;
      this.#at = end + 3;
      return true;
    }
    if (text.startsWith("<!DOCTYPE", at)) {
      throw new XlsxFault("xlsx-doctype", `The workbook's part "${this.#part}" declares a document type.`, {
        hint: "No spreadsheet program writes one; obtain the file from its publisher.",
      });
    }
    throw this.fault("it has unknown markup");
  }
}

/** The characters that XML 1.0 allows: no control characters, no halves of a surrogate pair. */
const isCharacter = (point: number): boolean =>
  point === 9 ||
  point === 10 ||
  point === 13 ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff);

/** Characters that XML 1.0 does not allow in a text, and the end of a CDATA section, which it does not either. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\]\]>/;

/** Escapes such as `_xD800_` can name half of a surrogate pair, which is no text: U+FFFD stands for it. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Escapes text for XML content. */
export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Decodes a part's bytes by its byte-order mark or declared encoding. @throws XlsxFault */
export function decodePart(bytes: Uint8Array, part: string): string {
  let label = "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) label = "utf-16le";
  else if (bytes[0] === 0xfe && bytes[1] === 0xff) label = "utf-16be";
  else if (bytes[0] === 0x3c && bytes[1] === 0) label = "utf-16le";
  else if (bytes[0] === 0 && bytes[1] === 0x3c) label = "utf-16be";
  else {
    const head = String.fromCharCode(...bytes.subarray(0, 120));
    const declared = /^(?:ï»¿)?<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1];
    if (declared !== undefined && !/^utf-?16/i.test(declared)) label = declared;
  }
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new XlsxFault("xlsx-bad-encoding", `The workbook's part "${part}" is not valid ${label} text.`, {
      hint: "Open the file in a spreadsheet program and save it again.",
    });
  }
}

/** What a stretch of a file is: read by people, a literal of the program, or the program itself. */
export type SegmentKind = "prose" | "text" | "code";

export interface Segment {
  readonly kind: SegmentKind;
  readonly start: number;
  readonly end: number;
}

interface Syntax {
  readonly line: readonly string[];
  /** Line comments that count at the beginning of a line only. */
  readonly lineStart?: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
  readonly nested?: boolean;
  /** Longest first. Those of several lines are marked. */
  readonly quotes: readonly { readonly mark: string; readonly lines: boolean }[];
  /** Quotes of three that stand at the beginning of a line, or after `@doc`, are documentation. */
  readonly docQuotes?: boolean;
  readonly rust?: boolean;
}

const short = (...marks: string[]) => marks.map((mark) => ({ mark, lines: false }));
const long = (...marks: string[]) => marks.map((mark) => ({ mark, lines: true }));
const C_BLOCK = [["/*", "*/"]] as const;

const C: Syntax = { line: ["//"], block: C_BLOCK, quotes: short('"', "'") };
const RUST: Syntax = { line: ["//"], block: C_BLOCK, nested: true, quotes: long('"'), rust: true };
const SCRIPT: Syntax = { line: ["//"], block: C_BLOCK, quotes: [...short('"', "'"), ...long("`")] };
const PYTHON: Syntax = {
  line: ["#"],
  block: [],
  quotes: [...long('"""', "'''"), ...short('"', "'")],
  docQuotes: true,
};
const ASSEMBLY: Syntax = { line: ["//"], lineStart: ["#", ";", "@"], block: C_BLOCK, quotes: short('"') };
const HASH: Syntax = { line: ["#"], block: [], quotes: [...long('"""', "'''"), ...short('"', "'")] };
const JSON_SYNTAX: Syntax = { line: [], block: [], quotes: short('"') };

const BY_EXTENSION: Readonly<Record<string, Syntax>> = {
  ...Object.fromEntries(["c", "h", "cc", "cpp", "hpp", "java", "zig"].map((each) => [each, C])),
  ...Object.fromEntries(["js", "mjs", "cjs", "jsx", "ts", "mts", "tsx", "go"].map((each) => [each, SCRIPT])),
  ...Object.fromEntries(["py", "ex", "exs"].map((each) => [each, PYTHON])),
  ...Object.fromEntries(["s", "asm", "inc"].map((each) => [each, ASSEMBLY])),
  ...Object.fromEntries(["toml", "yaml", "yml", "sh", "mk", "cmake", "lock"].map((each) => [each, HASH])),
  rs: RUST,
  json: JSON_SYNTAX,
};
const BY_NAME: Readonly<Record<string, Syntax>> = { makefile: HASH, dockerfile: HASH };

/**
 * Cuts a file into prose (comments, documentation), texts (literals) and code, by the rules of its language as the file's
 * name tells it. A file of no known language is prose. The segments cover the file without gaps, in order.
 */
export function segmentsOf(path: string, source: string): Segment[] {
  const name = (path.split("/").at(-1) ?? "").toLowerCase();
  const syntax = BY_NAME[name] ?? BY_EXTENSION[name.includes(".") ? (name.split(".").at(-1) ?? "") : ""];
  if (syntax === undefined) return [{ kind: "prose", start: 0, end: source.length }];
  const segments: Segment[] = [];
  let codeFrom = 0;
  let at = 0;
  while (at < source.length) {
    const found = segmentAt(source, at, syntax);
    if (found === null) {
      at += 1;
      continue;
    }
    if (found.start > codeFrom) segments.push({ kind: "code", start: codeFrom, end: found.start });
    segments.push(found);
    at = found.end;
    codeFrom = found.end;
  }
  if (codeFrom < source.length) segments.push({ kind: "code", start: codeFrom, end: source.length });
  return segments;
}

/** The comment or literal that begins at a place; null when code goes on there. */
function segmentAt(source: string, at: number, syntax: Syntax): Segment | null {
  const starts = (mark: string): boolean => source.startsWith(mark, at);
  if (syntax.line.some(starts) || (syntax.lineStart?.some(starts) && isLineStart(source, at)))
    return { kind: "prose", start: at, end: lineEnd(source, at) };
  for (const [open, close] of syntax.block)
    if (starts(open))
      return { kind: "prose", start: at, end: blockEnd(source, at, open, close, syntax.nested === true) };
  if (syntax.rust === true) {
    const raw = rustLiteral(source, at);
    if (raw !== null) return raw;
  }
  for (const { mark, lines } of syntax.quotes)
    if (starts(mark)) {
      const isDoc = syntax.docQuotes === true && mark.length === 3 && isDocPlace(source, at);
      return { kind: isDoc ? "prose" : "text", start: at, end: quoteEnd(source, at, mark, lines) };
    }
  return null;
}

const lineEnd = (source: string, at: number): number => {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
};
/** Further back than this, a place is not at the beginning of its line. */
const MAX_INDENT = 200;
const beforeOnLine = (source: string, at: number): string => {
  const near = source.slice(Math.max(0, at - MAX_INDENT), at);
  return near.slice(near.lastIndexOf("\n") + 1);
};
const isLineStart = (source: string, at: number): boolean => beforeOnLine(source, at).trim() === "";
const isDocPlace = (source: string, at: number): boolean =>
  /^\s*(?:@(?:module|type)?doc\s+(?:~[sS])?|[rRuU])?$/.test(beforeOnLine(source, at));

function blockEnd(source: string, at: number, open: string, close: string, nested: boolean): number {
  let depth = 1;
  let place = at + open.length;
  while (depth > 0) {
    const closing = source.indexOf(close, place);
    if (closing === -1) return source.length;
    const opening = nested ? source.indexOf(open, place) : -1;
    if (opening !== -1 && opening < closing) {
      depth += 1;
      place = opening + open.length;
    } else {
      depth -= 1;
      place = closing + close.length;
    }
  }
  return place;
}

/** After the closing mark; a literal of one line that is not closed ends with its line. */
function quoteEnd(source: string, at: number, mark: string, lines: boolean): number {
  for (let place = at + mark.length; place < source.length; place += 1) {
    if (source[place] === "\\") place += 1;
    else if (source.startsWith(mark, place)) return place + mark.length;
    else if (!lines && source[place] === "\n") return place;
  }
  return source.length;
}

/** A raw string or a character; a lifetime (`'a`) is code. */
function rustLiteral(source: string, at: number): Segment | null {
  const raw = /^(?:b|c)?r(#*)"/.exec(source.slice(at, at + 80));
  if (raw !== null && !/[\p{L}\p{N}_]/u.test(source[at - 1] ?? "")) {
    const close = `"${raw[1] ?? ""}`;
    const end = source.indexOf(close, at + raw[0].length);
    return { kind: "text", start: at, end: end === -1 ? source.length : end + close.length };
  }
  if (source[at] !== "'") return null;
  const character = /^'(?:\\(?:u\{[0-9a-fA-F_]+\}|x[0-9a-fA-F]{2}|.)|[^\\'\n])'/u.exec(
    source.slice(at, at + 16),
  );
  return character === null ? null : { kind: "text", start: at, end: at + character[0].length };
}

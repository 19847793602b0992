import type { Finding, Outcome } from "../findings.ts";
import { type Place, scanJson } from "./scan.ts";

/** 1-based; the column counts UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface StrictJson {
  /** Plain objects, arrays and scalars; no key reaches a prototype. */
  readonly value: unknown;
  /** Where the value at a JSON pointer starts; undefined when the document has no such value. */
  position(pointer: string): Position | undefined;
}

export interface StrictJsonOptions {
  /** Named in findings. */
  readonly path?: string;
  /** Default 8 MiB. */
  readonly maxBytes?: number;
  /** Default 32: containers inside containers. */
  readonly maxDepth?: number;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const DEFAULT_MAX_DEPTH = 32;

/**
 * Parses JSON and refuses whatever a later reader could take differently: invalid UTF-8, a byte order mark, too many bytes
 * or levels, duplicate keys (after unescaping), keys that reach prototypes, numbers that are not finite or not exact,
 * half surrogate pairs, anything after the document. Never throws; findings have codes `json-…` and a position.
 */
export function parseStrictJson(
  bytes: Uint8Array | string,
  options: StrictJsonOptions = {},
): Outcome<StrictJson> {
  const place = options.path === undefined ? {} : { path: options.path };
  const fail = (finding: Omit<Finding, "severity">): Outcome<StrictJson> => ({
    ok: false,
    findings: [{ severity: "error", ...finding, ...place }],
  });
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const size = typeof bytes === "string" ? utf8Length(bytes) : bytes.length;
  if (size > maxBytes) {
    return fail({
      code: "json-too-large",
      message: "The document is larger than allowed.",
      expected: `at most ${maxBytes} bytes`,
      actual: `${size} bytes`,
    });
  }
  const text = typeof bytes === "string" ? bytes : decode(bytes);
  if (typeof text !== "string") {
    return fail({
      code: "json-not-utf8",
      message: "The document is not valid UTF-8.",
      actual: `byte ${text.offset + 1} is part of no character`,
      line: text.line,
    });
  }
  if (text.startsWith("\ufeff")) {
    return fail({
      code: "json-bom",
      message: "The document starts with a byte order mark.",
      line: 1,
      column: 1,
      hint: "Save it as UTF-8 without BOM.",
    });
  }
  const maxDepth = options.maxDepth ?? DEFAULT_MAX_DEPTH;
  const result = scanJson(text, { maxDepth });
  if (!result.ok) {
    const { offset, ...problem } = result.problem;
    return fail({ ...problem, ...positionAt(lineStarts(text), offset) });
  }
  return {
    ok: true,
    value: { value: result.value, position: positionsOf(text, maxDepth) },
    findings: [],
  };
}

/** Adds line and column to findings that have a pointer but no position; the nearest existing ancestor serves. */
export function locateFindings(
  findings: readonly Finding[],
  position: StrictJson["position"],
  path?: string,
): Finding[] {
  return findings.map((finding) => {
    const named = path === undefined || finding.path !== undefined ? finding : { ...finding, path };
    if (named.pointer === undefined || named.line !== undefined) return named;
    let pointer = named.pointer;
    for (;;) {
      const found = position(pointer);
      if (found !== undefined) return { ...named, ...found };
      if (pointer === "") return named;
      pointer = pointer.slice(0, pointer.lastIndexOf("/"));
    }
  });
}

/** Positions are asked for only when something is wrong, so the second pass that finds them waits until then. */
function positionsOf(text: string, maxDepth: number): StrictJson["position"] {
  let root: Place | undefined;
  let starts: readonly number[] = [];
  return (pointer) => {
    if (root === undefined) {
      const scanned = scanJson(text, { maxDepth, places: true });
      if (!scanned.ok) return undefined;
      root = scanned.place;
      starts = lineStarts(text);
    }
    const place = placeAt(root, pointer);
    if (place === undefined) return undefined;
    return positionAt(starts, typeof place === "number" ? place : place.start);
  };
}

function placeAt(root: Place, pointer: string): Place | undefined {
  const [before, ...tokens] = pointer.split("/");
  if (before !== "") return undefined;
  let place: Place | undefined = root;
  for (const token of tokens) {
    if (place === undefined || typeof place === "number") return undefined;
    if ("members" in place) place = place.members.get(token.replaceAll("~1", "/").replaceAll("~0", "~"));
    else place = /^(?:0|[1-9][0-9]{0,8})$/.test(token) ? place.items[Number(token)] : undefined;
  }
  return place;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

function utf8Length(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Each half of a surrogate pair counts 2 of the pair's 4 bytes.
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
  }
  return length;
}

const NOT_UTF8 = { fatal: true, ignoreBOM: true } as const;

/** The text, or where it stops being UTF-8. */
function decode(bytes: Uint8Array): string | { offset: number; line: number } {
  try {
    return new TextDecoder("utf-8", NOT_UTF8).decode(bytes);
  } catch {
    return firstInvalid(bytes);
  }
}

/** Longest prefix that decodes, found by halving: a prefix of valid UTF-8 is valid when it may end inside a character. */
function firstInvalid(bytes: Uint8Array): { offset: number; line: number } {
  const decodes = (length: number): boolean => {
    try {
      new TextDecoder("utf-8", NOT_UTF8).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (decodes(middle)) low = middle;
    else high = middle - 1;
  }
  let line = 1;
  for (const byte of bytes.subarray(0, low)) if (byte === 0x0a) line += 1;
  return { offset: Math.min(low, Math.max(0, bytes.length - 1)), line };
}

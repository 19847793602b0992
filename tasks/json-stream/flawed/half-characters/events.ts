/** What a document holds, in its order. */
export interface JsonHandler {
  beginObject(): void;
  key(name: string): void;
  endObject(): void;
  beginArray(): void;
  endArray(): void;
  string(value: string): void;
  /** The number as it is written. */
  number(text: string): void;
  boolean(value: boolean): void;
  null(): void;
}

export interface JsonOptions {
  /** How deep objects and arrays may be nested; default 512. */
  readonly maxDepth?: number;
}

export type JsonErrorCode =
  | "unexpected-byte"
  | "unexpected-end"
  | "trailing-data"
  | "bad-number"
  | "bad-escape"
  | "control-character"
  | "invalid-utf8"
  | "lone-surrogate"
  | "duplicate-key"
  | "too-deep"
  | "closed";

export class JsonStreamError extends Error {
  override readonly name = "JsonStreamError";
  readonly code: JsonErrorCode;
  /** Bytes before the one that is wrong, over all chunks. */
  readonly offset: number;

  constructor(code: JsonErrorCode, offset: number) {
    super(`${code} at byte ${offset}`);
    this.code = code;
    this.offset = offset;
  }
}

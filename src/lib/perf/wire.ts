/*
 * What harness and program say to each other over the program's standard input and output. A message is one byte that
 * names it, four bytes with the length of its content (unsigned, least significant first), and the content.
 */

/** Messages of the harness: the case, the order to work, the end. */
export type HarnessWord = "case" | "go" | "end";
/** Messages of the program: the case is read; the work is done, with its output. */
export type ProgramWord = "ready" | "done";

const CODES = { case: 0x43, go: 0x47, end: 0x45, ready: 0x52, done: 0x44 } as const;
const HEAD_BYTES = 5;

/** What `go` carries beside the number of iterations: bytes that the program could not know before. */
export const SALT_BYTES = 8;

/** One message as bytes. */
export function encodeMessage(
  word: HarnessWord | ProgramWord,
  content: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const message = new Uint8Array(HEAD_BYTES + content.length);
  message[0] = CODES[word];
  new DataView(message.buffer).setUint32(1, content.length, true);
  message.set(content, HEAD_BYTES);
  return message;
}

/**
 * The order to work: iterations (unsigned 32 bits, least significant byte first), then the salt.
 * @throws RangeError when the salt has not `SALT_BYTES` bytes
 */
export function encodeGo(iterations: number, salt: Uint8Array): Uint8Array {
  if (salt.length !== SALT_BYTES) throw new RangeError(`a salt has ${SALT_BYTES} bytes`);
  const content = new Uint8Array(4 + SALT_BYTES);
  new DataView(content.buffer).setUint32(0, iterations, true);
  content.set(salt, 4);
  return encodeMessage("go", content);
}

/** What a reading of the program's bytes came to. */
export type Reading =
  | { readonly state: "more" }
  | { readonly state: "message"; readonly content: Uint8Array }
  | { readonly state: "garbage"; readonly why: string }
  | { readonly state: "too-large"; readonly bytes: number };

/** Collects a program's bytes into the one message that is expected next. */
export interface MessageReader {
  /** Takes bytes as they come. After `message`, `garbage` or `too-large` no more may be given. */
  take(chunk: Uint8Array): Reading;
}

/**
 * Reads one message of the given kind and nothing after it. A length beyond the limit is refused before any of it is kept.
 * @param maxBytes of content
 */
export function readMessage(expected: ProgramWord, maxBytes: number): MessageReader {
  const head = new Uint8Array(HEAD_BYTES);
  let content: Uint8Array | null = null;
  let seen = 0;
  return {
    take(chunk) {
      let rest = chunk;
      if (content === null) {
        const part = rest.subarray(0, HEAD_BYTES - seen);
        head.set(part, seen);
        seen += part.length;
        rest = rest.subarray(part.length);
        if (seen > 0 && head[0] !== CODES[expected])
          return { state: "garbage", why: `its message begins with byte ${head[0]}, not ${CODES[expected]}` };
        if (seen < HEAD_BYTES) return { state: "more" };
        const length = new DataView(head.buffer).getUint32(1, true);
        if (length > maxBytes) return { state: "too-large", bytes: length };
        content = new Uint8Array(length);
        seen = 0;
      }
      if (rest.length > content.length - seen)
        return { state: "garbage", why: `it wrote ${rest.length - content.length + seen} bytes too many` };
      content.set(rest, seen);
      seen += rest.length;
      return seen < content.length ? { state: "more" } : { state: "message", content };
    },
  };
}

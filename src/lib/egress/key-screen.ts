/** What has been passed on, and what is held back because the key could begin in it. */
export interface Screened {
  readonly out: Uint8Array;
  readonly held: Uint8Array;
  /** The key stood in it: everything from there on is dropped. */
  readonly found: boolean;
}

const isAt = (bytes: Uint8Array, at: number, key: Uint8Array): boolean => {
  const length = Math.min(key.length, bytes.length - at);
  for (let index = 0; index < length; index++) if (bytes[at + index] !== key[index]) return false;
  return true;
};

/**
 * Looks for the key in a stream that goes to the contestant, chunk by chunk. Only bytes that could be the key's beginning wait for the next
 * chunk, so that events are not delayed.
 */
export function screenForKey(held: Uint8Array, chunk: Uint8Array, key: Uint8Array): Screened {
  const bytes = new Uint8Array(held.length + chunk.length);
  bytes.set(held);
  bytes.set(chunk, held.length);
  const [first] = key;
  if (first === undefined) return { out: bytes, held: new Uint8Array(), found: false };
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (!isAt(bytes, at, key)) continue;
    const found = bytes.length - at >= key.length;
    return { out: bytes.subarray(0, at), held: found ? new Uint8Array() : bytes.subarray(at), found };
  }
  return { out: bytes, held: new Uint8Array(), found: false };
}

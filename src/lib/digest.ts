import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Lower-case hex SHA-256 of bytes, or of a string's UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data));
}

/** The form digests take in documents: `sha256:` and 64 hex digits. */
export const digestOf = (data: Uint8Array | string): string => `sha256:${sha256Hex(data)}`;

/** A digest as documents write it. */
export const DIGEST_PATTERN: RegExp = /^sha256:[0-9a-f]{64}$/;

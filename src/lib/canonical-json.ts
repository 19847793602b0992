import canonicalize from "canonicalize";

/**
 * RFC 8785 canonical JSON: keys by UTF-16 code units, shortest numbers, no white space.
 * @throws TypeError when the value holds something JSON cannot (undefined at the root, NaN, Infinity).
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("not a JSON value");
  return text;
}

/** Canonical JSON with the final newline that committed documents carry; digests are taken over these bytes. */
export const canonicalDocument = (value: unknown): string => `${canonicalJson(value)}\n`;

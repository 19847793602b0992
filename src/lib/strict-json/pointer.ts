/** RFC 6901 JSON pointers. */

/** One reference token, escaped. */
export const pointerToken = (key: string | number): string =>
  String(key).replaceAll("~", "~0").replaceAll("/", "~1");

/** The pointer of a path of keys and indexes; `""` is the whole document. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${pointerToken(typeof key === "symbol" ? (key.description ?? "") : key)}`).join("");

/** A JSON object. Its keys are read one by one, by names of ours, so that no key of a log reaches a prototype. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object, or null. */
export const objectOf = (value: unknown): Json | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;

/** The own value of a key; undefined when there is none, also for keys that every object inherits. */
export const at = (object: Json | null, key: string): unknown =>
  object !== null && Object.hasOwn(object, key) ? object[key] : undefined;

/** The object at a path of keys, or null. */
export const objectAt = (value: unknown, ...keys: readonly string[]): Json | null =>
  objectOf(keys.reduce<unknown>((inner, key) => at(objectOf(inner), key), value));

/** The list at a key; empty when there is none. */
export function listAt(object: Json | null, key: string): readonly unknown[] {
  const value = at(object, key);
  return Array.isArray(value) ? value : [];
}

/** A string that is not empty, or null. */
export function textAt(object: Json | null, key: string): string | null {
  const value = at(object, key);
  return typeof value === "string" && value !== "" ? value : null;
}

/** True when there is a value other than null. */
export const has = (object: Json | null, key: string): boolean => (at(object, key) ?? null) !== null;

/** Numbers by the names of their keys, all of them given. */
export type Counts<Key extends string> = Readonly<Record<Key, number>>;

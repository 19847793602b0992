/** Every way to change one thing of a JSON document: what a forger with an editor could do to one field. Pure. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const KINDS = ["value", "elsewhere", "removed", "added", "dropped", "doubled", "swapped"] as const;
/**
 * `value`: another value of the same type. `elsewhere`: the value that the same field has in another place of the
 * document. `removed`: the field is gone. `added`: a field that nobody knows. `dropped`, `doubled`, `swapped`: the last
 * item of a list is gone, the first is there twice, the first two changed places.
 */
export type Kind = (typeof KINDS)[number];

export interface Mutation {
  /** JSON pointer of what was changed. */
  readonly pointer: string;
  /** The pointer with `#` for every position in a list: the same field of every item. */
  readonly field: string;
  readonly kind: Kind;
  /** The whole document with this one change. */
  readonly document: Json;
}

interface Site {
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

function* sitesOf(value: Json, path: readonly (string | number)[] = []): Generator<Site> {
  yield { path, value };
  if (value === null || typeof value !== "object") return;
  const items: [string | number, Json][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, item] of items) yield* sitesOf(item, [...path, key]);
}

const escaped = (key: string | number): string => String(key).replaceAll("~", "~0").replaceAll("/", "~1");
const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((key) => `/${escaped(key)}`).join("");
const fieldOf = (path: readonly (string | number)[]): string =>
  path.map((key) => (typeof key === "number" ? "/#" : `/${escaped(key)}`)).join("");

/** A copy of the document in which the value at `path` is what `change` makes of it; undefined takes it out. */
function withChange(
  document: Json,
  path: readonly (string | number)[],
  change: (value: Json) => Json | undefined,
): Json {
  const copy = structuredClone(document);
  const last = path.at(-1);
  if (last === undefined) return change(copy) ?? null;
  let holder = copy as { [key: string | number]: Json };
  for (const key of path.slice(0, -1)) holder = holder[key] as { [key: string | number]: Json };
  const next = change(holder[last] ?? null);
  if (next !== undefined) holder[last] = next;
  else delete holder[last];
  return copy;
}

/** Another value of the same type, as near as possible to what a schema accepts; null becomes a number. */
function another(value: Json): Json {
  if (typeof value === "number")
    return Number.isInteger(value) ? value + 1 : Number((value - 1e-6).toFixed(6));
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return 5;
  if (/^sha256:[0-9a-f]{64}$/.test(value)) return `sha256:${"0".repeat(64)}`;
  const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)(.*Z)$/.exec(value);
  return time === null ? `${value}x` : `${time[1]}${time[2] === "59" ? "58" : "59"}${time[3]}`;
}

/** Changes of one document, in its own order: fields, then the shapes of its objects and lists. */
export function* mutations(document: Json): Generator<Mutation> {
  const sites = [...sitesOf(document)];
  const values = new Map<string, Json[]>();
  for (const { path, value } of sites)
    if (value === null || typeof value !== "object") {
      const field = fieldOf(path);
      const known = values.get(field) ?? [];
      if (known.length < 50 && !known.includes(value)) known.push(value);
      values.set(field, known);
    }
  for (const { path, value } of sites) {
    const [pointer, field] = [pointerOf(path), fieldOf(path)];
    const make = (kind: Kind, change: (value: Json) => Json | undefined): Mutation => ({
      pointer,
      field,
      kind,
      document: withChange(document, path, change),
    });
    if (value === null || typeof value !== "object") {
      yield make("value", another);
      const other = values.get(field)?.find((candidate) => candidate !== value);
      if (other !== undefined) yield make("elsewhere", () => other);
    }
    if (typeof path.at(-1) === "string") yield make("removed", () => undefined);
    if (Array.isArray(value)) {
      const [first, second] = value;
      if (first !== undefined) yield make("dropped", () => value.slice(0, -1));
      if (first !== undefined) yield make("doubled", () => [first, ...value]);
      if (first !== undefined && second !== undefined && JSON.stringify(first) !== JSON.stringify(second))
        yield make("swapped", () => [second, first, ...value.slice(2)]);
    } else if (value !== null && typeof value === "object") {
      yield make("added", () => ({ ...value, unheard_of: 1 }));
    }
  }
}

import { pointerToken } from "../../strict-json/pointer.ts";
import { pictureOf } from "./picture.ts";
import { FROZEN, type Shape } from "./shape.ts";

/** One place in which a committed value is not what it was. */
export interface Difference {
  /**
   * `changed`: another value; `removed`: a key or item is gone; `added`: a key or item where none may come later;
   * `log`: an item of a log is not where it was.
   */
  readonly kind: "changed" | "removed" | "added" | "log";
  /** Where, in the document as it is now; of what is gone the place that held it. */
  readonly pointer: string;
  /** The same place by the keys of its items, as `/entries/[id=alpha]/hidden`: it holds for both documents. */
  readonly keyed: string;
  /** Short pictures of both values; null where there is none. */
  readonly was: string | null;
  readonly is: string | null;
}

export interface Comparison {
  /** In the order of the document as it was; at most `limit`. */
  readonly differences: readonly Difference[];
  /** All of them, also those beyond the limit. */
  readonly total: number;
  /** Pointers of what is new and may be, in the document as it is now. */
  readonly gained: readonly string[];
}

interface Place {
  readonly pointer: string;
  readonly keyed: string;
}

const ROOT: Place = { pointer: "", keyed: "" };
const below = (place: Place, key: string | number, name = `/${pointerToken(key)}`): Place => ({
  pointer: `${place.pointer}/${pointerToken(key)}`,
  keyed: `${place.keyed}${name}`,
});

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * What of a committed document is not as it was, apart from what its shape lets grow. Both are plain JSON of bounded
 * depth; the later one may be of any form. The order of keys, and of items that are told apart by keys, says nothing.
 */
export function compareGrowth(before: unknown, after: unknown, shape: Shape, limit = 50): Comparison {
  const differences: Difference[] = [];
  const gained: string[] = [];
  let total = 0;

  const differ = (kind: Difference["kind"], place: Place, was: unknown, is: unknown): void => {
    total += 1;
    if (differences.length >= limit) return;
    const [before, now] = [was, is].map((value) => (value === undefined ? null : value));
    differences.push({
      kind,
      ...place,
      was: was === undefined ? null : pictureOf(before, now),
      is: is === undefined ? null : pictureOf(now, before),
    });
  };

  const walk = (was: unknown, is: unknown, form: Shape, place: Place): void => {
    if (isObject(was) && isObject(is)) walkObject(was, is, form, place);
    else if (!Array.isArray(was) || !Array.isArray(is)) {
      if (!equalJson(was, is)) differ("changed", place, was, is);
    } else if (form.kind === "keyed") walkKeyed(was, is, form, place);
    else if (form.kind === "log") walkLog(was, is, place);
    else if (was.length !== is.length) differ("changed", place, was, is);
    else for (const [index, item] of was.entries()) walk(item, is[index], FROZEN, below(place, index));
  };

  const walkObject = (was: Json, is: Json, form: Shape, place: Place): void => {
    const keys: Readonly<Record<string, Shape>> = form.kind === "object" ? form.keys : {};
    const later: readonly string[] = form.kind === "object" ? form.later : [];
    for (const key of Object.keys(was)) {
      const here = below(place, key);
      const inner = (Object.hasOwn(keys, key) ? keys[key] : undefined) ?? FROZEN;
      if (Object.hasOwn(is, key)) walk(was[key], is[key], inner, here);
      else differ("removed", { ...here, pointer: place.pointer }, was[key], undefined);
    }
    for (const key of Object.keys(is)) {
      if (Object.hasOwn(was, key)) continue;
      const here = below(place, key);
      if (later.includes(key)) gained.push(here.pointer);
      else differ("added", here, undefined, is[key]);
    }
  };

  const walkKeyed = (
    was: readonly unknown[],
    is: readonly unknown[],
    { by, item }: Extract<Shape, { kind: "keyed" }>,
    place: Place,
  ): void => {
    const now = new Map<string, number>();
    for (const [index, each] of is.entries()) {
      const key = keyOf(each, by);
      if (!now.has(key)) now.set(key, index);
    }
    const known = new Set<string>();
    for (const each of was) {
      const key = keyOf(each, by);
      known.add(key);
      const index = now.get(key);
      if (index === undefined)
        differ("removed", { pointer: place.pointer, keyed: place.keyed + key }, each, undefined);
      else walk(each, is[index], item, below(place, index, key));
    }
    for (const [index, each] of is.entries())
      if (!known.has(keyOf(each, by))) gained.push(`${place.pointer}/${index}`);
  };

  const walkLog = (was: readonly unknown[], is: readonly unknown[], place: Place): void => {
    for (const [index, item] of was.entries()) {
      const here = below(place, index);
      if (index >= is.length) differ("removed", { ...here, pointer: place.pointer }, item, undefined);
      else if (!equalJson(item, is[index])) differ("log", here, item, is[index]);
    }
    for (let index = was.length; index < is.length; index += 1) gained.push(`${place.pointer}/${index}`);
  };

  walk(before, after, shape, ROOT);
  return { differences, total, gained };
}

/** `/[id=alpha]`: what tells an item apart; without keys the item itself does. */
function keyOf(item: unknown, by: readonly string[]): string {
  if (by.length === 0) return `/[${JSON.stringify(item) ?? "nothing"}]`;
  const parts = by.map((key) => {
    const value = isObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
    return `${key}=${typeof value === "string" ? value : (JSON.stringify(value) ?? "")}`;
  });
  return `/[${parts.join(",")}]`;
}

/** Whether two JSON values are the same; the order of keys says nothing. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => equalJson(item, b[index]))
    );
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]))
    );
  }
  return Object.is(a, b) || a === b;
}

import { LISTED, type Movement, type Revision } from "./movement-schema.ts";
import { cutTo } from "./moves.ts";

/** A document with logs of corrections, and the pointers of what is new in it. */
export interface Revised {
  readonly path: string;
  readonly value: unknown;
  readonly gained: readonly string[];
}

type Item = Readonly<Record<string, unknown>>;

/** Items that were added to logs of corrections, in the order of documents and logs. */
export function revisionsOf(documents: readonly Revised[]): Movement["revisions"] {
  const all = documents.flatMap(({ path, value, gained }) =>
    [["council", "revisions"], ["revisions"]].flatMap((log) => {
      const items = log.reduce<unknown>((inner, key) => (inner as Item | null | undefined)?.[key], value);
      if (!Array.isArray(items)) return [];
      const prefix = `/${log.join("/")}/`;
      return items
        .filter((_, index) => gained.includes("") || gained.includes(`${prefix}${index}`))
        .map((item: Item) => revisionOf(path, item));
    }),
  );
  return cutTo(all, LISTED.revisions);
}

function revisionOf(path: string, item: Item): Revision {
  return {
    path,
    id: text(item.id) ?? "",
    kind: text(item.kind) ?? "",
    target: targetOf(item),
    from: text(item.from),
    to: text(item.to) ?? (item.to === null ? "none" : null),
    by: text(item.by) ?? "",
    reason: text(item.reason) ?? "",
  };
}

/** A scalar as it is written; null for what is no scalar: measurements are too long to be quoted. */
const text = (value: unknown): string | null =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : null;

/** What an item corrects, by the keys that name it. */
function targetOf(item: Item): string {
  const named = ["session", "letter", "finding", "defect", "entry"].flatMap((key) => {
    const value = text(item[key]);
    return value === null ? [] : [`${key} ${value}`];
  });
  const removed = (item.remove as Item | undefined) ?? {};
  const places = Object.keys(removed).map((key) => `${key} ${text(removed[key]) ?? ""}`);
  return [...named, ...(places.length === 0 ? [] : [`without ${places.join(", ")}`])].join(", ");
}

/**
 * One spelling for a recipe that can be written in several ways, so that the same recipe is recognised although somebody
 * wrote a default out, put a list around a single item, or sorted what has no order. Pure. It says nothing about two
 * different recipes that happen to give the same table.
 */

type Json = Readonly<Record<string, unknown>>;

/** How the value of one key is spelt anew; `undefined` leaves the key out. */
type Speller = (value: unknown, sheet: string | null) => unknown;

/** Keys that have several spellings, and options whose written default says nothing (`recipe-schema.ts`). */
interface Spelling {
  readonly keys: ReadonlyMap<string, Speller>;
  readonly defaults: ReadonlyMap<string, unknown>;
}

const spelling = (keys: Readonly<Record<string, Speller>>, defaults: Json = {}): Spelling => ({
  keys: new Map(Object.entries(keys)),
  defaults: new Map(Object.entries(defaults)),
});

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same object in its one spelling; what is no object comes back as it is. `sheet`: the table's only one. */
function respelt({ keys, defaults }: Spelling, object: unknown, sheet: string | null): unknown {
  if (!isObject(object)) return object;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (defaults.has(key) && defaults.get(key) === value) continue;
    const anew = keys.get(key);
    const now = anew === undefined ? value : anew(value, sheet);
    if (now !== undefined) result[key] = now;
  }
  return result;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Distinct scalars in one order. */
const asSet = (items: readonly unknown[]): readonly unknown[] => {
  if (items.length < 2) return items;
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
};

/** A list of alternatives: without order, and without the list when there is one. */
function alternatives(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items = asSet(value);
  return items.length === 1 ? items[0] : items;
}

const CONDITION = spelling({ type: alternatives, equals: alternatives });
const conditionOf: Speller = (value) => respelt(CONDITION, value, null);
const conditions: Speller = (items) =>
  Array.isArray(items) ? asSet(items.map((item) => conditionOf(item, null))) : items;
const WHERE = spelling({
  type: alternatives,
  equals: alternatives,
  all: conditions,
  any: conditions,
  not: conditionOf,
});

/** A condition without any key holds for every cell. */
const whereOf: Speller = (value) => {
  const spelt = respelt(WHERE, value, null);
  return isObject(spelt) && Object.keys(spelt).length === 0 ? undefined : spelt;
};

const ONE_CELL = /^(R\d+C\d+):(R\d+C\d+)$/;

/** `R2C3:R2C3` is `R2C3`, and a table's only sheet need not be named. */
const rangeOf: Speller = (value, sheet) => {
  if (typeof value !== "string") return value;
  const own =
    sheet === null || !value.includes("!") ? [] : [`${sheet}!`, `'${sheet.replaceAll("'", "''")}'!`];
  const prefix = own.find((each) => value.startsWith(each)) ?? "";
  const range = value.slice(prefix.length);
  const [, first, second] = ONE_CELL.exec(range) ?? [];
  return first !== undefined && first === second ? first : range;
};

const ranges: Speller = (from, sheet) =>
  Array.isArray(from) ? from.map((range) => rangeOf(range, sheet)) : from;

const FILL = spelling({ until: whereOf });
const fillOf: Speller = (value) => {
  const spelt = respelt(FILL, value, null);
  return isObject(spelt) && Object.keys(spelt).length === 1 && "direction" in spelt ? spelt.direction : spelt;
};

const SYMBOLS = spelling({ texts: (texts) => (Array.isArray(texts) ? asSet(texts) : texts) });
const PLACES: Readonly<Record<string, Speller>> = {
  from: ranges,
  except: (except, sheet) => {
    const spelt = ranges(except, sheet);
    return Array.isArray(spelt) ? asSet(spelt) : spelt;
  },
  where: whereOf,
};
const READING: Json = { take: "value", strip_footnotes: false, trim: true };
const VALUES = spelling(
  { ...PLACES, symbols: (given) => respelt(SYMBOLS, given, null) },
  { ...READING, name: "value", blanks: "drop" },
);
const HEADER = spelling({ ...PLACES, fill: fillOf }, { ...READING, missing: "blank" });
const SEVERAL = {
  sheet: (sheet: unknown) => (Array.isArray(sheet) && sheet.length === 1 ? sheet[0] : sheet),
  values: (values: unknown, sheet: string | null) => respelt(VALUES, values, sheet),
  headers: (headers: unknown, sheet: string | null) =>
    Array.isArray(headers) ? headers.map((header) => respelt(HEADER, header, sheet)) : headers,
};
const TABLE = spelling(SEVERAL);
/** Only several tables are told apart by their names. */
const ONLY_TABLE = spelling({ ...SEVERAL, name: () => undefined });

function tableOf(table: unknown, alone: boolean): unknown {
  if (!isObject(table)) return table;
  const sheet = SEVERAL.sheet(table.sheet);
  return respelt(alone ? ONLY_TABLE : TABLE, table, typeof sheet === "string" ? sheet : null);
}

/** The recipe in its one spelling; what is no recipe comes back as it is. */
export function canonicalRecipe(recipe: unknown): unknown {
  if (!isObject(recipe) || !Array.isArray(recipe.tables)) return recipe;
  const alone = recipe.tables.length === 1;
  return { ...recipe, tables: recipe.tables.map((table) => tableOf(table, alone)) };
}

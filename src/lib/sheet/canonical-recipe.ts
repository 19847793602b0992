/**
 * One spelling for a recipe that can be written in several ways, so that the same recipe is recognised although somebody
 * wrote a default out, put a list around a single item, or sorted what has no order. Pure. It says nothing about two
 * different recipes that happen to give the same table.
 */

type Json = Readonly<Record<string, unknown>>;

/** Options whose written default says nothing (`recipe-schema.ts`). */
const READING_DEFAULTS: Json = { take: "value", strip_footnotes: false, trim: true };
const VALUES_DEFAULTS: Json = { ...READING_DEFAULTS, name: "value", blanks: "drop" };
const HEADER_DEFAULTS: Json = { ...READING_DEFAULTS, missing: "blank" };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Distinct scalars in one order. */
const asSet = (items: readonly unknown[]): unknown[] => {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
};

/** A list of alternatives: without order, and without the list when there is one. */
function alternatives(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items = asSet(value);
  return items.length === 1 ? items[0] : items;
}

/** The same object with some keys spelt anew; a key whose new value is `undefined` goes. */
function respelt(
  object: Json,
  spell: Readonly<Record<string, (value: unknown) => unknown>>,
  defaults: Json = {},
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    if (Object.hasOwn(defaults, key) && defaults[key] === value) continue;
    const anew = Object.hasOwn(spell, key) ? spell[key] : undefined;
    const now = anew === undefined ? value : anew(value);
    if (now !== undefined) result[key] = now;
  }
  return result;
}

const conditionOf = (value: unknown): unknown =>
  isObject(value) ? respelt(value, { type: alternatives, equals: alternatives }) : value;

function whereOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const several = (items: unknown): unknown => (Array.isArray(items) ? asSet(items.map(conditionOf)) : items);
  const spelt = respelt(value, {
    type: alternatives,
    equals: alternatives,
    all: several,
    any: several,
    not: conditionOf,
  });
  // A condition without any key holds for every cell.
  return Object.keys(spelt).length === 0 ? undefined : spelt;
}

/** `R2C3:R2C3` is `R2C3`, and a table's only sheet need not be named. */
const rangeOf =
  (sheet: string | null) =>
  (value: unknown): unknown => {
    if (typeof value !== "string") return value;
    const own = sheet === null ? [] : [`${sheet}!`, `'${sheet.replaceAll("'", "''")}'!`];
    const prefix = own.find((each) => value.startsWith(each)) ?? "";
    const range = value.slice(prefix.length);
    const [, first, second] = /^(R\d+C\d+):(R\d+C\d+)$/.exec(range) ?? [];
    return first !== undefined && first === second ? first : range;
  };

const fillOf = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  const spelt = respelt(value, { until: whereOf });
  return Object.keys(spelt).length === 1 && "direction" in spelt ? spelt.direction : spelt;
};

function tableOf(value: unknown, alone: boolean): unknown {
  if (!isObject(value)) return value;
  const sheet = Array.isArray(value.sheet) && value.sheet.length === 1 ? value.sheet[0] : value.sheet;
  const range = rangeOf(typeof sheet === "string" ? sheet : null);
  const ranges = (from: unknown): unknown => (Array.isArray(from) ? from.map(range) : from);
  const places = {
    from: ranges,
    except: (except: unknown) => (Array.isArray(except) ? asSet(except.map(range)) : except),
    where: whereOf,
  };
  const symbols = (given: unknown): unknown =>
    isObject(given)
      ? respelt(given, { texts: (texts) => (Array.isArray(texts) ? asSet(texts) : texts) })
      : given;
  const header = (each: unknown): unknown =>
    isObject(each) ? respelt(each, { ...places, fill: fillOf }, HEADER_DEFAULTS) : each;
  return respelt(value, {
    // Only several tables are told apart by their names.
    name: (name) => (alone ? undefined : name),
    sheet: () => sheet,
    values: (values) =>
      isObject(values) ? respelt(values, { ...places, symbols }, VALUES_DEFAULTS) : values,
    headers: (headers) => (Array.isArray(headers) ? headers.map(header) : headers),
  });
}

/** The recipe in its one spelling; what is no recipe comes back as it is. */
export function canonicalRecipe(recipe: unknown): unknown {
  if (!isObject(recipe) || !Array.isArray(recipe.tables)) return recipe;
  const alone = recipe.tables.length === 1;
  return { ...recipe, tables: recipe.tables.map((table) => tableOf(table, alone)) };
}

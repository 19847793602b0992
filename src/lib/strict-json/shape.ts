import type { z } from "zod";

/** Keys that a schema's object has at a path (over all branches of unions): what a mistyped key may have meant. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let schemas: z.core.$ZodType[] = unwrap(schema);
  for (const key of path) schemas = schemas.flatMap((each) => childOf(each, key)).flatMap(unwrap);
  return [...new Set(schemas.flatMap((each) => Object.keys(shapeOf(each))))];
}

/** Schema definitions as this file reads them: zod's own union of definitions is not exported as one type. */
type Definition = {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly checks?: readonly z.core.$ZodCheck[];
};

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as Definition;

const shapeOf = (schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> =>
  definitionOf(schema).shape ?? {};

/** Looks through optional, nullable, default … and into every branch of a union. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  const definition = definitionOf(schema);
  if (definition.innerType !== undefined) return unwrap(definition.innerType);
  if (definition.options !== undefined) return definition.options.flatMap(unwrap);
  return [schema];
}

function childOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType[] {
  const definition = definitionOf(schema);
  const child =
    definition.element ??
    definition.valueType ??
    (typeof key === "string" ? definition.shape?.[key] : undefined);
  return child === undefined ? [] : [child];
}

/** A list that is longer than its schema allows. */
export interface LongList {
  readonly path: readonly PropertyKey[];
  readonly length: number;
  readonly maximum: number;
}

/**
 * The first list of a value that is longer than its schema allows, or null. zod looks at every item of a list before
 * at its length, and makes an object of everything it finds: two million zeros then cost gigabytes.
 */
export function findLongList(
  value: unknown,
  schema: z.core.$ZodType,
  path: readonly PropertyKey[] = [],
): LongList | null {
  if (typeof value !== "object" || value === null) return null;
  // Where a schema leaves a choice, only zod can tell which branch is meant.
  const [only, ...more] = unwrap(schema);
  if (only === undefined || more.length > 0) return null;
  const maximum = Array.isArray(value) ? maximumOf(only) : null;
  if (Array.isArray(value) && maximum !== null && value.length > maximum)
    return { path, length: value.length, maximum };
  for (const [key, child] of childrenOf(value, only)) {
    const [inner] = childOf(only, key);
    const found = inner === undefined ? null : findLongList(child, inner, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

/** What a schema has something to say about: all items of a list, the named keys of an object, all of a record. */
const childrenOf = (value: object, schema: z.core.$ZodType): (readonly [PropertyKey, unknown])[] =>
  Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : definitionOf(schema).shape === undefined
      ? Object.entries(value)
      : Object.keys(shapeOf(schema)).flatMap((key) =>
          Object.hasOwn(value, key) ? [[key, (value as Record<string, unknown>)[key]] as const] : [],
        );

function maximumOf(schema: z.core.$ZodType): number | null {
  const limits = (definitionOf(schema).checks ?? []).flatMap((check) => {
    const definition = check._zod.def as { readonly check: string; readonly maximum?: unknown };
    return definition.check === "max_length" && typeof definition.maximum === "number"
      ? [definition.maximum]
      : [];
  });
  return limits.length === 0 ? null : Math.min(...limits);
}

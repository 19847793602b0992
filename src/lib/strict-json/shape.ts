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

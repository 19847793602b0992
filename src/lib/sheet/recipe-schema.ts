import { z } from "zod";

/**
 * The recipe, version 1: how a tidy table is read out of a workbook (design, section 4.1; docs/recipe.md).
 * Every object is strict: an unknown key is a finding. Absent options mean the default their comment names.
 * What a schema cannot say (a header has `from` or `constant`, names are unique …) is checked by `check.ts`.
 */

export const RECIPE_VERSION = 1;
/** Output name of the value column when a recipe gives none. */
export const DEFAULT_VALUE_NAME = "value";

/** Limits that hold for any recipe, however it came; `budget.ts` bounds what executing it may cost. */
export const RECIPE_LIMITS = {
  bytes: 262_144,
  tables: 100,
  sheets: 100,
  headers: 60,
  ranges: 400,
  conditions: 40,
  texts: 200,
  pieces: 30,
  textLength: 1_000,
  nameLength: 200,
  patternLength: 500,
} as const;

const SHEET_PREFIX = "(?:(?:'(?:[^']|'')+'|[^'].*)!)?";
const CELL = "R[1-9][0-9]{0,6}C[1-9][0-9]{0,4}";
/** `R5C2`, `R5C2:R10C8`, `Sheet 1!R5C2:R10C8`, `'Sheet 1'!R5C2`. */
const RANGE = new RegExp(`^${SHEET_PREFIX}${CELL}(?::${CELL})?$`, "s");

export const DIRECTIONS = [
  "up",
  "down",
  "left",
  "right",
  "up-left",
  "up-right",
  "down-left",
  "down-right",
  "left-up",
  "left-down",
  "right-up",
  "right-down",
  "up-ish",
  "down-ish",
  "left-ish",
  "right-ish",
  "fixed",
  "self",
] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const TAKES = ["value", "text", "number_format", "comment", "indent", "sheet"] as const;
export type Take = (typeof TAKES)[number];

export const CONVERSIONS = ["text", "number", "date", "year", "boolean"] as const;
export type Conversion = (typeof CONVERSIONS)[number];

const CELL_TYPES = ["blank", "text", "number", "date", "boolean", "error"] as const;

const rangeSchema = z.string().max(300).regex(RANGE).meta({
  id: "range",
  description:
    'One cell or rectangle in R1C1 notation, rows and columns counted from 1: "R5C2" or "R5C2:R10C8" (top left to bottom right). It lies on the table\'s sheet (on each of them when the table has several) unless a sheet name and "!" come first: "Table 2!R5C2:R10C8".',
});

const rangesSchema = z.array(rangeSchema).min(1).max(RECIPE_LIMITS.ranges);

const nameSchema = z.string().min(1).max(RECIPE_LIMITS.nameLength);
const sheetNameSchema = z.string().min(1).max(100);
const patternSchema = z.string().min(1).max(RECIPE_LIMITS.patternLength);
const scalarSchema = z.union([z.string().max(RECIPE_LIMITS.textLength), z.number(), z.boolean()]);

/** One or several of `schema`; a list means any of them. */
const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.array(schema).min(1).max(RECIPE_LIMITS.texts)]);

/** A flat test of one cell: every key that is given must hold. */
export const conditionSchema = z
  .strictObject({
    /** What the cell holds; a list means any of them. `blank`: no value (an empty string is text). */
    type: oneOrMore(z.enum(CELL_TYPES))
      .optional()
      .describe(
        'What the cell holds; a list means any of them. "blank" is no value; an empty string is text.',
      ),
    /** true: the cell has no value; false: it has one (an empty string is a value). */
    blank: z
      .boolean()
      .optional()
      .describe("true: the cell has no value; false: it has one (an empty string is a value)."),
    /** Equality with the stored value: numbers with number cells, text with text (white space at both ends ignored), dates as ISO text, booleans with booleans. */
    equals: oneOrMore(scalarSchema)
      .optional()
      .describe(
        "The value is this (a list: one of these). A number equals number cells only; a string equals text (ignoring white space at both ends), an ISO date, or an error code.",
      ),
    /** Glob over the whole text: `*` any run of characters, `?` any one; case counts. */
    glob: patternSchema
      .optional()
      .describe(
        'Matches the whole text of the cell: "*" is any run of characters, "?" any one. Case counts.',
      ),
    /** RE2 pattern that must match the whole text. */
    pattern: patternSchema
      .optional()
      .describe(
        "Regular expression (RE2 syntax: no look-around, no back-references) that must match the whole text of the cell.",
      ),
    /** Whole cell bold: by its font, or in every run of rich text. */
    bold: z.boolean().optional().describe("The cell's text is bold, or is not."),
    /** Whole cell italic. */
    italic: z.boolean().optional().describe("The cell's text is italic, or is not."),
    /** Whole cell superscript. */
    superscript: z.boolean().optional().describe("The whole text is superscript, or is not."),
    /** Alignment indent: exactly this many steps, or within `min` and `max` (inclusive). */
    indent: z
      .union([
        z.int().min(0).max(250),
        z.strictObject({
          min: z.int().min(0).max(250).optional(),
          max: z.int().min(0).max(250).optional(),
        }),
      ])
      .optional()
      .describe("Alignment indent in steps: exactly this number, or within {min, max} inclusive."),
    /** Solid fill `RRGGBB` (or `theme:N…` as the cell model writes it); null: no fill. */
    fill: z
      .string()
      .max(40)
      .nullable()
      .optional()
      .describe('Fill colour "RRGGBB" in upper case, or null for no fill.'),
    /** The number format code, exactly. */
    number_format: z
      .string()
      .max(300)
      .optional()
      .describe('The number format code is exactly this, for example "\\"*\\"#,##0.0".'),
    /** RE2 pattern that must match the whole number format code. */
    number_format_pattern: patternSchema
      .optional()
      .describe("RE2 pattern that must match the whole number format code."),
    /** The cell's row or column is hidden, or is not. */
    hidden: z.boolean().optional().describe("The cell's row or column is hidden, or is not."),
    /** The cell has a comment (note), or has none. */
    comment: z.boolean().optional().describe("The cell has a comment, or has none."),
    /** RE2 pattern that must match the whole comment. */
    comment_pattern: patternSchema.optional().describe("RE2 pattern that must match the whole comment."),
    /** Test not the cell itself but the cell of the same row in this column. */
    in_column: z
      .int()
      .min(1)
      .max(16_384)
      .optional()
      .describe("Test not the cell itself but the cell of the same row in this column (counted from 1)."),
    /** Test not the cell itself but the cell of the same column in this row. */
    in_row: z
      .int()
      .min(1)
      .max(1_048_576)
      .optional()
      .describe("Test not the cell itself but the cell of the same column in this row (counted from 1)."),
  })
  .meta({ id: "condition", description: "A test of one cell: every key that is given must hold." });
export type Condition = z.infer<typeof conditionSchema>;

/** A condition with one level of `all`, `any` and `not`. */
export const whereSchema = conditionSchema
  .extend({
    /** All of these conditions must hold as well. */
    all: z
      .array(conditionSchema)
      .min(1)
      .max(RECIPE_LIMITS.conditions)
      .optional()
      .describe("All of these conditions must hold as well."),
    /** At least one of these conditions must hold as well. */
    any: z
      .array(conditionSchema)
      .min(1)
      .max(RECIPE_LIMITS.conditions)
      .optional()
      .describe("At least one of these conditions must hold as well."),
    /** This condition must not hold. */
    not: conditionSchema.optional().describe("This condition must not hold."),
  })
  .meta({
    id: "where",
    description:
      "Keeps the cells for which every key that is given holds; `all`, `any` and `not` hold further conditions.",
  });
export type Where = z.infer<typeof whereSchema>;

/** How a cell becomes a scalar, shared by values and headers. Applied in the order written here. */
const reading = {
  /** What to take from the cell; default `value`. */
  take: z
    .enum(TAKES)
    .optional()
    .describe(
      'What to take from the cell (default "value"): "value" the stored value, "text" the text as displayed with its number format, "number_format" the format code, "comment" its comment, "indent" its indent steps, "sheet" the name of its sheet.',
    ),
  /** Remove footnote markers at the end (`(a)`, `[1]`, `*`) and superscript runs; default false. */
  strip_footnotes: z
    .boolean()
    .optional()
    .describe(
      "Remove superscript runs and, at the end of the text, footnote markers such as (a), (b)(c), [1] or * (default false).",
    ),
  /** Remove white space at both ends and squeeze runs inside to one space; default true. */
  trim: z
    .boolean()
    .optional()
    .describe(
      "Remove white space at both ends and make every run of white space or line breaks inside one space (default true).",
    ),
  /** RE2 pattern with exactly one group, searched in the text: the scalar is what the group matched. */
  extract: patternSchema
    .optional()
    .describe(
      "RE2 pattern with exactly one group, searched for in the text; what the group matched is taken. No match: the header is missing, a value is blank.",
    ),
  /** Convert; a text that cannot be converted is an error. Default: as the cell holds it. */
  as: z
    .enum(CONVERSIONS)
    .optional()
    .describe(
      'Convert to this type (default: leave as the cell holds it): "text", "number", "date" (ISO), "year" (four digits), "boolean". A cell that cannot be converted is an error.',
    ),
};

export const symbolsSchema = z
  .strictObject({
    /** The symbols, compared with the whole text after trimming. */
    texts: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(RECIPE_LIMITS.texts)
      .describe(
        'The symbols, for example ["np", "n.a.", ".."]; each is the whole text of a cell, case counts.',
      ),
    /** `text`: keep the symbol as the value; `blank`: keep the row with a blank value; `drop`: leave the row out. */
    as: z
      .enum(["text", "blank", "drop"])
      .describe(
        '"text" keeps the symbol as the value, "blank" keeps the row with a blank value, "drop" leaves the row out.',
      ),
  })
  .meta({ id: "symbols", description: "Texts that stand where a value could not be given." });

export const valuesSchema = z
  .strictObject({
    /** Output name of the value column; default `value`. The same in every table of the recipe. */
    name: nameSchema
      .optional()
      .describe('Name of the value column (default "value"); the same in every table.'),
    /** Ranges in order; rows come out range by range, inside each by sheet row, then column. */
    from: rangesSchema.describe(
      "Where the value cells are: ranges in the order in which their rows should come out; inside each by row, then column.",
    ),
    /** Ranges inside `from` that hold no values (notes, column numbers, separators). */
    except: rangesSchema
      .optional()
      .describe("Ranges to leave out of `from` (notes, column numbers, repeated titles)."),
    /** Keep only cells for which this holds. */
    where: whereSchema.optional().describe("Keep only the cells for which this holds."),
    /** Cells without a value: `drop` (default) leaves them out, `keep` gives a row with a blank value. */
    blanks: z
      .enum(["drop", "keep"])
      .optional()
      .describe(
        'Cells without a value: "drop" (default) leaves them out, "keep" gives a row with a blank value.',
      ),
    /** What to do with symbols such as `np` or `..`; by default every text is kept as text. */
    symbols: symbolsSchema
      .optional()
      .describe("What to do with symbols such as np or ..; without it every text is kept."),
    ...reading,
  })
  .meta({ id: "values", description: "The value cells: one row of the tidy table for each." });
export type ValuesRule = z.infer<typeof valuesSchema>;

const FILLS = ["right", "left", "down", "up"] as const;

export const fillSchema = z
  .union([
    z.enum(FILLS),
    z.strictObject({
      /** Where the header spreads to. */
      direction: z.enum(FILLS).describe("Where each header spreads to."),
      /** A cell of the header range that matches ends the spread, does not inherit, and spreads nothing itself. */
      until: whereSchema
        .optional()
        .describe(
          "A cell of the header range for which this holds ends the spread: it inherits nothing and spreads nothing.",
        ),
    }),
  ])
  .meta({
    id: "fill",
    description:
      'Before headers are looked up, spread each one over the cells after it, inside its range, that hold no header of their own (blank, or left out by `where`): "right", "left", "down", "up", or {direction, until}.',
  });

export const splitSchema = z
  .strictObject({
    /** Literal text between the pieces. Exactly one of `by` and `by_pattern`. */
    by: z.string().min(1).max(50).optional().describe("The literal text between two pieces."),
    /** RE2 pattern that matches what stands between the pieces. */
    by_pattern: patternSchema.optional().describe("RE2 pattern that matches what stands between two pieces."),
    /** Output name per piece; null skips a piece. A missing piece is a missing header; surplus stays, unsplit, in the last piece. */
    into: z
      .array(nameSchema.nullable())
      .min(1)
      .max(RECIPE_LIMITS.pieces)
      .describe(
        "Output name for each piece in order, null to skip one. Empty pieces at the end do not count; surplus pieces stay together in the last output.",
      ),
  })
  .meta({
    id: "split",
    description: "Cuts one header text into several outputs. Give `by` or `by_pattern`.",
  });

export const headerSchema = z
  .strictObject({
    /** Output column name. Required, unless `split` names the outputs. */
    name: nameSchema
      .optional()
      .describe("Name of the output column; leave it out only when `split` names the outputs."),
    /** The same scalar for every value; then `from` and `direction` are absent. */
    constant: scalarSchema
      .optional()
      .describe("The same value on every row; use it instead of `from` and `direction`."),
    /** Where the header cells are. Not with `constant` or direction `self`. */
    from: rangesSchema
      .optional()
      .describe(
        "Where the header cells are. Ranges on the value's own sheet go first; see `range` for another sheet.",
      ),
    /** Ranges inside `from` that hold no headers. */
    except: rangesSchema.optional().describe("Ranges to leave out of `from`."),
    /** Keep only header cells for which this holds. */
    where: whereSchema.optional().describe("Only cells for which this holds are headers."),
    /** Where the header lies as seen from the value. */
    direction: z
      .enum(DIRECTIONS)
      .optional()
      .describe(
        'Where the header lies as seen from the value. "up", "down", "left", "right": nearest in the same column or row. "up-left": above, in the value\'s column or to the left of it; likewise "up-right", "down-left", "down-right". "left-up": to the left, in the value\'s row or above it; likewise "left-down", "right-up", "right-down". "up-ish", "down-ish", "left-ish", "right-ish": on that side, nearest to either side, a tie is ambiguous. "fixed": one cell for all values. "self": the value cell itself (with `take`).',
      ),
    /** Spread headers over cells without one before looking up. */
    fill: fillSchema.optional(),
    /** `expand`: a merged header stands in every cell of its merged area inside `from`. Default: its top-left cell only. */
    merged: z
      .literal("expand")
      .optional()
      .describe(
        '"expand": a merged header stands in every cell of its merged area (default: in its top-left cell only).',
      ),
    ...reading,
    /** Cut the text into several outputs. */
    split: splitSchema.optional(),
    /** What a value without this header gets: `blank` (default), `drop-row`, or `error`. */
    missing: z
      .enum(["blank", "drop-row", "error"])
      .optional()
      .describe(
        'When no header is found: "blank" (default) leaves it blank, "drop-row" leaves the row out, "error" fails.',
      ),
  })
  .meta({ id: "header", description: "One output column (or several, with `split`) next to the value." });
export type HeaderRule = z.infer<typeof headerSchema>;

export const tableSchema = z
  .strictObject({
    /** What the `table` column says. Required when the recipe has several tables. */
    name: nameSchema
      .optional()
      .describe("What the leading `table` column says; required when the recipe has several tables."),
    /** The sheet, or several sheets in order for one table spread over them. */
    sheet: z
      .union([sheetNameSchema, z.array(sheetNameSchema).min(1).max(RECIPE_LIMITS.sheets)])
      .describe(
        "Name of the sheet exactly as in the workbook, or a list of names for one table spread over sheets.",
      ),
    values: valuesSchema,
    /** Output columns in order. */
    headers: z.array(headerSchema).max(RECIPE_LIMITS.headers).describe("The output columns, in order."),
  })
  .meta({
    id: "table",
    description: "One logical table: its value cells and the headers that describe them.",
  });
export type TableRule = z.infer<typeof tableSchema>;

export const recipeSchema = z
  .strictObject({
    version: z.literal(RECIPE_VERSION).describe("Version of the recipe language: 1."),
    /** Tables in order; several are stacked under a leading `table` column. */
    tables: z
      .array(tableSchema)
      .min(1)
      .max(RECIPE_LIMITS.tables)
      .describe("One or more tables; several are stacked under a leading `table` column."),
  })
  .describe("How a tidy table is read out of a workbook.");
export type Recipe = z.infer<typeof recipeSchema>;

/** JSON Schema (draft 2020-12) of a recipe: the same document that `schemas/recipe.json` and prompts carry. */
export function recipeJsonSchema(): Record<string, unknown> {
  return {
    title: "Recipe, version 1",
    ...z.toJSONSchema(recipeSchema, { target: "draft-2020-12", io: "input" }),
  };
}

/** Every key that a recipe can have, at any place. */
export function recipeKeys(): Set<string> {
  const keys = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === "properties") for (const name of Object.keys(child as object)) keys.add(name);
      collect(child);
    }
  };
  collect(recipeJsonSchema());
  return keys;
}

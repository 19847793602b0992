import { KINDS, type Kind } from "./mutations.ts";

/** What became of one change. */
export interface Tried {
  readonly field: string;
  readonly kind: Kind;
  /** Codes of the findings that the honest document does not have; empty when nothing noticed the change. */
  readonly codes: readonly string[];
}

/** A field of the document, over all of its places. */
export interface FieldRow {
  readonly field: string;
  readonly tried: number;
  readonly caught: number;
  /** Codes, most frequent first. */
  readonly codes: readonly string[];
  /** Kinds of change that were not noticed everywhere. */
  readonly missed: readonly Kind[];
}

/** Sums up by field, in the order in which fields came. */
export function tally(tried: Iterable<Tried>): FieldRow[] {
  const fields = new Map<
    string,
    { tried: number; caught: number; codes: Map<string, number>; missed: Set<Kind> }
  >();
  for (const { field, kind, codes } of tried) {
    const row = fields.get(field) ?? { tried: 0, caught: 0, codes: new Map(), missed: new Set() };
    fields.set(field, row);
    row.tried += 1;
    if (codes.length > 0) row.caught += 1;
    else row.missed.add(kind);
    for (const code of new Set(codes)) row.codes.set(code, (row.codes.get(code) ?? 0) + 1);
  }
  return [...fields].map(([field, { tried: count, caught, codes, missed }]) => ({
    field,
    tried: count,
    caught,
    codes: [...codes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([code]) => code),
    missed: KINDS.filter((kind) => missed.has(kind)),
  }));
}

const IN_RECIPE = "/members/#/recipe/";

/** What a field is when changing it is not noticed: evidence that gives the same table, or something only declared. */
export const standingOf = ({ field, caught, tried }: FieldRow): "recomputed" | "evidence" | "declared" =>
  caught === tried ? "recomputed" : field.startsWith(IN_RECIPE) ? "evidence" : "declared";

const SHOWN_CODES = 3;

/** The table as Markdown lines; fields that are caught in every way come last and in short. */
export function renderMutations(rows: readonly FieldRow[]): string[] {
  const open = rows.filter((row) => standingOf(row) !== "recomputed");
  const held = rows.filter((row) => standingOf(row) === "recomputed");
  const total = (key: "tried" | "caught"): number => rows.reduce((sum, row) => sum + row[key], 0);
  return [
    `${total("tried")} changes of ${rows.length} fields were tried; ${total("caught")} were caught.`,
    "",
    "**Not caught in every way**",
    "",
    "| Field | Caught | Level | Not noticed |",
    "|---|---|---|---|",
    ...open.map(
      (row) =>
        `| \`${row.field || "/"}\` | ${row.caught} of ${row.tried} | ${standingOf(row)} | ${row.missed.join(", ")} |`,
    ),
    "",
    "**Caught in every way**",
    "",
    "| Field | Caught | By |",
    "|---|---|---|",
    ...held.map(
      ({ field, caught, tried, codes }) =>
        `| \`${field || "/"}\` | ${caught} of ${tried} | ${codes
          .slice(0, SHOWN_CODES)
          .map((code) => `\`${code}\``)
          .join(" ")}${codes.length > SHOWN_CODES ? ` and ${codes.length - SHOWN_CODES} more` : ""} |`,
    ),
  ];
}

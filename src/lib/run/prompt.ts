import { canonicalJson } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import type { Finding } from "../findings.ts";
import { recipeJsonSchema } from "../sheet/recipe-schema.ts";

import type { ChatMessage, ResponseFormat } from "./call.ts";
import { clip } from "./clip.ts";
import { ALL, DIGEST_LEVELS } from "./digest-levels.ts";

/**
 * The prompts: the task, the asked sheets in one of two forms, and the recipe schema. A form is the whole cell listing
 * (`listing-1`) or the structural digest (`digest-1`). A mode is a form for all members, or `auto-1`, whose rule gives
 * each member one. Changing a word here changes `promptDigest`, and with it what a result says it was asked; raise the
 * mode's version with it.
 */

export const PROMPT_FORMS = ["listing-1", "digest-1"] as const;
export const PROMPT_MODES = [...PROMPT_FORMS, "auto-1"] as const;
export type PromptForm = (typeof PROMPT_FORMS)[number];
export type PromptMode = (typeof PROMPT_MODES)[number];
export const PROMPT_VERSIONS: Readonly<Record<PromptMode, string>> = {
  "listing-1": "1",
  "digest-1": "1",
  "auto-1": "1",
};

/** The listing of one member may have this many characters; more is refused, never cut. */
export const MAX_LISTING_CHARACTERS = 400_000;
/** So many characters a digest may have: the finest one that fits is sent. */
export const MAX_DIGEST_CHARACTERS = 120_000;
/**
 * The rule of `auto-1`: a member gets its listing up to this many characters, and its digest beyond. A listing of
 * numbers takes about one token for 1.7 characters, so that this is about what a context of 128,000 tokens holds.
 */
export const AUTO_LISTING_CHARACTERS = 180_000;
/** An earlier answer is quoted up to this many characters in a revision. */
export const MAX_QUOTED_ANSWER = 40_000;
/** So many findings go into a revision, and into the result document. */
export const MAX_FINDINGS = 20;

const OPENING = `You write recipes that read tidy tables out of spreadsheets. A recipe is one JSON object. It says where the value cells of a table are and where the headers of each value lie; a program executes it on the workbook, cell by cell. You never copy values yourself.

How to write a recipe:
- {"version": 1, "tables": [{"sheet": "<name>", "values": {"name": "<column>", "from": ["R5C2:R9C6"]}, "headers": [ ... ]}]}.
- Addresses are R1C1, rows and columns counted from 1: R5C2 is row 5, column 2.
- Every value cell becomes one row of the tidy table, in the order of the ranges, inside each by row, then column. The columns are the headers in the order you list them, then the value.
- A header has a "name" and either "constant", or "from" (ranges of header cells) and "direction" (where the header lies as seen from the value): "up" and "left" take the nearest header cell in the same column or row; "up-left" takes the nearest header above that is in the value's column or to the left of it, as a heading over several columns needs; "left-up" the nearest header at the left that is in the value's row or above it, as a label over several rows needs; "fixed" is one cell for all values, such as a unit in the title.
- "fill" spreads a header over the blank header cells after it; "merged": "expand" puts a merged header into each cell of its area; "where" keeps only certain cells; "except" leaves ranges out; "strip_footnotes" removes marks such as (a); "as" converts to "text", "number", "date", "year" or "boolean".
- Blank value cells are left out unless "blanks" is "keep". "symbols" says what becomes of texts such as "np" or "..".
- Leave titles, notes, footnotes, and rows of column numbers out of the ranges.`;

const LISTING_FORM = `The listing gives every cell that has a value, row by row: R4 C1="Sydney" b indent=1; C2=12.5 f1 means that row 4 holds the text Sydney in column 1 (bold, indented one step) and the number 12.5 in column 2 (number format f1). date(...), error(...) and blank are other kinds of cells; i is italic, sup superscript, marks the superscript parts of a text, fill the fill colour, comment the cell's comment. Merged ranges, hidden rows and columns and the number formats stand above the rows.`;

const DIGEST_FORM = `The sheets are given as a digest. Rows that do not repeat are listed cell by cell: R4 C1="Sydney" b indent=1; C2-5=12.5 f1 means that row 4 holds the text Sydney in column 1 (bold, indented one step) and the number 12.5 in each of the columns 2 to 5 (number format f1); R4-6 means the same cells in each of the rows 4 to 6. date(...), error(...) and blank are other kinds of cells; i is italic, sup superscript, marks the superscript parts of a text, fill the fill colour, comment the cell's comment. A long text may end in … [of 512 characters]. Merged ranges, hidden rows and columns and the number formats stand above the rows.
Rows alike are summed up. R11-164 numbers: C2-251 f2 38500 from -3.2 to 1212.1 and 4 other and 10 blank means: in rows 11 to 164, columns 2 to 251 hold 38500 numbers of format f2 between those two, 4 cells that are no numbers, and 10 that are empty. The first and the last of such rows are listed whole. The labels of the rows between are listed row by row, or summed up by column: R5-2597 C1: 2593 cells, 8 distinct: "NSW" @R5-402; "Vic." @R403 R410 +33 means that column 1 holds NSW in rows 5 to 402, and Vic. in rows 403, 410 and 33 more. Whatever is not shown is counted; the last line of a sheet adds up its cells.`;

const CLOSING = `Answer with the recipe alone: one JSON object that follows the schema, no other text, no code fence.`;

const SYSTEM: Readonly<Record<PromptForm, string>> = {
  "listing-1": [OPENING, LISTING_FORM, CLOSING].join("\n\n"),
  "digest-1": [OPENING, DIGEST_FORM, CLOSING].join("\n\n"),
};

const REVISION =
  "This answer could not be used. Mend what is listed below and answer with the whole recipe again: one JSON object, no other text.";

/** What is asked about a member. */
export interface MemberPrompt {
  readonly task: string;
  /** Names of all sheets, in workbook order, with their states. */
  readonly sheets: readonly { readonly name: string; readonly state: string }[];
  readonly form: PromptForm;
  /** The asked sheets in that form. */
  readonly listing: string;
}

/** An earlier answer that has to be mended. */
export interface EarlierAnswer {
  /** Null or empty when there was no text. */
  readonly text: string | null;
  readonly findings: readonly Finding[];
}

/** How the answer's form is asked for; `none` and `json_object` carry the schema in the prompt instead. */
export type AnswerFormat = "json_schema" | "json_object" | "none";

const schemaText = (): string => `JSON Schema of a recipe:\n${canonicalJson(recipeJsonSchema())}`;

/** The messages of an attempt: the first one, or a revision of the answer just before. */
export function promptMessages(
  member: MemberPrompt,
  format: AnswerFormat,
  earlier: EarlierAnswer | null,
): ChatMessage[] {
  const sheets = member.sheets.map(
    ({ name, state }) => `${JSON.stringify(name)}${state === "visible" ? "" : " (hidden)"}`,
  );
  const messages: ChatMessage[] = [
    {
      role: "system",
      content: format === "json_schema" ? SYSTEM[member.form] : `${SYSTEM[member.form]}\n\n${schemaText()}`,
    },
    {
      role: "user",
      content: `Task: ${member.task}\n\nSheets of the workbook: ${sheets.join(", ")}\n\n${member.listing}`,
    },
  ];
  if (earlier === null) return messages;
  if (earlier.text !== null && earlier.text.trim() !== "") {
    const cut = earlier.text.length > MAX_QUOTED_ANSWER;
    const quoted = clip(earlier.text, MAX_QUOTED_ANSWER);
    messages.push({ role: "assistant", content: cut ? `${quoted}\n[cut here]` : quoted });
  }
  messages.push({ role: "user", content: revisionText(earlier.findings) });
  return messages;
}

/** The words of a revision request: each finding with its place, what was expected, and the hint. */
export function revisionText(findings: readonly Finding[]): string {
  const lines = findings.slice(0, MAX_FINDINGS).map((finding) => {
    const place = [
      finding.pointer === undefined || finding.pointer === "" ? null : `at ${finding.pointer}`,
      finding.line === undefined ? null : `line ${finding.line}, column ${finding.column ?? 1}`,
    ].filter((part) => part !== null);
    const details = [
      finding.expected === undefined ? null : `expected ${finding.expected}`,
      finding.actual === undefined ? null : `found ${finding.actual}`,
      finding.hint === undefined ? null : finding.hint,
    ].filter((part) => part !== null);
    return `- ${finding.code}${place.length > 0 ? ` (${place.join(", ")})` : ""}: ${[finding.message, ...details].join(" ")}`;
  });
  const more = findings.length - MAX_FINDINGS;
  return [REVISION, "", ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

/**
 * The response format that is sent; null for `none`. The schema is not declared `strict`: that mode of the providers
 * allows only a subset of JSON Schema (every key required, no patterns), and the answer is validated here anyway.
 */
export function responseFormat(format: AnswerFormat): ResponseFormat | null {
  if (format === "none") return null;
  if (format === "json_object") return { type: "json_object" };
  return { type: "json_schema", json_schema: { name: "recipe", strict: false, schema: recipeJsonSchema() } };
}

/** Digest of everything a prompt is made of except the member: texts, limits, recipe schema; for `auto-1` its rule. */
export function promptDigest(mode: PromptMode): string {
  const version = PROMPT_VERSIONS[mode];
  if (mode === "auto-1")
    return digestOf(
      canonicalJson({
        mode,
        version,
        listing_up_to_characters: AUTO_LISTING_CHARACTERS,
        listing: promptDigest("listing-1"),
        digest: promptDigest("digest-1"),
      }),
    );
  return digestOf(
    canonicalJson({
      mode,
      version,
      system: SYSTEM[mode],
      revision: REVISION,
      ...(mode === "listing-1"
        ? { max_listing_characters: MAX_LISTING_CHARACTERS }
        : { max_digest_characters: MAX_DIGEST_CHARACTERS, levels: levelsText() }),
      max_quoted_answer: MAX_QUOTED_ANSWER,
      max_findings: MAX_FINDINGS,
      schema: recipeJsonSchema(),
    }),
  );
}

/** The levels as JSON, which has no infinity: no limit is `null`. */
const levelsText = (): unknown =>
  DIGEST_LEVELS.map((level) =>
    Object.fromEntries(Object.entries(level).map(([key, value]) => [key, value === ALL ? null : value])),
  );

/** Digest of the authored texts alone: a test pins it, so that no word changes under an old version number. */
export const promptTextDigest = (form: PromptForm): string =>
  digestOf(
    canonicalJson({ mode: form, version: PROMPT_VERSIONS[form], system: SYSTEM[form], revision: REVISION }),
  );

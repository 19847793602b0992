import type { Judges } from "../schema/judges-schema.ts";
import type { Models } from "../schema/models-schema.ts";
import {
  BRANDS,
  GENERIC_WORDS,
  HARNESS_NAMES,
  LANGUAGE_WORDS,
  ORDINARY_WORDS,
  VENDOR_PHRASES,
} from "./name-words.ts";

/**
 * Who must not be recognised in a pack: vendors, models, harnesses, judges, configurations, and this run's ids.
 *
 * A name is *distinct* when nothing else is called so (`DeepSeek`, `gpt-6.1-sol`): it is found in any letter case, with any
 * or no separator between its parts, and inside identifiers. It is *ordinary* when it is also a word (`Opus`, `Meta`,
 * `core`): then it is a name only in prose and only written like one, with a capital. Ids are found as they are written.
 */
export interface NameBook {
  /** Distinct names in prose and texts; null when there are none. */
  readonly distinct: RegExp | null;
  /** Distinct names inside identifiers. */
  readonly identifiers: RegExp | null;
  readonly ordinary: RegExp | null;
  readonly ids: RegExp | null;
  /** Names that the task's contract itself uses: in its entries they say nothing about anybody. */
  readonly exempt: readonly string[];
}

export interface NameSources {
  readonly models: Models;
  readonly judges: Judges;
  /** Programs that the entries were made with. */
  readonly harnesses: readonly string[];
  /** Ids that only this benchmark uses: of the run, its entries, its configurations. */
  readonly ids: readonly string[];
  /** The task's contract. */
  readonly spec: string;
}

/** A place in a text, and which name stands there (the same for all its spellings). */
export interface NameMatch {
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

/** Parts of a name in lower case: `GPT-6.1 Sol` gives `gpt`, `6`, `1`, `sol`; `DeepSeek` gives `deep`, `seek`. */
export const partsOf = (name: string): string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{L})(\p{N})/gu, "$1 $2")
    .replaceAll(/(\p{N})(\p{L})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");

const isLetters = (part: string): boolean => /^\p{L}+$/u.test(part);
const isOrdinary = (word: string): boolean =>
  ORDINARY_WORDS.has(word) || LANGUAGE_WORDS.has(word) || (word.length < 4 && !BRANDS.has(word));

/** Collects the names that a pack of this task and run must not show. */
export function collectNames({ models, judges, harnesses, ids, spec }: NameSources): NameBook {
  const distinct = new Map<string, readonly string[]>();
  const ordinary = new Set<string>();
  const whole = new Set([...ids, ...judges.judges.map(({ configuration }) => configuration)]);
  const add = (name: string): void => {
    const parts = partsOf(name);
    const [only = ""] = parts;
    if (parts.length === 0) return;
    if (parts.length === 1 && !isLetters(only)) return;
    if (parts.length > 1) {
      // `o4-mini` or `alpha-1` is a name only as it is written.
      if (isTold(parts)) distinct.set(parts.join(" "), parts);
      else whole.add(name);
    } else if (GENERIC_WORDS.has(only) || only.length < 3) return;
    else if (isOrdinary(only)) ordinary.add(only);
    else distinct.set(only, parts);
  };
  /** A name, and each of its words that names somebody even alone. */
  const addWithWords = (name: string): void => {
    add(name);
    for (const part of partsOf(name)) if (isLetters(part)) add(part);
  };
  for (const name of [...BRANDS, ...HARNESS_NAMES, ...VENDOR_PHRASES, ...harnesses]) add(name);
  for (const { id, name } of models.vendors) {
    add(id);
    add(name);
  }
  for (const { id, name, log_names } of models.models) {
    for (const each of [id, name, ...log_names]) addWithWords(each);
  }
  for (const { id, name, harness } of judges.judges) for (const each of [id, name, harness]) add(each);

  const exempt = [...distinct.entries()]
    .filter(([, parts]) => matchesIn(spec, distinctPattern([parts], PROSE_GAP)).length > 0)
    .map(([key]) => key);
  for (const key of exempt) distinct.delete(key);
  const spoken = [...ordinary].filter((word) => matchesIn(spec, ordinaryPattern([word])).length > 0);
  for (const word of spoken) ordinary.delete(word);

  const names = [...distinct.values()];
  return {
    distinct: distinctPattern(names, PROSE_GAP),
    identifiers: distinctPattern(names, CODE_GAP),
    ordinary: ordinaryPattern([...ordinary]),
    ids: idPattern([...whole].filter((id) => id.length >= 4)),
    exempt: [...exempt, ...spoken].sort(),
  };
}

/**
 * Whether nothing else is called so: the name has a part that is no ordinary or generic word, or two ordinary ones that
 * only together name somebody (`muse wonder`).
 */
function isTold(parts: readonly string[]): boolean {
  if (VENDOR_PARTS.has(parts.join(" "))) return true;
  const words = parts.filter((part) => isLetters(part) && !GENERIC_WORDS.has(part));
  return (
    words.some((word) => !isOrdinary(word)) || words.filter((word) => ORDINARY_WORDS.has(word)).length > 1
  );
}
const VENDOR_PARTS: ReadonlySet<string> = new Set(
  [...VENDOR_PHRASES, ...HARNESS_NAMES, ...BRANDS].map((name) => partsOf(name).join(" ")),
);

/** One separator or none between the parts of a name, never a line break. */
const PROSE_GAP = "[ \\t\\-_./:\\u00a0\\u2010-\\u2015]?";
const CODE_GAP = "_?";

const longestFirst = (a: string, b: string): number => b.length - a.length || (a < b ? -1 : 1);
const quote = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function distinctPattern(names: readonly (readonly string[])[], gap: string): RegExp | null {
  if (names.length === 0) return null;
  const choices = names.map((parts) => parts.map(quote).join(gap)).sort(longestFirst);
  // A version that follows belongs to the name: `Claude 7`, `gpt-7.2`.
  const version = gap === CODE_GAP ? "(?:_?v?\\d+)*" : `(?:${gap}v?\\d+(?:[.\\-]\\d+)*)?`;
  return new RegExp(`(?:${choices.join("|")})${version}`, "giu");
}

/** Ordinary names with a capital, as words of their own: inside an identifier (`NFT_META_MARK`) they are words. */
function ordinaryPattern(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  const choices = words
    .toSorted(longestFirst)
    .flatMap((word) => [
      `${word[0]?.toUpperCase()}${word.slice(1)}`,
      ...(ORDINARY_WORDS.has(word) ? [word.toUpperCase()] : []),
    ]);
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${choices.map(quote).join("|")})(?![\\p{L}\\p{N}_])`, "gu");
}

/** Each word with a capital, so that ordinary names are found however they are written; words of languages stay words. */
export const withCapitals = (text: string): string =>
  text.replaceAll(/\p{L}+/gu, (word) =>
    LANGUAGE_WORDS.has(word) ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`,
  );

const idPattern = (ids: readonly string[]): RegExp | null =>
  ids.length === 0
    ? null
    : new RegExp(
        `(?<![\\p{L}\\p{N}])(?:${ids.toSorted(longestFirst).map(quote).join("|")})(?![\\p{L}\\p{N}])`,
        "gu",
      );

/** All places in which a pattern's names stand as words of their own, or as parts of an identifier in camel case. */
export function matchesIn(text: string, pattern: RegExp | null): NameMatch[] {
  if (pattern === null) return [];
  const found: NameMatch[] = [];
  const search = new RegExp(pattern.source, pattern.flags);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const start = match.index;
    const end = start + match[0].length;
    if (match[0] !== "" && startsWord(text, start) && endsWord(text, end))
      found.push({ start, end, key: partsOf(match[0]).join("") });
    else search.lastIndex = start + 1;
  }
  return found;
}

const LETTER = /\p{L}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;

function startsWord(text: string, start: number): boolean {
  const before = text[start - 1] ?? "";
  if (!LETTER.test(before)) return true;
  // `myClaude`, `XClaude`.
  return UPPER.test(text[start] ?? "") && (LOWER.test(before) || LOWER.test(text[start + 1] ?? ""));
}

function endsWord(text: string, end: number): boolean {
  const [last, next, afterNext] = [text[end - 1] ?? "", text[end] ?? "", text[end + 1] ?? ""];
  if (/\p{N}/u.test(last)) return !/\p{N}/u.test(next) && (!LOWER.test(next) || !LETTER.test(afterNext));
  if (!LETTER.test(next)) return true;
  if (UPPER.test(next)) return LOWER.test(last) || LOWER.test(afterNext);
  // The plural: `GPTs`.
  return next === "s" && !/[\p{L}_]/u.test(afterNext);
}

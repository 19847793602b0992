import type { DataIndex, Scope } from "../../lib/code/aggregate/index-data.ts";
import type { Row } from "../../lib/code/aggregate/row.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import type { RankRanges } from "../../lib/code/score/rank-ranges.ts";
import { mean, sampleSd } from "../../lib/stats/describe.ts";

/** How far a statement can be relied upon. */
export const STRENGTHS = ["strong", "moderate", "weak", "not clear"] as const;
export type Strength = (typeof STRENGTHS)[number];

/** A configuration in a sentence, whose name the page shows, or a name that somebody gave, in whatever script. */
export type Named = { readonly configuration: string } | { readonly quoted: string };
/** A sentence, with the names in it apart. */
export type Words = readonly (string | Named)[];

export type StatementKind =
  | "leader"
  | "best-value"
  | "cheapest"
  | "leads"
  | "strictest-judge"
  | "self-preference"
  | "fast-mode"
  | "tasks";

/** Something that a selection's numbers say, and how strongly they say it. */
export interface Statement {
  readonly kind: StatementKind;
  /** Unique within a list. */
  readonly id: string;
  readonly strength: Strength;
  readonly says: Words;
  /** Why it is as strong as it is. */
  readonly because: Words;
}

/** What statements are made from. */
export interface Grounds {
  readonly index: DataIndex;
  readonly view: View;
  readonly ranks: RankRanges;
  readonly scope: Scope;
  /** Every configuration of the selection, at every effort level. */
  readonly all: readonly Row[];
}

/** Tagged template of a sentence: `` say`${named("a@high")} leads` ``. */
export function say(texts: readonly string[], ...values: readonly (string | number | Named)[]): Words {
  const words: (string | Named)[] = [];
  for (const [place, text] of texts.entries()) {
    const value = values[place - 1];
    for (const part of [place === 0 ? undefined : value, text]) {
      if (part === undefined || part === "") continue;
      const last = words.at(-1);
      if (typeof part === "object") words.push(part);
      else if (typeof last === "string") words[words.length - 1] = `${last}${part}`;
      else words.push(String(part));
    }
  }
  return words;
}

export const named = (configuration: string): Named => ({ configuration });
export const quoted = (text: string): Named => ({ quoted: text });

/** Names with commas between them. */
export const quotedList = (texts: readonly string[]): Words =>
  texts.flatMap((text, place) => (place === 0 ? [quoted(text)] : [", ", quoted(text)]));

/** A sentence as plain text, with ids for configurations. */
export const plainWords = (words: Words): string =>
  words
    .map((part) => (typeof part === "string" ? part : "quoted" in part ? part.quoted : part.configuration))
    .join("");

export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${count} ${count === 1 ? thing : things}`;

/** A mean difference with its standard error. */
export interface Difference {
  readonly mean: number;
  /** Null of fewer than two. */
  readonly error: number | null;
  readonly n: number;
}

/** Of paired differences; null of none. error = SD ÷ √n. */
export function pairedDifference(differences: readonly number[]): Difference | null {
  const centre = mean(differences);
  if (centre === null) return null;
  const sd = sampleSd(differences);
  return {
    mean: centre,
    error: sd === null ? null : sd / Math.sqrt(differences.length),
    n: differences.length,
  };
}

/** Of two independent groups, first − second; null when one is empty. error² is the sum of the groups' own (Welch). */
export function groupDifference(first: readonly number[], second: readonly number[]): Difference | null {
  const [a, b] = [pairedDifference(first), pairedDifference(second)];
  if (a === null || b === null) return null;
  return {
    mean: a.mean - b.mean,
    error: a.error === null || b.error === null ? null : Math.hypot(a.error, b.error),
    n: Math.min(a.n, b.n),
  };
}

/** So many standard errors from zero, over so many pairs at least. */
const SCALE = [
  { strength: "strong", errors: 3, least: 10 },
  { strength: "moderate", errors: 2, least: 5 },
  { strength: "weak", errors: 1.5, least: 3 },
] as const;

/** How clearly a difference is not zero: strong from 3 standard errors and 10 pairs, moderate from 2 and 5, weak from 1.5 and 3. */
export function strengthOf({ mean: centre, error, n }: Difference): Strength {
  if (error === null) return "not clear";
  const found = SCALE.find(({ errors, least }) => n >= least && Math.abs(centre) >= errors * error);
  return Math.abs(centre) > 1e-9 && found !== undefined ? found.strength : "not clear";
}

/** The weaker of two. */
export const atMost = (strength: Strength, most: Strength): Strength =>
  STRENGTHS.indexOf(strength) < STRENGTHS.indexOf(most) ? most : strength;

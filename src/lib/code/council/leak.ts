import type { Finding } from "../../findings.ts";
import { BRANDS } from "./name-words.ts";
import { matchesIn, type NameBook, withCapitals } from "./names.ts";
import { INVISIBLE } from "./scrub.ts";

/** A file of a pack as it would be written. */
export interface PackFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** At most so many leaks are listed one by one. */
const MAX_LISTED = 50;

/**
 * Looks over files that are about to be shown to a judge for anything that would tell who wrote them. It knows nothing of
 * how they were scrubbed, reads comments and code alike, and sees through letters that only look alike, invisible
 * characters and letters set apart. What was found is not quoted.
 */
export function findLeaks(files: readonly PackFile[], book: NameBook): Finding[] {
  const findings: Finding[] = [];
  for (const { path, content } of files) {
    const inName = leakIn(path, book);
    if (inName !== null) findings.push(leak(path, null, inName));
    const text = typeof content === "string" ? content : latin1(content);
    for (const [index, line] of text.split("\n").entries()) {
      const what = leakIn(line, book);
      if (what !== null) findings.push(leak(path, index + 1, what));
    }
  }
  const more = findings.length - MAX_LISTED;
  if (more <= 0) return findings;
  return [
    ...findings.slice(0, MAX_LISTED),
    {
      code: "code-council-leak",
      severity: "error",
      message: `${more} more places would tell who wrote an entry.`,
    },
  ];
}

const leak = (path: string, line: number | null, what: string): Finding => ({
  code: "code-council-leak",
  severity: "error",
  message: `After scrubbing, ${what} is left: a judge could tell who wrote this. No pack was written.`,
  path,
  ...(line === null ? {} : { line }),
  hint: "Mend the name lists (src/lib/code/council/name-words.ts, data/models.json) or the scrubbing, and make the packs again.",
});

function leakIn(line: string, book: NameBook): string | null {
  const plain = folded(line);
  if (matchesIn(plain, book.distinct).length > 0) return "a name";
  if (book.ids !== null && [...plain.matchAll(book.ids)].some(([id]) => id.length >= LONG_ID)) return "an id";
  if (SPACED.some((pattern) => pattern.test(plain))) return "a name with its letters set apart";
  const [, attributed = ""] = ATTRIBUTED.exec(plain) ?? [];
  if (matchesIn(withCapitals(attributed), book.ordinary).length > 0) return "an attribution";
  if (GENERATED.test(plain)) return "an attribution";
  if (TRAILER.test(plain)) return "a trailer of a commit";
  if (HOME.test(plain)) return "a path of somebody's machine";
  return null;
}

/** Ids that are shorter can be anything in code (`run-1` is a subtraction); scrubbing takes them out of prose. */
const LONG_ID = 12;
const ATTRIBUTED =
  /\b(?:made|written|generated|created|produced|authored|built|coded)\s+(?:\w+\s+)?(?:by|with|using|via)\s+(\p{L}+)/iu;
/** Marks of comments only: a literal with these words is the program's, and names in it are replaced. */
const GENERATED = /^[\s/*#;!<>-]*generated\s+with\b/i;
const TRAILER = /^[\s/*#;!<>-]*(?:co-authored-by|signed-off-by|assisted-by)\s*:(?!\s*\[removed\])/i;
const HOME = /(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[\w.-]+/;

/** `C l a u d e`, `g.e.m.i.n.i`: one separator, the same between all letters. Short names would be found everywhere. */
const SPACED: readonly RegExp[] = [...BRANDS, "openai", "chatgpt", "deepseek"]
  .filter((name) => name.length >= 5)
  .map((name) => {
    const [first = "", second = "", ...rest] = name;
    return new RegExp(
      `(?<!\\p{L})${first}([ .*_·-])${second}${rest.map((letter) => `\\1${letter}`).join("")}(?!\\p{L})`,
      "iu",
    );
  });

/** Letters of other alphabets that look like Latin ones. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{
    а: "a",
    е: "e",
    о: "o",
    р: "p",
    с: "c",
    х: "x",
    у: "y",
    і: "i",
    ѕ: "s",
    ј: "j",
    һ: "h",
    ԁ: "d",
    ӏ: "l",
  },
  ...{ А: "A", В: "B", Е: "E", К: "K", М: "M", Н: "H", О: "O", Р: "P", С: "C", Т: "T", Х: "X", І: "I" },
  ...{ α: "a", ο: "o", ν: "v", ι: "i", κ: "k", ρ: "p", τ: "t", υ: "u", Α: "A", Ο: "O", Ρ: "P", Τ: "T" },
};

/** As a reader sees it: compatible forms folded, marks and invisible characters gone, lookalikes as Latin letters. */
function folded(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no folding, and is nearly everything.
  if (/^[\u0000-\u007f]*$/.test(line)) return line;
  return line
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\u0370-\u052f]/g, (letter) => ALIKE[letter] ?? letter);
}

/** Bytes as characters, so that texts inside them can be searched. */
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return text;
}

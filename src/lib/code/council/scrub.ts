import { matchesIn, type NameBook, type NameMatch } from "./names.ts";
import { proseRules, type Replacement, type ScrubRule, textRules, withoutPeople } from "./scrub-rules.ts";
import { type Segment, segmentsOf } from "./segments.ts";

/** One file of a deliverable: its path and text, or bytes that are no text. */
export interface DeliveredFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface ScrubbedFile extends DeliveredFile {
  /** The path in the deliverable; `path` is what the judge sees. */
  readonly original: string;
}

/** What was done, never what stood there. */
export interface ScrubNote {
  /** Path in the deliverable. */
  readonly file: string;
  /** 1-based; null for the file as a whole. */
  readonly line: number | null;
  readonly rule: ScrubRule;
}

export interface ScrubbedEntry {
  readonly files: readonly ScrubbedFile[];
  readonly notes: readonly ScrubNote[];
}

/** Files that only a harness has: they are left out of packs. */
const HARNESS_FILE =
  /(?:^|\/)(?:(?:CLAUDE|AGENTS|GEMINI|QWEN|COPILOT|GROK)(?:\.local)?\.md|\.(?:claude|codex|cursor|gemini|qwen|opencode|grok|aider|windsurf)[^/]*(?:\/.*)?|opencode\.jsonc?|copilot-instructions\.md)$/i;

/**
 * Takes out of one entry's files what tells who wrote them. Names become words that name nobody, the same word for the same
 * name in all files of the entry and inside identifiers too, so that the program stays what it was. No line is added or
 * removed. Bytes that are no text stay as they are; the leak scan looks at them.
 */
export function scrubEntry(files: readonly DeliveredFile[], book: NameBook): ScrubbedEntry {
  const notes: ScrubNote[] = [];
  const kept = files.filter(({ path }) => {
    if (!HARNESS_FILE.test(path)) return true;
    notes.push({ file: path, line: null, rule: "harness-file" });
    return false;
  });
  const texts = kept.filter(
    (file): file is { path: string; content: string } => typeof file.content === "string",
  );
  const nameless = namelessWords(texts.map(({ content }) => content));
  const users = userNames(texts);
  const scrubbed = kept.map(({ path, content }): ScrubbedFile => {
    const shown = replaceNames(path, [...matchesIn(path, book.distinct)], nameless);
    if (shown !== path) notes.push({ file: path, line: null, rule: "renamed-file" });
    if (typeof content !== "string") return { original: path, path: shown, content };
    return {
      original: path,
      path: shown,
      content: scrubText(path, content, { book, nameless, users, notes }),
    };
  });
  return { files: scrubbed, notes };
}

interface Scrubbing {
  readonly book: NameBook;
  readonly nameless: Nameless;
  readonly users: RegExp | null;
  readonly notes: ScrubNote[];
}

function scrubText(path: string, source: string, { book, nameless, users, notes }: Scrubbing): string {
  const text = withoutPeople(path, unformatted(path, source, notes), (line) =>
    notes.push({ file: path, line, rule: "author" }),
  );
  let result = "";
  let line = 1;
  for (const segment of segmentsOf(path, text)) {
    const before = text.slice(segment.start, segment.end);
    // What must go stands in one line: rules never see the end of one, so none can take it away.
    const lines = before.split("\n");
    const after = lines.map((each, index) => {
      const note = (rule: ScrubRule): void => void notes.push({ file: path, line: line + index, rule });
      return scrubLine(each, segment.kind, { book, nameless, users, note });
    });
    result += after.join("\n");
    line += lines.length - 1;
  }
  return result;
}

interface LineScrubbing {
  readonly book: NameBook;
  readonly nameless: Nameless;
  readonly users: RegExp | null;
  readonly note: (rule: ScrubRule) => void;
}

function scrubLine(source: string, kind: Segment["kind"], scrubbing: LineScrubbing): string {
  const { book, nameless, users, note } = scrubbing;
  const apply = (text: string, rules: readonly Replacement[]): string =>
    rules.reduce((current, { rule, replace }) => {
      const next = replace(current);
      if (next !== current) note(rule);
      return next;
    }, text);
  if (kind === "code")
    return apply(source, [
      { rule: "invisible-character", replace: (text) => text.replaceAll(INVISIBLE, "") },
      ...textRules,
      {
        rule: "identifier",
        replace: (text) =>
          text.replaceAll(IDENTIFIER, (word) =>
            replaceNames(word, matchesIn(word, book.identifiers), nameless),
          ),
      },
    ]);
  const names: Replacement[] = [
    { rule: "name", replace: (text) => replaceNames(text, matchesIn(text, book.distinct), nameless) },
    {
      rule: "id",
      replace: (text) => (book.ids === null ? text : text.replaceAll(book.ids, "anon-id")),
    },
  ];
  if (kind === "text") return apply(source, [...textRules, ...names]);
  return apply(source, [
    { rule: "invisible-character", replace: (text) => text.replaceAll(INVISIBLE, "") },
    ...proseRules(book),
    { rule: "user", replace: (text) => (users === null ? text : text.replaceAll(users, "[user]")) },
    ...names,
    { rule: "name", replace: (text) => replaceNames(text, matchesIn(text, book.ordinary), nameless) },
  ]);
}

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Characters of no width, direction marks and tags: nobody needs them in a program, and they can carry a mark. */
export const INVISIBLE: RegExp =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Marks of editors and harnesses that are no part of the program: byte order mark, line ends, spaces at their ends. */
function unformatted(path: string, source: string, notes: ScrubNote[]): string {
  let text = source;
  const whole = (rule: ScrubRule): void => void notes.push({ file: path, line: null, rule });
  if (text.startsWith("\ufeff")) {
    text = text.slice(1);
    whole("byte-order-mark");
  }
  if (/\r\n/.test(text)) {
    text = text.replaceAll(/\r+\n/g, "\n");
    whole("line-ends");
  }
  let result = "";
  let spaces = false;
  for (const { kind, start, end } of segmentsOf(path, text)) {
    const before = text.slice(start, end);
    // A segment that ends inside a line says nothing about the line's end, and a literal's spaces are the program's.
    const after = kind === "text" ? before : withoutEndSpaces(before, text[end] === "\n");
    spaces ||= after !== before;
    result += after;
  }
  if (spaces) whole("trailing-space");
  return result;
}

const withoutEndSpaces = (text: string, atLineEnd: boolean): string =>
  text.replaceAll(atLineEnd ? /(?<![ \t])[ \t]+(?=\n|$)/g : /(?<![ \t])[ \t]+(?=\n)/g, "");

/** Gives each name its word, in the order in which names are met. */
interface Nameless {
  wordFor(key: string): string;
}

function namelessWords(texts: readonly string[]): Nameless {
  // A stem that the entry does not use itself.
  const stems = ["anon", "nobody", "unnamed", "nameless", "withheld"];
  const stem =
    stems.find((each) => !texts.some((text) => new RegExp(`${each}\\d`, "i").test(text))) ?? "redacted";
  const words = new Map<string, string>();
  return {
    wordFor(key) {
      const word = words.get(key) ?? `${stem}${words.size + 1}`;
      words.set(key, word);
      return word;
    },
  };
}

function replaceNames(text: string, matches: readonly NameMatch[], nameless: Nameless): string {
  let result = "";
  let from = 0;
  for (const { start, end, key } of matches) {
    result += text.slice(from, start) + likeCase(nameless.wordFor(key), text.slice(start, end));
    from = end;
  }
  return result + text.slice(from);
}

/** The word in the letter case of what it stands for, so that conventions of identifiers hold. */
function likeCase(word: string, like: string): string {
  const letters = like.replaceAll(/[^\p{L}]/gu, "");
  if (letters.length > 1 && letters === letters.toUpperCase()) return word.toUpperCase();
  return letters[0] !== undefined && letters[0] === letters[0].toUpperCase()
    ? `${word[0]?.toUpperCase()}${word.slice(1)}`
    : word;
}

/** Names that are nobody's: of machines, containers and services. */
const NO_USER =
  /^(?:user|users|root|runner|runneradmin|ubuntu|admin|home|work|workspace|public|shared|app|code|build|dev|test|you|me)$/i;

/** People's names as home folders give them away. */
function userNames(files: readonly { readonly content: string }[]): RegExp | null {
  const names = new Set<string>();
  for (const { content } of files)
    for (const [, name = ""] of content.matchAll(
      /(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)([A-Za-z][\w.-]{2,40})/g,
    ))
      if (!NO_USER.test(name)) names.add(name);
  if (names.size === 0) return null;
  const choices = [...names].sort().map((name) => name.replaceAll(/[.-]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${choices.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
}

import { matchesIn, type NameBook, withCapitals } from "./names.ts";

/** The rules of scrubbing, as the log names them. */
export const SCRUB_RULES = [
  "name",
  "id",
  "identifier",
  "attribution",
  "author",
  "email",
  "date",
  "path",
  "link",
  "user",
  "byte-order-mark",
  "line-ends",
  "trailing-space",
  "invisible-character",
  "emblem",
  "renamed-file",
  "harness-file",
] as const;
export type ScrubRule = (typeof SCRUB_RULES)[number];

/** One rule over one line; it never sees a line's end. */
export interface Replacement {
  readonly rule: ScrubRule;
  readonly replace: (text: string) => string;
}

const REMOVED = "[removed]";

/** Trailers of commits and tags of documentation that name a person or a program. */
const TRAILER =
  /^([\s/*#;!<>-]*)((?:co-authored-by|signed-off-by|reviewed-by|authored-by|assisted-by|generated-by|on-behalf-of|author|authors|committer|maintainers?|[@\\](?:author|date|copyright))\s*[:=]?)(\s+|(?<=[:=]))(\S.*)$/iu;
/** A trailer without a colon is one only when it is a tag. */
const isTrailer = (word: string): boolean => /[:=]$/.test(word) || /^[@\\]/.test(word);

const COPYRIGHT = /((?:copyright|©|\(c\))\s*(?:\(c\)|©)?\s*)((?:19|20)\d{2}\b.*)$/iu;
const EMBLEM = /\p{Extended_Pictographic}\ufe0f?\s?/gu;
const MAKERS =
  /\b(?:generated|created|written|authored|produced|made|built|developed|assisted|coded|drafted|ported|implemented|powered|reviewed|vibe-?coded)\s+(?:\w+\s+){0,2}?(?:with|by|using|via|from)\b.*$/iu;
const GENERATED_WITH = /^([\s/*#;!<>"'-]*)generated\s+with\b.*$/iu;
const MACHINE = /\b(?:AI|LLM|large language model|language model|coding agent|AI agent|chatbot|assistant)\b/u;

/** Attribution: who or what made the file. A line that says how something else is made stays. */
function withoutAttribution(text: string, book: NameBook): string {
  const generated = text.replace(GENERATED_WITH, `$1${REMOVED}`);
  if (generated !== text) return closed(text, generated);
  const found = MAKERS.exec(text);
  if (found === null) return text;
  const tail = found[0];
  const names =
    matchesIn(tail, book.distinct).length > 0 || matchesIn(withCapitals(tail), book.ordinary).length > 0;
  return names || MACHINE.test(tail) ? closed(text, text.slice(0, found.index) + REMOVED) : text;
}

/** A comment that was closed in the line stays closed. */
const closed = (before: string, after: string): string => {
  const end = /(?<!\s)\s*(?:\*\/|-->|"""|''')\s*$/.exec(before)?.[0] ?? "";
  return end !== "" && !after.endsWith(end) ? after + end : after;
};

// Each run of characters is tried from its beginning only, and to a length: a long line must not take long.
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}\.\p{L}{2,24}/gu;
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
/** Whole days of the years in which entries are written; a standard's year or an old date is documentation. */
const DATE = new RegExp(
  `\\b20(?:2[3-9]|3\\d)[-/.](?:0?[1-9]|1[0-2])[-/.](?:[12]\\d|3[01]|0?[1-9])(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:\\s?(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?)?(?!\\d)|\\b${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+20(?:2[3-9]|3\\d)\\b|\\b\\d{1,2}(?:st|nd|rd|th)?\\s+${MONTH},?\\s+20(?:2[3-9]|3\\d)\\b`,
  "giu",
);
/** Replaces what is not inside a code span: there a date or address is an example, not somebody's. */
const outsideSpans =
  (pattern: RegExp, by: string) =>
  (text: string): string => {
    const parts = text.split("`");
    return parts
      .map((part, index) =>
        index % 2 === 0 || index === parts.length - 1 ? part.replaceAll(pattern, by) : part,
      )
      .join("`");
  };
/** Paths that begin at a person's or a machine's own folders. */
const OWN_PATH =
  /(?:(?<![\p{L}\p{N}./])(?:\/(?:home|Users|root|tmp|var\/folders|private\/(?:tmp|var)|workspaces?|mnt\/[a-z])\/|~\/)|\b[A-Za-z]:\\(?:Users|Temp|Work)\\)[\p{L}\p{N}._~@%+\\/-]+/gu;
const LINK = /\bhttps?:\/\/[^\s)>\]"'`]+/giu;
const MANIFEST =
  /(?:^|\/)(?:Cargo\.toml|pyproject\.toml|package\.json|mix\.exs|setup\.(?:py|cfg)|composer\.json)$/;
const MANIFEST_FIELD =
  /^(\s*["']?(?:authors?|maintainers?|contributors?|homepage|repository|documentation)["']?\s*[:=]\s*)(\[.*\]|\{.*\}|"[^"]*"|'[^']*')(,?)\s*$/iu;

const emptied = (value: string): string =>
  value.startsWith("[") ? "[]" : value.startsWith("{") ? "{}" : '""';

/** What is done to a line that people read, before names are replaced. */
export function proseRules(book: NameBook): readonly Replacement[] {
  return [
    {
      rule: "author",
      replace: (text) =>
        text
          .replace(TRAILER, (whole, before: string, word: string, gap: string, value: string) =>
            isTrailer(word) && value !== REMOVED ? closed(whole, `${before}${word}${gap}${REMOVED}`) : whole,
          )
          .replace(COPYRIGHT, (whole, before: string) => closed(whole, `${before}${REMOVED}`)),
    },
    { rule: "attribution", replace: (text) => withoutAttribution(text, book) },
    { rule: "emblem", replace: (text) => text.replaceAll(EMBLEM, (mark) => (isPlain(mark) ? mark : "")) },
    {
      rule: "link",
      replace: (text) =>
        text.replaceAll(LINK, (link) => (matchesIn(link, book.distinct).length > 0 ? "[link]" : link)),
    },
    { rule: "email", replace: outsideSpans(EMAIL, "[email]") },
    { rule: "date", replace: outsideSpans(DATE, "[date]") },
    { rule: "path", replace: (text) => text.replaceAll(OWN_PATH, "/removed/path") },
  ];
}

/** Digits, `#`, `*`, © and ® count as pictographs for Unicode, and for nobody else. */
const isPlain = (mark: string): boolean => (mark.codePointAt(0) ?? 0) < 0x100;

/** What is done to literals and code, before names are replaced. */
export const textRules: readonly Replacement[] = [
  {
    rule: "path",
    // What is only a place for temporary files stays: the program may need two of them apart.
    replace: (text) =>
      text.replaceAll(OWN_PATH, (path) =>
        path.startsWith("/tmp/") ? path : `/removed/${/[^/\\]*$/.exec(path)?.[0] ?? ""}`,
      ),
  },
];

/** A field of several lines begins, and ends. */
const MANIFEST_OPEN = /^\s*["']?(?:authors?|maintainers?|contributors?)["']?\s*[:=]\s*[[{][^\]}]*$/iu;
const MANIFEST_CLOSE = /^\s*[\]}],?\s*$/;
/** A value of such a field; what a colon follows is a key. */
const MANIFEST_VALUE = /(["'])(?:(?!\1).)*\1(\s*:)?/g;

/** Fields of a package's description that name people; whole lines of it, whatever their segments are. */
export function withoutPeople(path: string, text: string, note: (line: number) => void): string {
  if (!MANIFEST.test(path)) return text;
  let inside = false;
  return text
    .split("\n")
    .map((line, index) => {
      const opens = MANIFEST_OPEN.test(line);
      const after =
        inside && !MANIFEST_CLOSE.test(line)
          ? line.replaceAll(MANIFEST_VALUE, (text, _mark, colon?: string) =>
              colon === undefined ? '""' : text,
            )
          : line.replace(
              MANIFEST_FIELD,
              (_, field: string, value: string, comma: string) => `${field}${emptied(value)}${comma}`,
            );
      if (inside ? MANIFEST_CLOSE.test(line) : opens) inside = !inside;
      if (after !== line) note(index + 1);
      return after;
    })
    .join("\n");
}

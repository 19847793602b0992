import type { Finding } from "../../findings.ts";
import type { CallAnswer } from "../../run/call.ts";
import { parseStrictJson } from "../../strict-json/parse.ts";
import { CATEGORIES, type Category, SEVERITIES, type Severity } from "../schema/names.ts";
import { linesOf, type ReviewablePack } from "./prompt.ts";

/** A finding as the judge wrote it, with the file's name that the judge saw. */
export interface GivenFinding {
  readonly severity: Severity;
  readonly category: Category;
  readonly file?: string;
  readonly line?: number;
  readonly text: string;
}

export interface GivenReview {
  readonly letter: string;
  readonly score: number;
  readonly summary?: string;
  readonly findings: readonly GivenFinding[];
}

/** What one answer is worth. */
export interface ReadAnswer {
  /** Sound reviews, and those of which a finding had to be left out. */
  readonly reviews: readonly (GivenReview & { readonly sound: boolean })[];
  /** What is wrong with the answer; empty when all of it is usable. */
  readonly problems: readonly Finding[];
}

const MAX_FINDINGS = 200;

/**
 * Reads a judge's answer about these letters. Whatever is usable is kept, whatever is not is a problem: no score is
 * guessed, clamped or set to 0. Total: any answer gives a reading.
 */
export function readReviewAnswer(
  answer: CallAnswer,
  wanted: readonly string[],
  pack: ReviewablePack,
): ReadAnswer {
  const failed = (message: string): ReadAnswer => ({
    reviews: [],
    problems: [warning("code-council-answer", message)],
  });
  if (answer.kind === "account") return failed(`The account was refused (${answer.status}).`);
  if (answer.kind === "transport")
    return {
      reviews: [],
      problems: [warning("code-council-call", `The call failed (${answer.code}): ${answer.message}`)],
    };
  if (answer.refusal !== null || answer.finish_reason === "content_filter")
    return failed("The judge declined to answer.");
  const cut = answer.finish_reason === "length" ? " It ended at the token limit." : "";
  const json = parseStrictJson(unfenced(answer.text ?? ""));
  if (!json.ok) return failed(`The answer is no JSON: ${json.findings[0]?.message ?? "it is empty."}${cut}`);
  const list = isRecord(json.value.value) ? json.value.value.reviews : undefined;
  if (!Array.isArray(list)) return failed('The answer has no list "reviews".');
  const problems: Finding[] = [];
  const byLetter = new Map<string, (GivenReview & { sound: boolean }) | null>();
  for (const [index, item] of list.entries()) {
    const at = `/reviews/${index}`;
    const letter = isRecord(item) && typeof item.letter === "string" ? item.letter.trim().toUpperCase() : "";
    if (!wanted.includes(letter)) {
      problems.push(
        warning("code-council-answer-letter", "This review is of a letter that was not asked for.", at, {
          expected: wanted.join(", "),
          actual: shown(isRecord(item) ? item.letter : item),
        }),
      );
      continue;
    }
    if (byLetter.has(letter)) {
      problems.push(
        warning("code-council-answer-letter", `There are two reviews of ${letter}; neither is taken.`, at),
      );
      byLetter.set(letter, null);
      continue;
    }
    byLetter.set(letter, readReview(item, letter, at, pack, problems));
  }
  for (const letter of wanted)
    if (!byLetter.has(letter))
      problems.push(warning("code-council-answer-letter", `There is no review of ${letter}.`));
  return { reviews: [...byLetter.values()].filter((review) => review !== null), problems };
}

function readReview(
  item: Record<string, unknown>,
  letter: string,
  at: string,
  pack: ReviewablePack,
  problems: Finding[],
): (GivenReview & { sound: boolean }) | null {
  const { score, summary, findings } = item;
  if (typeof score !== "number" || !(score >= 0 && score <= 10)) {
    problems.push(
      warning(
        "code-council-answer-score",
        `The score of ${letter} is no number from 0 to 10.`,
        `${at}/score`,
        {
          actual: shown(score),
        },
      ),
    );
    return null;
  }
  if (!Array.isArray(findings) || findings.length > MAX_FINDINGS) {
    problems.push(
      warning(
        "code-council-answer-finding",
        `The findings of ${letter} are no list of at most ${MAX_FINDINGS}.`,
        `${at}/findings`,
      ),
    );
    return null;
  }
  const read = findings.map((finding, index) =>
    readFinding(finding, letter, `${at}/findings/${index}`, pack, problems),
  );
  const text = typeof summary === "string" ? plain(summary, 4000) : "";
  return {
    letter,
    score,
    ...(text === "" ? {} : { summary: text }),
    findings: read.filter((finding) => finding !== null),
    sound: !read.includes(null),
  };
}

function readFinding(
  item: unknown,
  letter: string,
  at: string,
  pack: ReviewablePack,
  problems: Finding[],
): GivenFinding | null {
  const given = isRecord(item) ? item : {};
  const severity = SEVERITIES.find((each) => each === given.severity);
  const category = CATEGORIES.find((each) => each === given.category);
  const text = typeof given.text === "string" ? plain(given.text, 4000) : "";
  if (severity === undefined || category === undefined || text === "") {
    problems.push(
      warning(
        "code-council-answer-finding",
        `A finding of ${letter} has no ${severity === undefined ? "known severity" : category === undefined ? "known category" : "text"}.`,
        at,
        {
          actual: shown(
            severity === undefined ? given.severity : category === undefined ? given.category : given.text,
          ),
        },
      ),
    );
    return null;
  }
  return { severity, category, ...readPlace(given, letter, at, pack, problems), text };
}

/** File and line of a finding. One that the entry does not have stays as the judge wrote it, and is reported. */
function readPlace(
  { file, line }: Record<string, unknown>,
  letter: string,
  at: string,
  pack: ReviewablePack,
  problems: Finding[],
): { file?: string; line?: number } {
  const files = pack.entries.get(letter) ?? new Map<string, string | { bytes: number }>();
  const path = typeof file === "string" ? pathIn(plain(file, 300), letter, files) : "";
  const number = typeof line === "number" && Number.isSafeInteger(line) && line > 0 ? line : null;
  if (path === "") return {};
  const content = files.get(path);
  if (content === undefined)
    problems.push(
      warning(
        "code-council-answer-file",
        `A finding of ${letter} names a file that the entry does not have.`,
        at,
        {
          expected: [...files.keys()].slice(0, 10).join(", "),
          actual: path,
        },
      ),
    );
  else if (number !== null && typeof content === "string" && number > linesOf(content).length)
    problems.push(
      warning(
        "code-council-answer-file",
        `A finding of ${letter} names a line past the end of ${path}.`,
        at,
        {
          expected: `at most ${linesOf(content).length}`,
          actual: String(number),
        },
      ),
    );
  return { file: path, ...(number === null ? {} : { line: number }) };
}

/** `./src/x`, `K/src/x` and `entry K/src/x` are `src/x` where the entry has that. */
function pathIn(given: string, letter: string, files: ReadonlyMap<string, unknown>): string {
  if (files.has(given)) return given;
  const bare = given.replace(/^(?:entry )?\.?\//i, "").replace(new RegExp(`^(?:entry )?${letter}/`, "i"), "");
  return files.has(bare) ? bare : given;
}

/** An answer in a code fence is read without it. */
function unfenced(text: string): string {
  const fence = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text);
  return fence?.[1] ?? text;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Without control characters but tabs and line breaks, cut to a length. */
const plain = (text: string, most: number): string =>
  text
    .replaceAll(/[^\P{Cc}\t\n]+/gu, " ")
    .trim()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "");

const shown = (value: unknown): string => plain(JSON.stringify(value) ?? "nothing", 80);

const warning = (
  code: string,
  message: string,
  pointer?: string,
  details: Pick<Finding, "expected" | "actual"> = {},
): Finding => ({
  code,
  severity: "warning",
  message,
  ...(pointer === undefined ? {} : { pointer }),
  ...details,
});

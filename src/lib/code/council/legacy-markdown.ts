import type { Finding } from "../../findings.ts";
import { SEVERITIES } from "../schema/names.ts";

const JUDGE = /^# (\S+) (\S+) (\S+)\s*$/;
const ENTRY = /^## (\S+) (\d+(?:\.\d+)?)\s*$/;
const BULLET = /^[-*] +(?:\*\*([A-Za-z]+):?\*\*:?|\[([A-Za-z]+)\]:?|([A-Za-z]+):)\s+(.*)$/;
const PLACE = /\s*\(`?([\w./-]+\.\w+)(?::(\d+))?`?\)\s*\.?\s*$/;

interface MutableFinding {
  severity: string;
  text: string;
  file?: string;
  line?: number;
}
interface MutableReview {
  entry: string;
  score: number;
  summary?: string;
  findings: MutableFinding[];
}
interface MutableSession {
  judge: string;
  started_at: string;
  finished_at: string;
  reviews: MutableReview[];
}

/**
 * Reads reviews written as Markdown into the form of `legacySchema`, which checks the rest:
 *
 *     # <judge> <started_at> <finished_at>
 *     ## <entry> <score>
 *     A summary, in any number of lines.
 *     - low: a finding (`src/lib.rs:12`)
 *
 * Severities may stand in `**` or `[ ]`; lines that are indented belong to the bullet above them. A line that fits
 * nowhere is a finding, and then nothing is read.
 */
export function readLegacyMarkdown(text: string, path: string): { value: unknown; findings: Finding[] } {
  const sessions: MutableSession[] = [];
  const findings: Finding[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    if (!readLine(line, sessions))
      findings.push({
        code: "code-council-legacy-line",
        severity: "error",
        message: "This line is no part of a review.",
        path,
        line: index + 1,
        expected: `# <judge> <started_at> <finished_at>, ## <entry> <score>, or - <${SEVERITIES.join("|")}>: <text>`,
      });
  }
  return { value: { schema_version: 1, sessions: sessions.map(placed) }, findings };
}

/** Adds a line to what it belongs to; false when it belongs to nothing. */
function readLine(line: string, sessions: MutableSession[]): boolean {
  const [, judge = "", started = "", finished = ""] = JUDGE.exec(line) ?? [];
  if (judge !== "") {
    sessions.push({ judge, started_at: started, finished_at: finished, reviews: [] });
    return true;
  }
  const session = sessions.at(-1);
  const [, entry = "", score = ""] = ENTRY.exec(line) ?? [];
  if (entry !== "") {
    session?.reviews.push({ entry, score: Number(score), findings: [] });
    return session !== undefined;
  }
  const review = session?.reviews.at(-1);
  if (review === undefined || line.startsWith("#")) return false;
  const last = review.findings.at(-1);
  if (/^\s/.test(line) && last !== undefined) {
    last.text += ` ${line.trim()}`;
    return true;
  }
  const bullet = BULLET.exec(line);
  if (bullet !== null) {
    const word = (bullet[1] ?? bullet[2] ?? bullet[3] ?? "").toLowerCase();
    const severity = SEVERITIES.find((each) => each === word);
    if (severity === undefined) return false;
    review.findings.push({ severity, text: (bullet[4] ?? "").trim() });
    return true;
  }
  if (last !== undefined) return false;
  review.summary = review.summary === undefined ? line.trim() : `${review.summary} ${line.trim()}`;
  return true;
}

/** A place in parentheses at the end of a finding is its file and line. */
const placed = (session: MutableSession): MutableSession => ({
  ...session,
  reviews: session.reviews.map((review) => ({
    ...review,
    findings: review.findings.map((finding) => {
      const [whole, file, line] = PLACE.exec(finding.text) ?? [];
      if (whole === undefined || file === undefined) return finding;
      return {
        ...finding,
        text: finding.text.slice(0, -whole.length).trim(),
        file,
        ...(line === undefined ? {} : { line: Number(line) }),
      };
    }),
  })),
});

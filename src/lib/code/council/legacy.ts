import type { Finding, Outcome } from "../../findings.ts";
import type { SeatFinding, Session } from "../schema/council-schema.ts";
import type { CodeRun } from "../schema/run-schema.ts";
import { classifyByKeywords } from "./legacy-rules.ts";
import type { Legacy, Overrides } from "./legacy-schema.ts";

type LegacySession = Legacy["sessions"][number];

/**
 * Sessions of reviews that have no categories: each finding is sorted by an override where there is one, else by the
 * keyword rules, and says which. A finding that neither knows asks for an override, and then there are no sessions. Only
 * for runs that were judged against their brief: they predate packs, so the file itself stands for the pack.
 * @param source digest of the file that was read
 */
export function legacySessions(
  legacy: Legacy,
  overrides: Overrides,
  run: CodeRun,
  source: string,
): Outcome<Session[]> {
  const findings: Finding[] = [];
  if (run.basis !== "brief")
    findings.push({
      code: "code-council-legacy-basis",
      severity: "error",
      message: "This run is judged against its contract: its sessions come from packs.",
      expected: "basis: brief",
      actual: `basis: ${run.basis}`,
      hint: "Make packs, and import sessions with bench council import.",
    });
  const taken = run.council.sessions.map(({ id }) => id);
  if (run.council.sessions.some(({ pack }) => pack.sha256 === source))
    findings.push({
      code: "code-council-imported",
      severity: "error",
      message: "Sessions of this file are there already.",
      actual: source,
    });
  const byFinding = new Map(overrides.overrides.map((each) => [`${each.judge} ${each.finding}`, each]));
  const used = new Set<string>();
  const sessions = legacy.sessions.map((session) => {
    const id = freeId(`${session.judge}.legacy`, taken);
    taken.push(id);
    return sessionOf(session, id, run, source, (finding, words) => {
      const key = `${session.judge} ${finding}`;
      const override = byFinding.get(key);
      const category = classifyByKeywords(words);
      if (override !== undefined) {
        used.add(key);
        if (override.category === category)
          findings.push({
            code: "code-council-override-unneeded",
            severity: "error",
            message: "The keyword rules say the same: the override is not needed.",
            actual: key,
            hint: "Remove it.",
          });
        return { category: override.category, by: "override", reason: override.reason };
      }
      if (category !== null) return { category, by: "keywords", reason: null };
      findings.push({
        code: "code-council-unclassified",
        severity: "error",
        message: "No keyword rule knows this finding.",
        actual: `${key}: ${words.slice(0, 200)}`,
        hint: `Give it a category: {"judge": "${session.judge}", "finding": "${finding}", "category": …, "reason": …} in the file of --overrides.`,
      });
      return { category: "style", by: "keywords", reason: null };
    });
  });
  for (const [key] of byFinding)
    if (!used.has(key))
      findings.push({
        code: "code-council-override-unknown",
        severity: "error",
        message: "The override is of a finding that is not there.",
        actual: key,
        hint: "Correct judge and finding, or remove it.",
      });
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: sessions, findings: [] };
}

interface Classified {
  readonly category: SeatFinding["category"];
  readonly by: "keywords" | "override";
  readonly reason: string | null;
}

function sessionOf(
  session: LegacySession,
  id: string,
  run: CodeRun,
  source: string,
  classify: (finding: string, words: string) => Classified,
): Session {
  const letters = session.reviews.map((_, index) => letterAt(index));
  return {
    id,
    judge: session.judge,
    started_at: session.started_at,
    finished_at: session.finished_at,
    pack: { sha256: source, seed: "legacy", rubric: run.brief.sha256 },
    order: session.reviews.map(({ entry }, index) => ({ letter: letters[index] ?? "", entry })),
    reviews: session.reviews.map(({ entry, score, summary, findings }, index) => ({
      letter: letters[index] ?? "",
      score,
      ...(summary === undefined ? {} : { summary }),
      findings: findings.map((finding, number): SeatFinding => {
        const name = finding.id ?? `${entry}-${number + 1}`;
        const { category, by, reason } = classify(name, finding.text);
        const note = [finding.false_positive, reason === null ? undefined : `Category by override: ${reason}`]
          .filter((part) => part !== undefined)
          .join("\n");
        return {
          id: name,
          severity: finding.severity,
          category,
          ...(finding.file === undefined ? {} : { file: finding.file }),
          ...(finding.line === undefined ? {} : { line: finding.line }),
          text: finding.text,
          status: finding.false_positive === undefined ? "valid" : "false_positive",
          ...(note === "" ? {} : { note: note.slice(0, 2000) }),
          classified_by: by,
        };
      }),
    })),
    ...(session.usage === undefined ? {} : { usage: session.usage }),
  };
}

function freeId(wish: string, taken: readonly string[]): string {
  if (!taken.includes(wish)) return wish;
  for (let number = 2; ; number += 1) if (!taken.includes(`${wish}.${number}`)) return `${wish}.${number}`;
}

/** A, B … Z, AA, AB … in the order of the file. */
function letterAt(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterAt(Math.floor(index / 26) - 1) + last;
}

import type { Finding, Outcome } from "../../findings.ts";
import type { Session } from "../schema/council-schema.ts";
import type { CodeRun } from "../schema/run-schema.ts";
import { packName } from "./pack.ts";
import type { Letters } from "./pack-schema.ts";
import type { SessionFile } from "./session-file.ts";

/**
 * A session as its run records it: letters set against the map of their pack, files under their own names. Refused when
 * judge, pack or run are not those of the map, or when the pack's reviews are there already. Everything else about it is
 * for the rules over the whole run (`checkCouncil`).
 */
export function importedSession(file: SessionFile, letters: Letters, run: CodeRun): Outcome<Session> {
  const wrong = [
    ...mismatch("code-council-run", "The pack was made for another run.", letters.run, run.id),
    ...mismatch("code-council-judge", "The pack was made for another judge.", letters.judge, file.judge),
    ...mismatch(
      "code-council-pack",
      "The session is about another pack than the letters map.",
      letters.pack,
      file.pack,
    ),
  ];
  const earlier = run.council.sessions.filter(({ pack }) => pack.sha256 === file.pack);
  const before = earlier.find(({ reviews }) => reviews.length > 0);
  if (before !== undefined)
    wrong.push({
      code: "code-council-imported",
      severity: "error",
      message: "A session over this pack is there already.",
      actual: before.id,
      hint: "A pack is reviewed once. Corrections go through council.revisions.",
    });
  if (wrong.length > 0) return { ok: false, findings: wrong };
  const places = new Map(letters.order.map((place) => [place.letter, place]));
  const name = `${file.judge}.${packName(file.pack)}`;
  const session: Session = {
    id: earlier.length === 0 ? name : `${name}.${earlier.length + 1}`,
    judge: file.judge,
    started_at: file.started_at,
    finished_at: file.finished_at,
    pack: {
      sha256: letters.pack,
      seed: letters.seed,
      rubric: letters.rubric,
      ...(file.prompt === undefined ? {} : { prompt: file.prompt }),
    },
    order: letters.order.map((place) =>
      "entry" in place
        ? { letter: place.letter, entry: place.entry }
        : { letter: place.letter, anchor: place.anchor },
    ),
    reviews: file.reviews.map(({ letter, score, summary, findings }) => {
      const renamed = places.get(letter)?.renamed ?? {};
      return {
        letter,
        score,
        ...(summary === undefined ? {} : { summary }),
        findings: findings.map(({ severity, category, file: shown, line, text }, index) => ({
          id: `${letter.toLowerCase()}-${index + 1}`,
          severity,
          category,
          ...(shown === undefined ? {} : { file: renamed[shown] ?? shown }),
          ...(line === undefined ? {} : { line }),
          text,
          status: "valid" as const,
        })),
      };
    }),
    ...(file.missing === undefined ? {} : { missing: file.missing }),
    ...(file.usage === undefined ? {} : { usage: file.usage }),
  };
  return { ok: true, value: session, findings: [] };
}

const mismatch = (code: string, message: string, expected: string, actual: string): Finding[] =>
  expected === actual ? [] : [{ code, severity: "error", message, expected, actual }];

import type { Council, CouncilRevision, Session } from "../schema/council-schema.ts";
import type { CodeRun, Entry } from "../schema/run-schema.ts";

/**
 * The run as it stands: raw values with the logs of revisions applied on top, in their order. The logs stay in it.
 * Revisions of what is not there change nothing (they are findings of their own).
 */
export function effectiveRun(run: CodeRun): CodeRun {
  if (run.revisions.length === 0 && run.council.revisions.length === 0) return run;
  return {
    ...run,
    entries: run.entries.map((entry) => effectiveEntry(entry, run)),
    council: effectiveCouncil(run.council),
  };
}

function effectiveEntry(entry: Entry, run: CodeRun): Entry {
  let result = entry;
  for (const revision of run.revisions) {
    if (revision.entry !== entry.id) continue;
    if (revision.kind !== "dnf") result = { ...result, [revision.kind]: revision.to };
    else {
      const { dnf: _, ...finished } = result;
      result = revision.to === null ? finished : { ...finished, dnf: revision.to };
    }
  }
  return result;
}

const effectiveCouncil = (council: Council): Council => ({
  ...council,
  sessions: council.sessions.map((session) =>
    council.revisions
      .filter((revision) => revision.session === session.id)
      .reduce((revised, revision) => revise(revised, revision), session),
  ),
});

function revise(session: Session, revision: CouncilRevision): Session {
  if (revision.kind === "score")
    return {
      ...session,
      reviews: session.reviews.map((review) =>
        review.letter === revision.letter ? { ...review, score: revision.to } : review,
      ),
    };
  const changed =
    revision.kind === "status"
      ? { status: revision.to, note: revision.reason }
      : { [revision.kind]: revision.to };
  return {
    ...session,
    reviews: session.reviews.map((review) => ({
      ...review,
      findings: review.findings.map((finding) =>
        finding.id === revision.finding ? { ...finding, ...changed } : finding,
      ),
    })),
  };
}

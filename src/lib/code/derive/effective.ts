import type { Council, CouncilRevision, SeatFinding, Session } from "../schema/council-schema.ts";
import type { CodeRun, Entry, RunRevision } from "../schema/run-schema.ts";
import { groupBy } from "../score/group.ts";

/**
 * The run as it stands: raw values with the logs of revisions applied on top, in their order. The logs stay in it.
 * Revisions of what is not there change nothing (they are findings of their own).
 */
export function effectiveRun(run: CodeRun): CodeRun {
  if (run.revisions.length === 0 && run.council.revisions.length === 0) return run;
  return { ...run, entries: effectiveEntries(run), council: effectiveCouncil(run.council) };
}

/** The entries as they stand. */
export function effectiveEntries({ entries, revisions }: CodeRun): Entry[] {
  const byEntry = groupBy(revisions, ({ entry }) => entry);
  return entries.map((entry) => (byEntry.get(entry.id) ?? []).reduce(reviseEntry, entry));
}

function reviseEntry(entry: Entry, revision: RunRevision): Entry {
  if (revision.kind !== "dnf") return { ...entry, [revision.kind]: revision.to };
  const { dnf: _, ...finished } = entry;
  return revision.to === null ? finished : { ...finished, dnf: revision.to };
}

function effectiveCouncil(council: Council): Council {
  const bySession = groupBy(council.revisions, ({ session }) => session);
  return {
    ...council,
    sessions: council.sessions.map((session) => {
      const revisions = bySession.get(session.id);
      return revisions === undefined ? session : revise(session, revisions);
    }),
  };
}

/** All revisions of one session at once: of several of one thing the last holds. */
function revise(session: Session, revisions: readonly CouncilRevision[]): Session {
  const scores = new Map<string, number>();
  const changes = new Map<string, Partial<SeatFinding>>();
  for (const revision of revisions) {
    if (revision.kind === "score") scores.set(revision.letter, revision.to);
    else
      changes.set(revision.finding, {
        ...changes.get(revision.finding),
        ...(revision.kind === "status"
          ? { status: revision.to, note: revision.reason }
          : { [revision.kind]: revision.to }),
      });
  }
  return {
    ...session,
    reviews: session.reviews.map((review) => ({
      ...review,
      score: scores.get(review.letter) ?? review.score,
      findings: review.findings.map((finding) => ({ ...finding, ...changes.get(finding.id) })),
    })),
  };
}

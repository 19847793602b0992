import { instantMs } from "../../benchmarks/instant.ts";
import type { Finding } from "../../findings.ts";
import { effectiveEntries } from "../derive/effective.ts";
import type { CouncilRevision, SeatFinding, Session } from "../schema/council-schema.ts";
import type { CodeRun, Entry } from "../schema/run-schema.ts";
import { notAMoment, type RunContext } from "./catalogue.ts";
import { doubt, problem, repeated } from "./problem.ts";
import { checkAgent, checkUsage } from "./usage-rules.ts";

/** Entries that one session sees at most, anchors not counted. */
export const MAX_PACK = 10;

/** The council's sessions and the log of its revisions. */
export function checkCouncil(run: CodeRun, context: RunContext): Finding[] {
  const { sessions, revisions } = run.council;
  const entries = new Map(effectiveEntries(run).map((entry) => [entry.id, entry]));
  const findings = [
    ...repeated(
      sessions.map(({ id }) => id),
      (index) => `/council/sessions/${index}/id`,
      "session",
    ),
    ...sessions.flatMap((session, index) =>
      checkSession(session, `/council/sessions/${index}`, { run, entries }, context),
    ),
    ...repeated(
      revisions.map(({ id }) => id),
      (index) => `/council/revisions/${index}/id`,
      "revision",
    ),
  ];
  // Who has scored what: each judge each entry once a run.
  const scored = new Map<string, string>();
  for (const [index, session] of sessions.entries())
    for (const [number, review] of session.reviews.entries()) {
      const place = session.order.find(({ letter }) => letter === review.letter);
      if (place === undefined || !("entry" in place)) continue;
      const key = `${session.judge} ${place.entry}`;
      const before = scored.get(key);
      if (before !== undefined)
        findings.push(
          problem(
            "code-council-twice",
            `/council/sessions/${index}/reviews/${number}`,
            "This judge has scored this entry already.",
            { expected: `one review, in session ${before}`, actual: `${place.entry} again` },
          ),
        );
      scored.set(key, session.id);
    }
  return [...findings, ...checkLog(run)];
}

/** What sessions are about: the run, and its entries as they stand, by id. */
interface Judged {
  readonly run: CodeRun;
  readonly entries: ReadonlyMap<string, Entry>;
}

function checkSession(session: Session, at: string, judged: Judged, context: RunContext): Finding[] {
  const { run } = judged;
  const findings = [...checkJudge(session, at, context), ...checkOrder(session, at, judged, context)];
  const start = instantMs(session.started_at);
  const finish = instantMs(session.finished_at);
  if (start === null) findings.push(notAMoment(`${at}/started_at`, session.started_at));
  if (finish === null) findings.push(notAMoment(`${at}/finished_at`, session.finished_at));
  if (start !== null && finish !== null && finish < start)
    findings.push(
      problem("code-data-time-order", `${at}/finished_at`, "The session finished before it started.", {
        expected: `not before ${session.started_at}`,
        actual: session.finished_at,
      }),
    );
  if (start !== null && start < (instantMs(run.started_at) ?? start))
    findings.push(
      problem(
        "code-data-time-order",
        `${at}/started_at`,
        "The session began before the run that it judges.",
        {
          expected: `not before ${run.started_at}`,
          actual: session.started_at,
        },
      ),
    );
  if (session.usage !== undefined) {
    const judge = context.catalogue.judges.get(session.judge)?.configuration;
    findings.push(
      ...(judge === undefined
        ? checkUsage(session.usage, `${at}/usage`)
        : checkAgent(session.usage, judge, `${at}/usage`, context.catalogue.logNames)),
    );
  }
  return [...findings, ...checkReviews(session, at, judged)];
}

function checkJudge(session: Session, at: string, { catalogue }: RunContext): Finding[] {
  const judge = catalogue.judges.get(session.judge);
  if (judge === undefined)
    return [
      problem("code-data-unknown-judge", `${at}/judge`, "data/judges.json has no such judge.", {
        actual: session.judge,
        hint: "Add it in the same pull request, or correct the id.",
      }),
    ];
  const start = instantMs(session.started_at) ?? Number.NaN;
  const [joined, retired] = [judge.joined_at, judge.retired_at ?? ""].map(instantMs);
  if ((joined ?? -Infinity) > start || (retired ?? Infinity) < start)
    return [
      problem("code-council-retired", `${at}/started_at`, "The judge was not on the council then.", {
        expected: `from ${judge.joined_at}${judge.retired_at === undefined ? "" : ` to ${judge.retired_at}`}`,
        actual: session.started_at,
      }),
    ];
  return [];
}

function checkOrder(session: Session, at: string, judged: Judged, { anchors }: RunContext): Finding[] {
  const { run, entries } = judged;
  const findings = repeated(
    session.order.map(({ letter }) => letter),
    (index) => `${at}/order/${index}/letter`,
    "letter",
  );
  const known = new Map(anchors.get(run.task)?.anchors.map((anchor) => [anchor.id, anchor]));
  let count = 0;
  const seen: string[] = [];
  for (const [index, place] of session.order.entries()) {
    const pointer = `${at}/order/${index}`;
    if ("anchor" in place) {
      seen.push(`anchor ${place.anchor}`);
      if (!known.has(place.anchor))
        findings.push(
          problem("code-council-unknown-anchor", `${pointer}/anchor`, "The task has no such anchor.", {
            expected: [...known.keys()].join(", "),
            actual: place.anchor,
          }),
        );
      if (known.get(place.anchor)?.run === run.id)
        findings.push(
          problem(
            "code-council-own-anchor",
            `${pointer}/anchor`,
            "An anchor is an entry of an earlier run.",
            {
              expected: "an anchor of another run",
              actual: `${place.anchor}, an entry of ${run.id}`,
            },
          ),
        );
      continue;
    }
    count += 1;
    seen.push(`entry ${place.entry}`);
    const entry = entries.get(place.entry);
    if (entry === undefined)
      findings.push(
        problem("code-data-unknown-entry", `${pointer}/entry`, "The run has no such entry.", {
          actual: place.entry,
        }),
      );
    else if (entry.dnf !== undefined)
      findings.push(
        problem("code-council-dnf", `${pointer}/entry`, "An entry that did not finish is not judged.", {
          actual: place.entry,
        }),
      );
  }
  findings.push(...repeated(seen, (index) => `${at}/order/${index}`, "place"));
  // Reviews against a brief are of the time before packs.
  if (count > MAX_PACK && run.basis === "spec")
    findings.push(
      problem("code-council-pack-size", `${at}/order`, "A pack holds too many entries.", {
        expected: `at most ${MAX_PACK}, anchors not counted`,
        actual: String(count),
      }),
    );
  return findings;
}

function checkReviews(session: Session, at: string, { entries }: Judged): Finding[] {
  const places = new Map(session.order.map((place) => [place.letter, place]));
  const findings = [
    ...repeated(
      session.reviews.map(({ letter }) => letter),
      (index) => `${at}/reviews/${index}/letter`,
      "review",
    ),
  ];
  const ids: string[] = [];
  const idPlaces: string[] = [];
  for (const [index, review] of session.reviews.entries()) {
    const pointer = `${at}/reviews/${index}`;
    const place = places.get(review.letter);
    if (place === undefined)
      findings.push(
        problem("code-council-letter", `${pointer}/letter`, "The pack has no such letter.", {
          expected: [...places.keys()].join(", "),
          actual: review.letter,
        }),
      );
    const entry = place !== undefined && "entry" in place ? place.entry : null;
    const files = entries.get(entry ?? "")?.deliverable.map(({ path }) => path);
    for (const [number, finding] of review.findings.entries()) {
      ids.push(finding.id);
      idPlaces.push(`${pointer}/findings/${number}/id`);
      if (finding.file !== undefined && files !== undefined && !files.includes(finding.file))
        findings.push(
          doubt(
            "code-council-file",
            `${pointer}/findings/${number}/file`,
            "The deliverable has no such file.",
            { expected: files.slice(0, 10).join(", "), actual: finding.file },
          ),
        );
      if (finding.status === "false_positive" && finding.note === undefined)
        findings.push(
          problem(
            "code-council-note",
            `${pointer}/findings/${number}`,
            "A false positive needs a note that says what shows it.",
            { hint: "Add note." },
          ),
        );
    }
  }
  findings.push(...repeated(ids, (index) => idPlaces[index] ?? "", "finding id (in its session)"));
  if (session.reviews.length < session.order.length && session.missing === undefined)
    findings.push(
      problem("code-council-missing", `${at}/reviews`, "Letters without a review need a reason.", {
        expected: `${session.order.length} reviews, or missing: {reason}`,
        actual: `${session.reviews.length} reviews`,
        hint: "A failed review is a missing seat, never a score.",
      }),
    );
  return findings;
}

/** Each revision changes what is in force at its place in the log, and says truly what that was. */
function checkLog({ council }: CodeRun): Finding[] {
  const findings: Finding[] = [];
  const sessions = new Map(council.sessions.map((session) => [session.id, session]));
  const inForce = new Map<string, unknown>();
  const seen = new Map<string, ReadonlyMap<string, SeatFinding>>();
  const findingsOf = ({ id, reviews }: Session): ReadonlyMap<string, SeatFinding> => {
    const held =
      seen.get(id) ??
      new Map(reviews.flatMap(({ findings }) => findings.map((finding) => [finding.id, finding] as const)));
    seen.set(id, held);
    return held;
  };
  let latest = -Infinity;
  for (const [index, revision] of council.revisions.entries()) {
    const at = `/council/revisions/${index}`;
    const when = instantMs(revision.at);
    if (when === null) findings.push(notAMoment(`${at}/at`, revision.at));
    else if (when < latest)
      findings.push(
        problem("code-data-time-order", `${at}/at`, "The log is in the order of time.", {
          actual: revision.at,
        }),
      );
    latest = Math.max(latest, when ?? latest);
    const session = sessions.get(revision.session);
    const finish = session === undefined ? null : instantMs(session.finished_at);
    if (when !== null && finish !== null && when < finish)
      findings.push(
        problem(
          "code-data-time-order",
          `${at}/at`,
          "The revision is older than the session that it revises.",
          {
            expected: `not before ${session?.finished_at}`,
            actual: revision.at,
          },
        ),
      );
    const raw = session === undefined ? undefined : rawValue(session, revision, findingsOf(session));
    if (raw === undefined) {
      findings.push(
        problem("code-council-revision-target", at, "The revision is of something that is not there.", {
          actual: `${revision.session}/${revision.kind === "score" ? revision.letter : revision.finding}`,
        }),
      );
      continue;
    }
    const key = `${revision.kind} ${revision.session} ${revision.kind === "score" ? revision.letter : revision.finding}`;
    const current = inForce.get(key) ?? raw;
    if (current !== revision.from)
      findings.push(
        problem("code-council-revision-from", `${at}/from`, "This is not what was in force.", {
          expected: String(current),
          actual: String(revision.from),
        }),
      );
    if (revision.from === revision.to)
      findings.push(problem("code-council-revision-same", `${at}/to`, "The revision changes nothing."));
    inForce.set(key, revision.to);
  }
  return findings;
}

/** What the session itself says of what a revision is about; undefined when it has no such thing. */
function rawValue(
  session: Session,
  revision: CouncilRevision,
  findings: ReadonlyMap<string, SeatFinding>,
): string | number | undefined {
  if (revision.kind === "score")
    return session.reviews.find(({ letter }) => letter === revision.letter)?.score;
  return findings.get(revision.finding)?.[revision.kind];
}

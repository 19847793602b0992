import { digestOf } from "../../digest.ts";
import type { VerifySignature } from "../../job/attest.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { summarizeQuality } from "../quality/summary.ts";
import type { SeatFinding, Session } from "../schema/council-schema.ts";
import { parseConfiguration } from "../schema/names.ts";
import type { Hidden, Perf } from "../schema/perf-schema.ts";
import type { CodeRun, Entry } from "../schema/run-schema.ts";
import { wallSeconds } from "../schema/usage-schema.ts";
import { councilScore, crossVendorScore } from "../score/council.ts";
import { finalScore } from "../score/final.ts";
import { meanOverSeats, seatDefectPoints, seatSlop } from "../score/findings.ts";
import type { Pricer } from "./cost.ts";
import type { EntryData, FindingData, Seat } from "./data-schema.ts";
import { levelOf } from "./level.ts";
import { deriveSpeed } from "./speed.ts";
import { vendorOf } from "./vendor.ts";

/** One judge's view of one entry. */
interface SeatReview {
  readonly session: Session;
  readonly score: number;
  readonly findings: readonly SeatFinding[];
}

/** What an entry's numbers depend on beside itself. */
export interface EntryContext {
  readonly reviews: readonly SeatReview[];
  /** Judges who scored every live entry of the run. */
  readonly panel: readonly string[];
  readonly run: CodeRun;
  readonly catalogue: Catalogue;
  readonly pricer: Pricer;
  readonly verifySignature: VerifySignature;
}

/** Every seat that reviewed each entry of the run, by entry, in the order of judges' ids. */
export function seatsOf(run: CodeRun): Map<string, SeatReview[]> {
  const seats = new Map<string, SeatReview[]>();
  for (const session of run.council.sessions) {
    const places = new Map(session.order.map((place) => [place.letter, place]));
    for (const { letter, score, findings } of session.reviews) {
      const place = places.get(letter);
      if (place === undefined || "anchor" in place) continue;
      const list = seats.get(place.entry) ?? [];
      list.push({ session, score, findings });
      seats.set(place.entry, list);
    }
  }
  for (const list of seats.values()) list.sort((a, b) => (a.session.judge < b.session.judge ? -1 : 1));
  return seats;
}

/** All that follows from one entry by itself and from its run's panel. */
export function deriveEntry(
  entry: Entry,
  { reviews, panel, run, catalogue, pricer, verifySignature }: EntryContext,
): EntryData {
  const { model, effort } = parseConfiguration(entry.configuration);
  const vendor = vendorOf(entry.configuration, catalogue);
  const findings = reviews.flatMap(({ session, findings: found }) =>
    found.map((finding) => deriveFinding(finding, session)),
  );
  const seats = reviews.map((review) => deriveSeat(review, vendor, catalogue));
  const sameVendor = new Set(seats.filter(({ same_vendor }) => same_vendor).map(({ judge }) => judge));
  const live = entry.dnf === undefined;
  const council = councilScore(seats, live ? panel : []);
  const slop = meanOverSeats(seats.map((seat) => seat.slop)).value;
  const level = (kind: "perf" | "hidden", measured: Hidden | Perf) =>
    levelOf(kind, measured, { task: run.task, run: run.id, entry }, catalogue.hosts, verifySignature);
  const hidden =
    entry.hidden === undefined ? null : deriveHidden(entry.hidden, level("hidden", entry.hidden));
  const final = finalScore(council.value, hidden, slop);
  const unfinished = "did not finish";
  return {
    run: run.id,
    id: entry.id,
    configuration: entry.configuration,
    model,
    effort,
    vendor,
    harness: entry.harness.name,
    harness_version: entry.harness.version,
    fast_mode: entry.harness.fast_mode,
    dnf: entry.dnf?.reason ?? null,
    deliverable: digestOf(
      entry.deliverable
        .map(({ path, sha256 }) => `${path} ${sha256}\n`)
        .toSorted()
        .join(""),
    ),
    seats,
    council: council.value,
    council_reason: live ? council.reason : unfinished,
    cross_vendor: live ? crossVendorScore(seats, panel, sameVendor).value : null,
    slop: live ? slop : null,
    defect_points: live ? meanOverSeats(seats.map((seat) => seat.defect_points)).value : null,
    findings,
    hidden,
    final: live ? final.value : null,
    final_reason: live ? final.reason : unfinished,
    cost: entry.usage === undefined ? null : pricer.cost(entry.usage, run.started_at),
    // Tokens are what the submitter read from logs that are not committed.
    cost_level: "declared",
    seconds: entry.usage === undefined ? null : wallSeconds(entry.usage),
    speed:
      entry.perf === undefined
        ? null
        : deriveSpeed(entry.perf, catalogue.tasks.get(run.task), level("perf", entry.perf)),
    quality: entry.quality === undefined ? null : summarizeQuality(entry.quality),
  };
}

function deriveSeat({ session, score, findings }: SeatReview, vendor: string, catalogue: Catalogue): Seat {
  const judge = catalogue.judges.get(session.judge);
  const weighed = findings.map(({ severity, category, status }) => ({
    severity,
    category,
    false_positive: status === "false_positive",
  }));
  return {
    judge: session.judge,
    session: session.id,
    same_vendor: judge !== undefined && vendorOf(judge.configuration, catalogue) === vendor,
    score,
    slop: seatSlop(weighed),
    defect_points: seatDefectPoints(weighed),
    findings: weighed.filter(({ false_positive }) => !false_positive).length,
    false_positives: weighed.filter(({ false_positive }) => false_positive).length,
  };
}

const deriveFinding = (finding: SeatFinding, session: Session): FindingData => ({
  judge: session.judge,
  session: session.id,
  id: finding.id,
  severity: finding.severity,
  category: finding.category,
  file: finding.file ?? null,
  line: finding.line ?? null,
  text: finding.text,
  false_positive: finding.status === "false_positive",
  note: finding.note ?? null,
  classified_by: finding.classified_by ?? "judge",
  defect: null,
});

type HiddenData = NonNullable<EntryData["hidden"]>;

const deriveHidden = ({ categories }: Hidden, level: HiddenData["level"]): HiddenData => ({
  passed: categories.filter(({ passed }) => passed).length,
  total: categories.length,
  failed: categories.filter(({ passed }) => !passed).map(({ id }) => id),
  level,
});

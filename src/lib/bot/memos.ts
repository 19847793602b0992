import { VERDICTS, type Verdict } from "../result-pr/report-schema.ts";

/**
 * What the bot's check runs remember in their external ids. Only the app that made a check run can write it, so this
 * is where a verdict that counts is looked up: named, for one sha, by one app (field lesson F16). Pure.
 */

/** Names of the check runs. */
export const CHECKS = { result: "assay/result", accept: "assay/accept", merge: "assay/merge" } as const;

/** Which run a verdict came from. */
export interface VerdictMemo {
  readonly run: number;
  readonly attempt: number;
  /** `none`: the pull request touches no results. */
  readonly verdict: Verdict | "none";
  /** Digest of the annotations that were sent, so that they are not sent twice. */
  readonly notes: string;
  /** Shortened digests of the evidence, by which copies in other pull requests are found. */
  readonly evidence: readonly string[];
  /** The pull request that it was made for: several can have the same head. Absent for merge groups. */
  readonly pull?: number;
}

export const formatVerdict = (memo: VerdictMemo): string =>
  `result run=${memo.run} attempt=${memo.attempt} verdict=${memo.verdict} notes=${memo.notes}${
    memo.evidence.length === 0 ? "" : ` evidence=${memo.evidence.join(",")}`
  }${memo.pull === undefined ? "" : ` pull=${memo.pull}`}`;

/** Null when the text is none of ours. */
export function parseVerdict(text: string | undefined): VerdictMemo | null {
  const found =
    /^result run=(\d+) attempt=(\d+) verdict=([a-z-]+) notes=([0-9a-f]{8})(?: evidence=([0-9a-f,]+))?(?: pull=(\d+))?$/.exec(
      text ?? "",
    );
  const verdict = [...VERDICTS, "none" as const].find((known) => known === found?.[3]);
  if (found === null || verdict === undefined) return null;
  return {
    run: Number(found[1]),
    attempt: Number(found[2]),
    verdict,
    notes: found[4] ?? "",
    evidence: found[5]?.split(",") ?? [],
    ...(found[6] === undefined ? {} : { pull: Number(found[6]) }),
  };
}

/** Who accepted a head. */
export interface AcceptMemo {
  readonly by: number;
  readonly login: string;
  readonly comment: number;
  /** The run whose findings were there to be seen; absent in what was accepted before this was kept. */
  readonly run?: number;
}

export const formatAccept = (memo: AcceptMemo): string =>
  `accept by=${memo.by} login=${memo.login} comment=${memo.comment}${memo.run === undefined ? "" : ` run=${memo.run}`}`;

/** Null when the text is none of ours. */
export function parseAccept(text: string | undefined): AcceptMemo | null {
  const found = /^accept by=(\d+) login=([A-Za-z0-9_-]+) comment=(\d+)(?: run=(\d+))?$/.exec(text ?? "");
  if (found === null) return null;
  const [, by, login = "", comment, run] = found;
  return {
    by: Number(by),
    login,
    comment: Number(comment),
    ...(run === undefined ? {} : { run: Number(run) }),
  };
}

/** A label that asked for a merge and does not count, by the id of its event. */
export const formatIgnored = (event: number): string => `label event=${event}`;

/** Null when the text is none of ours. */
export function parseIgnored(text: string | undefined): number | null {
  const found = /^label event=(\d+)$/.exec(text ?? "");
  return found === null ? null : Number(found[1]);
}

/** Whether a run's verdict may replace the one that stands there: never an older run's (field lesson F43). */
export const isNewer = (run: { id: number; attempt: number }, standing: VerdictMemo | null): boolean =>
  standing === null || run.id > standing.run || (run.id === standing.run && run.attempt >= standing.attempt);

/** What stands on a head was made for another pull request with the same head commit. */
export const isOthers = (standing: VerdictMemo | null, pull: number): boolean =>
  standing?.pull !== undefined && standing.pull !== pull;

import type { RunPlan } from "./journal.ts";
import { decideMember, isAnswered, type LoopMember, type RecordedCall } from "./loop.ts";

/** What a progress display is drawn from. */
export interface RunProgress {
  readonly caps: RunPlan["caps"];
  readonly pacing: RunPlan["pacing"];
  readonly calls: readonly RecordedCall[];
  readonly members: readonly LoopMember[];
}

export interface RunEstimate {
  /** Members that can be asked, and those of them that are settled. */
  readonly askable: number;
  readonly settled: number;
  readonly callsMade: number;
  /** Expected further calls: members left times the mean calls per settled member so far (1 until one is settled). */
  readonly callsLeft: number;
  /** Sum of the costs that were reported, in US dollars; null while none was. */
  readonly spentUsd: number | null;
  /** True when a call's cost is unknown, so that more may have been spent. */
  readonly spentIsPartial: boolean;
  /** Expected further cost in US dollars; null while no cost is known. */
  readonly leftUsd: number | null;
  /** Expected further time in milliseconds; null while no call was answered. */
  readonly leftMs: number | null;
}

/** Where a run stands and what it may still take. Estimates are means over the calls so far, nothing more. */
export function estimateRun({ caps, pacing, calls, members }: RunProgress): RunEstimate {
  const askable = members.filter((member) => member.askable);
  const settled = askable.filter(
    (member) => decideMember(member.attempts, caps.attempts_per_member).do === "settle",
  );
  const answered = calls.filter(isAnswered);
  const settledCalls = settled.reduce((sum, member) => sum + member.attempts.length, 0);
  const perMember = settled.length === 0 ? 1 : settledCalls / settled.length;
  const open = askable.filter((member) => !settled.includes(member));
  const expected = open.reduce((sum, member) => sum + Math.max(1, perMember - member.attempts.length), 0);
  const callsLeft = Math.max(0, Math.min(expected, caps.calls - calls.length));
  // The last call may be in flight: its cost is not unknown, only not there yet.
  const inFlight = calls.at(-1)?.completion === null ? 1 : 0;
  const costs = calls.map(costOf);
  const known = costs.filter((cost) => cost !== null);
  const spentUsd = known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
  const durations = answered.map((call) =>
    Math.max(call.completion?.durationMs ?? 0, pacing.min_interval_ms),
  );
  return {
    askable: askable.length,
    settled: settled.length,
    callsMade: calls.length,
    callsLeft,
    spentUsd,
    spentIsPartial: known.length < calls.length - inFlight,
    leftUsd: spentUsd === null ? null : (spentUsd / known.length) * callsLeft,
    leftMs:
      durations.length === 0
        ? null
        : (durations.reduce((sum, duration) => sum + duration, 0) / durations.length) * callsLeft,
  };
}

function costOf(call: RecordedCall): number | null {
  const answer = call.completion?.answer;
  return answer === undefined || answer.kind === "account" ? null : answer.cost_usd;
}

/** `4/10 members · 6 calls (cap 30) · $0.0213 spent, about $0.03 left · about 2 min left` */
export function progressText(progress: RunProgress): string {
  const at = estimateRun(progress);
  const money =
    at.spentUsd === null
      ? "cost not reported"
      : `${usd(at.spentUsd)} spent${at.spentIsPartial ? " or more" : ""}${at.leftUsd === null ? "" : `, about ${usd(at.leftUsd)} left`}`;
  const time = at.leftMs === null ? "time left unknown" : `about ${duration(at.leftMs)} left`;
  return `${at.settled}/${at.askable} members · ${at.callsMade} ${at.callsMade === 1 ? "call" : "calls"} (cap ${progress.caps.calls}) · ${money} · ${time}`;
}

/** A bar of `width` characters, `done` of `total` filled. */
export function progressBar(done: number, total: number, width: number): string {
  const full = total === 0 ? width : Math.round((done / total) * width);
  return `${"█".repeat(full)}${"░".repeat(width - full)}`;
}

/** Dollars with as many decimals as small amounts need. */
export const usd = (amount: number): string =>
  `$${amount === 0 || amount >= 1 ? amount.toFixed(2) : amount.toFixed(4)}`;

/** `8 s`, `2 min`, `1 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

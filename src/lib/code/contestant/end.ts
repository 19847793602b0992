import { FORWARDER_CODES } from "../../egress/forwarder.ts";
import { type EgressSummary, neverAnswered } from "../../egress/log-schema.ts";
import type { SandboxEnd } from "../../sandbox/verdict.ts";
import type { Collected, WorkFile } from "./deliverable.ts";

/** How a contestant's run ended. */
export type ContestantEnd =
  | { readonly kind: "finished"; readonly files: readonly WorkFile[] }
  /** Did not finish: a fact, with its reason. */
  | { readonly kind: "dnf"; readonly reason: string }
  /** The host's fault or that of the API: nothing is known of the contestant. */
  | { readonly kind: "ours"; readonly reason: string };

const BOUNDS: Readonly<Record<string, string>> = {
  cpu: "processor time",
  memory: "memory",
  processes: "processes",
  output: "output",
  work: "room in its folder",
};

/** Decides from what was seen outside; the contestant's own word counts for nothing. */
export function decideContestantEnd(
  end: SandboxEnd,
  egress: EgressSummary,
  collected: Collected,
  wallSeconds: number,
): ContestantEnd {
  if (end.outcome === "stopped") return { kind: "ours", reason: "It was stopped from outside." };
  const own = end.outcome === "exited" ? FORWARDER_CODES.get(end.code) : undefined;
  if (own !== undefined && egress.requests === 0) return { kind: "ours", reason: `Nothing was run: ${own}.` };
  if (neverAnswered(egress))
    return { kind: "ours", reason: `The API answered none of ${egress.requests} requests.` };
  if (end.outcome === "timed-out")
    return { kind: "dnf", reason: `Not done within ${Math.round(wallSeconds / 6) / 10} minutes.` };
  if (end.outcome === "over-limit")
    return { kind: "dnf", reason: `It used more ${BOUNDS[end.bound] ?? end.bound} than a contestant has.` };
  if (end.outcome === "signalled")
    return { kind: "dnf", reason: `The harness died of signal ${end.signal}.` };
  if (end.code !== 0 && egress.endedFailed)
    return { kind: "ours", reason: `The API failed, and then the harness, with exit code ${end.code}.` };
  if (end.code !== 0) return { kind: "dnf", reason: `The harness failed with exit code ${end.code}.` };
  return collected.ok
    ? { kind: "finished", files: collected.files }
    : { kind: "dnf", reason: collected.reason };
}

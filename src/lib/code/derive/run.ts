import { instantMs } from "../../benchmarks/instant.ts";
import type { Session } from "../schema/council-schema.ts";
import type { CodeRun } from "../schema/run-schema.ts";
import { type Usage, wallSeconds } from "../schema/usage-schema.ts";
import type { Pricer } from "./cost.ts";
import type { RunData, SessionData } from "./data-schema.ts";

/** What is said of a run as a whole. `anchors` wait for the panels that scored them before. */
export function deriveRunHead(run: CodeRun, panel: readonly string[], pricer: Pricer): RunData {
  const cost = (usage: Usage | undefined): number | null =>
    usage === undefined ? null : pricer.cost(usage, run.started_at).usd;
  return {
    id: run.id,
    task: run.task,
    lead: run.lead,
    basis: run.basis,
    replicate: run.replicate,
    started_at: run.started_at,
    excluded: run.excluded?.reason ?? null,
    panel: [...panel],
    sessions: run.council.sessions.map((session) => deriveSession(session, pricer)),
    brief_cost_usd: cost(run.brief.usage),
    kit_cost_usd: cost(run.kit?.usage),
    revisions: run.revisions.length + run.council.revisions.length,
  };
}

function deriveSession(session: Session, pricer: Pricer): SessionData {
  const places = new Map(session.order.map((place) => [place.letter, place]));
  const anchors: SessionData["anchors"] = [];
  let scored = 0;
  for (const { letter, score } of session.reviews) {
    const place = places.get(letter);
    if (place === undefined) continue;
    if ("anchor" in place)
      anchors.push({ anchor: place.anchor, score, panel_run: null, panel: null, panel_without: null });
    else scored += 1;
  }
  return {
    id: session.id,
    judge: session.judge,
    scored,
    anchors: anchors.toSorted((a, b) => (a.anchor < b.anchor ? -1 : 1)),
    cost_usd: session.usage === undefined ? null : pricer.cost(session.usage, session.started_at).usd,
    seconds:
      session.usage === undefined
        ? ((instantMs(session.finished_at) ?? 0) - (instantMs(session.started_at) ?? 0)) / 1000
        : wallSeconds(session.usage),
    missing: session.missing?.reason ?? null,
  };
}

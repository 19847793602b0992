import { instantMs, instantText } from "../../benchmarks/instant.ts";
import { digestOf } from "../../digest.ts";
import type { Random } from "../../stats/random.ts";
import type { RequestRow, Usage } from "../schema/usage-schema.ts";
import type { Contestant } from "./roster.ts";

export interface AgentRun {
  readonly contestant: Contestant;
  /** ISO 8601 UTC. */
  readonly start: string;
  readonly fast: boolean;
  /** Requests it makes, about. */
  readonly requests: number;
}

/**
 * Usage of one invented agent run: a prompt that grows and is mostly read from the cache, in the buckets that the lab's
 * harness tells apart. A few runs outgrow the long-context band.
 */
export function syntheticUsage({ contestant, start, fast, requests }: AgentRun, random: Random): Usage {
  const { lab, model } = contestant;
  const count = Math.max(2, Math.round(requests * Math.exp(0.3 * random.normal())));
  const rows: RequestRow[] = [];
  const pace = fast ? 0.45 : 1;
  const growth = random.float() < 0.05 ? 14_000 : 1500;
  let prompt = 6000 + random.below(6000);
  let at = 500;
  for (let index = 0; index < count; index += 1) {
    const fresh = growth + random.below(1500);
    const output = 150 + random.below(900);
    const reasoning = Math.floor(output * random.float() * 0.6);
    rows.push(
      rowOf(lab.harness, at, index === 0 ? 0 : prompt, index === 0 ? prompt : fresh, output, reasoning),
    );
    prompt += fresh + output;
    at += Math.round((2000 + output * 9 * (0.6 + random.float())) * pace);
  }
  const first = instantMs(start) ?? 0;
  const text = `${contestant.configuration} ${start} ${count}`;
  return {
    harness: lab.harness,
    harness_version: "synthetic",
    logs: [{ name: "synthetic.jsonl", sha256: digestOf(text), bytes: 400 * count }],
    first_event_at: start,
    last_event_at: instantText(first + at),
    models: [`${model}-20260901`],
    tiers: [fast ? "priority" : "standard"],
    requests: rows,
    per: "request",
    cost_recorded_usd: lab.harness === "opencode" ? recordedBy(lab.id, rows) : null,
    assumptions: [],
    skipped_lines: 0,
  };
}

function rowOf(
  harness: Usage["harness"],
  at: number,
  cached: number,
  fresh: number,
  output: number,
  reasoning: number,
): RequestRow {
  if (harness === "claude-code") return [at, 0, 0, 4, cached, 0, fresh, 0, output, reasoning];
  if (harness === "codex") return [at, 0, 0, 200, cached, 0, 0, fresh, output, reasoning];
  return [at, 0, 0, fresh, cached, 0, 0, 0, output, reasoning];
}

/** What OpenCode would have stored: nothing on a plan, else about its own price. */
function recordedBy(lab: string, rows: readonly RequestRow[]): number {
  if (lab === "flint") return 0;
  const tokens = rows.reduce((sum, row) => sum + row[3] + row[4] / 10 + row[8] * 5, 0);
  return Math.round(tokens * 0.5) / 1e6;
}

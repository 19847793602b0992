import { instantMs, instantText } from "../../benchmarks/instant.ts";
import { digestOf } from "../../digest.ts";
import type { Random } from "../../stats/random.ts";
import type { Hidden, Perf } from "../schema/perf-schema.ts";
import type { Quality } from "../schema/quality-schema.ts";
import type { Entry } from "../schema/run-schema.ts";
import { syntheticUsage } from "./agent.ts";
import { type Contestant, categoriesOf, type SyntheticTask } from "./roster.ts";

/** An entry, and what only the generator knows about it. */
export interface MadeEntry {
  readonly entry: Entry;
  readonly contestant: Contestant;
  /** What the council's scores lie around, 0 to 10. */
  readonly truth: number;
  /** Numbers of the task's true defects (see `defects.ts`) that it has. */
  readonly defects: readonly number[];
  /** Text of its only file. */
  readonly text: string;
}

export interface EntryPlan {
  readonly id: string;
  readonly contestant: Contestant;
  readonly task: SyntheticTask;
  /** By how much lead and task lift or lower it. */
  readonly lift: number;
  readonly start: string;
  readonly fast: boolean;
  /** Instruction counts because the host could not be reached. */
  readonly proxy: boolean;
}

const HOUR = 3_600_000;
/** True defects that a task's deliverables can have; the first ones also fail a hidden category. */
export const DEFECTS = 12;
export const FAILING_DEFECTS = 4;

const later = (start: string, ms: number): string => instantText((instantMs(start) ?? 0) + ms);
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** One invented entry. */
export function syntheticEntry(plan: EntryPlan, random: Random): MadeEntry {
  const { contestant, task, id, start, fast } = plan;
  const truth = clamp(contestant.quality - task.difficulty + plan.lift + 0.35 * random.normal(), 0.5, 9.8);
  const usage = syntheticUsage({ contestant, start, fast, requests: 12 * contestant.work }, random);
  const text = deliverable(task, contestant, random);
  const base: Entry = {
    id,
    configuration: contestant.configuration,
    harness: { name: contestant.lab.harness, version: "synthetic", fast_mode: fast },
    usage,
    deliverable: [{ path: task.file, sha256: digestOf(text), bytes: text.length }],
  };
  if (random.float() < 0.02) {
    const reason = random.float() < 0.5 ? "Ran out of time." : "The build failed.";
    return { entry: { ...base, dnf: { reason } }, contestant, truth, defects: [], text };
  }
  const defects = Array.from({ length: DEFECTS }, (_, index) => index).filter(
    (index) => random.float() < clamp((9.6 - truth) * (index < FAILING_DEFECTS ? 0.02 : 0.06), 0, 0.6),
  );
  const measured = later(start, 24 * HOUR);
  const entry: Entry = {
    ...base,
    hidden: hidden(task, defects, measured),
    perf: perf(plan, truth, measured, random),
    quality: quality(task, text, measured, random),
  };
  return { entry, contestant, truth, defects, text };
}

const hidden = (task: SyntheticTask, defects: readonly number[], at: string): Hidden => ({
  at,
  suite: digestOf(task.slug),
  // The first true defects are what hidden categories look for.
  categories: categoriesOf(task).map((id, index) => ({
    id,
    passed: !(index < FAILING_DEFECTS && defects.includes(index)),
  })),
});

function perf({ task, proxy }: EntryPlan, truth: number, at: string, random: Random): Perf {
  const wrong = random.float() < 0.015;
  const ratio = Math.exp((truth - 6.5) * 0.18 + 0.2 * random.normal());
  const noisy = random.float() < 0.03;
  const spread = noisy ? 0.04 : 0.008;
  const samples = (centre: number): number[] =>
    Array.from({ length: 15 }, () => Math.round(centre * (proxy ? 1 : Math.exp(spread * random.normal()))));
  return {
    at,
    host: proxy ? "synthetic-x64" : task.host,
    fingerprint: digestOf(task.host),
    proxy,
    output_ok: !wrong,
    unit: proxy ? "instructions" : "ns",
    metrics: wrong
      ? []
      : task.metrics.map((id, index) => {
          const reference = 2e6 * (index + 1);
          const own = ratio * Math.exp(0.1 * random.normal());
          return { id, candidate: samples(reference / own), reference: samples(reference) };
        }),
    flags: noisy ? ["noisy"] : [],
  };
}

function quality(task: SyntheticTask, text: string, at: string, random: Random): Quality {
  const implementation = 180 + random.below(500);
  const significant = Math.floor(implementation * 0.85);
  const parsed = task.language !== "elixir" && task.language !== "aarch64-assembly";
  return {
    at,
    tool: { name: "tree", version: "synthetic" },
    files: [{ path: task.file, sha256: digestOf(text) }],
    lines: {
      implementation,
      comment: random.below(120),
      significant,
      duplicated: Math.floor(significant * 0.15 * random.float()),
    },
    complexity: parsed
      ? {
          functions: Array.from({ length: 8 + random.below(12) }, (_, index) => [
            0,
            1 + index * 9,
            1 + Math.floor(12 * random.float() ** 2),
            `f${index}`,
          ]),
          syntax_errors: 0,
        }
      : { unsupported: `cannot parse ${task.language}` },
    ...(parsed ? { lint: { tool: "synthetic", version: "synthetic", warnings: random.below(5) } } : {}),
  };
}

/** A small file that says what it is. */
function deliverable(
  { slug, language }: SyntheticTask,
  { configuration }: Contestant,
  random: Random,
): string {
  const mark = language === "elixir" ? "#" : "//";
  return `${mark} Synthetic deliverable for ${slug}; no model wrote it (${configuration}, ${random.uint32()}).\n`;
}

import { folderSource } from "../../src/io/files.ts";
import { loadSuite } from "../../src/jobs/load-suite.ts";
import { compareExecutions } from "../../src/lib/benchmarks/compare.ts";
import { componentsOf, compositeOf } from "../../src/lib/benchmarks/composite.ts";
import { zeroMetrics } from "../../src/lib/benchmarks/metrics.ts";
import type { Attempt, ResultDocument, ResultMember } from "../../src/lib/benchmarks/result-schema.ts";
import { costOf, totalsOf } from "../../src/lib/benchmarks/totals.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { parseRegistry, REGISTRY_PATH } from "../../src/lib/feed/schema.ts";
import { executeRecipe } from "../../src/lib/sheet/execute.ts";

/** The suite whose results are made up: conformance members only, so that it can be executed anywhere. */
export const SUITE = "rehearsal-1";
/** As many models as the site is measured with. */
const MODELS = 575;
const FIRST = Date.UTC(2026, 11, 2);
const STEP_MS = 61_000;
const LASTS_MS = 15 * 60_000;

/**
 * Makes the n-th of `count` honest result documents: each of another time and with recipes of its own, as two models
 * have them. Every member's ranges are cut in pieces in ever another way (which gives the same table); some failed.
 */
export async function documentMaker(root: string, count: number): Promise<(n: number) => ResultDocument> {
  const loaded = await loadSuite(root, SUITE);
  const registry = parseRegistry((await folderSource(root)(REGISTRY_PATH)) ?? "", REGISTRY_PATH);
  if (!loaded.ok || !registry.ok) throw new Error(`${SUITE} does not load`);
  const { suite } = loaded.value;
  const curated = registry.value.models.map(({ id }) => id);
  const models = Math.min(MODELS, Math.max(curated.length, count >> 1));
  const passed: ResultMember[] = [];
  for (const { id } of suite.members) {
    const member = await loaded.value.member(id);
    if (!member.available) throw new Error(`${SUITE}: ${member.reason}`);
    // Hardly ever the reference's own words, which a verdict would ask about.
    const executed = executeRecipe(member.workbook, cut(member.recipe, CUTS - 1));
    const score = compareExecutions(member.reference, executed.ok ? executed.value : null);
    if (score.status !== "passed") throw new Error(`${id}: a recipe in pieces gives another table`);
    passed.push({ id, reason: null, attempts: [], recipe: { ...member.recipe }, ...score });
  }
  const spelt = passed.map(({ recipe }) => Array.from({ length: CUTS }, (_, where) => cut(recipe, where)));
  return (n) => {
    const finished = FIRST + n * STEP_MS;
    const started = finished - LASTS_MS;
    const failing = Math.floor(n / CUTS) ^ ((n * 37) & 255);
    const members = passed.map((member, index): ResultMember => {
      const failed = index > 0 && ((failing >> (index - 1)) & 1) === 1;
      const outcome = failed ? "invalid_json" : "accepted";
      const attempts = [attempt(started + (index + 1) * 2000, outcome, `gen-${n}-${index}`)];
      if (failed) return { ...FAILED, id: member.id, attempts };
      // Another model's recipes would be asked about too: two documents agree in one member and hardly in a second.
      const where = n * (2 * index + 1) + Math.floor(n / CUTS) * (index * index + 7) + index;
      const recipe = spelt[index]?.[where % CUTS] ?? member.recipe;
      return { ...member, attempts, recipe };
    });
    const model = n % models;
    return {
      schema_version: 1,
      suite: { id: suite.id, digest: suite.digest },
      model: {
        id: curated[model] ?? `bench-self/model-${model}`,
        parameters: { temperature: 0, max_tokens: 4000, response_format: "json_object" },
      },
      prompt: { mode: "listing-1", version: "1", sha256: digestOf("prompt") },
      pipeline_version: "1",
      started_at: new Date(started).toISOString(),
      finished_at: new Date(finished).toISOString(),
      caps: { calls: 30, attempts_per_member: 3 },
      pacing: { min_interval_ms: 0 },
      runner: {
        name: "bench:run",
        version: "0.1.0",
        environment: "node",
        transport: "openai-compatible",
        invocation: `npm run bench:run -- --suite ${SUITE}`,
        deterministic_components: ["recipe engine"],
      },
      model_output_deterministic: false,
      members,
      totals: totalsOf(members),
      components: componentsOf(members),
      composite: compositeOf(members),
      composite_version: "provisional-1",
      cost: costOf(members),
    };
  };
}

const FAILED: Omit<ResultMember, "id" | "attempts"> = {
  status: "failed",
  reason: { fault: "model", code: "invalid_json", message: "No attempt gave JSON." },
  recipe: null,
  output: null,
  metrics: zeroMetrics(),
  mismatches: [],
};

const attempt = (at: number, outcome: Attempt["outcome"], id: string): Attempt => ({
  kind: "initial",
  outcome,
  started_at: new Date(at).toISOString(),
  // No two calls take the same time, and an answer has the tokens of a recipe: both would be asked about.
  duration_ms: 1100 + (at % 97),
  findings: [],
  usage: { prompt_tokens: 100, completion_tokens: 400 },
  cost_usd: 0.01,
  generation_id: id,
  response_sha256: digestOf(id),
  finish_reason: "stop",
});

/** Bits that say where the ranges of the first member's recipe are cut: five gaps of rows in each of two ranges. */
const CUTS = 1 << 10;

/** Cuts every range of several rows between rows, as the bits of `where` say. */
function cut<T>(recipe: T, where: number): T {
  let bit = 0;
  const pieces = (range: string): string[] => {
    const [, top, left, bottom, right] = /^R(\d+)C(\d+):R(\d+)C(\d+)$/.exec(range)?.map(Number) ?? [];
    if (top === undefined || bottom === undefined || bottom === top) return [range];
    const found: string[] = [];
    let from = top;
    for (let row = top; row <= bottom; row += 1)
      if (row === bottom || (bit < 31 && ((where >> bit++) & 1) === 1)) {
        found.push(`R${from}C${left}:R${row}C${right}`);
        from = row + 1;
      }
    return found;
  };
  return JSON.parse(JSON.stringify(recipe), (key, value) =>
    key === "from" && Array.isArray(value) ? value.flatMap(pieces) : value,
  );
}

import type {
  Data,
  EntryData,
  FindingData,
  RunData,
  Seat,
} from "../../../../src/lib/code/derive/data-schema.ts";

/** What a test says of an entry; everything else has an unremarkable value. */
export interface Given {
  configuration?: string;
  task?: string;
  lead?: string;
  replicate?: number;
  /** Overrides of the derived entry, as they are. */
  entry?: Partial<EntryData>;
  council?: number | null;
  final?: number | null;
  slop?: number | null;
  defect_points?: number | null;
  hidden?: readonly [passed: number, total: number] | null;
  usd?: number | null;
  seconds?: number | null;
  dnf?: string;
  fast?: boolean;
  speed?: number | null;
  proxy?: boolean;
  seats?: Readonly<Record<string, number>>;
  findings?: readonly Partial<FindingData>[];
  run?: Partial<RunData>;
}

const HASH = `sha256:${"0".repeat(64)}`;
const VENDOR_OF: Readonly<Record<string, string>> = {
  ash: "north",
  birch: "north",
  cedar: "south",
  elm: "west",
};

export const runIdOf = ({ task = "coder", lead = "lead@high", replicate = 1 }: Given): string =>
  `${task}-${lead.replace("@", "-")}-${replicate}`;

/** Data with one entry for each that is given, in runs of their own lead, task and replicate. */
export function dataOf(given: readonly Given[], rest: Partial<Data> = {}): Data {
  const runs = new Map<string, RunData>();
  const entries: EntryData[] = [];
  for (const each of given) {
    const id = runIdOf(each);
    const seats = each.seats ?? {};
    const run: RunData = runs.get(id) ?? {
      id,
      task: each.task ?? "coder",
      lead: each.lead ?? "lead@high",
      basis: "spec",
      replicate: each.replicate ?? 1,
      started_at: "2026-11-05T09:00:00.000Z",
      excluded: null,
      panel: Object.keys(seats).sort(),
      sessions: [],
      brief_cost_usd: null,
      kit_cost_usd: null,
      revisions: 0,
    };
    runs.set(id, { ...run, ...each.run });
    entries.push(entryOf(each, id));
  }
  const models = [...new Set(entries.map(({ model }) => model))].sort();
  const judges = [...new Set(entries.flatMap((entry) => entry.seats.map(({ judge }) => judge)))].sort();
  const tasks = [...new Set([...runs.values()].map(({ task }) => task))].sort();
  return {
    schema_version: 1,
    synthetic: false,
    source: HASH,
    pricing_rule: "test",
    vendors: [...new Set(Object.values(VENDOR_OF))].map((id) => ({
      id,
      name: id.toUpperCase(),
      colour: { light: "#112233", dark: "#445566" },
      marker: "circle",
      mark: "N",
    })),
    models: models.map((id) => ({
      id,
      name: id.toUpperCase(),
      vendor: VENDOR_OF[id] ?? "north",
      efforts: ["low", "high", "max"],
      price_card: null,
      log_names: [],
    })),
    judges: judges.map((id) => ({
      id,
      name: `Judge ${id}`,
      configuration: "ash@high",
      harness: "council",
      joined_at: "2026-11-01T00:00:00.000Z",
      vendor: id === "b" ? "south" : "north",
    })),
    tasks: tasks.map((id, position) => ({
      id,
      title: `Task ${id}`,
      language: "rust",
      position,
      hidden_total: 12,
      metrics: [{ id: "encode", title: "Encode" }],
      baselines: [],
    })),
    runs: [...runs.values()],
    entries,
    defects: [],
    fast_factors: [],
    ...rest,
  };
}

function entryOf(given: Given, run: string): EntryData {
  const { configuration = "ash@high", dnf = null, seats = {}, fast = false } = given;
  const at = configuration.lastIndexOf("@");
  const model = configuration.slice(0, at);
  const live = dnf === null;
  const { hidden = [12, 12], usd = 1, seconds = 60, speed, proxy = false } = given;
  const council = given.council === undefined ? 8 : given.council;
  return {
    run,
    id: configuration.replace("@", "-"),
    configuration,
    model,
    effort: configuration.slice(at + 1),
    vendor: VENDOR_OF[model] ?? "north",
    harness: "codex",
    harness_version: null,
    fast_mode: fast,
    dnf,
    deliverable: HASH,
    seats: Object.entries(seats).map(
      ([judge, score]): Seat => ({
        judge,
        session: `s-${judge}`,
        same_vendor: false,
        score,
        slop: 0,
        defect_points: 0,
        findings: 0,
        false_positives: 0,
      }),
    ),
    council: live ? council : null,
    council_reason: null,
    cross_vendor: live ? council : null,
    slop: live ? (given.slop === undefined ? 0 : given.slop) : null,
    defect_points: live ? (given.defect_points === undefined ? 0 : given.defect_points) : null,
    findings: (given.findings ?? []).map((finding, index) => ({
      judge: "a",
      session: "s-a",
      id: `f${index}`,
      severity: "low",
      category: "style",
      file: null,
      line: null,
      text: "something",
      false_positive: false,
      note: null,
      classified_by: "judge",
      defect: null,
      ...finding,
    })),
    hidden: hidden === null ? null : { passed: hidden[0], total: hidden[1], failed: [], level: "declared" },
    final: live ? (given.final === undefined ? council : given.final) : null,
    final_reason: null,
    cost:
      usd === null
        ? null
        : {
            usd,
            reason: null,
            breakdown: {
              uncached_input: usd / 4,
              cache_read: usd / 4,
              cache_write: 0,
              output: usd / 2,
              peak: 0,
            },
            as_run_usd: fast ? 2 * usd : usd,
            recorded_usd: null,
            assumptions: [],
            cards: [],
            history: [],
            tokens: {
              uncached_input: 100,
              cache_read: 200,
              cache_write_5m: 0,
              cache_write_1h: 0,
              cache_write: 0,
              output: 50,
              reasoning: 10,
            },
            requests: 3,
          },
    cost_level: "declared",
    seconds,
    speed:
      speed === undefined
        ? null
        : {
            speedup: speed,
            reason: speed === null ? "the perf workload's output was wrong" : null,
            proxy,
            host: "desk",
            metrics: [],
            unit: proxy ? "instructions" : "ns",
            flags: [],
            level: "declared",
          },
    quality: null,
    ...given.entry,
  };
}

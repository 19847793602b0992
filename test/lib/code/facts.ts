import type { Anchors } from "../../../src/lib/code/schema/anchors-schema.ts";
import type { Review, SeatFinding, Session } from "../../../src/lib/code/schema/council-schema.ts";
import type { Defects } from "../../../src/lib/code/schema/defects-schema.ts";
import type { Hosts } from "../../../src/lib/code/schema/hosts-schema.ts";
import type { Judges } from "../../../src/lib/code/schema/judges-schema.ts";
import type { Models } from "../../../src/lib/code/schema/models-schema.ts";
import type { Perf } from "../../../src/lib/code/schema/perf-schema.ts";
import type { Card, CardPrices, Pricing } from "../../../src/lib/code/schema/pricing-schema.ts";
import type { CodeRun, Entry } from "../../../src/lib/code/schema/run-schema.ts";
import type { Task } from "../../../src/lib/code/schema/task-schema.ts";
import type { Usage } from "../../../src/lib/code/schema/usage-schema.ts";
import { digestOf } from "../../../src/lib/digest.ts";

/*
 * Small, valid facts of the code benchmark to build tests from: one task, three vendors, three judges, two
 * configurations. Each function gives a fresh document; `change` overrides what a test is about.
 */

export const DIGEST: string = digestOf("anything");

export const models = (): Models => ({
  schema_version: 1,
  vendors: [
    { id: "acme", name: "Acme", colour: { light: "#aa3300", dark: "#ff8855" }, marker: "circle", mark: "A" },
    { id: "bolt", name: "Bolt", colour: { light: "#0055aa", dark: "#66aaff" }, marker: "square", mark: "B" },
    { id: "core", name: "Core", colour: { light: "#007744", dark: "#44cc88" }, marker: "diamond", mark: "C" },
  ],
  models: [model("alpha-1", "acme"), model("beta-2", "bolt"), model("gamma-3", "core")],
});

const model = (id: string, vendor: string): Models["models"][number] => ({
  id,
  name: id,
  vendor,
  efforts: ["low", "high"],
  price_card: `${vendor}/${id}`,
  log_names: [`${id}-log`],
});

export const judges = (): Judges => ({
  schema_version: 1,
  judges: [
    judge("j-alpha", "alpha-1@high"),
    judge("j-beta", "beta-2@high"),
    judge("j-gamma", "gamma-3@high"),
  ],
});

const judge = (id: string, configuration: string): Judges["judges"][number] => ({
  id,
  name: id,
  configuration,
  harness: "test",
  joined_at: "2026-11-01T00:00:00.000Z",
});

export const hosts = (): Hosts => ({
  schema_version: 1,
  hosts: [
    {
      id: "ryzen",
      name: "Ryzen",
      class: "board",
      labels: ["self-hosted"],
      fingerprint: { cpu: "AMD", cores: 16, threads: 32, arch: "x64", os: "linux", virtual: false },
      guards: {},
      keys: [],
    },
    {
      id: "here",
      name: "Any machine",
      class: "rehearsal",
      labels: [],
      fingerprint: { cpu: "any", cores: 2, threads: 2, arch: "x64", os: "linux", virtual: true },
      guards: {},
      keys: [],
    },
  ],
});

export const task = (change: Partial<Task> = {}): Task => ({
  schema_version: 1,
  id: "coder",
  title: "Range coder",
  language: "rust",
  summary: "A range coder.",
  position: 1,
  hidden: { categories: ["h1", "h2", "h3", "h4"] },
  perf: {
    host: "ryzen",
    metrics: [
      { id: "encode", title: "Encode" },
      { id: "decode", title: "Decode" },
    ],
    baselines: [{ id: "expert", title: "Expert", speedups: { encode: 4, decode: 1 } }],
    baseline_notes: {},
  },
  ...change,
});

export const usage = (change: Partial<Usage> = {}): Usage => ({
  harness: "claude-code",
  harness_version: "2.1.0",
  logs: [],
  first_event_at: "2026-11-05T09:00:00.000Z",
  last_event_at: "2026-11-05T09:10:00.000Z",
  models: ["alpha-1-log"],
  tiers: ["standard"],
  requests: [
    [1000, 0, 0, 1000, 0, 0, 20_000, 0, 500, 100],
    [2000, 0, 0, 2000, 20_000, 0, 1000, 0, 1500, 0],
  ],
  per: "request",
  cost_recorded_usd: null,
  assumptions: [],
  skipped_lines: 0,
  ...change,
});

export const perf = (change: Partial<Perf> = {}): Perf => ({
  at: "2026-11-06T09:00:00.000Z",
  host: "ryzen",
  fingerprint: DIGEST,
  proxy: false,
  output_ok: true,
  unit: "ns",
  metrics: [
    { id: "encode", candidate: [100, 110, 90], reference: [200, 210, 190] },
    { id: "decode", candidate: [400, 400, 400], reference: [200, 200, 200] },
  ],
  flags: [],
  ...change,
});

export const entry = (id: string, configuration: string, change: Partial<Entry> = {}): Entry => ({
  id,
  configuration,
  harness: { name: "claude-code", version: "2.1.0", fast_mode: false },
  usage: usage({ models: [`${configuration.slice(0, configuration.lastIndexOf("@"))}-log`] }),
  deliverable: [{ path: "src/lib.rs", sha256: DIGEST, bytes: 8 }],
  hidden: {
    at: "2026-11-06T09:00:00.000Z",
    suite: DIGEST,
    categories: ["h1", "h2", "h3", "h4"].map((category) => ({ id: category, passed: true })),
  },
  perf: perf(),
  ...change,
});

export const finding = (id: string, change: Partial<SeatFinding> = {}): SeatFinding => ({
  id,
  severity: "low",
  category: "correctness",
  file: "src/lib.rs",
  line: 3,
  text: "Overflows when the input is empty.",
  status: "valid",
  ...change,
});

export const review = (letter: string, score: number, findings: SeatFinding[] = []): Review => ({
  letter,
  score,
  findings,
});

/** A session over entries e1, e2 … as letters A, B …, with a score each. */
export const session = (
  id: string,
  judgeId: string,
  scores: readonly number[],
  change: Partial<Session> = {},
): Session => ({
  id,
  judge: judgeId,
  started_at: "2026-11-07T09:00:00.000Z",
  finished_at: "2026-11-07T09:30:00.000Z",
  pack: { sha256: DIGEST, seed: "1", rubric: DIGEST },
  order: scores.map((_, index) => ({ letter: letterOf(index), entry: `e${index + 1}` })),
  reviews: scores.map((score, index) => review(letterOf(index), score)),
  ...change,
});

export const letterOf = (index: number): string => String.fromCharCode(65 + index);

export const run = (change: Partial<CodeRun> = {}): CodeRun => ({
  schema_version: 1,
  id: "run-1",
  task: "coder",
  spec: { sha256: DIGEST },
  lead: "alpha-1@high",
  basis: "spec",
  brief: { sha256: DIGEST },
  replicate: 1,
  started_at: "2026-11-05T09:00:00.000Z",
  entries: [entry("e1", "alpha-1@high"), entry("e2", "beta-2@high")],
  council: {
    sessions: [
      session("s1", "j-alpha", [9, 7]),
      session("s2", "j-beta", [8, 8]),
      session("s3", "j-gamma", [8.5, 6]),
    ],
    revisions: [],
  },
  revisions: [],
  ...change,
});

export const anchors = (change: Partial<Anchors> = {}): Anchors => ({
  schema_version: 1,
  task: "coder",
  anchors: [],
  ...change,
});

export const defects = (change: Partial<Defects> = {}): Defects => ({
  schema_version: 1,
  task: "coder",
  defects: [],
  revisions: [],
  ...change,
});

export const prices = (change: Partial<CardPrices> = {}): CardPrices => ({
  valid_from: "2026-01-01T00:00:00.000Z",
  recorded_at: "2026-01-01T00:00:00.000Z",
  source: { kind: "vendor" },
  input: 4,
  cache_read: 0.2,
  cache_write: 5,
  cache_write_1h: 8,
  output: 20,
  bands: [],
  tiers: { priority: 2 },
  ...change,
});

export const card = (id: string, ...history: CardPrices[]): Card => ({
  id,
  name: id,
  history: history.length === 0 ? [prices()] : history,
});

export const pricing = (): Pricing => ({
  schema_version: 1,
  currency: "USD",
  per_tokens: 1_000_000,
  cards: [card("acme/alpha-1"), card("bolt/beta-2"), card("core/gamma-3")],
});

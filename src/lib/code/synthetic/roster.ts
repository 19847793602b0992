import type { Hosts } from "../schema/hosts-schema.ts";
import type { Judges } from "../schema/judges-schema.ts";
import type { Models } from "../schema/models-schema.ts";
import type { Card, Pricing } from "../schema/pricing-schema.ts";
import type { Task } from "../schema/task-schema.ts";
import type { Harness } from "../schema/usage-schema.ts";

/*
 * Who and what takes part in a synthetic round. Labs and models are invented: a synthetic number must not be mistaken for
 * one about a real model.
 */

export const BEGINNING = "2026-01-01T00:00:00.000Z";

interface Lab {
  readonly id: string;
  readonly name: string;
  readonly light: string;
  readonly dark: string;
  readonly marker: Models["vendors"][number]["marker"];
  readonly harness: Harness;
  readonly models: readonly LabModel[];
}

interface LabModel {
  readonly id: string;
  readonly name: string;
  /** Mean council score at its first effort. */
  readonly quality: number;
  readonly efforts: readonly string[];
  /** USD per million tokens of input; the rest of the card follows from it. Null: no price is known. */
  readonly price: number | null;
}

export const LABS: readonly Lab[] = [
  {
    id: "aurum",
    name: "Aurum",
    light: "#b5532a",
    dark: "#e88a5c",
    marker: "circle",
    harness: "claude-code",
    models: [
      {
        id: "aurum-opal-5",
        name: "Aurum Opal 5",
        quality: 8.1,
        efforts: ["medium", "high", "xhigh"],
        price: 4,
      },
      { id: "aurum-jade-5", name: "Aurum Jade 5", quality: 7.2, efforts: ["low", "high"], price: 1 },
    ],
  },
  {
    id: "basalt",
    name: "Basalt",
    light: "#0f7a6c",
    dark: "#4fc3b0",
    marker: "square",
    harness: "codex",
    models: [
      {
        id: "basalt-sol-6",
        name: "Basalt Sol 6",
        quality: 7.7,
        efforts: ["low", "medium", "high", "max"],
        price: 2,
      },
      { id: "basalt-luna-6", name: "Basalt Luna 6", quality: 6.9, efforts: ["medium", "high"], price: 0.5 },
    ],
  },
  {
    id: "cobalt",
    name: "Cobalt",
    light: "#1769b0",
    dark: "#6db5ef",
    marker: "triangle",
    harness: "opencode",
    models: [
      { id: "cobalt-v4", name: "Cobalt V4", quality: 6.8, efforts: ["default", "high"], price: 0.66 },
      { id: "cobalt-v4-mini", name: "Cobalt V4 mini", quality: 5.6, efforts: ["default"], price: 0.2 },
    ],
  },
  {
    id: "dolomite",
    name: "Dolomite",
    light: "#c0392b",
    dark: "#f08070",
    marker: "diamond",
    harness: "gemini-cli",
    models: [
      {
        id: "dolomite-pro-3",
        name: "Dolomite Pro 3",
        quality: 7.4,
        efforts: ["low", "medium", "high"],
        price: 2.5,
      },
    ],
  },
  {
    id: "ember",
    name: "Ember",
    light: "#7a5195",
    dark: "#b58fd0",
    marker: "star",
    harness: "qwen-code",
    models: [
      {
        id: "ember-coder-4",
        name: "Ember Coder 4",
        quality: 6.4,
        efforts: ["default", "high", "max"],
        price: 0.8,
      },
    ],
  },
  {
    id: "flint",
    name: "Flint",
    light: "#666666",
    dark: "#a8a8a8",
    marker: "hexagon",
    harness: "opencode",
    models: [
      { id: "flint-preview", name: "Flint preview", quality: 6.1, efforts: ["low", "high"], price: null },
      { id: "flint-2", name: "Flint 2", quality: 5.9, efforts: ["default"], price: 1.5 },
    ],
  },
];

/** One configuration of the roster, with what the generator draws its numbers around. */
export interface Contestant {
  readonly configuration: string;
  readonly model: string;
  readonly lab: Lab;
  readonly quality: number;
  /** Tokens against those of the first effort. */
  readonly work: number;
}

/** The 23 configurations, in the order of the labs. */
export const CONTESTANTS: readonly Contestant[] = LABS.flatMap((lab) =>
  lab.models.flatMap((model) =>
    model.efforts.map((effort, index) => ({
      configuration: `${model.id}@${effort}`,
      model: model.id,
      lab,
      quality: model.quality + 0.35 * index,
      work: 1.7 ** index,
    })),
  ),
);

/** Who writes the briefs, and by how much each lifts what is made from them. */
export const LEADS: readonly { readonly configuration: string; readonly lift: number }[] = [
  { configuration: "aurum-opal-5@xhigh", lift: 0.25 },
  { configuration: "basalt-sol-6@max", lift: 0.15 },
  { configuration: "cobalt-v4@high", lift: -0.1 },
  { configuration: "dolomite-pro-3@high", lift: 0.05 },
  { configuration: "ember-coder-4@max", lift: -0.2 },
];

/** Judges: two of labs with contestants that do well, so that self-preference can be looked for. */
export const JUDGES: readonly {
  readonly id: string;
  readonly configuration: string;
  /** By how much it is more generous than the others, and than it is with other labs' entries. */
  readonly offset: number;
  readonly own: number;
  readonly noise: number;
  readonly recall: number;
}[] = [
  { id: "judge-opal", configuration: "aurum-opal-5@xhigh", offset: -0.6, own: 0.2, noise: 0.35, recall: 0.7 },
  { id: "judge-sol", configuration: "basalt-sol-6@high", offset: 0.2, own: 0.1, noise: 0.45, recall: 0.55 },
  { id: "judge-pro", configuration: "dolomite-pro-3@high", offset: 0.3, own: 0, noise: 0.5, recall: 0.45 },
  { id: "judge-ember", configuration: "ember-coder-4@max", offset: 0.1, own: 0, noise: 0.7, recall: 0.3 },
];

export const models = (): Models => ({
  schema_version: 1,
  vendors: LABS.map(({ id, name, light, dark, marker }) => ({
    id,
    name,
    colour: { light, dark },
    marker,
    mark: name.slice(0, 1),
  })),
  models: LABS.flatMap((lab) =>
    lab.models.map(({ id, name, efforts, price }) => ({
      id,
      name,
      vendor: lab.id,
      efforts: [...efforts],
      price_card: price === null ? null : `${lab.id}/${id}`,
      log_names: [`${id}-20260901`],
    })),
  ),
});

export const judges = (): Judges => ({
  schema_version: 1,
  judges: JUDGES.map(({ id, configuration }) => ({
    id,
    name: `Synthetic ${id}`,
    configuration,
    harness: "synthetic",
    joined_at: BEGINNING,
  })),
});

export const hosts = (): Hosts => ({
  schema_version: 1,
  hosts: (["synthetic-x64", "synthetic-arm64"] as const).map((id) => ({
    id,
    name: `Synthetic host (${id.slice(10)})`,
    class: "board",
    labels: ["synthetic"],
    fingerprint: {
      cpu: "synthetic",
      cores: 8,
      threads: 8,
      arch: id === "synthetic-x64" ? "x64" : "arm64",
      os: "synthetic",
      virtual: false,
    },
    guards: {},
    keys: [],
  })),
});

export const pricing = (): Pricing => ({
  schema_version: 1,
  currency: "USD",
  per_tokens: 1_000_000,
  cards: LABS.flatMap((lab) =>
    lab.models.flatMap(({ id, name, price }) =>
      price === null ? [] : [cardOf(`${lab.id}/${id}`, name, lab, price)],
    ),
  ),
});

function cardOf(id: string, name: string, lab: Lab, input: number): Card {
  const output = input * 5;
  const shared = {
    valid_from: BEGINNING,
    recorded_at: BEGINNING,
    source: { kind: "synthetic" as const },
    input,
    output,
    cache_read: input / 10,
    cache_write: input * 1.25,
    bands: [],
    tiers: {},
  };
  if (lab.id === "aurum") return { id, name, history: [{ ...shared, cache_write_1h: input * 2 }] };
  if (lab.id === "basalt") {
    const long = { input: input * 2, output: output * 1.5, cache_read: input / 5, cache_write: input * 2.5 };
    return {
      id,
      name,
      history: [{ ...shared, bands: [{ above: 272_000, ...long }], tiers: { priority: 2 } }],
    };
  }
  if (lab.id === "cobalt") {
    const windows = [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "12:00" }];
    return { id, name, history: [{ ...shared, peak: { multiplier: 2, windows } }] };
  }
  return { id, name, history: [shared] };
}

export interface SyntheticTask {
  readonly slug: string;
  readonly title: string;
  readonly language: Task["language"];
  readonly file: string;
  readonly categories: number;
  readonly metrics: readonly string[];
  /** By how much it lowers scores. */
  readonly difficulty: number;
  readonly host: "synthetic-x64" | "synthetic-arm64";
}

/** Tasks; 67 hidden categories together, as many as five tasks of 11 to 16 have. */
export const TASKS: readonly SyntheticTask[] = [
  {
    slug: "range-coder",
    title: "Range coder",
    language: "rust",
    file: "src/lib.rs",
    categories: 12,
    metrics: ["encode", "decode"],
    difficulty: 0,
    host: "synthetic-x64",
  },
  {
    slug: "kernels",
    title: "Video kernels",
    language: "aarch64-assembly",
    file: "src/kernels.S",
    categories: 14,
    metrics: ["sad", "satd", "interp"],
    difficulty: 0.8,
    host: "synthetic-arm64",
  },
  {
    slug: "decoder",
    title: "Image decoder",
    language: "c",
    file: "src/decode.c",
    categories: 16,
    metrics: ["decode"],
    difficulty: 0.4,
    host: "synthetic-x64",
  },
  {
    slug: "broker",
    title: "Message broker",
    language: "elixir",
    file: "lib/broker.ex",
    categories: 11,
    metrics: ["publish", "subscribe"],
    difficulty: 0.3,
    host: "synthetic-x64",
  },
  {
    slug: "parser",
    title: "Config parser",
    language: "typescript",
    file: "src/parse.ts",
    categories: 14,
    metrics: ["parse"],
    difficulty: 0.1,
    host: "synthetic-x64",
  },
];

/** `tasks/<id>/task.json` of one round. */
export const taskDocument = (task: SyntheticTask, id: string, position: number): Task => ({
  schema_version: 1,
  id,
  title: task.title,
  language: task.language,
  summary: "A synthetic task: there is no such contract.",
  position,
  hidden: { categories: categoriesOf(task) },
  perf: {
    host: task.host,
    metrics: task.metrics.map((metric) => ({ id: metric, title: metric })),
    baselines: [
      {
        id: "expert",
        title: "Synthetic expert",
        speedups: Object.fromEntries(task.metrics.map((metric, index) => [metric, 3 + index])),
      },
      {
        id: "library",
        title: "Synthetic library",
        speedups: Object.fromEntries(task.metrics.map((metric) => [metric, 1.8])),
      },
    ],
    baseline_notes: { library: "It does not keep the contract's error codes." },
  },
});

/** Opaque ids of a task's hidden categories. */
export const categoriesOf = ({ categories }: SyntheticTask): string[] =>
  Array.from({ length: categories }, (_, index) => `h${String(index + 1).padStart(2, "0")}`);

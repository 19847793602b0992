import { instantMs } from "../../benchmarks/instant.ts";
import type { Finding } from "../../findings.ts";
import type { VerifySignature } from "../../job/attest.ts";
import type { Anchors } from "../schema/anchors-schema.ts";
import type { Hosts } from "../schema/hosts-schema.ts";
import type { Judges } from "../schema/judges-schema.ts";
import type { CodeModel, Models, Vendor } from "../schema/models-schema.ts";
import { parseConfiguration } from "../schema/names.ts";
import type { Task } from "../schema/task-schema.ts";
import { problem, repeated } from "./problem.ts";

/** What runs refer to, by id. */
export interface Catalogue {
  readonly vendors: ReadonlyMap<string, Vendor>;
  readonly models: ReadonlyMap<string, CodeModel>;
  /** Ids of models by what logs call them: their names there, and the ids themselves. */
  readonly logNames: ReadonlyMap<string, string>;
  readonly judges: ReadonlyMap<string, Judges["judges"][number]>;
  readonly hosts: ReadonlyMap<string, Hosts["hosts"][number]>;
  readonly tasks: ReadonlyMap<string, Task>;
}

export interface RunContext {
  readonly catalogue: Catalogue;
  /** Anchors by task. */
  readonly anchors: ReadonlyMap<string, Anchors>;
  /** Whether runs made by a generator are welcome (they never are among committed results). */
  readonly synthetic: boolean;
  /** Checks the signatures of hosts. */
  readonly verifySignature: VerifySignature;
}

/** The documents that runs refer to, looked up by id; of equal ids the first counts (the rest are findings). */
export function catalogueOf(models: Models, judges: Judges, hosts: Hosts, tasks: readonly Task[]): Catalogue {
  const byId = <T extends { id: string }>(items: readonly T[]): Map<string, T> =>
    new Map(items.toReversed().map((item) => [item.id, item]));
  return {
    vendors: byId(models.vendors),
    models: byId(models.models),
    logNames: new Map(
      models.models.flatMap(({ id, log_names }) =>
        [id, ...log_names].map((name): [string, string] => [name, id]),
      ),
    ),
    judges: byId(judges.judges),
    hosts: byId(hosts.hosts),
    tasks: byId(tasks),
  };
}

/** A configuration names a model that is listed, at an effort that the model has. */
export function checkConfiguration(
  configuration: string,
  models: ReadonlyMap<string, CodeModel>,
  pointer: string,
): Finding[] {
  const { model: id, effort } = parseConfiguration(configuration);
  const model = models.get(id);
  if (model === undefined)
    return [
      problem("code-data-unknown-model", pointer, "No such model is listed.", {
        actual: id,
        hint: "Add it to data/models.json, or correct the name.",
      }),
    ];
  if (!model.efforts.includes(effort))
    return [
      problem("code-data-unknown-effort", pointer, "The model has no such level of effort.", {
        expected: model.efforts.join(", "),
        actual: effort,
        hint: "Add it to the model in data/models.json, or correct it.",
      }),
    ];
  return [];
}

/** `data/models.json`: ids once, vendors known, cards that exist, no log name of two models. */
export function checkModels(models: Models, cards: ReadonlySet<string>): Finding[] {
  const vendors = new Set(models.vendors.map(({ id }) => id));
  const findings = [
    ...repeated(
      models.vendors.map(({ id }) => id),
      (index) => `/vendors/${index}/id`,
      "vendor",
    ),
    ...repeated(
      models.models.map(({ id }) => id),
      (index) => `/models/${index}/id`,
      "model",
    ),
  ];
  // A model is found in logs by its id as well, so one's id is no other's name.
  const ids = new Set(models.models.map(({ id }) => id));
  const logNames: string[] = [];
  const places: string[] = [];
  for (const [index, model] of models.models.entries()) {
    const at = `/models/${index}`;
    if (!vendors.has(model.vendor))
      findings.push(
        problem("code-data-unknown-vendor", `${at}/vendor`, "No such vendor is listed.", {
          expected: [...vendors].join(", "),
          actual: model.vendor,
        }),
      );
    findings.push(
      ...repeated(model.efforts, (effort) => `${at}/efforts/${effort}`, "level of effort"),
      ...[
        [model.price_card, `${at}/price_card`] as const,
        [model.priced_as?.card ?? null, `${at}/priced_as/card`] as const,
      ].flatMap(([card, pointer]) =>
        card === null || cards.has(card)
          ? []
          : [
              problem("code-data-unknown-card", pointer, "data/pricing.json has no such card.", {
                actual: card,
                hint: "Add the card, or null while no price is known.",
              }),
            ],
      ),
    );
    for (const [number, name] of model.log_names.entries()) {
      if (name !== model.id && ids.has(name))
        findings.push(
          problem("code-data-repeated", `${at}/log_names/${number}`, "This name is another model's id.", {
            actual: name,
            hint: "Each name in logs stands for one model.",
          }),
        );
      logNames.push(name);
      places.push(`${at}/log_names/${number}`);
    }
  }
  return [...findings, ...repeated(logNames, (index) => places[index] ?? "", "name in logs")];
}

/** `data/judges.json`: ids once, models listed, no retirement before joining. */
export function checkJudges(judges: Judges, models: ReadonlyMap<string, CodeModel>): Finding[] {
  const findings = repeated(
    judges.judges.map(({ id }) => id),
    (index) => `/judges/${index}/id`,
    "judge",
  );
  for (const [index, judge] of judges.judges.entries()) {
    const at = `/judges/${index}`;
    findings.push(...checkConfiguration(judge.configuration, models, `${at}/configuration`));
    const joined = instantMs(judge.joined_at);
    if (joined === null) findings.push(notAMoment(`${at}/joined_at`, judge.joined_at));
    if (judge.retired_at === undefined) continue;
    const retired = instantMs(judge.retired_at);
    if (retired === null) findings.push(notAMoment(`${at}/retired_at`, judge.retired_at));
    else if (joined !== null && retired < joined)
      findings.push(
        problem("code-data-time-order", `${at}/retired_at`, "The judge retired before it joined.", {
          expected: `not before ${judge.joined_at}`,
          actual: judge.retired_at,
        }),
      );
  }
  return findings;
}

/** `data/hosts.json`: ids once, key ids once a host. */
export const checkHosts = (hosts: Hosts): Finding[] => [
  ...repeated(
    hosts.hosts.map(({ id }) => id),
    (index) => `/hosts/${index}/id`,
    "host",
  ),
  ...hosts.hosts.flatMap((host, index) =>
    repeated(
      host.keys.map(({ id }) => id),
      (key) => `/hosts/${index}/keys/${key}/id`,
      "key",
    ),
  ),
];

/** `tasks/<task>/task.json`: its own folder's name, categories and metrics once, baselines and notes that match. */
export function checkTask(task: Task, folder: string, hosts: ReadonlyMap<string, unknown>): Finding[] {
  const { perf, hidden } = task;
  const metrics = new Set(perf.metrics.map(({ id }) => id));
  const baselines = new Set(perf.baselines.map(({ id }) => id));
  const findings = [
    ...repeated(hidden.categories, (index) => `/hidden/categories/${index}`, "category"),
    ...repeated(
      perf.metrics.map(({ id }) => id),
      (index) => `/perf/metrics/${index}/id`,
      "metric",
    ),
    ...repeated(
      perf.baselines.map(({ id }) => id),
      (index) => `/perf/baselines/${index}/id`,
      "baseline",
    ),
  ];
  if (task.id !== folder)
    findings.push(
      problem("code-data-id", "/id", "The id is not the name of the task's folder.", {
        expected: folder,
        actual: task.id,
      }),
    );
  if (!hosts.has(perf.host))
    findings.push(
      problem("code-data-unknown-host", "/perf/host", "data/hosts.json has no such host.", {
        actual: perf.host,
      }),
    );
  for (const [index, baseline] of perf.baselines.entries())
    for (const metric of Object.keys(baseline.speedups))
      if (!metrics.has(metric))
        findings.push(
          problem(
            "code-data-unknown-metric",
            `/perf/baselines/${index}/speedups/${metric}`,
            "The task has no such metric.",
            { expected: [...metrics].join(", "), actual: metric },
          ),
        );
  for (const id of Object.keys(perf.baseline_notes))
    if (!baselines.has(id))
      findings.push(
        problem("code-data-unknown-baseline", `/perf/baseline_notes/${id}`, "There is no such baseline.", {
          expected: [...baselines].join(", "),
          actual: id,
        }),
      );
  return findings;
}

/** An instant of the right form that is no moment (a 30 February). */
export const notAMoment = (pointer: string, text: string): Finding =>
  problem("code-data-time", pointer, "This is no moment in time.", { actual: text });

import type { Catalogue } from "../check/catalogue.ts";
import { CURRENT_RULE } from "../cost/rules.ts";
import type { Anchors } from "../schema/anchors-schema.ts";
import type { Defects } from "../schema/defects-schema.ts";
import type { Models } from "../schema/models-schema.ts";
import type { Pricing } from "../schema/pricing-schema.ts";
import type { CodeRun } from "../schema/run-schema.ts";
import { panelOf } from "../score/council.ts";
import { calibrated } from "./calibration.ts";
import { makePricer } from "./cost.ts";
import type { Data, EntryData, RunData } from "./data-schema.ts";
import { deriveDefects } from "./defects.ts";
import { effectiveRun } from "./effective.ts";
import { deriveEntry, seatsOf } from "./entry.ts";
import { fastFactors } from "./fast-factors.ts";
import { deriveRunHead } from "./run.ts";
import { byPosition, deriveTask } from "./task.ts";
import { vendorOf } from "./vendor.ts";

/** What runs refer to. */
export interface DeriveContext {
  readonly models: Models;
  readonly pricing: Pricing;
  readonly catalogue: Catalogue;
  /** By task. */
  readonly anchors: ReadonlyMap<string, Anchors>;
  readonly defects: ReadonlyMap<string, Defects>;
}

/** Takes one run after the other, keeps only what follows from each, and gives the whole at the end. */
export interface Derivation {
  add(run: CodeRun): void;
  /** `source` is the digest of all files that the runs and the context were read from. */
  finish(source: string): Data;
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** Begins to derive `data.json`. Runs may come in any order; they must have passed every check. */
export function startDerivation(context: DeriveContext): Derivation {
  const runs: RunData[] = [];
  const entries = new Map<string, EntryData[]>();
  const pricer = makePricer(context.models, context.pricing);
  let synthetic = false;
  return {
    add(raw) {
      const run = effectiveRun(raw);
      synthetic ||= run.synthetic !== undefined;
      const seats = seatsOf(run);
      const live = run.entries.filter(({ dnf }) => dnf === undefined);
      const panel = panelOf(live.map(({ id }) => (seats.get(id) ?? []).map(({ session }) => session.judge)));
      runs.push(deriveRunHead(run, panel, pricer));
      entries.set(
        run.id,
        run.entries.map((entry) =>
          deriveEntry(entry, {
            reviews: seats.get(entry.id) ?? [],
            panel,
            run,
            catalogue: context.catalogue,
            pricer,
          }),
        ),
      );
    },
    finish(source) {
      const { catalogue, models, anchors } = context;
      const inOrder = runs.toSorted(byId);
      const all = inOrder.flatMap(({ id }) => entries.get(id) ?? []);
      const { defects, withDefects } = deriveDefects(context.defects, all);
      return {
        schema_version: 1,
        synthetic,
        source,
        pricing_rule: CURRENT_RULE.id,
        vendors: models.vendors,
        models: models.models,
        judges: [...catalogue.judges.values()].toSorted(byId).map((judge) => ({
          ...judge,
          vendor: vendorOf(judge.configuration, catalogue),
        })),
        tasks: [...catalogue.tasks.values()].map(deriveTask).toSorted(byPosition),
        runs: calibrated(inOrder, entries, anchors),
        entries: withDefects,
        defects,
        fast_factors: fastFactors(inOrder, entries),
      };
    },
  };
}

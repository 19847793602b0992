import type { VerifySignature } from "../../job/attest.ts";
import { detached } from "../../strict-json/detached.ts";
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
import type { Data, EntryData, RunData, Seat } from "./data-schema.ts";
import { startDefects } from "./defects.ts";
import { effectiveRun } from "./effective.ts";
import { deriveEntry, seatsOf } from "./entry.ts";
import { fastFactors, gatherTimes, type TimesByConfiguration } from "./fast-factors.ts";
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
  /** Checks the signatures of hosts. */
  readonly verifySignature: VerifySignature;
}

/** `data.json` without its entries, which are many. */
export type DataHead = Omit<Data, "entries">;

/** Takes one run after the other, and gives its entries at once: nothing of a run has to be kept. */
export interface Derivation {
  add(run: CodeRun): EntryData[];
  /** `source` is the digest of all files that the runs and the context were read from. */
  finish(source: string): DataHead;
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** Begins to derive `data.json`. Runs come in the order of their ids, and must have passed every check. */
export function startDerivation(context: DeriveContext): Derivation {
  const { catalogue, models, anchors } = context;
  const pricer = makePricer(models, context.pricing);
  const defects = startDefects(context.defects);
  const anchored = new Set(
    [...anchors.values()].flatMap((document) => document.anchors.map(({ run, entry }) => `${run}/${entry}`)),
  );
  const anchorSeats = new Map<string, readonly Seat[]>();
  const times: TimesByConfiguration = new Map();
  const runs: RunData[] = [];
  let synthetic = false;
  return {
    add(raw) {
      const run = effectiveRun(raw);
      synthetic ||= run.synthetic !== undefined;
      const seats = seatsOf(run);
      const live = run.entries.filter(({ dnf }) => dnf === undefined);
      const panel = panelOf(live.map(({ id }) => (seats.get(id) ?? []).map(({ session }) => session.judge)));
      const head = detached(deriveRunHead(run, panel, pricer));
      const entries = run.entries.map((entry) =>
        defects.link(
          deriveEntry(entry, {
            reviews: seats.get(entry.id) ?? [],
            panel,
            run,
            catalogue,
            pricer,
            verifySignature: context.verifySignature,
          }),
        ),
      );
      runs.push(head);
      gatherTimes(times, head, entries);
      for (const entry of entries) {
        const key = `${run.id}/${entry.id}`;
        if (anchored.has(key)) anchorSeats.set(detached(key), detached(entry.seats));
      }
      return entries;
    },
    finish: (source) => ({
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
      runs: calibrated(runs, anchorSeats, anchors),
      defects: defects.finish(),
      fast_factors: fastFactors(times),
    }),
  };
}

import type { Finding } from "../findings.ts";
import type { Registry, ResultEntry } from "./schema.ts";

/** A suite as results name it; results of another digest are results of another suite. */
export interface SuiteRef {
  readonly id: string;
  readonly digest: string;
}

export interface RankedModel {
  readonly model: string;
  readonly name: string;
  /** 1 is best. Positions are distinct: ties are ordered by model id. */
  readonly position: number;
  readonly of: number;
  readonly entry: ResultEntry;
}

/** Digests that another result of the same model and suite replaces. */
export function supersededDigests(entries: readonly Replacing[]): ReadonlySet<string> {
  const byDigest = new Map(entries.map((entry) => [entry.digest, entry]));
  const superseded = new Set<string>();
  for (const entry of entries) {
    const target = entry.supersedes === null ? undefined : byDigest.get(entry.supersedes);
    if (target !== undefined && sameRun(target, entry)) superseded.add(target.digest);
  }
  return superseded;
}

type Owned = Pick<ResultEntry, "model" | "suite">;
type Replacing = Owned & Pick<ResultEntry, "digest" | "supersedes">;

/** What decides which of a model's results is the latest. */
export type Datable = Dated & Replacing;

const sameRun = (a: Owned, b: Owned): boolean => a.model === b.model && a.suite.id === b.suite.id;

/** What decides which of two results came later. */
export interface Dated {
  readonly path: string;
  readonly digest: string;
  readonly finished_at: string;
}

/**
 * Compares two results by age, older first: `finished_at`, then `mergeOrder` (paths in first-parent merge order,
 * oldest first; a path that is not in it is newer than all that are), then the digest.
 */
export function byAge(mergeOrder: readonly string[] = []): (a: Dated, b: Dated) => number {
  const merged = new Map(mergeOrder.map((path, index) => [path, index]));
  const position = (entry: Dated): number => merged.get(entry.path) ?? mergeOrder.length;
  return (a, b) => {
    if (a.finished_at !== b.finished_at) return a.finished_at < b.finished_at ? -1 : 1;
    return position(a) - position(b) || (a.digest < b.digest ? -1 : a.digest > b.digest ? 1 : 0);
  };
}

/**
 * The latest result of each model in one suite: superseded and withdrawn ones do not count (but what a withdrawn
 * correction replaced stays replaced: it was wrong); the youngest by `byAge` wins. Sorted by model id.
 */
export function latestResults<Entry extends Datable>(
  entries: readonly Entry[],
  suite: SuiteRef,
  mergeOrder: readonly string[] = [],
  withdrawn: ReadonlySet<string> = new Set(),
): Entry[] {
  const superseded = supersededDigests(entries);
  const compare = byAge(mergeOrder);
  const latest = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.suite.id !== suite.id || entry.suite.digest !== suite.digest) continue;
    if (superseded.has(entry.digest) || withdrawn.has(entry.digest)) continue;
    const known = latest.get(entry.model);
    if (known === undefined || compare(entry, known) > 0) latest.set(entry.model, entry);
  }
  return [...latest.values()].sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : 0));
}

/**
 * Rank in one suite: curated models that have a latest result there, best composite first, ties by model id (code unit
 * order). Models outside the registry and results of other suites or suite digests do not enter.
 */
export function rankModels(
  entries: readonly ResultEntry[],
  registry: Registry,
  suite: SuiteRef,
  mergeOrder: readonly string[] = [],
): RankedModel[] {
  const names = new Map(registry.models.map(({ id, name }) => [id, name]));
  const ranked = latestResults(entries, suite, mergeOrder)
    .flatMap((entry) => {
      const name = names.get(entry.model);
      return name === undefined ? [] : [{ model: entry.model, name, entry }];
    })
    // The list is sorted by model id and the sort is stable, so equal composites stay in that order.
    .sort((a, b) => b.entry.composite - a.entry.composite);
  return ranked.map((model, index) => ({ ...model, position: index + 1, of: ranked.length }));
}

/** A result supersedes an existing one of the same model and suite, or it is a finding. */
export function supersedesFindings(
  entries: readonly Pick<ResultEntry, "path" | "digest" | "model" | "suite" | "supersedes">[],
): Finding[] {
  const byDigest = new Map(entries.map((entry) => [entry.digest, entry]));
  return entries.flatMap((entry): Finding[] => {
    if (entry.supersedes === null) return [];
    const target = byDigest.get(entry.supersedes);
    const place = { severity: "error" as const, path: entry.path, pointer: "/supersedes/digest" };
    if (target === undefined)
      return [
        {
          code: "result-supersedes-unknown",
          message: "No committed result has the digest that this one supersedes.",
          actual: entry.supersedes,
          ...place,
        },
      ];
    return sameRun(target, entry)
      ? []
      : [
          {
            code: "result-supersedes-other",
            message: "A correction replaces a result of the same model and suite only.",
            expected: `${entry.model} in ${entry.suite.id}`,
            actual: `${target.model} in ${target.suite.id}`,
            ...place,
          },
        ];
  });
}

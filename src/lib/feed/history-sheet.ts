import { RESULTS_FOLDER } from "../benchmarks/result-path.ts";
import { type Landing, originOf, type Place, type SheetChange, type SheetChangeKind } from "./history.ts";
import { Ladder } from "./history-ladder.ts";
import { ModelHistory } from "./history-model.ts";
import type { ModelResults } from "./index-build.ts";
import type { IndexEntry, IndexWithdrawal } from "./index-schema.ts";

/** Everything committed for a model that changed, as it is today. */
export interface ChangedModel extends ModelResults {
  readonly folder: string;
  readonly model: string;
  /** File names in first-parent merge order, oldest first: of those that finished at the same moment. */
  readonly order: readonly string[];
}

export interface SuiteChanges {
  readonly suite: { readonly id: string; readonly digest: string };
  /** Names of curated models, by id. */
  readonly curated: ReadonlyMap<string, string>;
  /** The result that counts of each model that did not change. */
  readonly unchanged: readonly { readonly model: string; readonly composite: number }[];
  readonly changed: readonly ChangedModel[];
  /** Commits that brought documents of the suite, oldest first, without a gap up to today. */
  readonly landings: readonly Landing[];
}

/** So many of the models that a result passed are named. */
const NAMED = 3;

interface Arrived {
  readonly model: string;
  readonly path: string;
  readonly document: IndexEntry | IndexWithdrawal;
}

/**
 * What each document did to its suite's board, oldest first: the board of before the first commit is today's without
 * what came since, and then the documents come one commit after the other. Only models that changed are looked into.
 * Ranks are among the models that are curated today.
 */
export function deriveSheetChanges(input: SuiteChanges): SheetChange[] {
  const { suite, curated } = input;
  const { arrivals, landed } = placeArrivals(input);
  const models = new Map(
    input.changed.map((changed) => {
      const stayed = <T extends { readonly file: string }>({ file }: T): boolean =>
        !landed.has(pathOf(suite.id, changed.folder, file));
      const content = {
        results: changed.results.filter(stayed),
        withdrawals: changed.withdrawals.filter(stayed),
      };
      return [changed.model, new ModelHistory(content, suite.digest, changed.order)];
    }),
  );
  const before = [...models].flatMap(([model, { latest }]) =>
    latest === null ? [] : [{ model, composite: latest.composite }],
  );
  const ladder = new Ladder([...input.unchanged, ...before].filter(({ model }) => curated.has(model)));
  const placeOf = (model: string): Place | null => {
    const latest = models.get(model)?.latest ?? null;
    return latest === null ? null : { rank: ladder.rank(model), composite: latest.composite };
  };
  return input.landings.flatMap((landing, at) => {
    const arrived = arrivals[at] ?? [];
    const touched = [...new Set(arrived.map(({ model }) => model))];
    const was = new Map(touched.map((model) => [model, placeOf(model)]));
    const order = ladder.models();
    for (const { model, document } of arrived) {
      const history = models.get(model);
      if ("withdraws" in document) history?.addWithdrawal(document);
      else history?.addResult(document);
    }
    for (const model of touched)
      if (curated.has(model)) ladder.move(model, models.get(model)?.latest?.composite ?? null);
    return arrived.map(({ model, path, document }): SheetChange => {
      const [past, now] = [was.get(model) ?? null, placeOf(model)];
      const counts = models.get(model)?.latest?.digest === document.digest;
      const passed = counts ? passedModels(order, ladder, past, now) : [];
      return {
        ...originOf(landing),
        suite: suite.id,
        kind: kindOf(document, past, now, counts, passed.length),
        model,
        name: curated.get(model) ?? null,
        path,
        digest: document.digest,
        before: past,
        after: now,
        passed: passed.slice(0, NAMED).map((other) => curated.get(other) ?? other),
        passedCount: passed.length,
        reason: "withdraws" in document ? document.reason : null,
      };
    });
  });
}

const pathOf = (suite: string, folder: string, file: string): string =>
  `${RESULTS_FOLDER}/${suite}/${folder}/${file}`;

/** The documents that each commit brought. One that is not there today is none; one that came twice came last. */
function placeArrivals({ suite, changed, landings }: SuiteChanges): {
  readonly arrivals: readonly (readonly Arrived[])[];
  readonly landed: ReadonlySet<string>;
} {
  const known = new Map<string, Arrived>();
  for (const { folder, model, results, withdrawals } of changed)
    for (const document of [...results, ...withdrawals]) {
      const path = pathOf(suite.id, folder, document.file);
      known.set(path, { model, path, document });
    }
  const landed = new Set<string>();
  const arrivals = landings
    .toReversed()
    .map(({ files }) =>
      files.flatMap((path): Arrived[] => {
        const arrived = known.get(path);
        if (arrived === undefined || landed.has(path)) return [];
        landed.add(path);
        return [arrived];
      }),
    )
    .toReversed();
  return { arrivals, landed };
}

/** Models that came before this one and do no more, the best first. A model that was not ranked before passes none. */
function passedModels(
  order: readonly string[],
  ladder: Ladder,
  past: Place | null,
  now: Place | null,
): string[] {
  const [from, to] = [past?.rank ?? null, now?.rank ?? null];
  if (from === null || to === null || to >= from) return [];
  return order.slice(0, from - 1).filter((other) => (ladder.rank(other) ?? 0) > to);
}

function kindOf(
  document: IndexEntry | IndexWithdrawal,
  past: Place | null,
  now: Place | null,
  counts: boolean,
  passed: number,
): SheetChangeKind {
  if ("withdraws" in document) return past !== null && now === null ? "leaves" : "withdrawn";
  if (!counts) return "not-counted";
  if (document.supersedes !== null) return "correction";
  if (past === null) return "new-model";
  return passed > 0 ? "overtakes" : "new-result";
}

import type { Icc } from "../../stats/icc.ts";
import type { Known } from "../../stats/known.ts";
import type { SessionData } from "../derive/data-schema.ts";
import { type JudgedScore, judgeAgreement, panelIcc } from "../judges/agreement.ts";
import { type CalibrationOffset, calibrationOffset } from "../judges/calibration.ts";
import { reviewCost } from "../judges/cost.ts";
import { type SelfPreference, selfPreference } from "../judges/preference.ts";
import { judgeTrial } from "../judges/recall.ts";
import { groupBy } from "../score/group.ts";
import { byText } from "../score/order.ts";
import { type DataIndex, isLive, keyOf, type Scope } from "./index-data.ts";

/** One row of the table "Council judges". */
export interface JudgeRow {
  readonly judge: string;
  readonly name: string;
  readonly configuration: string | null;
  readonly vendor: string | null;
  readonly retired: boolean;
  /** Live entries that it scored. */
  readonly n: number;
  /** Of its raw scores; null when it scored nothing of the selection. */
  readonly mean: number | null;
  readonly median: number | null;
  /** Entries that another judge scored too: what offset and r are about. */
  readonly compared: number;
  /** Its score − the other judges' mean: positive is more generous. */
  readonly offset: Known;
  readonly r: Known;
  /** Verified defects found: (defect, entry) pairs in entries that it reviewed. */
  readonly recall: { readonly found: number; readonly of: number; readonly share: Known };
  /** All that it raised, and those of them that were shown to be wrong. */
  readonly findings: number;
  readonly false_positives: number;
  /** True ÷ (true + false) of the findings whose truth is known. */
  readonly precision: Known;
  /** USD over its sessions, and for each entry scored, anchors not counted. */
  readonly cost: Known;
  readonly cost_per_entry: Known;
  /** Mean wall clock. */
  readonly seconds_per_session: number | null;
  readonly sessions: number;
  /** Sessions that gave no review. */
  readonly missing: number;
  /** By anchors, against the earlier panels, and against them without this judge. Reported, never applied. */
  readonly calibration: {
    readonly against_panel: CalibrationOffset;
    readonly against_others: CalibrationOffset;
  };
}

export interface JudgesTable {
  readonly judges: readonly JudgeRow[];
  /** Over the live entries that every judge of the selection scored. */
  readonly icc: Icc;
  /** By vendors that have judges. */
  readonly self_preference: readonly SelfPreference[];
}

/** How each judge scores, how judges relate, and what reviews cost, over a selection. (Methodology, "Council judges".) */
export function judgesTable(scope: Scope, index: DataIndex): JudgesTable {
  const live = scope.results.filter(({ entry }) => isLive(entry));
  const scores: JudgedScore[] = live.flatMap(({ key, entry }) =>
    entry.seats.map(({ judge, score }) => ({ entry: key, judge, score })),
  );
  const vendorScores = live.flatMap(({ key, entry }) =>
    entry.seats.flatMap(({ judge, score }) => {
      const judge_vendor = index.judges.get(judge)?.vendor;
      return judge_vendor === undefined
        ? []
        : { entry: key, entry_vendor: entry.vendor, judge_vendor, score };
    }),
  );
  return {
    judges: judgeRows(scores, scope, index),
    icc: panelIcc(scores),
    self_preference: selfPreference(vendorScores),
  };
}

function judgeRows(scores: readonly JudgedScore[], scope: Scope, index: DataIndex): JudgeRow[] {
  const agreement = new Map(judgeAgreement(scores).map((row) => [row.judge, row]));
  const sessions = groupBy(
    scope.runs.flatMap((run) => run.sessions),
    ({ judge }) => judge,
  );
  const pairs = defectPairs(scope, index);
  const ids = [...new Set([...agreement.keys(), ...sessions.keys()])].sort(byText);
  return ids.map((id) => {
    const judge = index.judges.get(id);
    const own = sessions.get(id) ?? [];
    const agreed = agreement.get(id);
    const { found, of, share, findings, false_positives, precision } = trialOf(id, pairs, scope);
    const { cost, cost_per_entry, seconds_per_session } = reviewCost(own.filter(counts));
    const silent = { value: null, reason: "it scored nothing here" };
    return {
      judge: id,
      name: judge?.name ?? id,
      configuration: judge?.configuration ?? null,
      vendor: judge?.vendor ?? null,
      retired: judge?.retired_at !== undefined,
      n: agreed?.n ?? 0,
      mean: agreed?.mean ?? null,
      median: agreed?.median ?? null,
      compared: agreed?.compared ?? 0,
      offset: agreed?.offset ?? silent,
      r: agreed?.r ?? silent,
      recall: { found, of, share },
      findings,
      false_positives,
      precision,
      cost,
      cost_per_entry,
      seconds_per_session,
      sessions: own.length,
      missing: own.filter(({ missing }) => missing !== null).length,
      calibration: calibrationOffset(own.flatMap(({ anchors }) => anchors)),
    };
  });
}

/** A session that failed and left no price is counted as missing, and is no reason to know no cost at all. */
const counts = ({ missing, cost_usd }: SessionData): boolean => missing === null || cost_usd !== null;

/** Every verified defect in every entry of the selection that has it. Ids of defects are unique only within a task. */
const defectPairs = (scope: Scope, index: DataIndex): { defect: string; entry: string }[] => {
  const inScope = new Set(scope.results.map(({ key }) => key));
  return index.data.defects.flatMap(({ task, id, entries }) =>
    entries.flatMap(({ run, entry }) => {
      const key = keyOf(run, entry);
      return inScope.has(key) ? [{ defect: `${task}/${id}`, entry: key }] : [];
    }),
  );
};

function trialOf(judge: string, pairs: readonly { defect: string; entry: string }[], scope: Scope) {
  const reviewed = scope.results.filter(({ entry }) => entry.seats.some((seat) => seat.judge === judge));
  return judgeTrial(
    pairs,
    new Set(reviewed.map(({ key }) => key)),
    reviewed.flatMap(({ key, entry, run }) =>
      entry.findings
        .filter((finding) => finding.judge === judge)
        .map(({ defect, false_positive }) => ({
          entry: key,
          defect: defect === null ? null : `${run.task}/${defect}`,
          false_positive,
        })),
    ),
  );
}

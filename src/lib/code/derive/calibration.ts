import { mean } from "../../stats/describe.ts";
import type { Anchors } from "../schema/anchors-schema.ts";
import type { RunData, Seat } from "./data-schema.ts";

/** Seats of the entries that are anchors, by `run/entry`. */
export type AnchorSeats = ReadonlyMap<string, readonly Seat[]>;

/** Scores that one panel gave one anchor, by judge. */
interface PanelScores {
  readonly run: string;
  readonly startedAt: string;
  readonly scores: ReadonlyMap<string, number>;
}

/**
 * The runs with their sessions' anchors set against earlier panels: of all panels that scored the anchor in runs that
 * began earlier, the latest. A judge that saw an anchor in several packs of a run counts with its mean.
 */
export function calibrated(
  runs: readonly RunData[],
  seatsOfAnchors: AnchorSeats,
  anchors: ReadonlyMap<string, Anchors>,
): RunData[] {
  const panels = panelsByAnchor(runs, seatsOfAnchors, anchors);
  return runs.map((run) => ({
    ...run,
    sessions: run.sessions.map((session) => ({
      ...session,
      anchors: session.anchors.map((anchor) => {
        const earlier = (panels.get(`${run.task} ${anchor.anchor}`) ?? []).filter(
          ({ run: id, startedAt }) =>
            startedAt < run.started_at || (startedAt === run.started_at && id < run.id),
        );
        const latest = earlier.at(-1);
        if (latest === undefined) return anchor;
        const others = [...latest.scores].filter(([judge]) => judge !== session.judge);
        return {
          ...anchor,
          panel_run: latest.run,
          panel: mean([...latest.scores.values()]),
          panel_without: others.length === 0 ? null : mean(others.map(([, score]) => score)),
        };
      }),
    })),
  }));
}

/**
 * All panels that scored an anchor, oldest first: its own run's, and later ones in which the whole panel scored it. An
 * excluded run is out of all results, so its panel is nothing to measure a judge by.
 */
function panelsByAnchor(
  runs: readonly RunData[],
  seatsOfAnchors: AnchorSeats,
  anchors: ReadonlyMap<string, Anchors>,
): Map<string, PanelScores[]> {
  const included = runs.filter(({ excluded }) => excluded === null);
  const byId = new Map(included.map((run) => [run.id, run]));
  const panels = new Map<string, PanelScores[]>();
  const add = (key: string, run: RunData, scoreOf: (judge: string) => number | null): void => {
    const scores = new Map<string, number>();
    for (const judge of run.panel) {
      const score = scoreOf(judge);
      if (score === null) return;
      scores.set(judge, score);
    }
    if (scores.size === 0) return;
    const list = panels.get(key) ?? [];
    list.push({ run: run.id, startedAt: run.started_at, scores });
    panels.set(key, list);
  };
  for (const { task, anchors: list } of anchors.values())
    for (const anchor of list) {
      const run = byId.get(anchor.run);
      const seats = seatsOfAnchors.get(`${anchor.run}/${anchor.entry}`);
      if (run === undefined || seats === undefined) continue;
      add(`${task} ${anchor.id}`, run, (judge) => seats.find((seat) => seat.judge === judge)?.score ?? null);
    }
  for (const run of included)
    for (const id of new Set(run.sessions.flatMap((session) => session.anchors.map(({ anchor }) => anchor))))
      add(`${run.task} ${id}`, run, (judge) =>
        mean(
          run.sessions
            .filter((session) => session.judge === judge)
            .flatMap((session) => session.anchors.filter(({ anchor }) => anchor === id))
            .map(({ score }) => score),
        ),
      );
  for (const list of panels.values())
    list.sort((a, b) =>
      a.startedAt !== b.startedAt ? (a.startedAt < b.startedAt ? -1 : 1) : a.run < b.run ? -1 : 1,
    );
  return panels;
}

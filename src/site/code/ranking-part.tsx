import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import type { RankRanges } from "../../lib/code/score/rank-ranges.ts";
import type { BoardState } from "../state.ts";
import { CommandLine } from "../ui/command.tsx";
import { LevelLegend } from "../ui/level.tsx";
import type { Compared } from "./compared.ts";
import { Part } from "./part.tsx";
import { Ranking } from "./ranking.tsx";
import { viewCommand } from "./view-command.ts";

interface RankingPartProps {
  readonly index: DataIndex;
  readonly view: View;
  readonly compared: Compared | null;
  readonly state: BoardState;
  readonly onState: (state: BoardState) => void;
  readonly onRuns: (configuration: string) => void;
}

/** The ranking, how sure it is, and the command that computes it again. */
export const RankingPart = ({
  index,
  view,
  compared,
  state,
  onState,
  onRuns,
}: RankingPartProps): JSX.Element => (
  <Part id="ranking" title="Ranking">
    <p class="soft" aria-live="polite">
      {surenessWords(compared?.ranks ?? null)}
    </p>
    <Ranking
      index={index}
      view={view}
      ranks={compared?.ranks ?? null}
      sorting={state.sorting}
      onSort={(sorting) => onState({ ...state, sorting })}
      onRuns={onRuns}
    />
    <LevelLegend />
    <p>
      The same in a terminal, computed on your machine: <CommandLine command={viewCommand(state.selection)} />
    </p>
  </Part>
);

/** Whether the first two differ, in words. */
export function surenessWords(ranks: RankRanges | null): string {
  if (ranks === null) return "Drawing ranges of ranks …";
  const [first, second] = ranks.ranks;
  if (first === undefined || second === undefined) return "With fewer than two scores there is no ranking.";
  if (ranks.ranks.every(({ range }) => range === null))
    return `How sure the ranks are cannot be said: ${first.reason ?? "there is too little to draw from"}.`;
  const peers = ranks.ranks.filter(({ group }) => group === first.group).length;
  return peers > 1
    ? `The first ${peers} are not clearly different. In brackets are the ranks that the data leave open.`
    : "The first is clearly better than the second. In brackets are the ranks that the data leave open.";
}

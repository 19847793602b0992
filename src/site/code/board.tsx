import type { ComponentChildren, JSX } from "preact";
import { type DataIndex, scopeOf } from "../../lib/code/aggregate/index-data.ts";
import type { RowResult } from "../../lib/code/aggregate/row.ts";
import { rowsOf, type View } from "../../lib/code/aggregate/view.ts";
import type { RankRanges } from "../../lib/code/score/rank-ranges.ts";
import type { SiteInfo } from "../site-info.ts";
import { type BoardState, type Panel, writeState } from "../state.ts";
import { CommandLine } from "../ui/command.tsx";
import { LevelLegend } from "../ui/level.tsx";
import { Answer } from "./answer.tsx";
import type { Compared } from "./compared.ts";
import { Controls } from "./controls.tsx";
import { Matrix } from "./matrix.tsx";
import { SidePanel } from "./panel.tsx";
import { Picks } from "./picks.tsx";
import { Ranking } from "./ranking.tsx";
import { Runs } from "./runs.tsx";
import { viewCommand } from "./view-command.ts";

export interface BoardProps {
  readonly index: DataIndex;
  readonly site: SiteInfo;
  readonly state: BoardState;
  /** Of the state's selection. */
  readonly view: View;
  /** Null while they are being drawn: they take longer than the view. */
  readonly compared: Compared | null;
  readonly onState: (state: BoardState) => void;
}

/** Everything of one selection of the code benchmark. */
export function Board({ index, state, view, compared, onState }: BoardProps): JSX.Element {
  const ranks = compared?.ranks ?? null;
  const { selection } = state;
  const open = (panel: Panel): void => onState({ ...state, panel });
  const entryHref = (run: string, entry: string): string =>
    writeState({ ...state, panel: { kind: "entry", run, entry } });
  const openCell = (configuration: string, within: string): void =>
    open({ kind: "runs", configuration, within });
  return (
    <>
      <h1>Code benchmark</h1>
      <p class="lede">
        Coding agents write a task's deliverable from a lead's brief. A council of judges reviews it without
        knowing whose it is; a hidden suite, speed, cost, time and slop are measured beside it.
      </p>
      <Controls index={index} state={state} switchers={view.switchers} onState={onState} />
      <About view={view} />
      <p>
        <a href={writeState({ ...state, panel: null }) || "index.html"}>Link to this view</a>
      </p>
      {view.empty === null ? null : <p class="none">Nothing to show: {view.empty}.</p>}
      {compared === null ? (
        <p class="answer" aria-busy="true">
          Comparing …
        </p>
      ) : (
        <Answer index={index} column={selection.column} found={compared.found} />
      )}
      <Picks index={index} picks={view.picks} />
      <Part id="ranking" title="Ranking">
        <p class="soft">{unclearWords(ranks)}</p>
        <Ranking
          index={index}
          view={view}
          ranks={ranks}
          sorting={state.sorting}
          onSort={(sorting) => onState({ ...state, sorting })}
          onRuns={(configuration) => open({ kind: "runs", configuration, within: null })}
        />
        <LevelLegend />
        <p>
          See the same in a terminal, computed on your machine:{" "}
          <CommandLine command={viewCommand(selection)} />
        </p>
      </Part>
      {selection.task === null ? (
        <Part id="tasks" title="Task by task">
          <Matrix
            index={index}
            caption={`${capital(selection.column)} score by task`}
            by="task"
            matrix={view.matrix.tasks}
            onCell={openCell}
          />
        </Part>
      ) : null}
      {selection.lead === null ? (
        <Part id="leads-matrix" title="Lead by lead">
          <Matrix
            index={index}
            caption={`${capital(selection.column)} score by the lead whose brief it worked from`}
            by="lead"
            matrix={view.matrix.leads}
            onCell={openCell}
          />
        </Part>
      ) : null}
      {state.panel === null ? null : (
        <SidePanel contentKey={writeState(state)} onClose={() => onState({ ...state, panel: null })}>
          {state.panel.kind === "runs" ? (
            <Runs
              index={index}
              configuration={state.panel.configuration}
              within={state.panel.within}
              results={runsOf(index, view, state.panel.configuration)}
              entryHref={entryHref}
            />
          ) : null}
        </SidePanel>
      )}
    </>
  );
}

/** Its runs in the selection, whether or not the view shows this effort level. */
const runsOf = (index: DataIndex, { selection }: View, configuration: string): readonly RowResult[] =>
  rowsOf(scopeOf(index, selection), selection, index).find((row) => row.configuration === configuration)
    ?.results ?? [];

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

const Part = ({ id, title, children }: PartProps): JSX.Element => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

function About({ view: { about, hidden_configurations } }: { readonly view: View }): JSX.Element {
  const parts = [
    counted(about.configurations, "configuration"),
    counted(about.tasks.length, "task"),
    counted(about.leads.length, "lead"),
    counted(about.runs, "run"),
    about.entries === 1 ? "1 entry" : `${about.entries} entries`,
    counted(about.judges.length, "judge"),
    ...(about.dnf > 0 ? [`${about.dnf} did not finish`] : []),
    ...(about.judged_by_brief > 0
      ? [`${counted(about.judged_by_brief, "run")} judged against the brief`]
      : []),
    ...(hidden_configurations > 0
      ? [`${counted(hidden_configurations, "other effort level")} not shown`]
      : []),
  ];
  return <p class="soft">{parts.join(" · ")}</p>;
}

/** Whether the first two differ, in words. */
function unclearWords(ranks: RankRanges | null): string {
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

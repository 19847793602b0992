import type { JSX } from "preact";
import { type DataIndex, scopeOf } from "../../lib/code/aggregate/index-data.ts";
import type { RowResult } from "../../lib/code/aggregate/row.ts";
import { rowsOf, type View } from "../../lib/code/aggregate/view.ts";
import type { SiteInfo } from "../site-info.ts";
import { type BoardState, type Panel, writeState } from "../state.ts";
import { About } from "./about.tsx";
import { Answer } from "./answer.tsx";
import type { RunFindings } from "./board-data.ts";
import { Charts } from "./charts.tsx";
import { CodeMetricsSection } from "./code-metrics.tsx";
import type { Compared } from "./compared.ts";
import { Controls } from "./controls.tsx";
import { DefectsSection } from "./defects.tsx";
import { EntryDetails } from "./drawer.tsx";
import { JudgeColumns } from "./judge-columns.tsx";
import { JudgesSection } from "./judges.tsx";
import { Matrices } from "./matrices.tsx";
import { SidePanel } from "./panel.tsx";
import { Part } from "./part.tsx";
import { Picks } from "./picks.tsx";
import { RankingPart } from "./ranking-part.tsx";
import { Runs } from "./runs.tsx";
import { StatementsSection } from "./statements.tsx";
import { TokensSection } from "./tokens.tsx";

export interface BoardProps {
  readonly index: DataIndex;
  readonly site: SiteInfo;
  readonly state: BoardState;
  /** Of the state's selection. */
  readonly view: View;
  /** Null while it is being drawn: it takes longer than the view. */
  readonly compared: Compared | null;
  /** Texts of the findings of the run whose entry is open; null while they are loaded. */
  readonly findings: RunFindings | null;
  readonly onState: (state: BoardState) => void;
}

/** Everything of one selection of the code benchmark. */
export function Board(props: BoardProps): JSX.Element {
  const { index, site, state, view, compared, onState } = props;
  const { selection } = state;
  const open = (panel: Panel): void => onState({ ...state, panel });
  return (
    <>
      <h1>Code benchmark</h1>
      <p class="lede">
        Coding agents write a task's deliverable from a lead's brief. A council of judges reviews it without
        knowing whose it is; a hidden suite, speed, cost, time and slop are measured beside it.
      </p>
      {site.preview === null ? (
        <Controls index={index} state={state} switchers={view.switchers} onState={onState} />
      ) : (
        <p class="soft">
          A preview shows the first view: nothing can be selected in it, and entries do not open.
        </p>
      )}
      <About view={view} address={writeState({ ...state, panel: null })} />
      {view.empty === null ? null : <p class="none">Nothing to show: {view.empty}.</p>}
      {compared === null ? (
        <p class="answer" aria-busy="true">
          Comparing …
        </p>
      ) : (
        <Answer index={index} column={selection.column} found={compared.found} />
      )}
      <Picks index={index} picks={view.picks} />
      <RankingPart
        index={index}
        view={view}
        compared={compared}
        state={state}
        onState={onState}
        onRuns={(configuration) => open({ kind: "runs", configuration, within: null })}
      />
      <Part id="findings" title="Findings">
        {compared === null ? (
          <p aria-busy="true">Weighing …</p>
        ) : (
          <StatementsSection index={index} selection={selection} statements={compared.statements} />
        )}
      </Part>
      <Matrices
        index={index}
        view={view}
        onCell={(configuration, within) => open({ kind: "runs", configuration, within })}
      />
      <Charts index={index} view={view} budget={state.budget} />
      {selection.task === null ? null : (
        <Part id="judge-columns" title="Judge by judge">
          <JudgeColumns index={index} view={view} />
        </Part>
      )}
      <Part id="judges" title="Council judges">
        <JudgesSection index={index} judges={view.judges} />
      </Part>
      <Part id="defects" title="Verified defects">
        <DefectsSection index={index} defects={view.defects} entryHref={entryHref(state)} />
      </Part>
      <Part id="tokens" title="Tokens and cost">
        <TokensSection index={index} rows={view.rows} />
      </Part>
      <Part id="code-metrics" title="Code metrics">
        <CodeMetricsSection index={index} rows={view.rows} />
      </Part>
      <OpenPanel {...props} />
    </>
  );
}

/** The address of an entry's drawer over the view as it is. */
const entryHref =
  (state: BoardState) =>
  (run: string, entry: string): string =>
    writeState({ ...state, panel: { kind: "entry", run, entry } });

/** What lies over the board. */
function OpenPanel({ index, site, state, view, findings, onState }: BoardProps): JSX.Element | null {
  const { panel } = state;
  if (panel === null) return null;
  return (
    <SidePanel contentKey={writeState(state)} onClose={() => onState({ ...state, panel: null })}>
      {panel.kind === "runs" ? (
        <Runs
          index={index}
          configuration={panel.configuration}
          within={panel.within}
          results={runsOf(index, view, panel.configuration)}
          entryHref={entryHref(state)}
        />
      ) : (
        <EntryDetails
          index={index}
          site={site}
          run={panel.run}
          entry={panel.entry}
          findings={findings?.[panel.entry] ?? null}
          entryHref={entryHref(state)}
        />
      )}
    </SidePanel>
  );
}

/** Its runs in the selection, whether or not the view shows this effort level. */
const runsOf = (index: DataIndex, { selection }: View, configuration: string): readonly RowResult[] =>
  rowsOf(scopeOf(index, selection), selection, index).find((row) => row.configuration === configuration)
    ?.results ?? [];

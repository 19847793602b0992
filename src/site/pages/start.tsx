import type { JSX } from "preact";
import { indexData } from "../../lib/code/aggregate/index-data.ts";
import { numberText, usdText } from "../../lib/code/aggregate/numbers-text.ts";
import { deriveView } from "../../lib/code/aggregate/view.ts";
import type { Data } from "../../lib/code/derive/data-schema.ts";
import type { BoardSuite } from "../../lib/feed/board-schema.ts";
import type { Change } from "../../lib/feed/history.ts";
import { Answer } from "../code/answer.tsx";
import { compare } from "../code/compared.ts";
import { Name } from "../code/names.tsx";
import { CODE_BOARD_PATH } from "../code/page.tsx";
import { CODE_PICTURE, suitePicture } from "../picture-paths.ts";
import { boardPagePath } from "../sheet/addresses.ts";
import { timeText } from "../sheet/format.ts";
import { FIRST_STATE, writeState } from "../state.ts";
import type { Page } from "../ui/document.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { HISTORY_PATH } from "./history.tsx";
import { changeAnchor, changeTitle } from "./history-words.ts";

interface StartInput {
  readonly code: Data | null;
  readonly suites: readonly BoardSuite[];
  /** Newest first. */
  readonly changes: readonly Change[];
}

export const START_PATH = "index.html";

/** The budget that the first page answers for, USD a run, and those it links to. */
const BUDGET = 1;
const BUDGETS = [0.25, 0.5, 1, 2, 5] as const;
const SHOWN = 3;

/** The first page: what a reader came for, in one look, with the way to everything else. */
export const startPage = ({ code, suites, changes }: StartInput): Page => ({
  path: START_PATH,
  title: "Assay: benchmarks whose numbers can be checked",
  description:
    "Language-model benchmarks in which every number was recomputed from committed evidence before it came on the board.",
  section: "start",
  synthetic: code?.synthetic === true,
  ...pictureOf(code, suites),
  body: (
    <>
      <h1>Benchmarks whose numbers can be checked</h1>
      <p class="lede">
        Results arrive as pull requests. What is on these boards was computed from the evidence in them by
        code of the main branch, and every number leads back to that evidence and to the command that computes
        it again.
      </p>
      <CodeCard data={code} />
      <section aria-labelledby="sheet">
        <h2 id="sheet">Spreadsheets: recipes that turn them into tidy tables</h2>
        {suites.length === 0 ? <p class="none">There is no suite yet.</p> : null}
        {suites.map((suite) => (
          <SuiteCard key={suite.suite.id} board={suite} />
        ))}
      </section>
      <Recent changes={changes} />
    </>
  ),
});

const RECENT = 5;

function Recent({ changes }: { readonly changes: readonly Change[] }): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">What changed last</h2>
      <ul>
        {changes.slice(0, RECENT).map((change) => (
          <li key={changeAnchor(change)}>
            <span class="soft">{timeText(change.at)}</span> <Text>{changeTitle(change)}</Text>
          </li>
        ))}
      </ul>
      <p>
        <a class="go" href={HISTORY_PATH}>
          The whole history
        </a>
      </p>
    </section>
  );
}

/** That of the first board with something on it. */
function pictureOf(code: Data | null, suites: readonly BoardSuite[]): Pick<Page, "picture"> {
  const [first] = suites;
  if (code !== null) return { picture: CODE_PICTURE };
  return first === undefined ? {} : { picture: suitePicture(first.suite.id) };
}

function CodeCard({ data }: { readonly data: Data | null }): JSX.Element {
  const title = <h2 id="code">Code: agents that write what a brief asks for</h2>;
  if (data === null)
    return (
      <section aria-labelledby="code">
        {title}
        <p class="none">No run is committed yet, so there are no results.</p>
        <p>
          <a href={CODE_BOARD_PATH}>The board</a>
        </p>
      </section>
    );
  const index = indexData(data);
  const view = deriveView(index, FIRST_STATE.selection);
  const { column } = view.selection;
  return (
    <section aria-labelledby="code">
      {title}
      <Answer index={index} column={column} found={compare(index, view, null).found} />
      <Answer index={index} column={column} found={compare(index, view, BUDGET).found} />
      <p>
        Best for a budget a run:{" "}
        {BUDGETS.map((budget, place) => (
          <>
            {place === 0 ? "" : " · "}
            <a
              href={`${CODE_BOARD_PATH}${writeState({ ...FIRST_STATE, budget })}`}
            >{`up to ${usdText(budget)}`}</a>
          </>
        ))}
      </p>
      <DataTable
        caption="Top picks: quality against price and defects"
        none={view.picks.fewer ?? "There is nothing to pick from."}
        columns={[
          { id: "configuration", title: "Configuration" },
          { id: "value", title: "Value", side: "right" },
          { id: "council", title: "Council", side: "right" },
          { id: "cost", title: "Cost a run", side: "right" },
        ]}
        rows={view.picks.picks.slice(0, SHOWN).map((pick) => ({
          key: pick.configuration,
          cells: [
            <Name index={index} configuration={pick.configuration} />,
            numberText(pick.value),
            numberText(pick.council),
            usdText(pick.cost),
          ],
        }))}
      />
      <p>
        <a class="go" href={CODE_BOARD_PATH}>
          Open the code board
        </a>
      </p>
    </section>
  );
}

function SuiteCard({ board }: { readonly board: BoardSuite }): JSX.Element {
  const { id, title } = board.suite;
  return (
    <>
      <h3>
        <Text>{title}</Text>
      </h3>
      <DataTable
        caption={`First models of ${id}`}
        none="No result stands yet."
        columns={[
          { id: "model", title: "Model" },
          { id: "composite", title: "Composite", side: "right" },
          { id: "solved", title: "Solved", side: "right" },
          { id: "cost", title: "Cost per solved sheet", side: "right" },
        ]}
        rows={board.rows.slice(0, SHOWN).map((row) => ({
          key: row.model,
          cells: [
            <Text>{row.name ?? row.model}</Text>,
            numberText(row.composite, 4),
            `${row.solved}/${row.members}`,
            usdText(row.cost.per_solved_usd),
          ],
        }))}
      />
      <p>
        <a class="go" href={boardPagePath(id)}>
          Open the board of {id}
        </a>
      </p>
    </>
  );
}

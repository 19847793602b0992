import type { JSX } from "preact";
import { CONTAMINATION, runCommand } from "../../lib/benchmarks/method.ts";
import type { BoardRow } from "../../lib/feed/board-schema.ts";
import { neighboursOf } from "../../lib/feed/neighbours.ts";
import { suitePicture } from "../picture-paths.ts";
import { href } from "../site-info.ts";
import { CommandLine } from "../ui/command.tsx";
import type { Page } from "../ui/document.tsx";
import { Evidence } from "../ui/evidence.tsx";
import { Text } from "../ui/text.tsx";
import { boardDataPath, boardPagePath, METHODOLOGY_PATH, suitePagePath } from "./addresses.ts";
import { CostChart } from "./board-chart.tsx";
import { DifficultyTable, TagTable, Withdrawn } from "./board-parts.tsx";
import { OrderWords, RankingTable } from "./board-ranking.tsx";
import { countText, timeText } from "./format.ts";
import type { SheetContext } from "./input.ts";
import { Code, Prose, To } from "./parts.tsx";

/** A board with more rows than this comes in parts. */
export const MAX_ROWS = 1000;
/** Rows of a part. */
export const PART_ROWS = 200;

/** A suite's board: one page, or with very many models several, each with the next part of the rows. */
export function boardPages(context: SheetContext): Page[] {
  const { rows, suite } = context.own.board;
  const size = rows.length > MAX_ROWS ? PART_ROWS : Math.max(1, rows.length);
  const parts = Math.max(1, Math.ceil(rows.length / size));
  return Array.from({ length: parts }, (_, index): Page => {
    const path = boardPagePath(suite.id, index + 1);
    const shown = rows.slice(index * size, (index + 1) * size);
    return {
      path,
      title: parts === 1 ? suite.title : `${suite.title}, part ${index + 1} of ${parts}`,
      description: `Models that turn spreadsheets into tidy tables, on the frozen suite ${suite.id}: every score recomputed from committed evidence.`,
      section: "sheet",
      picture: suitePicture(suite.id),
      body: <Board context={context} path={path} rows={shown} part={index + 1} parts={parts} />,
    };
  });
}

interface BoardProps {
  readonly context: SheetContext;
  readonly path: string;
  readonly rows: readonly BoardRow[];
  readonly part: number;
  readonly parts: number;
}

function Board({ context, path, rows, part, parts }: BoardProps): JSX.Element {
  const { own, site } = context;
  const { board } = own;
  const ranked = rows.filter(({ rank }) => rank !== null);
  const others = rows.filter(({ rank }) => rank === null);
  const neighbours = neighboursOf(board.rows);
  return (
    <>
      <h1>
        <Text>{board.suite.title}</Text>
      </h1>
      <p>
        A model is given a spreadsheet as people publish them and writes a recipe that turns it into a tidy
        table. <Text>{board.suite.note}</Text>
      </p>
      <p class="soft">
        Suite <Code>{board.suite.id}</Code>, {countText(board.members.length, "member")}, frozen{" "}
        {timeText(board.suite.frozen_at)}.{" "}
        <To from={path} path={suitePagePath(board.suite.id)}>
          What is in it
        </To>{" "}
        ·{" "}
        <To from={path} path={METHODOLOGY_PATH}>
          How it is scored
        </To>
      </p>
      <OtherSuites context={context} path={path} />
      <section aria-labelledby="ranking">
        <h2 id="ranking">Ranking</h2>
        <Parts path={path} suite={board.suite.id} part={part} parts={parts} />
        <RankingTable
          context={context}
          path={path}
          rows={ranked}
          neighbours={neighbours}
          caption="Curated models, the best composite first"
          none={
            board.rows.length === 0
              ? "No model has a result in this suite yet."
              : "No curated model has a result here."
          }
        />
        {board.rows.length === 0 ? <FirstResult suite={board.suite.id} /> : null}
        <OrderWords board={board} neighbours={neighbours} />
        <div class="sheet-caveat">
          <p>
            {board.members.filter((member) => member.published_in_bank).length} of{" "}
            {countText(board.members.length, "member")} {board.members.length === 1 ? "is" : "are"} marked as
            published in the Data Bank. <Prose>{CONTAMINATION[0] ?? ""}</Prose>
          </p>
          <p>
            <Prose>{CONTAMINATION[CONTAMINATION.length - 1] ?? ""}</Prose>
          </p>
        </div>
      </section>
      {others.length === 0 ? null : (
        <section aria-labelledby="not-curated">
          <h2 id="not-curated">Not curated</h2>
          <p>
            The registry of curated models does not list these. They are scored in the same way and have no
            rank; here they stand by model id.
          </p>
          <RankingTable
            context={context}
            path={path}
            rows={others}
            neighbours={[]}
            caption="Models without a rank, by model id"
            none=""
          />
        </section>
      )}
      <CostChart context={context} path={path} rows={rows} />
      <DifficultyTable context={context} path={path} rows={rows} />
      <TagTable context={context} path={path} rows={rows} />
      {part === 1 ? <Withdrawn context={context} path={path} /> : null}
      <section aria-labelledby="evidence">
        <h2 id="evidence">Where these numbers come from</h2>
        <p>
          Every score was recomputed from its committed document before that was merged, and once more when
          this board was made. A result's page names its document, its digest and the command that follows it
          back to its evidence. Which model wrote the recipes, when, and at what cost is declared by whoever
          sent them.
        </p>
        <ul>
          <li>
            The rows as data: <a href={href(path, boardDataPath(board.suite.id))}>board.json</a>
          </li>
          {board.rows.length === 0 ? null : (
            <li>
              All result documents:{" "}
              <Evidence site={site} path={`benchmarks/results/${board.suite.id}`} kind="tree" />
            </li>
          )}
          {board.source_tree === null ? (
            <li>Made from a folder on somebody's machine, not from a committed tree.</li>
          ) : (
            <li>
              Made from the tree <code>{board.source_tree}</code>
            </li>
          )}
          <li>
            Make it again: <CommandLine command="npm run bench:feed" />
          </li>
        </ul>
      </section>
    </>
  );
}

const FirstResult = ({ suite }: { readonly suite: string }): JSX.Element => (
  <p>
    Make the first one: <CommandLine command={runCommand({ id: suite })} />
  </p>
);

function OtherSuites({
  context,
  path,
}: {
  readonly context: SheetContext;
  readonly path: string;
}): JSX.Element | null {
  const others = context.suites.filter(({ id }) => id !== context.own.suite.id);
  if (others.length === 0) return null;
  return (
    <p class="soft">
      Other suites, not to be compared with this one:{" "}
      {others.map(({ id, title }, index) => (
        <>
          {index === 0 ? "" : " · "}
          <To from={path} path={boardPagePath(id)}>
            <Text>{title}</Text>
          </To>
        </>
      ))}
    </p>
  );
}

/** The way through a board that comes in parts. */
function Parts({
  path,
  suite,
  part,
  parts,
}: Pick<BoardProps, "path" | "part" | "parts"> & { readonly suite: string }): JSX.Element | null {
  if (parts === 1) return null;
  return (
    <nav class="sheet-parts" aria-label="Parts of the board">
      <p>
        Part {part} of {parts}, {PART_ROWS} rows each. All rows in one file:{" "}
        <a href={href(path, boardDataPath(suite))}>board.json</a>
      </p>
      <ul>
        {Array.from({ length: parts }, (_, index) => index + 1).map((number) => (
          <li key={number}>
            <a
              href={href(path, boardPagePath(suite, number))}
              aria-current={number === part ? "page" : undefined}
            >
              {number}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

import type { JSX } from "preact";
import { DIFFICULTIES } from "../../lib/benchmarks/suite-schema.ts";
import type { BoardRow } from "../../lib/feed/board-schema.ts";
import { href } from "../site-info.ts";
import { Evidence } from "../ui/evidence.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { countText, shareText, timeText } from "./format.ts";
import type { SheetContext } from "./input.ts";
import { Below, SheetModel, Wide } from "./parts.tsx";

interface PartProps {
  readonly context: SheetContext;
  readonly path: string;
}
interface RowsProps extends PartProps {
  readonly rows: readonly BoardRow[];
}

const modelCell = (context: SheetContext, row: BoardRow): JSX.Element => (
  <SheetModel key="model" model={row.model} name={row.name} vendors={context.vendors} />
);

/** Passed of all members, by their difficulty. */
export function DifficultyTable({ context, rows }: RowsProps): JSX.Element | null {
  if (rows.length === 0) return null;
  const { board, vocabulary } = context.own;
  const difficulty = new Map(board.members.map((member) => [member.id, member.difficulty]));
  const levels = DIFFICULTIES.filter((level) => board.members.some((member) => member.difficulty === level));
  const defined = new Map<string, string>(
    vocabulary.difficulties.map(({ id, definition }) => [id, definition]),
  );
  return (
    <section aria-labelledby="by-difficulty">
      <h2 id="by-difficulty">By difficulty</h2>
      <div class="sheet-wide">
        <DataTable
          caption="Solved of all members of a difficulty, and below it the mean share of cells that match"
          columns={[
            { id: "model", title: "Model" },
            ...levels.map((level) => {
              const hint = defined.get(level);
              const title = level.charAt(0).toUpperCase() + level.slice(1);
              return { id: level, title, side: "right" as const, ...(hint === undefined ? {} : { hint }) };
            }),
          ]}
          rows={rows.map((row) => ({
            key: row.model,
            cells: [
              modelCell(context, row),
              ...levels.map((level) => {
                const own = row.by_member.filter(({ id }) => difficulty.get(id) === level);
                const passed = own.filter(({ status }) => status === "passed").length;
                const cells = own.reduce((sum, { components }) => sum + components.cell_match_rate, 0);
                return (
                  <>
                    {passed}/{own.length}
                    <Below>cells {shareText(own.length === 0 ? 0 : cells / own.length)}</Below>
                  </>
                );
              }),
            ],
          }))}
        />
      </div>
    </section>
  );
}

/** Passed of all members that carry a tag. */
export function TagTable({ context, rows }: RowsProps): JSX.Element | null {
  if (rows.length === 0) return null;
  const { tags } = context.own.board;
  return (
    <section aria-labelledby="by-tag">
      <h2 id="by-tag">By structure of the sheet</h2>
      <p>
        A member carries every tag that holds for its sheet and reference recipe, so that the columns overlap.
        A tag that few members carry says little.
      </p>
      <div class="sheet-wide">
        <DataTable
          caption="Solved of all members that carry a tag"
          columns={[
            { id: "model", title: "Model" },
            ...tags.map(({ id, definition }) => ({
              id,
              title: id.replaceAll("_", " "),
              side: "right" as const,
              hint: definition,
            })),
          ]}
          rows={rows.map((row) => ({
            key: row.model,
            cells: [
              modelCell(context, row),
              ...tags.map(({ id }) => {
                const rate = row.tags[id];
                return rate === undefined ? <span class="none">none</span> : `${rate.passed}/${rate.total}`;
              }),
            ],
          }))}
        />
      </div>
    </section>
  );
}

/** Results that were taken off the board, and why. */
export function Withdrawn({ context, path }: PartProps): JSX.Element | null {
  const { withdrawn } = context.own.board;
  if (withdrawn.length === 0) return null;
  return (
    <section aria-labelledby="withdrawn">
      <h2 id="withdrawn">Withdrawn</h2>
      <p>
        {countText(withdrawn.length, "result was", "results were")} taken off the board. A withdrawn document
        stays committed.
      </p>
      <DataTable
        caption="Withdrawn results, the newest withdrawal first"
        columns={[
          { id: "model", title: "Model" },
          { id: "reason", title: "Reason" },
          { id: "when", title: "Withdrawn" },
          { id: "result", title: "Result" },
          { id: "evidence", title: "Withdrawal" },
        ]}
        rows={withdrawn.map((entry) => {
          const page = context.resultPages.get(entry.result);
          const short = entry.result.slice("sha256:".length, "sha256:".length + 12);
          return {
            key: entry.withdrawal.digest,
            cells: [
              <SheetModel key="model" model={entry.model} name={null} vendors={context.vendors} />,
              <Wide key="reason">
                <Text>{entry.reason}</Text>
              </Wide>,
              timeText(entry.withdrawn_at),
              page === undefined ? <code>{short}</code> : <a href={href(path, page)}>{short}</a>,
              <Wide key="evidence">
                <Evidence site={context.site} path={entry.withdrawal.path} digest={entry.withdrawal.digest} />
              </Wide>,
            ],
          };
        })}
      />
    </section>
  );
}

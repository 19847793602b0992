import type { ENTRY_VALUES, EntryMove, Movement, ViewMove } from "../code/movement/movement-schema.ts";
import {
  difference,
  duration,
  moveWords,
  NONE,
  points,
  rankWords,
  share,
  usd,
} from "./words-code-numbers.ts";
import { type Block, folded, moreItem, moreRow } from "./words-fit.ts";
import { cell, code, plural, prose, row, tableHead } from "./words-text.ts";

/** Tables of what moves, the largest changes open to see, the rest folded away and counted. Pure. */

/** Rows that are open to see. */
const OPEN_ROWS = 8;

interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly align: string;
  readonly rows: readonly string[];
  /** All there are, also those that the report does not hold. */
  readonly total: number;
  /** What one row is. */
  readonly what: string;
  readonly several?: string;
  readonly priority: number;
}

/** A table of which the first rows are open and the others folded. */
function tableBlocks(table: Table): Block[] {
  const { title, head, align, rows, total, what, several = `${what}s`, priority } = table;
  if (total === 0) return [];
  const columns = tableHead(head, align);
  const folds = rows.length > OPEN_ROWS + 2;
  const open = folds ? rows.slice(0, OPEN_ROWS) : rows;
  const more = (hidden: number): string =>
    `| … ${hidden} more ${hidden === 1 ? what : several} |${" |".repeat(head.length - 1)}`;
  const blocks: Block[] = [
    {
      kind: "rows",
      open: `${title}\n\n${columns}`,
      rows: open,
      close: "",
      priority,
      more,
      alreadyHidden: folds ? 0 : total - rows.length,
    },
  ];
  if (folds) {
    const rest = rows.slice(OPEN_ROWS);
    blocks.push(
      folded(`${plural(total - OPEN_ROWS, `further ${what}`, `further ${several}`)}`, `${columns}`, rest, {
        priority: priority + 4,
        more,
        alreadyHidden: total - rows.length,
      }),
    );
  }
  return blocks;
}

/** `overall`, `task range-coder`, `task range-coder, lead x@high`. */
function viewName({ task, lead }: Pick<ViewMove, "task" | "lead">): string {
  if (task === null) return "overall, all leads";
  const name = `task ${code(task, { max: 60 })}`;
  return lead === null ? `${name}, all leads` : `${name}, lead ${code(lead, { max: 80 })}`;
}

/** Views beside the overall one are looked at by those who ask. */
const viewPriority = ({ task, lead }: Pick<ViewMove, "task" | "lead">): number =>
  task === null ? 0 : lead === null ? 1 : 2;

/** So many tasks and leads have tables of their own; more share one, folded away. */
const OWN_TABLES = 2;

/** The views with tables of their own, and those that share one. */
function splitViews(views: readonly ViewMove[]): { own: ViewMove[]; shared: ViewMove[] } {
  const [overall, others] = [true, false].map((whole) =>
    views.filter(({ task }) => (task === null) === whole),
  );
  return (others ?? []).length <= OWN_TABLES
    ? { own: [...views], shared: [] }
    : { own: overall ?? [], shared: others ?? [] };
}

/** A folded table over several tasks and leads. */
function sharedTable(
  what: string,
  head: readonly string[],
  align: string,
  rows: readonly string[],
  total: number,
): Block[] {
  if (rows.length === 0) return [];
  return [
    folded(`${plural(total, what)} of single tasks and leads`, tableHead(head, align), rows, {
      priority: 7,
      more: moreRow(head.length, what),
      alreadyHidden: total - rows.length,
    }),
  ];
}

/** `task`, or `task` and `lead`, in a cell. */
const viewCell = ({ task, lead }: ViewMove): string =>
  `${cell(task ?? "", 40)}${lead === null ? "" : ` ${cell(lead, 40)}`}`;

/** Ranks by final score. */
export function rankBlocks(views: readonly ViewMove[]): Block[] {
  const { own, shared } = splitViews(views);
  const cells = ({ configuration, rank, score }: ViewMove["ranks"]["rows"][number]): string[] => [
    cell(configuration),
    rankWords(rank),
    scoreCell(score),
    difference(score),
  ];
  return [
    ...own.flatMap((view) => {
      const { before, after } = view.of;
      return tableBlocks({
        title: `#### Ranks ${viewName(view)} (of ${before === after ? after : `${before}, now ${after}`})`,
        head: ["Configuration", "Rank", "Final score", ""],
        align: "lrrr",
        rows: view.ranks.rows.map((move) => row(cells(move))),
        total: view.ranks.total,
        what: "rank",
        priority: 1 + viewPriority(view),
      });
    }),
    ...sharedTable(
      "rank",
      ["Task, lead", "Configuration", "Rank", "Final score", ""],
      "llrrr",
      shared.flatMap((view) => view.ranks.rows.map((move) => row([viewCell(view), ...cells(move)]))),
      shared.reduce((sum, { ranks }) => sum + ranks.total, 0),
    ),
  ];
}

const scoreCell = (move: { before: number | null; after: number | null }): string =>
  move.before !== null && move.after !== null && Math.abs(move.after - move.before) < 1e-9
    ? points(move.after)
    : moveWords(move, points);

/** Place, pick before and pick after, where they differ. */
function pickRows({ picks: { before, after } }: ViewMove): string[][] {
  const at = (list: typeof before, index: number): string => {
    const pick = list[index];
    return pick === undefined ? NONE : `${cell(pick.configuration)} ${points(pick.value)}`;
  };
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const [was, now] = [at(before, index), at(after, index)];
    return was === now ? [] : [String(index + 1), was, `**${now}**`];
  }).filter(({ length }) => length > 0);
}

/** The picks before and after. */
export function pickBlocks(views: readonly ViewMove[]): Block[] {
  const { own, shared } = splitViews(views);
  const rows = shared.flatMap((view) => pickRows(view).map((cells) => row([viewCell(view), ...cells])));
  return [
    ...own.flatMap((view) => {
      const moved = pickRows(view);
      return tableBlocks({
        title: `#### Picks ${viewName(view)}, of every effort level, with their value`,
        head: ["#", "Before", "After"],
        align: "rll",
        rows: moved.map(row),
        total: moved.length,
        what: "pick",
        priority: 1 + viewPriority(view),
      });
    }),
    ...sharedTable("pick", ["Task, lead", "#", "Before", "After"], "lrll", rows, rows.length),
  ];
}

/** Values with a column of their own, and those that are listed behind them. */
const COLUMNS = ["final", "council"] as const;
const ALSO: readonly (readonly [value: EntryValue, title: string])[] = [
  ["cross_vendor", "cross-vendor"],
  ["slop", "slop"],
  ["defect_points", "defect points"],
  ["cost_usd", "cost"],
  ["seconds", "time"],
];

type EntryValue = (typeof ENTRY_VALUES)[number];

const showOf = (value: EntryValue): ((number: number | null) => string) =>
  value === "cost_usd" ? usd : value === "seconds" ? duration : points;

const countOf = (count: NonNullable<EntryMove["hidden"]>["before"]): string =>
  count === null ? NONE : `${count.passed}/${count.total}`;

function hiddenCell({ hidden }: EntryMove): string {
  if (hidden === null) return "";
  const after = `**${countOf(hidden.after)}**`;
  return hidden.before === null ? after : `${countOf(hidden.before)} → ${after}`;
}

const alsoCell = ({ values }: EntryMove): string =>
  ALSO.flatMap(([value, title]) =>
    values[value] === undefined ? [] : [`${title} ${moveWords(values[value], showOf(value))}`],
  ).join(", ");

const STATES: Readonly<Record<EntryMove["state"], string>> = { new: "new ", changed: "", gone: "gone " };

/** Numbers of entries, by entry and configuration. */
export function entryBlocks({ entries }: Movement): Block[] {
  return tableBlocks({
    title: "#### Scores of entries",
    head: ["Entry", "Final", "Council", "Hidden", "Also"],
    align: "lrrrl",
    rows: entries.rows.map((move) =>
      row([
        `${STATES[move.state]}${cell(`${move.run}/${move.entry}`, 60)} ${cell(move.configuration, 60)}`,
        ...COLUMNS.map((value) => moveWords(move.values[value], points)),
        hiddenCell(move),
        alsoCell(move),
      ]),
    ),
    total: entries.total,
    what: "entry",
    several: "entries",
    priority: 2,
  });
}

/** Medians of leads, of all selections in one table. */
export function leadBlocks(views: readonly ViewMove[]): Block[] {
  const rows = views.flatMap((view) =>
    view.leads.rows.map(({ lead, median }) =>
      row([
        cell(lead),
        view.task === null ? "overall" : cell(view.task, 60),
        moveWords(median, points),
        difference(median),
      ]),
    ),
  );
  return tableBlocks({
    title: "#### Leads: median final score",
    head: ["Lead", "Task", "Median", ""],
    align: "llrr",
    rows,
    total: views.reduce((sum, { leads }) => sum + leads.total, 0),
    what: "lead",
    priority: 3,
  });
}

/** The judges' table, and how far judges agree. */
export function judgeBlocks({ judges, agreement }: Movement): Block[] {
  const blocks = tableBlocks({
    title: "#### Judges",
    head: ["Judge", "Scored", "Offset", "r", "Recall"],
    align: "llrrr",
    rows: judges.rows.map((move) =>
      row([
        `${STATES[move.state]}${cell(move.judge)}`,
        `${changed(move.scored, count)}, mean ${changed(move.mean, points)}`,
        changed(move.offset, points),
        changed(move.r, points),
        changed(move.recall, share),
      ]),
    ),
    total: judges.total,
    what: "judge",
    priority: 3,
  });
  if (agreement === null) return blocks;
  const text = `Agreement of judges: ICC(2,1) ${moveWords(agreement.single, points)}, ICC(2,k) ${moveWords(agreement.average, points)}.`;
  return [...blocks, { kind: "text", priority: 4, text }];
}

const count = (value: number | null): string => (value === null ? NONE : String(value));

/** A number that stayed is shown once. */
const changed = (
  move: { before: number | null; after: number | null },
  show: (value: number | null) => string,
): string => (move.before === move.after ? show(move.after) : moveWords(move, show));

/** Defects that are new. */
export function defectBlocks({ added: { defects } }: Movement): Block[] {
  return tableBlocks({
    title: "#### Defects",
    head: ["Defect", "Title", "Severity", "Shown by", "In"],
    align: "lllll",
    rows: defects.rows.map((defect) =>
      row([
        cell(`${defect.task} ${defect.id}`, 60),
        cell(defect.title, 120),
        `${cell(defect.severity, 20)} ${cell(defect.category, 30)}`,
        cell(defect.method, 30),
        `${plural(defect.entries, "entry", "entries")}, ${plural(defect.reports, "report")}`,
      ]),
    ),
    total: defects.total,
    what: "defect",
    priority: 3,
  });
}

/** Corrections, each with who made it and why. */
export function revisionBlocks({ revisions }: Movement): Block[] {
  if (revisions.total === 0) return [];
  return [
    {
      kind: "rows",
      open: "#### Revisions\n",
      rows: revisions.rows.map(({ path, kind, target, from, to, by, reason }) => {
        const change =
          to === null
            ? ""
            : ` from ${code(from ?? "what was measured", { max: 60 })} to ${code(to, { max: 60 })}`;
        return `- ${code(kind, { max: 30 })} of ${code(target, { max: 120 })}${change}, by ${code(by, { max: 60 })}, in ${code(path, { max: 120 })}: ${prose(reason, 300)}`;
      }),
      close: "",
      priority: 2,
      more: moreItem("revision"),
      alreadyHidden: revisions.total - revisions.rows.length,
    },
  ];
}

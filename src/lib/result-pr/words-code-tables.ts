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
import { type Block, folded, moreItem } from "./words-fit.ts";
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

/** Ranks by final score in one selection. */
export function rankBlocks(view: ViewMove): Block[] {
  const { ranks, of } = view;
  const sizes = of.before === of.after ? `${of.after}` : `${of.before}, now ${of.after}`;
  return tableBlocks({
    title: `#### Ranks ${viewName(view)} (of ${sizes})`,
    head: ["Configuration", "Rank", "Final score", ""],
    align: "lrrr",
    rows: ranks.rows.map(({ configuration, rank, score }) =>
      row([cell(configuration), rankWords(rank), scoreCell(score), difference(score)]),
    ),
    total: ranks.total,
    what: "rank",
    priority: 1 + viewPriority(view),
  });
}

const scoreCell = (move: { before: number | null; after: number | null }): string =>
  move.before !== null && move.after !== null && Math.abs(move.after - move.before) < 1e-9
    ? points(move.after)
    : moveWords(move, points);

/** The picks before and after, where they differ. */
export function pickBlocks(view: ViewMove): Block[] {
  const { before, after } = view.picks;
  const size = Math.max(before.length, after.length);
  const at = (list: typeof before, index: number): string => {
    const pick = list[index];
    return pick === undefined ? NONE : `${cell(pick.configuration)} ${points(pick.value)}`;
  };
  const rows = Array.from({ length: size }, (_, index) => {
    const [was, now] = [at(before, index), at(after, index)];
    return row([String(index + 1), was, was === now ? "same" : `**${now}**`]);
  });
  if (rows.every((line) => line.endsWith("| same |"))) return [];
  return tableBlocks({
    title: `#### Picks ${viewName(view)}, of every effort level, with their value`,
    head: ["#", "Before", "After"],
    align: "rll",
    rows,
    total: rows.length,
    what: "pick",
    priority: 1 + viewPriority(view),
  });
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

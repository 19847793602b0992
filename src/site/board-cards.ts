import { indexData } from "../lib/code/aggregate/index-data.ts";
import { numberText } from "../lib/code/aggregate/numbers-text.ts";
import { scoreOf } from "../lib/code/aggregate/row.ts";
import { deriveView } from "../lib/code/aggregate/view.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import type { BoardSuite } from "../lib/feed/board-schema.ts";
import { neighboursOf } from "../lib/feed/neighbours.ts";
import type { BoardCard } from "./board-picture.ts";
import { affordable } from "./code/affordable.ts";
import { lookOf, plainName } from "./code/names.tsx";
import { scoreText } from "./sheet/format.ts";
import { FIRST_STATE } from "./state.ts";

/** A lab as far as a picture needs it. */
interface Lab {
  readonly id: string;
  readonly mark: string;
  readonly colour: { readonly light: string };
}

const FIRST = 3;
const GREY = "#565c66";
/** Council scores go from 0 to 10, and so do final ones. */
const MOST = 10;

/** The code board's first view. */
export function codeCard(data: Data): BoardCard {
  const index = indexData(data);
  const view = deriveView(index, FIRST_STATE.selection);
  const { column } = view.selection;
  const first = view.rows.filter(({ rank }) => rank !== null).slice(0, FIRST);
  const { best, rivals, comparable } = affordable(index, view, null);
  const clear = !comparable
    ? "Whether the first is clearly better, these data cannot tell."
    : rivals.length === 0
      ? "The first is clearly better than every other."
      : `The first is not clearly different from ${rivals.length} ${rivals.length === 1 ? "other" : "others"}.`;
  return {
    benchmark: "Code benchmark",
    title: "Agents that write what a brief asks for",
    unit: `${column[0]?.toUpperCase()}${column.slice(1)} score, ${view.about.entries} entries in ${view.about.runs} runs`,
    first: first.map((row) => {
      const score = scoreOf(row, column);
      const { vendor } = lookOf(index, row.configuration);
      return {
        place: String(row.rank),
        name: plainName(index, row.configuration),
        mark: vendor.mark,
        colour: index.vendors.get(vendor.id)?.colour.light ?? GREY,
        score: numberText(score),
        share: (score ?? 0) / MOST,
      };
    }),
    note: best === null ? "No entry has a score yet." : clear,
    newest: newest(data.runs.map(({ started_at }) => started_at)),
    synthetic: data.synthetic,
  };
}

/** A suite's board: its curated models. */
export function suiteCard(board: BoardSuite, labs: readonly Lab[]): BoardCard {
  const ranked = board.rows.filter(({ rank }) => rank !== null);
  const [top] = neighboursOf(board.rows);
  const clear =
    top === undefined
      ? "There is nothing to compare it with."
      : top.verdict === "unclear"
        ? "The first two are not clearly different."
        : top.verdict === "clear"
          ? "The first is clearly better than the second."
          : "The second matched clearly more members exactly than the first.";
  return {
    benchmark: "Sheet benchmark",
    title: board.suite.title,
    unit: `Composite of 0 to 1 over ${board.members.length} sheets, suite ${board.suite.id}`,
    first: ranked.slice(0, FIRST).map((row) => {
      const lab = labs.find(({ id }) => id === row.model.split("/", 1)[0]);
      return {
        place: String(row.rank),
        name: row.name ?? row.model,
        mark: lab?.mark ?? "",
        colour: lab?.colour.light ?? GREY,
        score: scoreText(row.composite),
        share: row.composite,
      };
    }),
    note: ranked.length === 0 ? "No curated model has a result in this suite yet." : clear,
    newest: newest(board.rows.map(({ finished_at }) => finished_at)),
    synthetic: false,
  };
}

/** The day of the newest of some instants. */
const newest = (instants: readonly string[]): string | null =>
  instants.toSorted().at(-1)?.slice(0, "2026-11-30".length) ?? null;

import { padText, safeText, textWidth } from "../../picture/text.ts";
import type { RankRange, RankRanges } from "../score/rank-ranges.ts";
import type { JudgesTable } from "./judges.ts";
import type { LeadsCompared } from "./leads.ts";
import {
  countText,
  durationText,
  numberText,
  shareText,
  signedText,
  UNKNOWN,
  usdText,
} from "./numbers-text.ts";
import type { Picks } from "./picks.ts";
import type { Selection } from "./selection.ts";
import type { RankedRow } from "./shown.ts";
import type { View } from "./view.ts";

/** A view for a terminal: the ranking, the picks, the leads and the judges, as lines of text. */
export function viewText(view: View, ranks: RankRanges): string {
  const lines = [
    ...(view.synthetic ? ["SYNTHETIC DATA, made by a generator: these are no results.", ""] : []),
    titleOf(view),
    aboutOf(view),
    ...section("Ranking", rankingLines(view, ranks)),
    ...section("Top overall picks", pickLines(view.picks)),
    ...(view.leads === null ? [] : section("Leads compared", leadLines(view.leads))),
    ...section("Council judges", judgeLines(view.judges)),
  ];
  return `${lines.map(safeText).join("\n")}\n`;
}

const section = (title: string, lines: readonly string[]): string[] => [
  "",
  title,
  ...(lines.length === 0 ? ["  (nothing)"] : lines),
];

const EFFORTS: Readonly<Record<Selection["efforts"], string>> = {
  "best-per-model": "best per model",
  "best-per-lab": "best per lab",
  all: "all effort levels",
};

function titleOf({ selection: { lead, task, efforts, replicate, column } }: View): string {
  return [
    lead ?? "all leads",
    task ?? "overall",
    EFFORTS[efforts],
    replicate === null ? "runs combined" : `run ${replicate}`,
    `by ${column} score`,
  ].join(", ");
}

function aboutOf({ about, hidden_configurations }: View): string {
  const parts = [
    counted(about.tasks.length, "task"),
    counted(about.leads.length, "lead"),
    counted(about.runs, "run"),
    `${about.entries} entries`,
    ...(about.dnf > 0 ? [`${about.dnf} did not finish`] : []),
    ...(about.judged_by_brief > 0 ? [`${about.judged_by_brief} runs judged against their brief`] : []),
    ...(hidden_configurations > 0 ? [`${hidden_configurations} configurations not shown`] : []),
  ];
  return parts.join(", ");
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A column of a table; one in which nothing is known is left out. */
interface Column<T> {
  readonly title: string;
  readonly side?: "left" | "right";
  readonly text: (item: T) => string;
}

function table<T>(items: readonly T[], columns: readonly Column<T>[]): string[] {
  const filled = columns
    .map(({ title, side = "left", text }) => ({ side, texts: [title, ...items.map(text)] }))
    .filter(({ texts }) => texts.slice(1).some((text) => text !== UNKNOWN && text !== ""));
  const widths = filled.map(({ texts }) => Math.max(...texts.map(textWidth)));
  return ["", ...items].flatMap((_, line) =>
    items.length === 0
      ? []
      : filled
          .map(({ side, texts }, column) => padText(texts[line] ?? "", widths[column] ?? 0, side))
          .join("  ")
          .trimEnd(),
  );
}

function rankingLines({ rows, selection }: View, { ranks }: RankRanges): string[] {
  const rangeOf = new Map(ranks.map((rank) => [rank.configuration, rank]));
  const spread = (row: RankedRow): string => {
    const sd = row[selection.column].spread?.sd;
    return sd === undefined ? "" : `±${numberText(sd)}`;
  };
  const unclear = ranks.some(({ range }) => range !== null);
  const lines = table<RankedRow>(rows, [
    { title: "rank", text: ({ rank }) => (rank === null ? UNKNOWN : String(rank)) },
    { title: "range", text: (row) => rangeText(rangeOf.get(row.configuration)) },
    {
      title: "group",
      // Without any range all are in one group, which says nothing.
      text: (row) => (unclear ? String(rangeOf.get(row.configuration)?.group ?? UNKNOWN) : ""),
    },
    { title: "configuration", side: "right", text: ({ configuration }) => configuration },
    { title: "final", text: ({ final }) => numberText(final.value) },
    { title: "council", text: ({ council }) => numberText(council.value) },
    { title: "±", side: "right", text: spread },
    { title: "cross-vendor", text: ({ cross_vendor }) => numberText(cross_vendor.value) },
    { title: "hidden", text: ({ hidden }) => countText(hidden) },
    { title: "cost", text: ({ cost }) => usdText(cost.value) },
    { title: "time", text: ({ time }) => durationText(time.value) },
    { title: "standard tier", text: standardTier },
    { title: "speed", text: ({ speed }) => times(speed.value) },
    { title: "proxy", text: ({ proxy }) => times(proxy.value) },
    { title: "slop", text: ({ slop }) => numberText(slop.value) },
    { title: "defects", text: ({ defect_points }) => numberText(defect_points.value) },
    { title: "tasks", text: ({ coverage }) => `${coverage.tasks}/${coverage.of_tasks}` },
    { title: "did not finish", text: ({ dnf }) => (dnf.n === 0 ? "" : String(dnf.n)) },
  ]);
  return unclear
    ? [
        ...lines,
        "range: ranks that the data leave open; within a group nobody is clearly worse than its first.",
      ]
    : lines;
}

const times = (value: number | null): string => (value === null ? UNKNOWN : `${numberText(value)}×`);

const rangeText = (rank: RankRange | undefined): string =>
  rank === undefined || rank.range === null ? UNKNOWN : `${rank.range.best}–${rank.range.worst}`;

/** Where runs were fast, the estimate for the standard tier and the factor that it rests on. */
const standardTier = ({ time: { extended, factor, basis } }: RankedRow): string =>
  extended === null || factor === null
    ? ""
    : `⚡ ${durationText(extended)} (${numberText(factor)}×, ${basis ?? ""})`;

function pickLines({ picks, fewer }: Picks): string[] {
  const lines = table(
    picks.map((pick, index) => ({ pick, place: index + 1 })),
    [
      { title: "", text: ({ place }) => `${place}.` },
      { title: "configuration", side: "right", text: ({ pick }) => pick.configuration },
      { title: "value", text: ({ pick }) => numberText(pick.value) },
      { title: "council", text: ({ pick }) => numberText(pick.council) },
      { title: "cost", text: ({ pick }) => usdText(pick.cost) },
      { title: "price part", text: ({ pick }) => numberText(pick.parts.price) },
      { title: "defect points", text: ({ pick }) => numberText(pick.defect_points) },
      { title: "defect part", text: ({ pick }) => numberText(pick.parts.liability) },
      { title: "hidden", text: ({ pick }) => countText(pick.hidden) },
      {
        title: "hidden not run",
        text: ({ pick }) => (pick.hidden_missing === 0 ? "" : String(pick.hidden_missing)),
      },
    ],
  );
  return fewer === null ? lines : [...lines, `Fewer than six: ${fewer}.`];
}

const leadLines = ({ leads, tasks }: LeadsCompared): string[] => [
  ...table(leads, [
    { title: "lead", side: "right", text: ({ lead }) => lead },
    { title: "median final", text: ({ median }) => numberText(median) },
    { title: "mean", text: ({ mean }) => numberText(mean) },
    { title: "lowest", text: ({ strip }) => numberText(strip.at(-1)?.final ?? null) },
    { title: "highest", text: ({ strip }) => numberText(strip[0]?.final ?? null) },
    { title: "configurations", text: ({ strip }) => String(strip.length) },
  ]),
  ...(leads.length === 0 ? [] : [`over ${tasks.length === 0 ? "no task that all share" : tasks.join(", ")}`]),
];

function judgeLines({ judges, icc, self_preference }: JudgesTable): string[] {
  if (judges.length === 0) return [];
  const interval = (range: { low: number; high: number } | null): string =>
    range === null ? "" : `, 95% interval ${numberText(range.low)} … ${numberText(range.high)}`;
  const single = icc.single.reason ?? `${numberText(icc.single.value)}${interval(icc.singleInterval)}`;
  const average = icc.average.reason ?? `${numberText(icc.average.value)}${interval(icc.averageInterval)}`;
  return [
    ...table(judges, [
      {
        title: "judge",
        side: "right",
        text: ({ judge, retired }) => `${judge}${retired ? " (retired)" : ""}`,
      },
      { title: "entries", text: ({ n }) => String(n) },
      { title: "mean", text: ({ mean }) => numberText(mean) },
      { title: "median", text: ({ median }) => numberText(median) },
      { title: "offset", text: ({ offset }) => signedText(offset) },
      { title: "r", text: ({ r }) => numberText(r.value) },
      {
        title: "verified defects found",
        text: ({ recall: { share, found, of } }) =>
          share.value === null ? UNKNOWN : `${shareText(share.value)} (${found}/${of})`,
      },
      { title: "false positives", text: ({ false_positives }) => String(false_positives) },
      { title: "review cost", text: ({ cost }) => usdText(cost.value) },
      { title: "per entry", text: ({ cost_per_entry }) => usdText(cost_per_entry.value) },
      { title: "per session", text: ({ seconds_per_session }) => durationText(seconds_per_session) },
      { title: "missing", text: ({ missing }) => (missing === 0 ? "" : String(missing)) },
    ]),
    `ICC(2,1): ${single}; ICC(2,k): ${average} (n = ${icc.n} entries, k = ${icc.k} judges)`,
    ...self_preference.flatMap(({ vendor, preference, own_n, other_n }) =>
      preference.value === null
        ? []
        : `self-preference of ${vendor}: ${signedText(preference)} (${own_n} scores of its own entries, ${other_n} of others)`,
    ),
  ];
}

import type { Change, CodeChange, RunChange, SheetChange, SheetChangeKind } from "../../lib/feed/history.ts";
import { countText, listText, scoreText } from "../sheet/format.ts";

/** The words of the history page and of the Atom feed. */

export const KIND_WORDS: Readonly<Record<SheetChangeKind, string>> = {
  "new-model": "New model",
  overtakes: "Overtakes",
  "new-result": "New result",
  "not-counted": "A result that does not count",
  correction: "Correction",
  withdrawn: "Withdrawn",
  leaves: "Leaves the board",
};

/** Anchor of a change on the history page. It stays the same as long as the change is told. */
export const changeAnchor = (change: Change): string =>
  "digest" in change
    ? `c-${change.commit.slice(0, 12)}-${change.digest.slice("sha256:".length, "sha256:".length + 12)}`
    : `c-${change.commit.slice(0, 12)}`;

/** Whom it passed, or why it was taken back; nothing for other changes. */
export function sheetWords({ passed, passedCount, reason }: SheetChange): string {
  if (reason !== null) return reason;
  if (passedCount === 0) return "";
  const others = passedCount - passed.length;
  return listText([...passed, ...(others > 0 ? [`${others} more`] : [])]);
}

/** A change in one line. */
export function changeTitle(change: Change): string {
  if ("digest" in change) return sheetTitle(change);
  const [first = "", ...others] = codeWords(change);
  return `Code benchmark: ${first}${others.length > 0 ? `, and ${others.length} more` : ""}`;
}

function sheetTitle(change: SheetChange): string {
  const model = change.name ?? change.model;
  const words = sheetWords(change);
  switch (change.kind) {
    case "new-model":
      return `${model} is new in ${change.suite}${ranked(change)}`;
    case "overtakes":
      return `${model} overtakes ${words} in ${change.suite}${ranked(change)}`;
    case "new-result":
      return `New result of ${model} in ${change.suite}${ranked(change)}`;
    case "not-counted":
      return `A result of ${model} in ${change.suite}, which does not count: a newer one stands`;
    case "correction":
      return `Corrected result of ${model} in ${change.suite}${ranked(change)}`;
    case "withdrawn":
      return `A result of ${model} in ${change.suite} was withdrawn${ranked(change)}`;
    case "leaves":
      return `${model} leaves ${change.suite}: its result was withdrawn`;
  }
}

const ranked = ({ after }: SheetChange): string =>
  after?.rank === null || after === null ? "" : ` (rank ${after.rank})`;

/** What it moved, in whole sentences. */
export function sheetText(change: SheetChange): string {
  const { before, after, kind } = change;
  const words = sheetWords(change);
  const score = (value: number | undefined): string => (value === undefined ? "none" : scoreText(value));
  const rank = (place: SheetChange["after"]): string =>
    place === null ? "none" : place.rank === null ? "not ranked" : String(place.rank);
  return [
    `${KIND_WORDS[kind]}: ${change.model} in ${change.suite}.`,
    `Composite before: ${score(before?.composite)}, after: ${score(after?.composite)}.`,
    `Rank before: ${rank(before)}, after: ${rank(after)}.`,
    ...(words === "" ? [] : [change.reason === null ? `It passed ${words}.` : `Reason: ${words}`]),
    `Document: ${change.path} (${change.digest}).`,
  ].join(" ");
}

/** What a commit brought to the code benchmark, a line for each run and task. */
export const codeWords = ({ runs, defects, judges, others }: CodeChange): string[] => [
  ...runs.map(runWords),
  ...defects.map(({ task, added, revised }) =>
    [
      `Defects of ${task}:`,
      listText([
        ...(added > 0 ? [`${countText(added, "verified defect")}`] : []),
        ...(revised > 0 ? [countText(revised, "correction")] : []),
      ]),
    ].join(" "),
  ),
  ...(others.length > 0 ? [`Facts: ${listText(others)}`] : []),
  ...(judges.length > 0 ? [`${judges.length === 1 ? "New judge" : "New judges"}: ${listText(judges)}`] : []),
];

function runWords(change: RunChange): string {
  const { run, task, arrived, entries, unfinished, reviews, findings, judges, revisions } = change;
  const parts = [
    ...(entries > 0
      ? [
          `${countText(entries, "entry", "entries")}${unfinished > 0 ? ` (${unfinished} did not finish)` : ""}`,
        ]
      : []),
    ...(reviews > 0
      ? [`${countText(reviews, "review")} by ${listText(judges)} with ${countText(findings, "finding")}`]
      : []),
    ...(revisions > 0 ? [countText(revisions, "corrected fact")] : []),
  ];
  const what = parts.length === 0 ? "" : `: ${listText(parts)}`;
  return `${arrived ? "New run" : "Run"} ${run} of ${task}${what}`;
}

import type { Movement, ViewMove } from "../code/movement/movement-schema.ts";
import type { CodePart } from "./code-report-schema.ts";
import type { Report } from "./report-schema.ts";
import {
  defectBlocks,
  entryBlocks,
  judgeBlocks,
  leadBlocks,
  pickBlocks,
  rankBlocks,
  revisionBlocks,
} from "./words-code-tables.ts";
import { type Block, fitBlocks } from "./words-fit.ts";
import { code, plural, short } from "./words-text.ts";

/** What the comment says about facts of the code benchmark: what comes, what it moves, how well it is known. Pure. */

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

const some = (count: number, one: string, many?: string): string[] =>
  count === 0 ? [] : [plural(count, one, many)];

/** What a pull request brings, in half a sentence. */
function broughtWords({ documents, deliverables, movement }: CodePart): string {
  if (movement !== null) {
    const { runs, sessions, defects, judges, configurations } = movement.added;
    const entries = runs.rows.reduce((sum, run) => sum + run.entries, 0);
    const gains = [
      ...some(runs.total, "run").map((text) =>
        runs.total > runs.rows.length ? text : `${text} (${plural(entries, "entry", "entries")})`,
      ),
      ...some(sessions.total, "review session"),
      ...some(defects.total, "defect"),
      ...some(judges.total, "judge"),
      ...some(configurations.total, "configuration that is new", "configurations that are new"),
      ...some(movement.revisions.total, "revision"),
    ];
    if (gains.length > 0) return joined(gains);
  }
  const changed = documents.map(({ path }) => code(path, { max: 120 }));
  const shown = changed.slice(0, 3).join(", ");
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : "";
  return changed.length === 0
    ? plural(deliverables.files, "file of deliverables", "files of deliverables")
    : `changes of ${shown}${more}`;
}

const overallOf = ({ views }: Movement): ViewMove | undefined =>
  views.find(({ task, lead }) => task === null && lead === null);

/** What moves, in half a sentence; null when nothing does. */
function movedWords(movement: Movement): string | null {
  const overall = overallOf(movement);
  const ranks = overall?.ranks.rows.filter(({ rank }) => rank.before !== rank.after) ?? [];
  const cut = overall !== undefined && overall.ranks.total > overall.ranks.rows.length;
  const changed = movement.entries.rows.filter(({ state }) => state === "changed").length;
  // What is cut off is among the changed: new ones stand first.
  const entries = changed + movement.entries.total - movement.entries.rows.length;
  const picks = movement.views.filter((view) => samePicks(view.picks) === false).length;
  const parts = [
    ...some(entries, "committed entry", "committed entries"),
    ...(ranks.length === 0 ? [] : [`${cut ? "at least " : ""}${plural(ranks.length, "rank")} overall`]),
    ...(picks === 0 ? [] : ["picks"]),
    ...(movement.views.some(({ leads }) => leads.total > 0) ? ["leads"] : []),
    ...some(movement.judges.total, "row of the judge table", "rows of the judge table"),
  ];
  return parts.length === 0 ? null : joined(parts);
}

const samePicks = ({ before, after }: ViewMove["picks"]): boolean =>
  before.map(({ configuration }) => configuration).join("\0") ===
  after.map(({ configuration }) => configuration).join("\0");

/** The headline of a verdict that nothing speaks against. */
export function codeTitle({ movement }: CodePart): string {
  const moved = movement === null ? null : movedWords(movement);
  return moved === null
    ? "Valid: the facts hold, and no number moves"
    : `Valid: the facts hold; they move ${moved}`;
}

/** First what comes and what it moves in words. */
function summaryBlock(part: CodePart, { base_sha, merge_base_sha }: Report): Block {
  const { movement, against } = part;
  const commit = against === "base" ? base_sha : merge_base_sha;
  const holds =
    commit === null || movement === null
      ? ""
      : ` Compared with ${against === "base" ? "base" : "the state before, at"} ${short(commit, 7)}.`;
  const moved = movement === null ? null : movedWords(movement);
  const moves =
    movement === null
      ? "**Nothing was derived from it.**"
      : moved === null
        ? "**No committed number moves.**"
        : `**It moves ${moved}.**`;
  return {
    kind: "text",
    priority: 0,
    text: `Brings ${broughtWords(part)} to the code benchmark. ${moves}${holds}`,
  };
}

/** Which numbers are how well known. */
function levelBlock({ levels }: CodePart): Block[] {
  const named = (level: string): string[] =>
    Object.keys(levels)
      .filter((kind) => levels[kind] === level)
      .map((kind) => code(kind, { max: 60 }));
  const parts = [
    ["**Declared**, not checked by us:", named("declared")],
    ["**Attested** by our guarded hosts:", named("attested")],
    ["**Recomputed** here:", named("recomputed")],
  ].flatMap(([words, kinds]) =>
    kinds === undefined || kinds.length === 0 ? [] : [`${String(words)} ${[...kinds].join(", ")}`],
  );
  return parts.length === 0 ? [] : [{ kind: "text", priority: 4, text: parts.join(". ") }];
}

/** Findings stand between the summary and the tables where something has to be mended or looked at. */
export function codeBlocks(part: CodePart, report: Report): { summary: Block[]; details: Block[] } {
  const { movement } = part;
  const summary = [summaryBlock(part, report)];
  if (movement === null) return { summary, details: [] };
  return {
    summary,
    details: [
      ...rankBlocks(movement.views),
      ...pickBlocks(movement.views),
      ...entryBlocks(movement),
      ...leadBlocks(movement.views),
      ...judgeBlocks(movement),
      ...defectBlocks(movement),
      ...revisionBlocks(movement),
      ...levelBlock(part),
    ],
  };
}

/** The same by itself, for a terminal: Markdown. */
export function codeWords(part: CodePart, report: Report): string {
  const { summary, details } = codeBlocks(part, report);
  return fitBlocks([...summary, ...details]);
}

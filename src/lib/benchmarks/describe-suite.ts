import { DIFFICULTIES, PUBLISHERS, SOURCE_KINDS, type Suite } from "./suite-schema.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** One table of a suite's composition. */
export interface CompositionTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The composition of a suite as the methodology shows it: source kinds, difficulties, publishers, feature tags. */
export function describeSuite(
  suite: Suite,
  vocabulary: Vocabulary,
): { summary: string; tables: readonly CompositionTable[] } {
  const { members } = suite;
  const published = members.filter((member) => member.published_in_bank).length;
  const count = (test: (member: (typeof members)[number]) => boolean): string =>
    String(members.filter(test).length);
  const defined = new Map(vocabulary.difficulties.map(({ id, definition }) => [id, definition]));
  const held = (row: readonly string[]): boolean => row.at(-1) !== "0";
  return {
    summary: `Frozen ${suite.frozen_at}; ${members.length} members; ${published} marked as published in the Data Bank. The immutable suite digest is ${suite.digest}.`,
    tables: [
      {
        title: "Members by source kind",
        columns: ["Source kind", "Members"],
        rows: SOURCE_KINDS.map((kind) => [kind, count((member) => member.source_kind === kind)]).filter(held),
      },
      {
        title: "Members by difficulty",
        columns: ["Difficulty", "Definition", "Members"],
        rows: DIFFICULTIES.map((difficulty) => [
          difficulty,
          defined.get(difficulty) ?? "",
          count((member) => member.difficulty === difficulty),
        ]).filter(held),
      },
      {
        title: "Members by publisher",
        columns: ["Publisher", "Members"],
        rows: PUBLISHERS.map((publisher) => [
          publisher,
          count((member) => member.publisher === publisher),
        ]).filter(held),
      },
      {
        title: "Members by structure feature tag",
        columns: ["Feature tag", "Definition", "Members"],
        rows: vocabulary.tags
          .map(({ id, definition }) => [id, definition, count((member) => member.feature_tags.includes(id))])
          .filter(held),
      },
    ],
  };
}

/** The composition as Markdown, which also reads well in a terminal. */
export function renderSuite(suite: Suite, vocabulary: Vocabulary): string {
  const { summary, tables } = describeSuite(suite, vocabulary);
  const table = ({ title, columns, rows }: CompositionTable): string =>
    [
      `### ${title}`,
      "",
      `| ${columns.join(" | ")} |`,
      `|${columns.map((_, index) => (index === columns.length - 1 ? "---:" : "---")).join("|")}|`,
      ...rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`),
      "",
    ].join("\n");
  return [`## ${suite.id}: ${suite.title}`, "", summary, "", suite.note, "", ...tables.map(table)].join("\n");
}

import type { JSX } from "preact";
import { type CompositionTable, describeSuite } from "../../lib/benchmarks/describe-suite.ts";
import { CONTAMINATION, runCommand } from "../../lib/benchmarks/method.ts";
import { suitePath } from "../../lib/benchmarks/suite.ts";
import { CommandLine } from "../ui/command.tsx";
import type { Page } from "../ui/document.tsx";
import { Evidence } from "../ui/evidence.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { boardPagePath, METHODOLOGY_PATH, memberPagePath, suitePagePath } from "./addresses.ts";
import { countText } from "./format.ts";
import type { SheetContext } from "./input.ts";
import { Code, Digest, Facts, Paragraphs, To, Trail, Wide } from "./parts.tsx";

/** What a frozen suite consists of. */
export function suitePage(context: SheetContext): Page {
  const { suite } = context.own;
  const path = suitePagePath(suite.id);
  return {
    path,
    title: `What is in ${suite.title}`,
    description: `The ${suite.members.length} members of the frozen suite ${suite.id}: kinds, difficulties, publishers, structure features, digests.`,
    section: "sheet",
    body: <Suite context={context} path={path} />,
  };
}

function Suite({ context, path }: { readonly context: SheetContext; readonly path: string }): JSX.Element {
  const { own, site } = context;
  const { suite, vocabulary } = own;
  const published = suite.members.filter((member) => member.published_in_bank).length;
  return (
    <>
      <Trail from={path} steps={[{ title: own.board.suite.title, path: boardPagePath(suite.id) }]} />
      <h1>
        What is in <Text>{suite.title}</Text>
      </h1>
      <p>
        <Text>{suite.note}</Text>
      </p>
      <Facts
        facts={[
          { name: "Suite", value: <Code>{suite.id}</Code> },
          { name: "Frozen", value: suite.frozen_at },
          { name: "Suite digest", value: <Digest>{suite.digest}</Digest> },
          { name: "Vocabulary digest", value: <Digest>{suite.vocabulary}</Digest> },
          {
            name: "Members",
            value: `${countText(suite.members.length, "member")}, ${published} marked as published in the Data Bank`,
          },
          { name: "Manifest", value: <Evidence site={site} path={suitePath(suite.id)} /> },
          {
            name: "Prove every digest",
            value: <CommandLine command={`npm run bench:suite -- verify ${suite.id}`} />,
          },
          { name: "Run it", value: <CommandLine command={runCommand(suite)} /> },
        ]}
      />
      <section aria-labelledby="contamination">
        <h2 id="contamination">What models may have seen</h2>
        <Paragraphs texts={CONTAMINATION} />
      </section>
      <section aria-labelledby="composition">
        <h2 id="composition">Composition</h2>
        {describeSuite(suite, vocabulary).tables.map((table) => (
          <Composition key={table.title} table={table} />
        ))}
      </section>
      <section aria-labelledby="members">
        <h2 id="members">Members</h2>
        <DataTable
          caption="Members in the suite's order"
          columns={[
            { id: "member", title: "Member" },
            { id: "title", title: "Title" },
            { id: "kind", title: "Source kind" },
            { id: "publisher", title: "Publisher" },
            { id: "difficulty", title: "Difficulty" },
            { id: "bank", title: "In the Data Bank" },
            { id: "tags", title: "Feature tags" },
            { id: "solved", title: "Solved by", side: "right" },
          ]}
          rows={suite.members.map((member) => ({
            key: member.id,
            cells: [
              <To key="link" from={path} path={memberPagePath(suite.id, member.id)}>
                {member.id}
              </To>,
              <Wide key="title">
                <Text>{member.title}</Text>
              </Wide>,
              member.source_kind.replaceAll("_", " "),
              member.publisher,
              member.difficulty,
              member.published_in_bank ? "yes" : "no",
              <Wide key="tags">{member.feature_tags.map((tag) => tag.replaceAll("_", " ")).join(", ")}</Wide>,
              solvedBy(context, member.id),
            ],
          }))}
        />
      </section>
      <p class="soft">
        <To from={path} path={METHODOLOGY_PATH}>
          How results on it are scored
        </To>
      </p>
    </>
  );
}

function solvedBy({ own }: SheetContext, member: string): string {
  const asked = own.board.rows.flatMap(({ by_member }) => by_member.filter(({ id }) => id === member));
  return `${asked.filter(({ status }) => status === "passed").length} of ${asked.length}`;
}

/** One table of a suite's composition. */
export const Composition = ({
  table: { title, columns, rows },
}: {
  readonly table: CompositionTable;
}): JSX.Element => (
  <DataTable
    caption={title}
    columns={columns.map((column, index) => ({
      id: column,
      title: column,
      side: index > 0 && index === columns.length - 1 ? ("right" as const) : ("left" as const),
    }))}
    rows={rows.map((row) => ({
      key: row[0] ?? "",
      cells: row.map((cell, index) =>
        index === 0 ? (
          <Code key={cell}>{cell}</Code>
        ) : columns[index] === "Definition" ? (
          <Wide key={cell}>{cell}</Wide>
        ) : (
          cell
        ),
      ),
    }))}
  />
);

import type { JSX } from "preact";
import { METRIC_LIST } from "../../lib/benchmarks/metrics.ts";
import { memberFile, suitePath } from "../../lib/benchmarks/suite.ts";
import type { SuiteMember } from "../../lib/benchmarks/suite-schema.ts";
import type { MemberEvidence } from "../../lib/explain/member-evidence.ts";
import type { BoardRow } from "../../lib/feed/board-schema.ts";
import { href } from "../site-info.ts";
import type { Page } from "../ui/document.tsx";
import { Evidence } from "../ui/evidence.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { boardPagePath, madeAnchor, memberAnchor, memberPagePath, suitePagePath } from "./addresses.ts";
import { countText, shareText } from "./format.ts";
import type { SheetContext } from "./input.ts";
import { MemberSheets } from "./member-sheets.tsx";
import { Code, Digest, Facts, SheetModel, Trail, Wide } from "./parts.tsx";

/** Results on a member's page; the board's data has them all. */
export const MEMBER_ROWS = 200;

/** The page of one member: what it asks, and what models made of it. */
export function memberPage(context: SheetContext, member: SuiteMember): Page {
  const path = memberPagePath(context.own.suite.id, member.id);
  return {
    path,
    title: `${member.id}: ${member.title}`,
    description: `A ${member.difficulty} member of the suite ${context.own.suite.id}: what it asks, and what models made of it.`,
    section: "sheet",
    body: <Member context={context} member={member} path={path} />,
  };
}

interface MemberProps {
  readonly context: SheetContext;
  readonly member: SuiteMember;
  readonly path: string;
}

function Member({ context, member, path }: MemberProps): JSX.Element {
  const { own, privateMembers } = context;
  const hidden = privateMembers.has(member.id);
  return (
    <>
      <Trail
        from={path}
        steps={[
          { title: own.board.suite.title, path: boardPagePath(own.suite.id) },
          { title: "Suite", path: suitePagePath(own.suite.id) },
        ]}
      />
      <h1>
        {member.id}: <Text>{member.title}</Text>
      </h1>
      <section aria-labelledby="asks">
        <h2 id="asks">What it asks</h2>
        {hidden ? (
          <p>
            The workbook is a published one of the private bank, and is not shown here: neither its contents
            nor what is asked of it. Of this member only statuses and rounded components are shown.
          </p>
        ) : (
          <blockquote>
            <Text>{member.task}</Text>
          </blockquote>
        )}
        <MemberFacts context={context} member={member} hidden={hidden} />
        <Tags context={context} member={member} />
      </section>
      <Results context={context} member={member} path={path} />
      {hidden ? null : <MemberSheets context={context} member={member} path={path} />}
    </>
  );
}

function MemberFacts({
  context,
  member,
  hidden,
}: Omit<MemberProps, "path"> & { readonly hidden: boolean }): JSX.Element {
  const { site } = context;
  const place = memberFile(member.id, "README.md").replace(/\/README\.md$/, "");
  return (
    <Facts
      facts={[
        { name: "Difficulty", value: member.difficulty },
        { name: "Publisher", value: member.publisher },
        {
          name: "Source",
          value: member.source_kind === "conformance" ? "conformance workbook" : "bank workbook",
        },
        {
          name: "Published in the Data Bank",
          value: member.published_in_bank
            ? "yes: models may have been trained on it"
            : "no; its workbook lies in the repository",
        },
        ...(hidden
          ? [
              {
                name: "Digests",
                value: (
                  <>
                    in the suite's manifest: <Evidence site={site} path={suitePath(context.own.suite.id)} />
                  </>
                ),
              },
            ]
          : [
              ...(member.derived_from === undefined
                ? []
                : [{ name: "Layout", value: <Text>{member.derived_from}</Text> }]),
              {
                name: "Reference table",
                value: `${countText(member.reference.rows, "row")} and ${countText(member.reference.columns, "column")}`,
              },
              { name: "Checked by", value: <Text>{member.checked_by}</Text> },
              { name: "Files", value: <Evidence site={site} path={place} kind="tree" /> },
              { name: "Workbook digest", value: <Digest>{member.workbook.sha256}</Digest> },
              { name: "Reference recipe digest", value: <Digest>{member.recipe.sha256}</Digest> },
              { name: "Reference table digest", value: <Digest>{member.reference.sha256}</Digest> },
            ]),
      ]}
    />
  );
}

function Tags({ context, member }: Omit<MemberProps, "path">): JSX.Element {
  const defined = new Map(context.own.vocabulary.tags.map(({ id, definition }) => [id, definition]));
  return (
    <DataTable
      caption="Structure features of its sheet"
      columns={[
        { id: "tag", title: "Feature tag" },
        { id: "definition", title: "Definition" },
      ]}
      rows={member.feature_tags.map((tag) => ({
        key: tag,
        cells: [<Code key="tag">{tag}</Code>, <Wide key="definition">{defined.get(tag) ?? ""}</Wide>],
      }))}
    />
  );
}

function Results({ context, member, path }: MemberProps): JSX.Element {
  const { board, evidence } = context.own;
  const drawn = !context.privateMembers.has(member.id)
    ? evidence.find(({ id, reference }) => id === member.id && reference !== null)
    : undefined;
  const found = board.rows.flatMap((row) => {
    const own = row.by_member.find(({ id }) => id === member.id);
    return own === undefined ? [] : [{ row, own }];
  });
  const shown = found.slice(0, MEMBER_ROWS);
  const passed = found.filter(({ own }) => own.status === "passed").length;
  return (
    <section aria-labelledby="results">
      <h2 id="results">How models did</h2>
      {found.length === 0 ? null : (
        <p>
          Solved by {passed} of {countText(found.length, "model")}.
          {shown.length < found.length
            ? ` The first ${shown.length} of the board are shown; its data has them all.`
            : ""}
        </p>
      )}
      <div class="sheet-wide">
        <DataTable
          caption="Results on this member, in the board's order"
          none="No model has a result in this suite yet."
          columns={[
            { id: "model", title: "Model" },
            { id: "status", title: "Status" },
            ...METRIC_LIST.map(({ id, title }) => ({ id, title, side: "right" as const })),
            ...(drawn === undefined ? [] : [{ id: "sheet", title: "What it made of the sheet" }]),
          ]}
          rows={shown.map(({ row, own }) => ({
            key: row.model,
            cells: [
              <ModelLink key="model" context={context} path={path} row={row} member={member.id} />,
              <span key="status" class={`sheet-status sheet-${own.status}`}>
                {own.status}
              </span>,
              ...METRIC_LIST.map(({ id }) => shareText(own.components[id])),
              ...(drawn === undefined ? [] : [<Made key="sheet" evidence={drawn} row={row} own={own} />]),
            ],
          }))}
        />
      </div>
    </section>
  );
}

interface LinkProps {
  readonly context: SheetContext;
  readonly path: string;
  readonly row: BoardRow;
  readonly member: string;
}

function ModelLink({ context, path, row, member }: LinkProps): JSX.Element {
  const page = context.resultPages.get(row.result.digest);
  return (
    <SheetModel
      model={row.model}
      name={row.name}
      vendors={context.vendors}
      link={page === undefined ? undefined : href(path, `${page}#${memberAnchor(member)}`)}
    />
  );
}

/** Where its cells are drawn, or why they are not. */
function Made({
  evidence,
  row,
  own,
}: {
  readonly evidence: MemberEvidence;
  readonly row: BoardRow;
  readonly own: BoardRow["by_member"][number];
}): JSX.Element {
  const index = evidence.produced.findIndex(({ results }) => results.includes(row.result.digest));
  if (index >= 0) return <a href={`#${madeAnchor(index)}`}>{`reading ${index + 1}`}</a>;
  if (own.status === "failed" || own.status === "skipped") return <span class="none">nothing</span>;
  const right = METRIC_LIST.every(({ id }) => own.components[id] === 1);
  return right ? <>as the reference</> : <span class="none">not drawn</span>;
}

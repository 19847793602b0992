import type { JSX } from "preact";
import type { SuiteMember } from "../../lib/benchmarks/suite-schema.ts";
import type { Grids } from "../../lib/explain/grid.ts";
import type { ProducedEvidence } from "../../lib/explain/member-evidence.ts";
import { CommandLine } from "../ui/command.tsx";
import { Text } from "../ui/text.tsx";
import { madeAnchor } from "./addresses.ts";
import { DifferenceWords } from "./differences.tsx";
import { countText, listText } from "./format.ts";
import { Grid, Legend } from "./grid.tsx";
import type { SheetContext } from "./input.ts";

interface SheetsProps {
  readonly context: SheetContext;
  readonly member: SuiteMember;
  readonly path: string;
}

/** The member's sheets: as the reference takes them, and as recipes that differ from it do. */
export function MemberSheets({ context, member }: SheetsProps): JSX.Element {
  const evidence = context.own.evidence.find(({ id }) => id === member.id);
  if (evidence === undefined || evidence.reference === null)
    return (
      <section aria-labelledby="sheet">
        <h2 id="sheet">The sheet</h2>
        <p>{evidence?.reason ?? "The workbook is not here, so that its sheets cannot be drawn."}</p>
      </section>
    );
  const { produced, omitted } = evidence;
  return (
    <>
      <section aria-labelledby="sheet">
        <h2 id="sheet">The sheet, and what the reference takes</h2>
        <Legend marked={false} />
        <Drawn grids={evidence.reference} who="Reference" />
      </section>
      <section aria-labelledby="made">
        <h2 id="made">What recipes made of it</h2>
        {produced.length === 0 ? (
          <p>No result that is shown here differs from the reference.</p>
        ) : (
          <>
            <p>
              {countText(produced.length, "reading")} other than the reference's, with the cells it comes
              from. Results that made the same of the sheet stand together.
            </p>
            <Legend marked={true} />
            {produced.map((made, index) => (
              <Made key={made.results[0] ?? ""} context={context} member={member} made={made} index={index} />
            ))}
          </>
        )}
        {omitted.length === 0 ? null : (
          <p>
            {countText(omitted.length, "more result")} made something else of it, and{" "}
            {omitted.length === 1 ? "is" : "are"} not drawn here. To see one:{" "}
            <CommandLine command={`npm run bench -- explain <result.json> ${member.id} --html page.html`} />
          </p>
        )}
      </section>
    </>
  );
}

function Made({
  context,
  member,
  made,
  index,
}: {
  readonly context: SheetContext;
  readonly member: SuiteMember;
  readonly made: ProducedEvidence;
  readonly index: number;
}): JSX.Element {
  const names = made.results.map((digest) => modelOf(context, digest));
  const who = listText(names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names);
  const label = `Reading ${index + 1}`;
  const path = context.own.results.find(({ digest }) => digest === made.results[0])?.path;
  return (
    <details class="sheet-made" open={index === 0}>
      <summary>
        <strong>{label}</strong>, by <Text>{who}</Text>
      </summary>
      <div id={madeAnchor(index)}>
        <h3>
          {label}, by <Text>{who}</Text>
        </h3>
        <DifferenceWords explanation={made.explanation} who={label} />
        <Drawn grids={made.grids} who={label} />
        {path === undefined ? null : (
          <p>
            All differences:{" "}
            <CommandLine command={`npm run bench -- explain ${path} ${member.id} --html page.html`} />
          </p>
        )}
      </div>
    </details>
  );
}

function modelOf({ own }: SheetContext, digest: string): string {
  const model = own.results.find((result) => result.digest === digest)?.document.model.id;
  if (model === undefined) return digest;
  return own.board.rows.find((row) => row.model === model)?.name ?? model;
}

const Drawn = ({ grids, who }: { readonly grids: Grids; readonly who: string }): JSX.Element => (
  <>
    {grids.sheets.map((grid) => (
      <Grid key={grid.sheet} grid={grid} who={who} />
    ))}
    {grids.notDrawn.length === 0 ? null : (
      <p class="soft">
        Not drawn: {countText(grids.notDrawn.length, "more sheet")} with values of this member,{" "}
        <Text>{listText(grids.notDrawn)}</Text>.
      </p>
    )}
  </>
);

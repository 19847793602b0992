import type { JSX } from "preact";
import { runCommand, weightText } from "../../lib/benchmarks/method.ts";
import { METRIC_LIST } from "../../lib/benchmarks/metrics.ts";
import { fromDecimal, fromFraction, multiply, roundHalfAway } from "../../lib/benchmarks/rational.ts";
import { explainMember, type MemberExplanation } from "../../lib/explain/explanation.ts";
import { wilsonInterval } from "../../lib/stats/wilson.ts";
import { href } from "../site-info.ts";
import { CommandLine } from "../ui/command.tsx";
import type { Page } from "../ui/document.tsx";
import { Evidence } from "../ui/evidence.tsx";
import { Level } from "../ui/level.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { boardPagePath, METHODOLOGY_PATH, memberAnchor, resultPagePath, suitePagePath } from "./addresses.ts";
import { scoreText, shareText, timeText } from "./format.ts";
import type { SheetContext, SheetResult } from "./input.ts";
import { Digest, To, Trail, vendorOf, Wide } from "./parts.tsx";
import { Provenance } from "./provenance.tsx";
import { ResultMembers } from "./result-member.tsx";

/** The page of one result: scores, what was lost where, everything the document records, and how to check it. */
export function resultPage(context: SheetContext, result: SheetResult): Page {
  const { document, digest } = result;
  const path = resultPagePath(document.suite.id, document.model.id, digest);
  return {
    path,
    title: `${nameOf(context, result)} on ${context.own.board.suite.title}`,
    description: `Composite ${scoreText(document.composite)} (${document.composite_version}), ${document.totals.passed} of ${document.totals.members} sheets solved, finished ${document.finished_at}.`,
    section: "sheet",
    body: <Result context={context} result={result} path={path} />,
  };
}

/** The model's name on the board, else its id. */
export const nameOf = ({ own }: SheetContext, { document }: SheetResult): string =>
  own.board.rows.find(({ model }) => model === document.model.id)?.name ?? document.model.id;

interface ResultProps {
  readonly context: SheetContext;
  readonly result: SheetResult;
  readonly path: string;
}

function Result({ context, result, path }: ResultProps): JSX.Element {
  const { own } = context;
  const { document, digest } = result;
  const members = explained(context, result);
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
        <Text>{nameOf(context, result)}</Text> on <Text>{own.board.suite.title}</Text>
      </h1>
      <StandingNote context={context} result={result} path={path} />
      <p>
        Composite <strong>{scoreText(document.composite)}</strong> ({document.composite_version}),{" "}
        {document.totals.passed} of {document.totals.members} sheets solved, finished{" "}
        {timeText(document.finished_at)}. <RankWords context={context} result={result} path={path} />
      </p>
      <Scores context={context} result={result} />
      <section aria-labelledby="check">
        <h2 id="check">Check it</h2>
        <p>
          The committed document: <Evidence site={context.site} path={result.path} />
        </p>
        <p>
          Its digest: <Digest>{digest}</Digest>
        </p>
        <ul>
          {result.standing.kind === "standing" ? (
            <li>
              From the board back to the evidence:{" "}
              <CommandLine command={`npm run bench -- verify ${digest}`} />
            </li>
          ) : null}
          <li>
            Recompute every score: <CommandLine command={`npm run bench:validate -- ${result.path}`} />
          </li>
          <li>
            See both tables beside each other:{" "}
            <CommandLine command={`npm run bench -- explain ${result.path}`} />
          </li>
          <li>
            Run the model again: <CommandLine command={runCommand(document.suite, document.model.id)} />{" "}
            (model output is not deterministic: another run gives another document)
          </li>
        </ul>
      </section>
      <Lost context={context} members={members} path={path} />
      <Provenance document={document} />
      <ResultMembers context={context} result={result} members={members} path={path} />
      <p class="soft">
        <To from={path} path={METHODOLOGY_PATH}>
          How results are scored, and what they record
        </To>
      </p>
    </>
  );
}

/** Every member of the document that the suite has, in the document's order; of private ones only what may leave. */
function explained({ own, privateMembers }: SheetContext, { document }: SheetResult): MemberExplanation[] {
  const known = new Map(own.suite.members.map((member) => [member.id, member]));
  return document.members.flatMap((claimed) => {
    const member = known.get(claimed.id);
    if (member === undefined) return [];
    const made = explainMember(
      {
        claimed,
        member,
        reference: null,
        produced: null,
        reason: null,
        score: null,
        findings: [],
        textOf: () => null,
        pictures: [],
      },
      own.suite.members.length,
      { rows: 0, openBank: !privateMembers.has(claimed.id) },
    );
    return [made.private ? { ...made, task: "", reason: null, attempts: [], addresses: [] } : made];
  });
}

/** Said above everything else about a result that does not count any more. */
function StandingNote({ context, result, path }: ResultProps): JSX.Element | null {
  const { standing } = result;
  if (standing.kind === "standing") return null;
  if (standing.kind === "withdrawn")
    return (
      <div class="sheet-notice" role="note">
        <p>
          <strong>Withdrawn</strong> on {timeText(standing.withdrawn_at)}: <Text>{standing.reason}</Text>
        </p>
        <p>
          It does not count. The withdrawal: <Evidence site={context.site} path={standing.path} />
        </p>
      </div>
    );
  const page = standing.by === null ? undefined : context.resultPages.get(standing.by);
  return (
    <div class="sheet-notice" role="note">
      <p>
        <strong>Not the newest.</strong> Another result of this model counts instead
        {page === undefined ? "." : <>: {<a href={href(path, page)}>the one on the board</a>}.</>}
      </p>
    </div>
  );
}

/** The rank, and how the model's result before this one did. */
function RankWords({ context, result, path }: ResultProps): JSX.Element | null {
  if (result.standing.kind !== "standing") return null;
  const { rows } = context.own.board;
  const row = rows.find((candidate) => candidate.result.digest === result.digest);
  if (row === undefined) return null;
  const ranked = rows.filter(({ rank }) => rank !== null).length;
  const page = row.previous === null ? undefined : context.resultPages.get(row.previous.digest);
  const before = row.previous === null ? null : `Before it stood at ${scoreText(row.previous.composite)}`;
  return (
    <>
      {row.rank === null
        ? "It has no rank, because the registry of curated models does not list the model."
        : `Rank ${row.rank} of ${ranked}.`}{" "}
      {before === null ? null : page === undefined ? (
        `${before}.`
      ) : (
        <>
          <a href={href(path, page)}>{before}</a>.
        </>
      )}
    </>
  );
}

function Scores({ context, result }: Omit<ResultProps, "path">): JSX.Element {
  const { document } = result;
  const vendor = vendorOf(document.model.id, context.vendors);
  const whole = document.members.length;
  const executed = document.totals.passed + document.totals.partial;
  const exact = document.members.filter(
    ({ metrics }) => metrics.exact_output_match.numerator === metrics.exact_output_match.denominator,
  ).length;
  const counts: Readonly<Record<string, number>> = {
    deterministic_pass_rate: executed,
    exact_output_match: exact,
  };
  return (
    <section aria-labelledby="scores">
      <h2 id="scores">Scores</h2>
      {vendor === null ? null : <p class="soft">A model of {vendor.name}.</p>}
      <DataTable
        caption="Components, their weights, and what each brings to the composite"
        columns={[
          { id: "metric", title: "Component" },
          { id: "value", title: "Value", side: "right" },
          { id: "interval", title: "95% interval", hint: "Wilson's score interval over the members." },
          { id: "weight", title: "Weight", side: "right" },
          { id: "brings", title: "Brings", side: "right" },
          { id: "definition", title: "Definition" },
        ]}
        rows={[
          ...METRIC_LIST.map((metric) => {
            const hits = counts[metric.id];
            const interval = hits === undefined ? null : wilsonInterval(hits, whole);
            const value = document.components[metric.id];
            return {
              key: metric.id,
              cells: [
                metric.title,
                scoreText(value),
                interval === null ? (
                  <span class="none">no count of members</span>
                ) : (
                  `${shareText(interval.low)} to ${shareText(interval.high)} (${hits} of ${whole})`
                ),
                weightText(metric),
                scoreText(roundHalfAway(multiply(fromFraction(metric.weight), fromDecimal(value)), 6)),
                <Wide key="definition">{metric.definition}</Wide>,
              ],
            };
          }),
          {
            key: "composite",
            cells: [
              <strong key="name">Composite</strong>,
              <strong key="value">{scoreText(document.composite)}</strong>,
              "",
              "1.00",
              "",
              <>
                {document.composite_version} <Level level="recomputed" />
              </>,
            ],
          },
        ]}
      />
    </section>
  );
}

/** Where the composite was lost, the most costly member first. */
function Lost({
  context,
  members,
  path,
}: {
  readonly context: SheetContext;
  readonly members: readonly MemberExplanation[];
  readonly path: string;
}): JSX.Element {
  const order = new Map(context.own.suite.members.map(({ id }, index) => [id, index]));
  const sorted = members
    .filter(({ lost }) => lost > 0)
    .sort((a, b) => b.lost - a.lost || (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return (
    <section aria-labelledby="lost">
      <h2 id="lost">What it lost</h2>
      <p>Lost: what the composite would gain if the member were perfect.</p>
      <DataTable
        caption="Members by what they cost the composite, the most first"
        none="Nothing: every member is exactly right."
        columns={[
          { id: "member", title: "Member" },
          { id: "status", title: "Status" },
          { id: "lost", title: "Lost", side: "right" },
          ...METRIC_LIST.map(({ id, title }) => ({ id, title, side: "right" as const })),
        ]}
        rows={sorted.map((member) => ({
          key: member.id,
          cells: [
            <a key="link" href={`#${memberAnchor(member.id)}`}>
              {member.id}
            </a>,
            member.claimed,
            scoreText(member.lost),
            ...member.metrics.map(({ value }) => shareText(value)),
          ],
        }))}
      />
      <p class="soft">
        <To from={path} path={suitePagePath(context.own.suite.id)}>
          All members of the suite
        </To>
      </p>
    </section>
  );
}

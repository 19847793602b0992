import type { JSX } from "preact";
import type { Attempt, Mismatch, ResultMember } from "../../lib/benchmarks/result-schema.ts";
import type { MemberExplanation } from "../../lib/explain/explanation.ts";
import { href } from "../site-info.ts";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { madeAnchor, memberAnchor, memberPagePath } from "./addresses.ts";
import { countText, scoreText, usdText } from "./format.ts";
import type { SheetContext, SheetResult } from "./input.ts";
import { Code, To } from "./parts.tsx";

interface MembersProps {
  readonly context: SheetContext;
  readonly result: SheetResult;
  readonly members: readonly MemberExplanation[];
  readonly path: string;
}

/** Every member of a result, in the document's order. */
export function ResultMembers({ context, result, members, path }: MembersProps): JSX.Element {
  const claimed = new Map(result.document.members.map((member) => [member.id, member]));
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members</h2>
      {members.map((member) => {
        const own = claimed.get(member.id);
        return own === undefined ? null : (
          <Member
            key={member.id}
            context={context}
            path={path}
            explanation={member}
            claimed={own}
            digest={result.digest}
          />
        );
      })}
    </section>
  );
}

interface MemberProps {
  readonly context: SheetContext;
  readonly path: string;
  readonly explanation: MemberExplanation;
  readonly claimed: ResultMember;
  /** Of the result. */
  readonly digest: string;
}

function Member({ context, path, explanation, claimed, digest }: MemberProps): JSX.Element {
  const { id, title } = explanation;
  return (
    <article class="sheet-member" id={memberAnchor(id)} aria-labelledby={`${memberAnchor(id)}-title`}>
      <h3 id={`${memberAnchor(id)}-title`}>
        <To from={path} path={memberPagePath(context.own.suite.id, id)}>
          {id}
        </To>
        : <Text>{title}</Text>
      </h3>
      <p>
        <strong class={`sheet-status sheet-${claimed.status}`}>{claimed.status}</strong>
        {explanation.private
          ? ". The workbook is private: only the status and rounded components are shown."
          : `. ${attemptWords(claimed.attempts)}`}
      </p>
      <details>
        <summary>
          Components, lost {scoreText(explanation.lost)}
          {explanation.private || claimed.mismatches.length === 0
            ? ""
            : `, and ${countText(claimed.mismatches.length, "difference")}`}
        </summary>
        <DataTable
          caption={`Components of ${id}`}
          columns={[
            { id: "metric", title: "Component" },
            { id: "share", title: "Share", side: "right" },
            { id: "value", title: "Value", side: "right" },
            { id: "lost", title: "Lost", side: "right" },
          ]}
          rows={explanation.metrics.map((metric) => ({
            key: metric.id,
            cells: [
              metric.title,
              explanation.private ? "rounded" : metric.fraction,
              scoreText(metric.value),
              scoreText(metric.lost),
            ],
          }))}
        />
        {explanation.private ? null : (
          <Open context={context} path={path} claimed={claimed} digest={digest} />
        )}
      </details>
    </article>
  );
}

const attemptWords = (attempts: readonly Attempt[]): string =>
  attempts.length === 0
    ? "It was not asked."
    : `Asked ${attempts.length === 1 ? "once" : `${attempts.length} times`}: ${attempts
        .map(
          ({ kind, outcome }) =>
            `${kind === "initial" ? "first answer" : "revision"} ${outcome.replaceAll("_", " ")}`,
        )
        .join(", ")}.`;

/** What a member says whose workbook may be shown. */
function Open({ context, path, claimed, digest }: Omit<MemberProps, "explanation">): JSX.Element {
  const { id, reason, attempts, mismatches } = claimed;
  const made = context.own.evidence.find((evidence) => evidence.id === id);
  const drawn = made?.produced.findIndex(({ results }) => results.includes(digest)) ?? -1;
  return (
    <>
      {reason === null ? null : (
        <p>
          <Code>{reason.code}</Code>, by the {reason.fault}: <Text>{reason.message}</Text>
        </p>
      )}
      {attempts.length === 0 ? null : (
        <DataTable
          caption={`Attempts at ${id}, as declared`}
          columns={[
            { id: "kind", title: "Attempt" },
            { id: "outcome", title: "Outcome" },
            { id: "time", title: "Took", side: "right" },
            { id: "tokens", title: "Tokens, prompt and completion", side: "right" },
            { id: "cost", title: "Cost", side: "right" },
            { id: "told", title: "What it was told" },
          ]}
          rows={attempts.map((attempt, index) => ({
            key: String(index),
            cells: [
              attempt.kind,
              attempt.outcome.replaceAll("_", " "),
              `${(attempt.duration_ms / 1000).toFixed(1)} s`,
              attempt.usage === null
                ? "unknown"
                : `${attempt.usage.prompt_tokens} + ${attempt.usage.completion_tokens}`,
              attempt.cost_usd === null ? "unknown" : usdText(attempt.cost_usd),
              attempt.findings.length === 0 ? (
                <span class="none">nothing</span>
              ) : (
                <ul class="sheet-plain">
                  {attempt.findings.map((finding) => (
                    <li key={`${finding.code}${finding.pointer ?? ""}${finding.message}`}>
                      <Code>{finding.code}</Code> <Text>{finding.message}</Text>
                    </li>
                  ))}
                </ul>
              ),
            ],
          }))}
        />
      )}
      {mismatches.length === 0 ? null : <Mismatches id={id} mismatches={mismatches} />}
      {made === undefined || drawn < 0 ? null : (
        <p>
          <a href={href(path, `${memberPagePath(context.own.suite.id, id)}#${madeAnchor(drawn)}`)}>
            The sheet, with what this recipe made of it
          </a>
        </p>
      )}
    </>
  );
}

const Mismatches = ({
  id,
  mismatches,
}: {
  readonly id: string;
  readonly mismatches: readonly Mismatch[];
}): JSX.Element => (
  <DataTable
    caption={`Some of what differs in ${id}: at most 20 rows, they replace no metric`}
    columns={[
      { id: "kind", title: "Kind" },
      { id: "address", title: "Value cell" },
      { id: "row", title: "Row", side: "right" },
      { id: "column", title: "Column" },
      { id: "expected", title: "Reference" },
      { id: "actual", title: "Produced" },
    ]}
    rows={mismatches.map((row, index) => ({
      key: String(index),
      cells: [
        row.kind.replaceAll("-", " "),
        row.address === null ? "" : <Code>{row.address}</Code>,
        row.row === null ? "" : String(row.row),
        row.column === null ? "" : <Text>{row.column}</Text>,
        row.expected === null ? <span class="none">none</span> : <Code>{row.expected}</Code>,
        row.actual === null ? <span class="none">none</span> : <Code>{row.actual}</Code>,
      ],
    }))}
  />
);

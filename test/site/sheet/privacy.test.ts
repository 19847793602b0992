import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ResultMember } from "../../../src/lib/benchmarks/result-schema.ts";
import type { SuiteMember } from "../../../src/lib/benchmarks/suite-schema.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import type { MemberEvidence } from "../../../src/lib/explain/member-evidence.ts";
import { sheetData, sheetPages } from "../../../src/site/sheet/pages.ts";
import { NO_FRAME, renderDocument } from "../../../src/site/ui/document.tsx";
import { readFixture, type Staged, stage, unstage } from "./stage.ts";

const CANARY = "canary-6d1f";
/** Counts that nothing else on a page has. */
const COUNT = 7300019;
const PART = 4111337;

let staged: Staged;
beforeAll(async () => {
  staged = await stage([readFixture("gold-baseline-result.json")]);
});
afterAll(() => unstage(staged));

/** Every text a canary, every count one that would stand out; only what makes the member what it is stays. */
const planted = (member: ResultMember): ResultMember => ({
  ...member,
  reason: { fault: "model", code: `${CANARY}-code`, message: `${CANARY}-reason` },
  attempts: member.attempts.map((attempt) => ({
    ...attempt,
    duration_ms: COUNT,
    usage: { prompt_tokens: COUNT, completion_tokens: COUNT },
    cost_usd: COUNT,
    generation_id: `${CANARY}-generation`,
    finish_reason: `${CANARY}-finish`,
    findings: [{ code: `${CANARY}-f`, severity: "error" as const, message: `${CANARY}-m`, pointer: CANARY }],
  })),
  recipe: { version: 1, note: `${CANARY}-recipe` },
  output: member.output === null ? null : { ...member.output, rows: COUNT, columns: COUNT },
  metrics: {
    ...member.metrics,
    cell_match_rate: { numerator: PART, denominator: COUNT, matched: PART, union: COUNT },
    header_accuracy: { numerator: PART, denominator: COUNT, matched: PART, total: COUNT },
  },
  mismatches: [
    {
      kind: "cell",
      address: `${CANARY}!R1C1`,
      row: COUNT,
      column: `${CANARY}-column`,
      expected: `${CANARY}-expected`,
      actual: `${CANARY}-actual`,
    },
  ],
});
const plantedMember = (member: SuiteMember): SuiteMember => ({
  ...member,
  task: `${CANARY}-task`,
  checked_by: `${CANARY}-checked`,
  derived_from: `${CANARY}-derived`,
  workbook: { sha256: digestOf(CANARY), bytes: COUNT },
  reference: { sha256: digestOf(CANARY), rows: COUNT, columns: COUNT },
});

/** Everything that would be uploaded, with canaries in the members that the test chooses. */
function published(chosen: (id: string) => boolean): string {
  const suites = staged.suites.map((own) => {
    const [drawn] = own.evidence;
    // As if somebody had drawn a private member by mistake.
    const mistaken = own.suite.members.flatMap(({ id }): MemberEvidence[] =>
      drawn === undefined || !chosen(id) ? [] : [{ ...drawn, id, reason: `${CANARY}-drawn` }],
    );
    return {
      ...own,
      evidence: [...own.evidence.filter(({ id }) => !chosen(id)), ...mistaken],
      suite: {
        ...own.suite,
        members: own.suite.members.map((member) => (chosen(member.id) ? plantedMember(member) : member)),
      },
      results: own.results.map((result) => ({
        ...result,
        document: {
          ...result.document,
          members: result.document.members.map((member) => (chosen(member.id) ? planted(member) : member)),
        },
      })),
    };
  });
  const input = { ...staged.input, suites };
  return [
    ...sheetPages(input).map((page) => renderDocument(page, input.site, NO_FRAME)),
    ...sheetData(input).map(({ data }) => data),
  ].join("\n");
}

const privateIds = (): Set<string> =>
  new Set(
    staged.suites.flatMap(({ board }) =>
      board.members.flatMap((member) => (member.private ? [member.id] : [])),
    ),
  );

describe("nothing of a private member but status and rounded components", () => {
  it("is on any page or in any data beside them", () => {
    const hidden = privateIds();
    expect(hidden.size).toBeGreaterThanOrEqual(12);
    const text = published((id) => hidden.has(id));
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(digestOf(CANARY));
    expect(text).not.toContain(String(COUNT));
    expect(text).not.toContain(String(PART));
    // The share itself is shown, rounded.
    expect(text).toContain((PART / COUNT).toFixed(6));
  });

  it("though the same of members that may be shown is there", () => {
    const hidden = privateIds();
    const text = published((id) => !hidden.has(id));
    for (const said of ["task", "reason", "expected", "actual", "column", "checked", "m"])
      expect(text).toContain(`${CANARY}-${said}`);
    expect(text).toContain(digestOf(CANARY));
    expect(text).toContain(`${PART} of ${COUNT}`);
  });

  it("and no sheet of one is drawn", () => {
    const hidden = privateIds();
    for (const { evidence } of staged.suites)
      for (const { id } of evidence) expect(hidden.has(id), id).toBe(false);
  });
});

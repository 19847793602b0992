import type { FileSource } from "../io/files.ts";
import { compareExecutions } from "../lib/benchmarks/compare.ts";
import { zeroMetrics } from "../lib/benchmarks/metrics.ts";
import { isPrivateMember } from "../lib/benchmarks/privacy.ts";
import { readResult } from "../lib/benchmarks/result.ts";
import type { ResultMember } from "../lib/benchmarks/result-schema.ts";
import type { SuiteMember } from "../lib/benchmarks/suite-schema.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { cellText } from "../lib/explain/cell-text.ts";
import {
  type ExplainOptions,
  type Explanation,
  explainMember,
  explainResult,
  type MemberExplanation,
  type MemberInput,
} from "../lib/explain/explanation.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { defaultRegion, layoutPicture } from "../lib/picture/layout.ts";
import { rolesOf } from "../lib/picture/roles.ts";
import { renderSvg } from "../lib/picture/svg.ts";
import { checkRecipe, parseRecipe } from "../lib/sheet/check.ts";
import { displayedText } from "../lib/sheet/display.ts";
import { executeRecipe } from "../lib/sheet/execute.ts";
import type { Range } from "../lib/sheet/model.ts";
import type { Execution } from "../lib/sheet/output.ts";
import { type AvailableMember, type LoadedSuite, loadSuite } from "./load-suite.ts";

export interface ExplainRequest extends ExplainOptions {
  /** The repository with suites and, when staged, bank workbooks. */
  readonly root: string | FileSource;
  /** The result document. */
  readonly bytes: Uint8Array;
  /** How findings name it. */
  readonly label: string;
  /** Only this member; all, when it is absent. */
  readonly member?: string;
  /** Draw the sheets as well. */
  readonly pictures: boolean;
}

/**
 * Explains a result: every final recipe is executed here and laid beside the reference. A document whose claims break
 * rules is explained all the same; one that cannot be read, or whose suite or member is not there, is a finding.
 */
export async function explainDocument(request: ExplainRequest): Promise<Outcome<Explanation>> {
  const read = readResult(request.bytes, null, request.label);
  if (!read.ok) return read;
  const { document } = read.value;
  const loaded = await loadSuite(
    request.root,
    document.suite.id,
    request.openBank === undefined ? {} : { openBank: request.openBank },
  );
  if (!loaded.ok) return loaded;
  const { suite, openBank } = loaded.value;
  const problem = (code: string, message: string, more: Partial<Finding>): Outcome<Explanation> => ({
    ok: false,
    findings: [{ code, severity: "error", path: request.label, message, ...more }],
  });
  if (suite.digest !== document.suite.digest)
    return problem(
      "explain-other-suite",
      "The result is about another version of the suite than the one here.",
      {
        pointer: "/suite/digest",
        expected: suite.digest,
        actual: document.suite.digest,
      },
    );
  const wanted = suite.members.filter(({ id }) => request.member === undefined || id === request.member);
  const chosen = wanted.flatMap((member) => {
    const claimed = document.members.find(({ id }) => id === member.id);
    return claimed === undefined ? [] : [{ member, claimed }];
  });
  if (chosen.length === 0)
    return problem("explain-unknown-member", "Suite and result have no such member in common.", {
      actual: request.member ?? "",
      hint: `Members: ${suite.members.map(({ id }) => id).join(", ")}.`,
    });
  const members: MemberExplanation[] = [];
  for (const { member, claimed } of chosen) {
    const input = await memberInput(member, claimed, loaded.value, request);
    members.push(explainMember(input, suite.members.length, { ...request, openBank }));
  }
  return { ok: true, value: explainResult(document, members), findings: [] };
}

async function memberInput(
  member: SuiteMember,
  claimed: ResultMember,
  loaded: LoadedSuite,
  request: ExplainRequest,
): Promise<MemberInput> {
  const nothing: Omit<MemberInput, "reason" | "score"> = {
    claimed,
    member,
    reference: null,
    produced: null,
    findings: [],
    textOf: () => null,
    pictures: [],
  };
  if (claimed.recipe === null) {
    const status = claimed.status === "skipped" ? "skipped" : "failed";
    return { ...nothing, reason: null, score: { status, metrics: zeroMetrics() } };
  }
  const ready = await loaded.member(member.id);
  if (!ready.available) return { ...nothing, reason: ready.reason, findings: ready.findings, score: null };
  const executed = executeProduced(claimed.recipe, ready);
  if (!executed.ok) {
    const { status, metrics } = compareExecutions(ready.reference, null);
    return {
      ...nothing,
      reason: "The recipe does not execute here.",
      findings: executed.findings,
      score: { status, metrics },
    };
  }
  const produced = executed.value;
  const { status, metrics } = compareExecutions(ready.reference, produced, member.reference.sha256);
  // What may not be shown is not even drawn.
  const shown = request.pictures && !isPrivateMember(member, loaded);
  return {
    ...nothing,
    reference: ready.reference,
    produced,
    reason: null,
    score: { status, metrics },
    textOf: (address) => cellText(ready.workbook, address),
    pictures: shown ? picturesOf(ready, produced) : [],
  };
}

/** Executes a recipe as a result document holds it; findings say why it does not execute. */
export function executeProduced(
  recipe: Record<string, unknown>,
  { workbook }: Pick<AvailableMember, "workbook">,
): Outcome<Execution> {
  const parsed = parseRecipe(canonicalJson(recipe));
  if (!parsed.ok) return parsed;
  const checked = checkRecipe(parsed.value, workbook);
  return hasErrors(checked) ? { ok: false, findings: checked } : executeRecipe(workbook, parsed.value);
}

/** Most rows and columns of a picture on a page. */
const PICTURE = { maxRows: 40, maxColumns: 16 };

/** The sheet with the reference's first value, once as the reference takes it and once as the recipe does. */
function picturesOf(
  { workbook, reference }: AvailableMember,
  produced: Execution,
): MemberExplanation["pictures"] {
  const first = reference.valueTrace[0] ?? produced.valueTrace[0];
  const name = first?.slice(0, first.lastIndexOf("!"));
  const sheet = workbook.sheets.find((candidate) => candidate.name === name);
  if (sheet === undefined) return [];
  const sides = [
    { title: `What the reference takes from sheet ${sheet.name}`, roles: rolesOf(reference, sheet.name) },
    { title: `What this recipe takes from sheet ${sheet.name}`, roles: rolesOf(produced, sheet.name) },
  ];
  // Both show the same part of the sheet, so that an eye can go from one to the other.
  const region = sides.map(({ roles }) => defaultRegion(sheet, roles)).reduce(union);
  const textOf = (cell: Parameters<typeof displayedText>[0]) => displayedText(cell, workbook.date1904);
  return sides.map(({ title, roles }) => ({
    title,
    svg: renderSvg(layoutPicture(sheet, region, roles, { ...PICTURE, textOf })),
  }));
}

const union = (a: Range, b: Range): Range => ({
  top: Math.min(a.top, b.top),
  left: Math.min(a.left, b.left),
  bottom: Math.max(a.bottom, b.bottom),
  right: Math.max(a.right, b.right),
});

import { compareExecutions, type MemberScore } from "../lib/benchmarks/compare.ts";
import { componentsOf, compositeOf } from "../lib/benchmarks/composite.ts";
import { METRIC_LIST, zeroMetrics } from "../lib/benchmarks/metrics.ts";
import {
  documentMismatches,
  isPrivateMember,
  type PrivacyOptions,
  redactFinding,
  roundedMetrics,
} from "../lib/benchmarks/privacy.ts";
import { resultPath } from "../lib/benchmarks/result-path.ts";
import type {
  Components,
  MemberMetrics,
  Mismatch,
  ResultDocument,
  ResultMember,
  Status,
} from "../lib/benchmarks/result-schema.ts";
import { resultAgainstSuite } from "../lib/benchmarks/result-suite-rules.ts";
import type { Suite, SuiteMember } from "../lib/benchmarks/suite-schema.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { digestOf } from "../lib/digest.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import { canonicalRecipe } from "../lib/sheet/canonical-recipe.ts";
import { checkRecipe, parseRecipe } from "../lib/sheet/check.ts";
import { executeRecipe } from "../lib/sheet/execute.ts";
import type { AvailableMember, LoadedSuite } from "./load-suite.ts";

export {
  type AvailableMember,
  type LoadedSuite,
  type LoadOptions,
  loadSuite,
  type UnavailableMember,
} from "./load-suite.ts";

export interface RecomputedMember {
  readonly id: string;
  /** `unverified`: this grader cannot execute the member (its workbook is not here, or the suite does not hold). */
  readonly status: Status | "unverified";
  readonly metrics: MemberMetrics | null;
  /** As a result document may carry them: rows of private members hold addresses only. */
  readonly mismatches: readonly Mismatch[];
  readonly output: MemberScore["output"];
  readonly findings: readonly Finding[];
}

export interface Recomputed {
  /** In the suite's order; one per suite member that the document lists. */
  readonly members: readonly RecomputedMember[];
  /** Null while a member is unverified, or when the document does not list exactly the suite's members. */
  readonly components: Components | null;
  readonly composite: number | null;
  /** Rules against the suite, then each member's findings, then those about components and composite. */
  readonly findings: readonly Finding[];
}

export interface RecomputeOptions extends PrivacyOptions {
  /** The file that findings name; by default the place where the document belongs. */
  readonly path?: string;
}

/** What a recomputation in parts may leave to others. */
export interface MemberOptions extends RecomputeOptions {
  /** Only members of this set are recomputed; all, when it is absent. */
  readonly only?: ReadonlySet<string>;
}

/**
 * Executes every final recipe of a result document on the suite's own workbooks and compares each claimed number with
 * what that gives: status, output, five metrics with their counts, mismatch sample, components, composite. A claim
 * that differs is a `score-…` error. Findings have pointers into the document; `placeFindings` adds positions.
 */
export async function recomputeResult(
  document: ResultDocument,
  loaded: LoadedSuite,
  options: RecomputeOptions = {},
): Promise<Recomputed> {
  return concludeResult(document, loaded.suite, await recomputeMembers(document, loaded, options), options);
}

/** The members of `recomputeResult`, or some of them: several machines can share the work. */
export async function recomputeMembers(
  document: ResultDocument,
  loaded: LoadedSuite,
  options: MemberOptions = {},
): Promise<RecomputedMember[]> {
  const path = options.path ?? resultPath(document);
  const members: RecomputedMember[] = [];
  for (const member of loaded.suite.members) {
    if (options.only?.has(member.id) === false) continue;
    const index = document.members.findIndex(({ id }) => id === member.id);
    const claimed = document.members[index];
    if (claimed !== undefined)
      members.push(await recomputeMember(claimed, `/members/${index}`, member, loaded, path, options));
  }
  return members;
}

/** What follows from recomputed members, in the suite's order: rules against the suite, components, composite. */
export function concludeResult(
  document: ResultDocument,
  suite: Suite,
  members: readonly RecomputedMember[],
  options: RecomputeOptions = {},
): Recomputed {
  const path = options.path ?? resultPath(document);
  const structural = resultAgainstSuite(document, suite, path);
  const scored = members.flatMap(({ metrics }) => (metrics === null ? [] : [{ metrics }]));
  const complete = scored.length === suite.members.length && document.members.length === suite.members.length;
  const components = complete ? componentsOf(scored) : null;
  const composite = complete ? compositeOf(scored) : null;
  return {
    members,
    components,
    composite,
    findings: [
      ...structural,
      ...referenceFindings(
        document,
        members.flatMap(({ findings }) => findings),
      ),
      ...scoreFindings(document, components, composite, path),
    ],
  };
}

async function recomputeMember(
  claimed: ResultMember,
  pointer: string,
  member: SuiteMember,
  loaded: LoadedSuite,
  path: string,
  options: PrivacyOptions,
): Promise<RecomputedMember> {
  const finding = (code: string, at: string, message: string, more: Partial<Finding> = {}): Finding => ({
    code,
    severity: "error",
    message,
    path,
    pointer: `${pointer}${at}`,
    ...more,
  });
  if (claimed.recipe === null) {
    // Nothing to execute: failed and skipped members are worth zero, whatever their workbook holds.
    const status = claimed.status === "skipped" ? "skipped" : "failed";
    const score: Scored = { status, metrics: zeroMetrics(), mismatches: [], output: null };
    return { id: claimed.id, ...score, findings: claimFindings(claimed, score, finding, false) };
  }
  const privacy = { openBank: options.openBank ?? loaded.openBank };
  const hidden = isPrivateMember(member, privacy);
  const ready = await loaded.member(member.id);
  if (!ready.available) {
    const unverified = finding("score-unverified", "", `Member ${member.id} cannot be recomputed here.`, {
      severity: "warning",
      actual: ready.reason,
    });
    return {
      id: claimed.id,
      status: "unverified",
      metrics: null,
      mismatches: [],
      output: null,
      findings:
        ready.findings.length === 0
          ? [unverified]
          : hidden
            ? ready.findings.map(redactFinding)
            : ready.findings,
    };
  }
  const { score, findings, asReference } = executeClaim(claimed.recipe, member, ready);
  const fault = findings.find(({ code }) => code === "recipe-engine-fault");
  if (fault !== undefined)
    // What our engine could not do says nothing about the recipe: no score, and no claim to compare with it.
    return {
      id: claimed.id,
      status: "unverified",
      metrics: null,
      mismatches: [],
      output: null,
      findings: [
        finding("grader-engine-fault", "/recipe", `Member ${member.id}: the recipe engine failed.`, {
          ...(hidden || fault.actual === undefined ? {} : { actual: fault.actual }),
          hint: "This is a defect of the engine, not of the recipe: report it with this document.",
        }),
      ],
    };
  const recipeFindings = findings.map((found) => {
    const { line: _line, column: _column, ...rest } = found;
    const placed = { ...rest, path, pointer: `${pointer}/recipe${found.pointer ?? ""}` };
    return hidden ? redactFinding(placed) : placed;
  });
  const shown = { ...score, mismatches: documentMismatches(member, score.mismatches, privacy) };
  // A run keeps a bank member's rows to addresses even where the bank is open to whoever grades it.
  const asClaimed = { ...score, mismatches: documentMismatches(member, score.mismatches) };
  return {
    id: claimed.id,
    ...shown,
    findings: [
      ...recipeFindings,
      ...claimFindings(claimed, asClaimed, finding, hidden),
      ...(asReference ? [finding(AS_REFERENCE, "/recipe", AS_REFERENCE_WORDS, { severity: "notice" })] : []),
    ],
  };
}

const AS_REFERENCE = "score-reference-recipe";
const AS_REFERENCE_WORDS = "This recipe says exactly what the suite's own reference recipe says.";
/** A plain table leaves little choice: honest runs write a few recipes exactly as the suite's authors did. */
const MAX_AS_REFERENCE = 3;

/** A recipe in its one spelling: writing a default out does not make another recipe. */
const spelling = (recipe: unknown): string => canonicalJson(canonicalRecipe(recipe));

/**
 * F59: reference recipes are committed where everybody can read them. That more than three members, and more than two
 * thirds of those executed, have exactly them is for a person to judge; fewer are no news.
 */
function referenceFindings(document: ResultDocument, found: readonly Finding[]): Finding[] {
  const copies = found.filter(({ code }) => code === AS_REFERENCE);
  const others = found.filter(({ code }) => code !== AS_REFERENCE);
  const executed = document.members.filter(({ recipe }) => recipe !== null).length;
  const [first] = copies;
  if (first === undefined || copies.length <= MAX_AS_REFERENCE || copies.length * 3 <= executed * 2)
    return others;
  return [
    ...others,
    {
      ...first,
      code: "score-reference-recipes",
      severity: "warning",
      message: `${copies.length} of ${executed} recipes say exactly what the suite's own reference recipes say.`,
      hint: "Explain in the pull request how the model came to them; a maintainer decides.",
    },
  ];
}

/** A member's score, whatever its status. */
type Scored = Omit<MemberScore, "status"> & { readonly status: Status };

interface ExecutedClaim {
  readonly score: MemberScore;
  readonly findings: readonly Finding[];
  /** The recipe says exactly what the reference recipe says. */
  readonly asReference: boolean;
}

/** Scores of recipes already executed in this process, by the digests of everything that decides them. */
const executedClaims = new Map<string, ExecutedClaim>();
const MAX_EXECUTED_CLAIMS = 2000;

function executeClaim(
  recipe: Record<string, unknown>,
  member: SuiteMember,
  ready: AvailableMember,
): ExecutedClaim {
  const text = canonicalJson(recipe);
  const key = [member.workbook.sha256, member.recipe.sha256, member.reference.sha256, digestOf(text)].join(
    " ",
  );
  const known = executedClaims.get(key);
  if (known !== undefined) return known;
  const executed = execute(text, ready, member.reference.sha256);
  const oldest = executedClaims.keys().next();
  if (executedClaims.size >= MAX_EXECUTED_CLAIMS && oldest.done !== true) executedClaims.delete(oldest.value);
  executedClaims.set(key, executed);
  return executed;
}

function execute(text: string, ready: AvailableMember, referenceDigest: string): ExecutedClaim {
  const failed = (findings: readonly Finding[]): ExecutedClaim => ({
    score: compareExecutions(ready.reference, null),
    findings,
    asReference: false,
  });
  const recipe = parseRecipe(text);
  if (!recipe.ok) return failed(recipe.findings);
  const checked = checkRecipe(recipe.value, ready.workbook);
  if (hasErrors(checked)) return failed(checked);
  const execution = executeRecipe(ready.workbook, recipe.value);
  if (!execution.ok) return failed(execution.findings);
  return {
    score: compareExecutions(ready.reference, execution.value, referenceDigest),
    findings: [],
    asReference: spelling(recipe.value) === spelling(ready.recipe),
  };
}

type FindingMaker = (code: string, at: string, message: string, more?: Partial<Finding>) => Finding;

/** Every claim about a member that is not what recomputation gave. */
function claimFindings(
  claimed: ResultMember,
  score: Scored,
  finding: FindingMaker,
  hidden: boolean,
): Finding[] {
  const differs = (
    code: string,
    at: string,
    message: string,
    expected: unknown,
    actual: unknown,
  ): Finding[] => {
    const [right, claim] = [canonicalJson(expected), canonicalJson(actual)];
    if (right === claim) return [];
    return [finding(code, at, message, hidden ? {} : { expected: right, actual: claim })];
  };
  const { id } = claimed;
  const status = differs(
    "score-status",
    "/status",
    `Member ${id}: recomputing gives another status.`,
    score.status,
    claimed.status,
  ).map((found) => ({ ...found, expected: score.status, actual: claimed.status }));
  const rounded = { right: roundedMetrics(score.metrics), claim: roundedMetrics(claimed.metrics) };
  const metrics = METRIC_LIST.flatMap((metric) =>
    differs(
      "score-metric",
      `/metrics/${metric.id}`,
      `Member ${id}: recomputing gives another ${metric.title.toLowerCase()}.`,
      score.metrics[metric.id],
      claimed.metrics[metric.id],
    ).map((found) =>
      hidden
        ? {
            ...found,
            expected: fractionText(rounded.right[metric.id]),
            actual: fractionText(rounded.claim[metric.id]),
          }
        : found,
    ),
  );
  return [
    ...status,
    ...differs(
      "score-output",
      "/output",
      `Member ${id}: the recipe gives another table.`,
      score.output,
      claimed.output,
    ),
    ...metrics,
    ...differs(
      "score-mismatches",
      "/mismatches",
      `Member ${id}: recomputing gives other mismatch rows.`,
      score.mismatches,
      claimed.mismatches,
    ),
  ];
}

const fractionText = ({ numerator, denominator }: { numerator: number; denominator: number }): string =>
  String(numerator / denominator);

function scoreFindings(
  document: ResultDocument,
  components: Components | null,
  composite: number | null,
  path: string,
): Finding[] {
  if (components === null || composite === null) return [];
  const differs = (code: string, pointer: string, what: string, right: number, claim: number): Finding[] =>
    right === claim
      ? []
      : [
          {
            code,
            severity: "error",
            message: `${what}: recomputing gives another number.`,
            path,
            pointer,
            expected: String(right),
            actual: String(claim),
          },
        ];
  return [
    ...METRIC_LIST.flatMap(({ id, title }) =>
      differs("score-component", `/components/${id}`, title, components[id], document.components[id]),
    ),
    ...differs("score-composite", "/composite", "Composite", composite, document.composite),
  ];
}

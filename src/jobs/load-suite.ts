import { type FileSource, folderSource } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { readWorkbook } from "../io/xlsx/read.ts";
import { isPrivateMember, redactFinding } from "../lib/benchmarks/privacy.ts";
import {
  bankWorkbookPath,
  memberFile,
  parseSuite,
  suitePath,
  vocabularyFindings,
} from "../lib/benchmarks/suite.ts";
import type { Suite, SuiteMember } from "../lib/benchmarks/suite-schema.ts";
import { parseVocabulary, VOCABULARY_PATH, type Vocabulary } from "../lib/benchmarks/vocabulary.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { checkRecipe, parseRecipe } from "../lib/sheet/check.ts";
import { canonicalCsv } from "../lib/sheet/csv.ts";
import { executeRecipe } from "../lib/sheet/execute.ts";
import type { Workbook } from "../lib/sheet/model.ts";
import type { Execution } from "../lib/sheet/output.ts";
import type { Recipe } from "../lib/sheet/recipe-schema.ts";
import { bankFiles, readBankPolicy } from "./vault.ts";

/** A member whose every digest held: its workbook, reference recipe, and what executing that gives. */
export interface AvailableMember {
  readonly available: true;
  readonly workbook: Workbook;
  readonly recipe: Recipe;
  readonly reference: Execution;
}

/** A member that cannot be recomputed here. */
export interface UnavailableMember {
  readonly available: false;
  readonly reason: string;
  /** Empty when a bank workbook is simply not staged; errors when the frozen suite does not hold. */
  readonly findings: Finding[];
}

export interface LoadedSuite {
  readonly suite: Suite;
  readonly vocabulary: Vocabulary;
  /** Whether details of bank members may be shown here. */
  readonly openBank: boolean;
  /** Reads, verifies and executes a member once; later calls give the same promise. */
  member(id: string): Promise<AvailableMember | UnavailableMember>;
}

export interface LoadOptions {
  /** Where bank workbooks are looked up; by default in the vault, or without one in the suite's own source. */
  readonly bank?: string | FileSource;
  /** Whether details of bank members may be shown; by default as the suite's own source says (`policy.json`). */
  readonly openBank?: boolean;
}

const sourceOf = (root: string | FileSource): FileSource =>
  typeof root === "string" ? folderSource(root) : root;

const problem = (code: string, path: string, message: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: "error",
  path,
  message,
  ...more,
});

/**
 * Loads a frozen suite from a folder or any other source of files: the manifest with its digest, and the vocabulary
 * it was frozen with. Members are read when asked for.
 */
export async function loadSuite(
  root: string | FileSource,
  id: string,
  options: LoadOptions = {},
): Promise<Outcome<LoadedSuite>> {
  const source = sourceOf(root);
  const path = suitePath(id);
  const bytes = await source(path);
  if (bytes === null)
    return {
      ok: false,
      findings: [
        problem("suite-unknown", path, `There is no suite ${id}.`, {
          hint: "Suites are the files in benchmarks/suites/.",
        }),
      ],
    };
  const parsed = parseSuite(bytes, path);
  if (!parsed.ok) return parsed;
  const suite = parsed.value;
  const vocabulary = await loadVocabulary(source, suite);
  if (!vocabulary.ok) return vocabulary;
  const findings = [...parsed.findings, ...vocabularyFindings(suite, vocabulary.value, path)];
  if (hasErrors(findings)) return { ok: false, findings };
  const policy = await readBankPolicy(source);
  if (!policy.ok) return policy;
  const openBank = options.openBank ?? policy.value.open;
  const bank = options.bank === undefined ? bankFiles(source) : sourceOf(options.bank);
  const members = new Map<string, Promise<AvailableMember | UnavailableMember>>();
  const member = (memberId: string): Promise<AvailableMember | UnavailableMember> => {
    const known = members.get(memberId);
    if (known !== undefined) return known;
    const entry = suite.members.find((candidate) => candidate.id === memberId);
    const loading =
      entry === undefined
        ? Promise.resolve(
            broken([problem("suite-unknown-member", path, `The suite has no member ${memberId}.`)]),
          )
        : loadMember(source, bank, entry, openBank);
    members.set(memberId, loading);
    return loading;
  };
  return { ok: true, value: { suite, vocabulary: vocabulary.value, openBank, member }, findings };
}

async function loadVocabulary(source: FileSource, suite: Suite): Promise<Outcome<Vocabulary>> {
  const bytes = await source(VOCABULARY_PATH);
  if (bytes === null)
    return {
      ok: false,
      findings: [problem("vocabulary-missing", VOCABULARY_PATH, "The vocabulary is missing.")],
    };
  const digest = fastDigest(bytes);
  if (digest !== suite.vocabulary)
    return {
      ok: false,
      findings: [
        problem(
          "suite-vocabulary",
          VOCABULARY_PATH,
          `The suite ${suite.id} was frozen with another vocabulary.`,
          {
            expected: suite.vocabulary,
            actual: digest,
          },
        ),
      ],
    };
  return parseVocabulary(bytes);
}

const broken = (findings: Finding[]): UnavailableMember => ({
  available: false,
  reason: "The frozen suite does not hold.",
  findings,
});

async function loadMember(
  source: FileSource,
  bank: FileSource,
  member: SuiteMember,
  openBank: boolean,
): Promise<AvailableMember | UnavailableMember> {
  const isBank = member.source_kind === "bank_asset";
  const recipePath = memberFile(member.id, "recipe.json");
  const workbookPath = isBank
    ? bankWorkbookPath(member.workbook.sha256)
    : memberFile(member.id, "workbook.xlsx");
  const recipeBytes = await source(recipePath);
  const recipeFindings = pinned(recipeBytes, recipePath, member.recipe.sha256, "suite-recipe-digest");
  if (recipeBytes === null || recipeFindings.length > 0) return broken(recipeFindings);

  const workbookBytes = await (isBank ? bank : source)(workbookPath);
  if (workbookBytes === null && isBank)
    return {
      available: false,
      reason: `The bank workbook ${member.workbook.sha256} is not staged here (npm run bench:bank -- stage <folder>).`,
      findings: [],
    };
  const workbookFindings = pinned(
    workbookBytes,
    workbookPath,
    member.workbook.sha256,
    "suite-workbook-digest",
  );
  if (workbookBytes === null || workbookFindings.length > 0) return broken(workbookFindings);
  if (workbookBytes.length !== member.workbook.bytes)
    return broken([
      problem("suite-workbook-bytes", workbookPath, "The workbook's size is not the one in the manifest.", {
        expected: String(member.workbook.bytes),
        actual: String(workbookBytes.length),
      }),
    ]);
  if (!isBank) {
    const csvPath = memberFile(member.id, "reference.csv");
    const csvFindings = pinned(
      await source(csvPath),
      csvPath,
      member.reference.sha256,
      "suite-reference-digest",
    );
    if (csvFindings.length > 0) return broken(csvFindings);
  }
  const executed = await executeReference(recipeBytes, recipePath, workbookBytes, workbookPath);
  // From here on findings can quote the workbook.
  const told = (findings: Finding[]): Finding[] =>
    isPrivateMember(member, { openBank }) ? findings.map(redactFinding) : findings;
  if (!executed.ok) return broken(told(executed.findings));
  const mismatch = referenceFindings(executed.value.reference, member, recipePath);
  return mismatch.length > 0 ? broken(told(mismatch)) : { available: true, ...executed.value };
}

function pinned(bytes: Uint8Array | null, path: string, digest: string, code: string): Finding[] {
  if (bytes === null) return [problem("suite-file-missing", path, "A file that the suite pins is missing.")];
  const actual = fastDigest(bytes);
  return actual === digest
    ? []
    : [problem(code, path, "The file is not the one that the suite pins.", { expected: digest, actual })];
}

/** Parses and executes a reference recipe on its workbook; any finding says where. */
export async function executeReference(
  recipeBytes: Uint8Array,
  recipePath: string,
  workbookBytes: Uint8Array,
  workbookPath: string,
): Promise<Outcome<{ workbook: Workbook; recipe: Recipe; reference: Execution }>> {
  const recipe = parseRecipe(recipeBytes, recipePath);
  if (!recipe.ok) return recipe;
  const workbook = await readWorkbook(workbookBytes, { path: workbookPath });
  if (!workbook.ok) return workbook;
  const checked = checkRecipe(recipe.value, workbook.value);
  if (hasErrors(checked))
    return { ok: false, findings: checked.map((finding) => ({ path: recipePath, ...finding })) };
  const execution = executeRecipe(workbook.value, recipe.value);
  if (!execution.ok)
    return { ok: false, findings: execution.findings.map((finding) => ({ path: recipePath, ...finding })) };
  return {
    ok: true,
    value: { workbook: workbook.value, recipe: recipe.value, reference: execution.value },
    findings: [],
  };
}

/** What the reference recipe gives has the digest and size that the manifest pins. */
export function referenceFindings(reference: Execution, member: SuiteMember, path: string): Finding[] {
  const { rows, columns } = reference.table;
  const actual = {
    sha256: fastDigest(canonicalCsv(reference.table)),
    rows: rows.length,
    columns: columns.length,
  };
  return (["sha256", "rows", "columns"] as const).flatMap((key) =>
    actual[key] === member.reference[key]
      ? []
      : [
          problem(
            "suite-reference-differs",
            path,
            `Executing the reference recipe of ${member.id} does not give the pinned table (${key}).`,
            { expected: String(member.reference[key]), actual: String(actual[key]) },
          ),
        ],
  );
}

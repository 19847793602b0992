import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ExcelJS from "exceljs";
import { loadSuite } from "../../src/jobs/load-suite.ts";
import { freezeSuite } from "../../src/jobs/suite.ts";
import { compareExecutions } from "../../src/lib/benchmarks/compare.ts";
import { documentMismatches } from "../../src/lib/benchmarks/privacy.ts";
import { resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument, ResultMember } from "../../src/lib/benchmarks/result-schema.ts";
import { bankWorkbookPath } from "../../src/lib/benchmarks/suite.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { executeRecipe } from "../../src/lib/sheet/execute.ts";
import type { Recipe } from "../../src/lib/sheet/recipe-schema.ts";
import { passedMember, resultDocument, skippedMember } from "../lib/benchmarks/documents.ts";

/** A repository in a temporary folder with one frozen suite: conformance members `tt-one` and `tt-two`, bank member `tt-bank`. */

export const REPOSITORY: string = fileURLToPath(new URL("../..", import.meta.url));
export const FROZEN_AT = "2026-11-01T00:00:00.000Z";
export const SUITE_ID = "temp-1";

export interface TempRepository {
  readonly root: string;
  /** Digest of the bank member's workbook, and its bytes. */
  readonly bank: { readonly digest: string; readonly bytes: Uint8Array };
  write(path: string, data: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

async function workbookOf(first: number): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet("Data");
  sheet.addRows([
    ["State", 2022, 2023],
    ["NSW", first, first + 1],
    ["VIC", first + 2, first + 3],
  ]);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** Reads the little table; `sheet` and `stateName` make recipes that fail, or that differ in one column's name. */
export const recipe = ({ sheet = "Data", stateName = "state", values = "R2C2:R3C3" } = {}): Recipe => ({
  version: 1,
  tables: [
    {
      sheet,
      values: { from: [values] },
      headers: [
        { name: stateName, from: ["R2C1:R3C1"], direction: "left" },
        { name: "year", from: ["R1C2:R1C3"], direction: "up" },
      ],
    },
  ],
});

const referenceCsv = (first: number): string =>
  `state,year,value\nNSW,2022,${first}\nNSW,2023,${first + 1}\nVIC,2022,${first + 2}\nVIC,2023,${first + 3}\n`;

const member = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  title: `Member ${id}`,
  source_kind: "conformance",
  publisher: "synthetic",
  difficulty: "easy",
  feature_tags: ["single_table", "time_series"],
  published_in_bank: false,
  task: "Sheet 'Data': one row per state and year.",
  checked_by: "Written by hand beside the workbook.",
  ...more,
});

export const draft = (members: unknown[] = DRAFT_MEMBERS): string =>
  JSON.stringify({
    schema_version: 1,
    id: SUITE_ID,
    title: "A suite for tests",
    note: "Not a real suite.",
    members,
  });

const DRAFT_MEMBERS = [
  member("tt-one"),
  member("tt-two"),
  member("tt-bank", { source_kind: "bank_asset", published_in_bank: true, bank_record: "tt-workbook" }),
];

/** Files of the repository without the frozen suite. */
export async function unfrozenRepository(): Promise<TempRepository> {
  const root = await mkdtemp(join(tmpdir(), "assay-suite-"));
  const write = async (path: string, data: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), data);
  };
  for (const folder of ["vocabulary", "registry"])
    await cp(join(REPOSITORY, "benchmarks", folder), join(root, "benchmarks", folder), { recursive: true });
  for (const [index, id] of ["tt-one", "tt-two"].entries()) {
    await write(`benchmarks/members/${id}/workbook.xlsx`, await workbookOf(10 * (index + 1)));
    await write(`benchmarks/members/${id}/reference.csv`, referenceCsv(10 * (index + 1)));
    await write(`benchmarks/members/${id}/recipe.json`, JSON.stringify(recipe()));
  }
  const bytes = await workbookOf(30);
  const digest = digestOf(bytes);
  await write("benchmarks/members/tt-bank/recipe.json", JSON.stringify(recipe()));
  await write(bankWorkbookPath(digest), bytes);
  await write(
    "benchmarks/bank/records/tt-workbook.json",
    JSON.stringify({
      schema_version: 1,
      id: "tt-workbook",
      publisher: "synthetic",
      publisher_name: "Nobody",
      title: "A workbook for tests",
      product: null,
      release: { reference_period: null, released: null },
      published_at: "nowhere",
      obtained_from: "this test",
      licence: { name: "MIT", basis: "made here" },
      sha256: digest,
      bytes: bytes.length,
    }),
  );
  return { root, bank: { digest, bytes }, write, remove: () => rm(root, { recursive: true, force: true }) };
}

export async function tempRepository(): Promise<TempRepository> {
  const repository = await unfrozenRepository();
  const frozen = await freezeSuite({
    root: repository.root,
    draft: new TextEncoder().encode(draft()),
    draftPath: "draft.json",
    frozenAt: FROZEN_AT,
  });
  if (!frozen.ok) throw new Error(JSON.stringify(frozen.findings, null, 2));
  return repository;
}

/** An honest document: one recipe per member, scored as a run scores; `null` skips the member. */
export async function honestDocument(
  root: string,
  recipes: Readonly<Record<string, Recipe | null>>,
  changes: Partial<ResultDocument> = {},
  suiteId: string = SUITE_ID,
): Promise<ResultDocument> {
  const loaded = await loadSuite(root, suiteId);
  if (!loaded.ok) throw new Error("the suite does not load");
  const { suite } = loaded.value;
  const members: ResultMember[] = [];
  for (const entry of suite.members) {
    const chosen = recipes[entry.id] ?? null;
    const ready = await loaded.value.member(entry.id);
    if (chosen === null || !ready.available) {
      members.push(skippedMember(entry.id));
      continue;
    }
    const executed = executeRecipe(ready.workbook, chosen);
    const { status, ...score } = compareExecutions(ready.reference, executed.ok ? executed.value : null);
    members.push(
      passedMember(entry.id, {
        ...score,
        status,
        recipe: { ...chosen },
        mismatches: documentMismatches(entry, score.mismatches),
      }),
    );
  }
  return resultDocument(members, suite, changes);
}

/** Puts a document where it belongs; gives its path. */
export async function commit(repository: TempRepository, document: ResultDocument): Promise<string> {
  const path = resultPath(document);
  await repository.write(path, canonicalDocument(document));
  return path;
}

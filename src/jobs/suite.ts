import { type FileSource, folderSource, listFiles, writeFilesWhole } from "../io/files.ts";
import { whenWritten } from "../io/user-files.ts";
import { bankRecordPath, parseBankRecord } from "../lib/benchmarks/bank-record.ts";
import { instantMs } from "../lib/benchmarks/instant.ts";
import { isPrivateMember, redactFinding } from "../lib/benchmarks/privacy.ts";
import { bankWorkbookPath, memberFile, suitePath } from "../lib/benchmarks/suite.ts";
import {
  type DraftMember,
  frozenSuite,
  type PinnedFiles,
  parseSuiteDraft,
} from "../lib/benchmarks/suite-draft.ts";
import type { Suite, SuiteMember } from "../lib/benchmarks/suite-schema.ts";
import { computeTags } from "../lib/benchmarks/tags/index.ts";
import { parseVocabulary, VOCABULARY_PATH } from "../lib/benchmarks/vocabulary.ts";
import { digestOf } from "../lib/digest.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { canonicalCsv } from "../lib/sheet/csv.ts";
import { type AvailableMember, executeReference, type LoadOptions, loadSuite } from "./load-suite.ts";
import { bankFiles, bankPlace, readBankPolicy } from "./vault.ts";

const error = (code: string, path: string, message: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: "error",
  path,
  message,
  ...more,
});

/** Where reference tables of bank members are kept locally: in the vault, or without one ignored by git. */
export const bankReferencePath = (memberId: string): string => `benchmarks/bank/references/${memberId}.csv`;

/** Ids of the committed suites, sorted. */
export async function listSuites(root: string): Promise<string[]> {
  const files = await listFiles(root, "benchmarks/suites");
  return files.flatMap((path) => /^benchmarks\/suites\/([^/]+)\.json$/.exec(path)?.[1] ?? []);
}

export interface FreezeRequest {
  readonly root: string;
  readonly draft: Uint8Array;
  /** How findings name the draft. */
  readonly draftPath: string;
  /** `2026-07-19T00:00:00.000Z`: when the suite counts as frozen. */
  readonly frozenAt: string;
  /** Write reference tables that do not exist yet; an existing one must always be what the recipe gives. */
  readonly writeReferences?: boolean;
  /** Whether findings may quote the bank's workbooks; by default as the repository's policy says. */
  readonly openBank?: boolean;
}

/**
 * Freezes a draft: computes every digest, executes every reference recipe, and writes `benchmarks/suites/<id>.json`.
 * Refuses to touch a suite that exists. A reference table that is there (written without the engine) must equal what
 * the recipe gives; nothing is written unless all of it holds.
 */
export async function freezeSuite(request: FreezeRequest): Promise<Outcome<Suite>> {
  const { root, draftPath } = request;
  const source = folderSource(root);
  const vocabularyBytes = await source(VOCABULARY_PATH);
  if (vocabularyBytes === null)
    return {
      ok: false,
      findings: [error("vocabulary-missing", VOCABULARY_PATH, "The vocabulary is missing.")],
    };
  const vocabulary = parseVocabulary(vocabularyBytes);
  if (!vocabulary.ok) return vocabulary;
  const draft = parseSuiteDraft(request.draft, draftPath, vocabulary.value);
  if (!draft.ok) return draft;
  const policy = await readBankPolicy(source);
  if (!policy.ok) return policy;
  const bank = { files: bankFiles(source), open: request.openBank ?? policy.value.open };
  const target = suitePath(draft.value.id);
  if ((await source(target)) !== null)
    return {
      ok: false,
      findings: [
        error("suite-frozen", target, `The suite ${draft.value.id} is frozen and never changes.`, {
          hint: "Give the draft a new id.",
        }),
      ],
    };
  if (instantMs(request.frozenAt) === null)
    return {
      ok: false,
      findings: [
        error("suite-time", draftPath, "This is no moment in time.", {
          expected: "2026-07-19T00:00:00.000Z",
          actual: request.frozenAt,
        }),
      ],
    };
  const pins: PinnedFiles[] = [];
  const references: { root: string; path: string; data: string }[] = [];
  const findings: Finding[] = [];
  for (const member of draft.value.members) {
    const pinned = await pinFiles(source, bank, member, request.writeReferences === true);
    if (!pinned.ok) {
      findings.push(...pinned.findings);
      continue;
    }
    pins.push(pinned.value.files);
    references.push(...pinned.value.write.map(({ path, data }) => ({ ...bankPlace(root, path), data })));
  }
  if (findings.length > 0) return { ok: false, findings };
  const suite = frozenSuite(draft.value, pins, digestOf(vocabularyBytes), request.frozenAt);
  const own = references.filter((file) => file.root === root);
  const refused = await whenWritten(target, async () => {
    for (const file of references) if (file.root !== root) await writeFilesWhole(file.root, [file]);
    await writeFilesWhole(root, [...own, { path: target, data: `${JSON.stringify(suite, null, 2)}\n` }]);
  });
  return refused.length > 0 ? { ok: false, findings: refused } : { ok: true, value: suite, findings: [] };
}

async function pinFiles(
  source: FileSource,
  bank: { readonly files: FileSource; readonly open: boolean },
  member: DraftMember,
  writeReferences: boolean,
): Promise<Outcome<{ files: PinnedFiles; write: { path: string; data: string }[] }>> {
  const fail = (finding: Finding): Outcome<never> => ({ ok: false, findings: [finding] });
  const recipePath = memberFile(member.id, "recipe.json");
  const recipe = await source(recipePath);
  if (recipe === null)
    return fail(error("suite-file-missing", recipePath, `The reference recipe of ${member.id} is missing.`));
  const place = await workbookPlace(source, member);
  if (!place.ok) return place;
  const isBank = member.source_kind === "bank_asset";
  const workbook = await (isBank ? bank.files : source)(place.value);
  if (workbook === null)
    return fail(
      error("suite-file-missing", place.value, `The workbook of ${member.id} is missing.`, {
        hint:
          member.bank_record === undefined
            ? "Commit it beside the recipe."
            : "Stage it first: npm run bench:bank -- stage <folder>.",
      }),
    );
  const executed = await executeReference(recipe, recipePath, workbook, place.value);
  if (!executed.ok)
    return isPrivateMember(member, { openBank: bank.open })
      ? { ok: false, findings: executed.findings.map(redactFinding) }
      : executed;
  const { table } = executed.value.reference;
  const csv = canonicalCsv(table);
  const csvPath = isBank ? bankReferencePath(member.id) : memberFile(member.id, "reference.csv");
  const present = await (isBank ? bank.files : source)(csvPath);
  if (present !== null && digestOf(present) !== digestOf(csv))
    return fail(
      error(
        "suite-reference-differs",
        csvPath,
        `The recipe of ${member.id} does not give this reference table.`,
        {
          expected: digestOf(present),
          actual: digestOf(csv),
          hint: "Find out which of the two is wrong: the table was checked without the engine.",
        },
      ),
    );
  if (present === null && !isBank && !writeReferences)
    return fail(
      error("suite-file-missing", csvPath, `The reference table of ${member.id} is missing.`, {
        hint: "Write it independently of the engine, or use --write-references and check what it wrote.",
      }),
    );
  return {
    ok: true,
    value: {
      files: {
        workbook: { sha256: digestOf(workbook), bytes: workbook.length },
        recipe: { sha256: digestOf(recipe) },
        reference: { sha256: digestOf(csv), rows: table.rows.length, columns: table.columns.length },
      },
      write: present === null && writeReferences ? [{ path: csvPath, data: csv }] : [],
    },
    findings: [],
  };
}

async function workbookPlace(source: FileSource, member: DraftMember): Promise<Outcome<string>> {
  if (member.bank_record === undefined)
    return { ok: true, value: memberFile(member.id, "workbook.xlsx"), findings: [] };
  const path = bankRecordPath(member.bank_record);
  const bytes = await source(path);
  if (bytes === null)
    return {
      ok: false,
      findings: [error("bank-record-missing", path, `There is no record ${member.bank_record}.`)],
    };
  const record = parseBankRecord(bytes, path);
  return record.ok ? { ok: true, value: bankWorkbookPath(record.value.sha256), findings: [] } : record;
}

export interface SuiteVerification {
  readonly id: string;
  /** Null when the manifest itself does not hold. */
  readonly suite: Suite | null;
  /** `unavailable`: a bank workbook that is not staged here, which is no fault of the suite. */
  readonly members: readonly {
    id: string;
    state: "verified" | "unavailable" | "broken";
    reason: string | null;
  }[];
  readonly findings: readonly Finding[];
}

/**
 * Proves a frozen suite: manifest and vocabulary digests, then for every member the digests of recipe, workbook and
 * reference table, that executing the recipe gives exactly that table, and that the member carries exactly the structure
 * tags whose predicates hold for it.
 */
export async function verifySuite(
  root: string,
  id: string,
  options: Pick<LoadOptions, "openBank"> = {},
): Promise<SuiteVerification> {
  const loaded = await loadSuite(root, id, options);
  if (!loaded.ok) return { id, suite: null, members: [], findings: loaded.findings };
  const { suite, member } = loaded.value;
  const bank = bankFiles(folderSource(root));
  const findings: Finding[] = [...loaded.findings];
  const members: SuiteVerification["members"][number][] = [];
  for (const [index, entry] of suite.members.entries()) {
    const ready = await member(entry.id);
    if (ready.available) {
      const tags = tagFindings(entry, ready, index, suitePath(id));
      findings.push(...tags);
      const local = entry.source_kind === "bank_asset" ? await bank(bankReferencePath(entry.id)) : null;
      const stale = local !== null && digestOf(local) !== entry.reference.sha256;
      if (stale)
        findings.push(
          error(
            "suite-reference-digest",
            bankReferencePath(entry.id),
            "The kept table is not the pinned one.",
            {
              expected: entry.reference.sha256,
              actual: digestOf(local),
            },
          ),
        );
      members.push({ id: entry.id, state: stale || tags.length > 0 ? "broken" : "verified", reason: null });
    } else {
      findings.push(...ready.findings);
      const state = ready.findings.length === 0 ? "unavailable" : "broken";
      members.push({ id: entry.id, state, reason: ready.reason });
    }
  }
  return { id, suite, members, findings };
}

/** Tags that the member lacks although they hold, and tags that it carries although they do not. */
function tagFindings(entry: SuiteMember, ready: AvailableMember, index: number, path: string): Finding[] {
  const { workbook, recipe, reference } = ready;
  const computed = computeTags({ workbook, recipe, execution: reference });
  const carried = [...entry.feature_tags].sort();
  const pointer = `/members/${index}/feature_tags`;
  const place = { pointer, expected: computed.join(", "), actual: carried.join(", ") };
  const missing = computed.filter((tag) => !carried.includes(tag));
  const untrue = carried.filter((tag) => !computed.includes(tag));
  return [
    ...missing.map((tag) =>
      error("suite-tag-missing", path, `${tag} holds for ${entry.id}, which does not carry it.`, place),
    ),
    ...untrue.map((tag) =>
      error("suite-tag-untrue", path, `${entry.id} carries ${tag}, which does not hold for it.`, place),
    ),
  ];
}

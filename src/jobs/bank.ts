import {
  type FileSource,
  filesBelow,
  folderSource,
  listFiles,
  readWhole,
  writeFilesWhole,
} from "../io/files.ts";
import { whenWritten } from "../io/user-files.ts";
import {
  BANK_RECORDS_FOLDER,
  type BankRecord,
  bankRecordPath,
  parseBankRecord,
} from "../lib/benchmarks/bank-record.ts";
import { bankWorkbookPath } from "../lib/benchmarks/suite.ts";
import {
  parseVaultLock,
  VAULT_LOCK_PATH,
  type VaultLock,
  vaultLockFindings,
  vaultLockOf,
} from "../lib/benchmarks/vault-lock.ts";
import { digestOf } from "../lib/digest.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { bankFiles, bankPlace, vaultFindings, vaultFolder } from "./vault.ts";

/** Where a record's workbook is here: staged and right, not there, or there with other bytes. */
export interface BankEntry {
  readonly record: BankRecord;
  readonly state: "staged" | "missing" | "damaged";
}

/** The committed records, sorted by id. Two records of one digest are a finding. */
export async function readBankRecords(root: string): Promise<Outcome<BankRecord[]>> {
  const source = folderSource(root);
  const records: BankRecord[] = [];
  const findings: Finding[] = [];
  for (const path of await listFiles(root, BANK_RECORDS_FOLDER)) {
    if (!path.endsWith(".json")) continue;
    const parsed = parseBankRecord((await source(path)) ?? new Uint8Array(), path);
    findings.push(...parsed.findings);
    if (!parsed.ok) continue;
    const twin = records.find(({ sha256 }) => sha256 === parsed.value.sha256);
    if (twin !== undefined)
      findings.push({
        code: "bank-record-duplicate",
        severity: "error",
        path,
        pointer: "/sha256",
        message: `The record ${twin.id} pins the same workbook.`,
      });
    records.push(parsed.value);
  }
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: records, findings };
}

/** What is staged of the bank: every workbook is read and its digest compared. */
export async function bankStatus(root: string): Promise<Outcome<BankEntry[]>> {
  const records = await readBankRecords(root);
  if (!records.ok) return records;
  const missing = await vaultFindings();
  if (missing.length > 0) return { ok: false, findings: missing };
  const source = bankFiles(folderSource(root));
  const entries: BankEntry[] = [];
  for (const record of records.value) entries.push({ record, state: await stateOf(source, record) });
  return { ok: true, value: entries, findings: [] };
}

async function stateOf(source: FileSource, record: BankRecord): Promise<BankEntry["state"]> {
  const bytes = await source(bankWorkbookPath(record.sha256));
  if (bytes === null) return "missing";
  return digestOf(bytes) === record.sha256 && bytes.length === record.bytes ? "staged" : "damaged";
}

/**
 * What is wrong between the committed lock and the records, which pin the same workbooks. A vault needs a lock; without
 * one, the ignored folder may do without.
 */
export async function lockFindings(root: string, records: readonly BankRecord[]): Promise<Finding[]> {
  const bytes = await folderSource(root)(VAULT_LOCK_PATH);
  if (bytes === null)
    return vaultFolder() === null
      ? []
      : [
          {
            code: "bank-lock-missing",
            severity: "error",
            path: VAULT_LOCK_PATH,
            message: "Nothing says what the vault must hold.",
            hint: "npm run bench:bank -- lock writes it; commit it.",
          },
        ];
  const lock = parseVaultLock(bytes);
  return lock.ok ? vaultLockFindings(lock.value, records) : lock.findings;
}

/** Writes `vault.lock.json` from what is there, and refuses while a recorded workbook is missing or damaged. */
export async function lockVault(root: string): Promise<Outcome<VaultLock>> {
  const status = await bankStatus(root);
  if (!status.ok) return status;
  const absent = status.value.filter(({ state }) => state !== "staged");
  if (absent.length > 0)
    return {
      ok: false,
      findings: absent.map(({ record, state }) => ({
        code: "bank-lock-incomplete",
        severity: "error",
        path: bankRecordPath(record.id),
        message: `The workbook of ${record.id} is ${state}: a lock lists only what was seen.`,
        hint: "npm run bench:bank -- stage <folder>",
      })),
    };
  const lock = vaultLockOf(status.value.map(({ record }) => record));
  const data = `${JSON.stringify(lock, null, 2)}\n`;
  const findings = await whenWritten(VAULT_LOCK_PATH, () =>
    writeFilesWhole(root, [{ path: VAULT_LOCK_PATH, data }]),
  );
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: lock, findings };
}

export interface StagedBank {
  readonly entries: readonly BankEntry[];
  /** Ids of the records whose workbook this call copied. */
  readonly copied: readonly string[];
}

/**
 * Copies the workbooks that records pin from a folder (and its subfolders) to where they are looked up: the vault, or
 * without one the ignored folder `benchmarks/bank/workbooks/`. They are matched by digest whatever they are called; files
 * of another size are not even read.
 */
export async function stageBank(root: string, folder: string): Promise<Outcome<StagedBank>> {
  const status = await bankStatus(root);
  if (!status.ok) return status;
  const wanted = status.value.filter(({ state }) => state !== "staged").map(({ record }) => record);
  const found = await filesBelow(folder);
  if (found === null)
    return {
      ok: false,
      findings: [
        {
          code: "bank-folder-missing",
          severity: "error",
          message: "There is no such folder.",
          path: folder,
          hint: "Name the folder that holds the bank's workbooks.",
        },
      ],
    };
  const copied: string[] = [];
  const findings: Finding[] = [];
  for (const { path, size } of found) {
    if (!wanted.some(({ bytes }) => bytes === size)) continue;
    const data = await readWhole(path);
    const digest = digestOf(data);
    const record = wanted.find(({ id, sha256 }) => sha256 === digest && !copied.includes(id));
    if (record === undefined) continue;
    const place = bankPlace(root, bankWorkbookPath(digest));
    const refused = await whenWritten(place.path, () =>
      writeFilesWhole(place.root, [{ path: place.path, data }]),
    );
    // The others go on: what can be staged is staged.
    findings.push(...refused);
    if (refused.length === 0) copied.push(record.id);
  }
  const entries = status.value.map((entry) =>
    copied.includes(entry.record.id) ? { ...entry, state: "staged" as const } : entry,
  );
  return { ok: true, value: { entries, copied }, findings };
}

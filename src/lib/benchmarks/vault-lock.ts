import { z } from "zod";
import type { Finding, Outcome } from "../findings.ts";
import { parseWithSchema } from "../strict-json/schema.ts";
import { type BankRecord, bankRecordPath } from "./bank-record.ts";
import { digestSchema } from "./suite-schema.ts";

/** Committed beside the code, like a package lock: a vault cannot vouch for itself. */
export const VAULT_LOCK_PATH = "vault.lock.json";

/** `vault.lock.json`: every file that the vault must hold. The names of files follow from kind and digest. */
export const vaultLockSchema = z.strictObject({
  schema_version: z.literal(1),
  files: z
    .array(
      z.strictObject({
        kind: z.enum(["bank-workbook"]),
        sha256: digestSchema,
        bytes: z.int().positive(),
      }),
    )
    .max(10_000),
});

export type VaultLock = z.infer<typeof vaultLockSchema>;

export const parseVaultLock = (bytes: Uint8Array): Outcome<VaultLock> =>
  parseWithSchema(bytes, vaultLockSchema, { path: VAULT_LOCK_PATH, code: "bank" });

/** The lock of a vault that holds exactly the workbooks of these records, by digest. */
export const vaultLockOf = (records: readonly BankRecord[]): VaultLock => ({
  schema_version: 1,
  files: records
    .map(({ sha256, bytes }) => ({ kind: "bank-workbook" as const, sha256, bytes }))
    .sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
});

/** Where lock and records disagree: each lists what the other does, with the same size. */
export function vaultLockFindings(lock: VaultLock, records: readonly BankRecord[]): Finding[] {
  const error = (message: string, more: Partial<Finding>): Finding => ({
    code: "bank-lock-differs",
    severity: "error",
    path: VAULT_LOCK_PATH,
    message,
    hint: "npm run bench:bank -- lock writes it anew.",
    ...more,
  });
  const wanted = new Map(records.map((record) => [record.sha256, record]));
  const listed = new Map(lock.files.map((file) => [file.sha256, file]));
  return [
    ...records.flatMap(({ id, sha256, bytes }) => {
      const file = listed.get(sha256);
      if (file === undefined)
        return [error(`The lock does not list the workbook of ${bankRecordPath(id)}.`, { expected: sha256 })];
      return file.bytes === bytes
        ? []
        : [
            error(`The lock has another size for the workbook of ${id}.`, {
              expected: String(bytes),
              actual: String(file.bytes),
            }),
          ];
    }),
    ...lock.files.flatMap(({ sha256 }, index) =>
      wanted.has(sha256) && lock.files.findIndex((file) => file.sha256 === sha256) === index
        ? []
        : [
            error("The lock lists a workbook twice, or one that no record pins.", {
              pointer: `/files/${index}`,
              actual: sha256,
            }),
          ],
    ),
  ];
}

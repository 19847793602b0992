import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type FileSource, folderSource } from "../io/files.ts";
import { userPath } from "../io/user-files.ts";
import { BANK_POLICY_PATH, type BankPolicy, parseBankPolicy } from "../lib/benchmarks/bank-policy.ts";
import type { Finding, Outcome } from "../lib/findings.ts";

/**
 * Where the bank's files are: in the folder that `ASSAY_VAULT` names, as `bank/workbooks/<sha256>.xlsx` and
 * `bank/references/<member>.csv`; without it under `benchmarks/` of the repository, in folders that git ignores. A vault
 * is looked at alone: what it lacks is not looked for elsewhere.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** Repository paths that lie in the vault, when there is one. */
const IN_VAULT = /^benchmarks\/(bank\/(?:workbooks|references)\/.+)$/s;

/** The vault's folder; null when `ASSAY_VAULT` names none. */
export const vaultFolder = (env: Environment = process.env): string | null =>
  env.ASSAY_VAULT === undefined || env.ASSAY_VAULT === "" ? null : userPath(env.ASSAY_VAULT, env);

/** Where a file of the bank is read and written: folder, and path below it. */
export function bankPlace(
  root: string,
  path: string,
  env: Environment = process.env,
): { readonly root: string; readonly path: string } {
  const vault = vaultFolder(env);
  const below = IN_VAULT.exec(path)?.[1];
  return vault === null || below === undefined ? { root, path } : { root: vault, path: below };
}

/** The bank's files by their repository paths, from the vault or, without one, from `source`. */
export function bankFiles(source: FileSource, env: Environment = process.env): FileSource {
  const vault = vaultFolder(env);
  if (vault === null) return source;
  const files = folderSource(vault);
  return async (path) => {
    const below = IN_VAULT.exec(path)?.[1];
    return below === undefined ? null : files(below);
  };
}

/** A vault that is named and not there: silence would make every member of the bank look merely not staged. */
export async function vaultFindings(env: Environment = process.env): Promise<Finding[]> {
  const vault = vaultFolder(env);
  if (vault === null) return [];
  const found = await stat(join(vault, ".")).catch(() => null);
  if (found?.isDirectory() === true) return [];
  return [
    {
      code: "bank-vault-missing",
      severity: "error",
      message: "ASSAY_VAULT names a folder that is not there.",
      hint: "Name the vault's folder, or unset ASSAY_VAULT to use benchmarks/bank/workbooks/.",
    },
  ];
}

/** Whether the bank is open, as the given tree says. */
export const readBankPolicy = async (source: FileSource): Promise<Outcome<BankPolicy>> =>
  parseBankPolicy(await source(BANK_POLICY_PATH));
